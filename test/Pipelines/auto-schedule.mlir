// The driver end to end: tune with few trials, and reuse the records.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=4 batch=4 threads=1 work-dir=%t.d min-repeat-ms=1 quiet=true" \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// A second run has nothing left to measure.
// RUN: sched-opt %s --auto-schedule="trials=4 batch=4 threads=1 work-dir=%t.d" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RESUME
// One that could measure no more answers from the records, too.
// RUN: env SCHED_WORKER=/nonexistent sched-opt %s --auto-schedule="trials=8 batch=4 threads=1 work-dir=%t.d quiet=true" -o %t.known.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORKERLESS --implicit-check-not=error:
// RUN: FileCheck %s --input-file=%t.known.mlir
// From the records alone, to each kind of output.
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t.d" | FileCheck %s
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t.d" --emit=obj -o %t.o --emit-header=%t.h
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=NM
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t.d" --emit=llvm | FileCheck %s --check-prefix=LLVM

// WORKERLESS: warning: matmul_40x48x24_f32: found no program at '/nonexistent', {{.*}}; the best of the records is used

// CHECK-LABEL: func.func @f
// CHECK-NOT: linalg.matmul
// CHECK: scf.for
// CHECK: vector.contract
// CHECK-NOT: transform.named_sequence
func.func @f(%a: tensor<40x24xf32>, %b: tensor<24x48xf32>) -> tensor<40x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<40x24xf32>, tensor<24x48xf32>)
                     outs(%i : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %r : tensor<40x48xf32>
}

// RECORD: "workload":{"hash":"{{[0-9a-f]+}}","text":"matmul_40x48x24_f32"}
// RESUME: 4 trials
// NM: T f
// HEADER: void f(const float *arg0, const float *arg1, float *result0);
// LLVM: define {{.*}}void @f(ptr noalias {{.*}}readonly
