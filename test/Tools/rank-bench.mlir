// How well models rank what is held out of a task that they know: of the search's
// own choice, of random candidates, and how well two measurements agree.
// REQUIRES: host-x86, xgboost

// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s --auto-schedule="trials=32 batch=16 threads=1 cost-model=random work-dir=%t/tuned min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-opt %s --auto-schedule="strategy=random trials=30 threads=1 seed=3 work-dir=%t/random min-repeat-ms=1 quiet=true" -o /dev/null
// The same seed, the same candidates.
// RUN: sched-opt %s --auto-schedule="strategy=random trials=30 threads=1 seed=3 work-dir=%t/again min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-db train %t/random -o %t/start.model
// RUN: %sched_build/bin/rank-bench --within %t/tuned --random=%t/random --again=%t/again --start=%t/start.model > %t/out.txt
// RUN: FileCheck %s < %t/out.txt
// RUN: %sched_build/bin/rank-bench --within %t/tuned --random=%t/random --again=%t/again --start=%t/start.model | cmp - %t/out.txt
// RUN: %sched_build/bin/rank-bench --within %t/tuned --json | FileCheck %s --check-prefix=JSON
// RUN: not %sched_build/bin/rank-bench --within %t/tuned --start=%t/none 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: 0: matmul_{{.*}}, {{3[2-9]}} trials of the search, {{[2-4][0-9]}} random
// CHECK: rank correlation: random mean 0
// CHECK-NEXT: analytic [[R:-?[01]\.[0-9]+]] [[R]]
// CHECK-NEXT: analytic, calibrated
// CHECK-NEXT: fresh, learning
// CHECK-NEXT: fresh, learning, calibrated
// CHECK-NEXT: pre-trained {{.*[0-9]$}}
// CHECK-NEXT: pre-trained, calibrated
// CHECK-NEXT: pre-trained, learning
// CHECK-NEXT: pre-trained, learning, calibrated
// CHECK-NEXT: two measurements {{-?[01]\.[0-9]+}}
// CHECK-NEXT: rank correlation: random, others known
// CHECK: rank correlation: the search's
// CHECK-NEXT: analytic {{-?[01]\.[0-9]+}}

// JSON: {"tasks":[{"chosen":{{3[2-9]}},"random":0,"rank_correlation":{"the search's":{"analytic":{{[^}]*}},"fresh, learning":{{[^}]*}}}},"workload":"matmul_{{[^"]*}}"}]}

// NONE: rank-bench: cannot read '{{.*}}none'

func.func @f(%a: tensor<128x96xf32>, %b: tensor<96x160xf32>) -> tensor<128x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<128x160xf32>) -> tensor<128x160xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x96xf32>, tensor<96x160xf32>) outs(%init : tensor<128x160xf32>) -> tensor<128x160xf32>
  return %r : tensor<128x160xf32>
}
