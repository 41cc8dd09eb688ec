// sched-run with the best schedule of a tuner's records, and what it says where
// they hold none.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=2 batch=2 threads=1 work-dir=%t.d min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-run %s --work-dir=%t.d --threads=1 --min-repeat-ms=1 --repeats=2 | FileCheck %s
// RUN: not sched-run %s --work-dir=%t.d --threads=2 --min-repeat-ms=1 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not sched-run %s --work-dir=%t.none --threads=1 --min-repeat-ms=1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.none

// CHECK: schedule: the best of '{{.*}}.d'
// CHECK: scheduled
// CHECK: check: right
// THREADS: sched-run: error: found records of 'matmul_
// THREADS-SAME: expected target '{{.*}},threads=2'
// NONE: sched-run: error: cannot read the records at
func.func @f(%a: tensor<33x40xf32>, %b: tensor<40x72xf32> {schedule.layout_free}) -> tensor<33x72xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x72xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<33x72xf32>) -> tensor<33x72xf32>
  %r = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x72xf32>)
                     outs(%i : tensor<33x72xf32>) -> tensor<33x72xf32>
  return %r : tensor<33x72xf32>
}
