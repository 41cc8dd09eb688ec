// Records that are of no use here: of another target, number of threads,
// workload, compiler, version or sketch, or none at all. The error says what is
// there instead; nothing is written.

// RUN: rm -rf %t && mkdir -p %t/edited %t/empty
// RUN: sched-opt %s --auto-schedule="trials=1 threads=1 work-dir=%t/good min-repeat-ms=1 quiet=true" -o /dev/null

// Records as they were written serve.
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t/good" | FileCheck %s

// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/good target=cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not sched-opt %s --apply-history-best="threads=2 work-dir=%t/good" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: sed -e 's/40x/41x/g' %s | not sched-opt --apply-history-best="threads=1 work-dir=%t/good" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=WORKLOAD
// RUN: sed -e 's/40x24xf32/?x24xf32/g' %s | not sched-opt --apply-history-best="threads=1 work-dir=%t/good" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// RUN: sed -e 's/"toolchain":"LLVM [0-9.a-z]*, code [0-9]*"/"toolchain":"LLVM 21.1.0"/' %t/good/records.jsonl > %t/edited/records.jsonl
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/edited" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=TOOLCHAIN
// RUN: sed -e '/"sketch":"unscheduled"/d' -e 's/"sketch":"[0-9a-f]*"/"sketch":"123"/' %t/good/records.jsonl > %t/edited/records.jsonl
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/edited" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=SKETCH
// RUN: sed -e '/"sketch":"unscheduled"/d' -e 's/mr = [0-9]*/mr = 1000/' %t/good/records.jsonl > %t/edited/records.jsonl
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/edited" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=SKETCH
// RUN: sed -e 's/"v":1/"v":9/' %t/good/records.jsonl > %t/edited/records.jsonl
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/edited" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: sed -e 's/"v":1/"w":1/' %t/good/records.jsonl > %t/edited/records.jsonl
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/edited" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=MALFORMED

// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/empty" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not sched-opt %s --apply-history-best="threads=1" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE

// RUN: not ls %t/none.mlir
// Reading does not write either.
// RUN: not ls %t/empty/records.jsonl

// REQUIRES: aarch64-registered-target

// CHECK-LABEL: func.func @f
// CHECK: vector.contract

// DYNAMIC: error: argument #0 of @f: expected ranked tensors of static shape
// DYNAMIC-NOT: error:
// At the op that the task is made of.
// TARGET: bad-input-records.mlir:[[#@LINE+15]]:8: error: found records of 'matmul_40x48x24_f32(accumulate)' for target '{{.*}}', expected target 'cpu:mcpu=neoverse-v2,{{.*}}'; tune on this target, or name the recorded one
// TARGET-NOT: error:
// THREADS: error: found records of 'matmul_40x48x24_f32(accumulate)' for target '{{.*}},threads=1', expected target '{{.*}},threads=2'; give threads=1 as was recorded, or tune with threads=2
// WORKLOAD: error: found no record of 'matmul_{{.*}}' (workload {{[0-9a-f]+}}); recorded are 'matmul_40x48x24_f32(accumulate)'; tune this one first, or say what target the search was for
// TOOLCHAIN: error: found records of 'matmul_40x48x24_f32(accumulate)' for this target by toolchain 'LLVM 21.1.0', expected toolchain 'LLVM {{.*}}'; tune again
// SKETCH: error: the records of matmul_40x48x24_f32(accumulate) are of another space: {{.*}} (the best: {{.*}}); tune again
// NEWER: warning: {{.*}}records.jsonl:1: skipped {{[0-9]+}} record(s) of a newer version than 1; a newer sched-opt wrote them
// NEWER: bad-input-records.mlir:{{.*}} error: there are no records that this version can read; tune with this version
// NEWER-NOT: error:
// MALFORMED: warning: {{.*}}records.jsonl:1: skipped a malformed record:
// MALFORMED: error:
// EMPTY: error: cannot read the records at '{{.*}}records.jsonl': No such file or directory
// EMPTY-NOT: error:
// NOWHERE: error: no directory of records; give one with work-dir=DIR
func.func @f(%a: tensor<40x24xf32>, %b: tensor<24x48xf32>, %c: tensor<40x48xf32>) -> tensor<40x48xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<40x24xf32>, tensor<24x48xf32>)
                     outs(%c : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %r : tensor<40x48xf32>
}
