// A space in the module is searched instead of what the rules would make. Here
// one is generated, and edited to have one sketch, with one choice for a size.

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" -o %t/space.mlir
// RUN: FileCheck %s --check-prefix=SPACE --input-file=%t/space.mlir
// RUN: sed -e '/schedule.sketch @p[a-z]*_blocked(/,/^    }$/d' -e '/schedule.sketch @packed(/,/^    }$/d' \
// RUN:   -e 's/"mr" from \[[0-9, ]*\] default 6/"mr" from [3] default 3/' %t/space.mlir > %t/edited.mlir
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" --emit=transform | FileCheck %s --check-prefix=RULES
// RUN: sched-opt %t/edited.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" --emit=transform | FileCheck %s --check-prefix=EDITED

// SPACE: schedule.space @f_0
// SPACE: schedule.sketch @plain(
// SPACE: schedule.sketch @packed(

// RULES: transform.structured.pack %
// EDITED-NOT: transform.structured.pack %
// EDITED: transform.structured.fuse %{{.*}} tile_sizes [3, 16, 0]
// EDITED-NOT: transform.structured.pack %

// Nothing is left of it, so that an object can be made; its records are of use
// with it.
// RUN: sched-opt %t/edited.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/records" --emit=obj -o %t/f.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records/records.jsonl
// RUN: sched-opt %t/edited.mlir --apply-history-best="threads=1 work-dir=%t/records" | FileCheck %s
// RUN: not sched-opt %s --apply-history-best="threads=1 work-dir=%t/records" 2>&1 | FileCheck %s --check-prefix=OTHER

// RECORD-COUNT-2: @plain decisions {mr = 3,
// OTHER: is of a sketch that this version does not make

// CHECK-NOT: schedule.space
// CHECK-LABEL: func.func @f
// CHECK: vector.contract

// What is wrong with a space is said at the space.
// RUN: sed -e 's/workload("[0-9a-f]*"/workload("123"/' %t/edited.mlir > %t/stale.mlir
// RUN: sched-opt %t/stale.mlir --auto-schedule="trials=1 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/rules" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: sched-opt %t/stale.mlir --apply-history-best="threads=1 work-dir=%t/rules" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: sed -e 's/\(workload(.*)\) {/\1 target(#schedule.target<cpu, mcpu = "znver4">) {/' %t/edited.mlir > %t/elsewhere.mlir
// RUN: sched-opt %t/elsewhere.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: sed -e 's/\["init", "anchor"\]/["init", "other"]/' %t/edited.mlir > %t/broken.mlir
// RUN: not sched-opt %t/broken.mlir --auto-schedule="trials=0 threads=1 quiet=true" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: sed -e '/schedule.sketch/,/^    }$/d' %t/space.mlir > %t/empty.mlir
// RUN: not sched-opt %t/empty.mlir --auto-schedule="trials=0 threads=1 quiet=true" 2>&1 | FileCheck %s --check-prefix=EMPTY

// STALE: stale.mlir:{{[0-9]+}}:3: warning: the space @f_0 is not used: the module has no task of workload '123'
// ELSEWHERE: elsewhere.mlir:{{[0-9]+}}:3: warning: the space @f_0 is not used
// BROKEN: broken.mlir:{{[0-9]+}}:3: error: sketch @plain does not compile:{{.*}}no block named 'anchor'; the blocks are: init, other
// EMPTY: empty.mlir:{{[0-9]+}}:3: error: the space @f_0 has no sketch
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%i : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
