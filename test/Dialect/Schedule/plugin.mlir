// Our passes mixed with upstream's, in stock mlir-opt.
// RUN: mlir-opt-22 %s --load-dialect-plugin=%sched_plugin --load-pass-plugin=%sched_plugin \
// RUN:   --pass-pipeline='builtin.module(schedule-sample{seed=1},convert-schedule-to-transform,transform-interpreter,symbol-dce,canonicalize,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @mm
// CHECK: scf.for
// CHECK: linalg.matmul ins(%{{.*}} : tensor<8x64xf32>, tensor<64x16xf32>)
schedule.sketch @tiled(%root: !transform.any_op) {
  %size = schedule.sample_categorical "size" from [8] : !transform.param<i64>
  %op = transform.structured.match ops{["linalg.matmul"]} in %root
    : (!transform.any_op) -> !transform.any_op
  %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
    : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
}

func.func @mm(%a: tensor<32x64xf32>, %b: tensor<64x16xf32>, %c: tensor<32x16xf32>)
    -> tensor<32x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x16xf32>)
                     outs(%c : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
