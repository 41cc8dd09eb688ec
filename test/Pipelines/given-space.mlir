// A space in the module is searched instead of what the rules would make. Here
// one is generated, and edited to have one sketch, with one choice for a size.

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" -o %t/space.mlir
// RUN: FileCheck %s --check-prefix=SPACE --input-file=%t/space.mlir
// Its target is taken away, so that it serves for any.
// RUN: sed -e 's/ target(<cpu.*>) {/ {/' -e '/schedule.sketch @p[a-z]*_blocked(/,/^    }$/d' -e '/schedule.sketch @packed(/,/^    }$/d' \
// RUN:   -e 's/"mr" from \[[0-9, ]*\] default 6/"mr" from [3] default 3/' %t/space.mlir > %t/edited.mlir
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" --emit=transform | FileCheck %s --check-prefix=RULES
// RUN: sched-opt %t/edited.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" --emit=transform | FileCheck %s --check-prefix=EDITED

// SPACE: schedule.space @f_0 workload({{.*}}) target(<cpu, {{.*}}mcpu = "znver3"
// SPACE: schedule.sketch @plain(
// SPACE: schedule.sketch @packed(

// RULES-NOT: tile_sizes [3,
// RULES: transform.structured.fuse %{{.*}} tile_sizes [{{[0-9]+}},
// RULES-NOT: tile_sizes [3,
// EDITED-NOT: transform.structured.pack %
// EDITED: transform.structured.fuse %{{.*}} tile_sizes [3, {{[0-9]+}}, 0]
// EDITED-NOT: transform.structured.pack %

// Nothing is left of it, so that an object can be made; its records are of use
// with it.
// RUN: sched-opt %t/edited.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/records" --emit=obj -o %t/f.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records/records.jsonl
// RUN: sched-opt %t/edited.mlir --apply-history-best="threads=1 work-dir=%t/records" | FileCheck %s
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/records" 2>&1 | FileCheck %s --check-prefix=OTHER
// With records of both spaces in one place, each finds its own.
// RUN: sched-opt %s --auto-schedule="trials=1 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/records" -o /dev/null
// RUN: sched-opt %t/edited.mlir --apply-history-best="threads=1 work-dir=%t/records" --emit=transform | FileCheck %s --check-prefix=EDITED-ANY
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t/records" | FileCheck %s
// RUN: sched-run %t/edited.mlir --work-dir=%t/records --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT

// What no search has removed is not in the way of code.
// RUN: sched-opt %t/space.mlir --emit=obj -o %t/plain.o --emit-header=%t/plain.h
// RUN: sched-run %t/space.mlir --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=UNSCHEDULED

// RUN: sched-opt %t/space.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" | FileCheck %s --check-prefix=SAME
// RUN: sched-opt %t/space.mlir --schedule-generate-space="target=cpu:mcpu=znver4 threads=1" | FileCheck %s --check-prefix=SECOND

// RECORD-COUNT-2: @plain decisions {mr = 3,
// OTHER: error: the records of matmul_128x128x128_f32 are of another space: {{.*}} (the best: {{.*}}@plain decisions {{.*}}); tune again with --auto-schedule, or give the module the space that they are of
// EDITED-ANY: transform.structured.fuse %{{.*}} tile_sizes [3,
// RIGHT: check: right
// UNSCHEDULED: unscheduled
// SAME-COUNT-1: schedule.space @
// SAME-NOT: schedule.space @
// SECOND: schedule.space @f_0 {{.*}}mcpu = "znver3"
// SECOND: schedule.space @f_0_0 {{.*}}mcpu = "znver4"

// CHECK-NOT: schedule.space
// CHECK-LABEL: func.func @f
// CHECK: vector.contract

// What is wrong with a space is said at the space.
// RUN: sed -e 's/workload("[0-9a-f]*"/workload("123"/' %t/edited.mlir > %t/stale.mlir
// RUN: sched-opt %t/stale.mlir --auto-schedule="trials=1 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/rules" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: sched-opt %t/stale.mlir --apply-history-best="threads=1 work-dir=%t/rules" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: sched-opt %t/space.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: sched-opt %t/space.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=2 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: sched-opt %t/space.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | count 0
// RUN: sched-opt %s --schedule-generate-space="threads=1" -o %t/native.mlir
// RUN: sched-opt %t/native.mlir --auto-schedule="trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | count 0
// RUN: sed -e '/^  schedule.space/,/^  }/!d' -e 's/@f_0/@g_0/' %t/edited.mlir > %t/copy && sed -e '/^module/r %t/copy' %t/edited.mlir > %t/twice.mlir
// RUN: sched-opt %t/twice.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed -e 's/\["init", "anchor"\]/["init", "other"]/' %t/edited.mlir > %t/broken.mlir
// RUN: not sched-opt %t/broken.mlir --auto-schedule="trials=0 threads=1 quiet=true" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not sched-opt %t/broken.mlir --apply-history-best="threads=1 work-dir=%t/records" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: sed -e '/schedule.sketch/,/^    }$/d' %t/edited.mlir > %t/empty.mlir
// RUN: not sched-opt %t/empty.mlir --auto-schedule="trials=0 threads=1 quiet=true" 2>&1 | FileCheck %s --check-prefix=EMPTY

// One sketch that cannot be searched does not cost the others.
// RUN: sed -e '/schedule.sketch @packed(/,/^    }$/ s/\["init", "anchor"\]/["init", "other"]/' %t/space.mlir > %t/partly.mlir
// RUN: sched-opt %t/partly.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=PARTLY --implicit-check-not=error:
// RUN: FileCheck %s --input-file=%t/out.mlir

// PARTLY: partly.mlir:{{[0-9]+}}:5: warning: sketch @packed does not compile: {{.*}}no block named 'anchor'{{.*}}; the other sketches of the space are kept
// PARTLY-NOT: warning:
// STALE: stale.mlir:{{[0-9]+}}:3: warning: the space @f_0 is not used: the module has no task of workload '123'{{$}}
// ELSEWHERE: space.mlir:{{[0-9]+}}:3: warning: the space @f_0 is not used: it is for another target or number of threads{{$}}
// TWICE: twice.mlir:{{[0-9]+}}:3: warning: the space @f_0 is not used: an earlier space is for the same workload and target{{$}}
// BROKEN: broken.mlir:{{[0-9]+}}:3: error: sketch @plain does not compile:{{.*}}no block named 'anchor'; the blocks are: init, other
// EMPTY: empty.mlir:{{[0-9]+}}:3: error: the space @f_0 has no sketch
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%i : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
