// The script alone, and what stock mlir-opt makes of it.
// RUN: sched-opt %s --convert-schedule-to-transform | FileCheck %s
// RUN: sched-opt %s --convert-schedule-to-transform \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefix=STOCK

// A space with two sketches, of which one is decided; the payload is next to it.

// CHECK: module attributes {transform.with_named_sequence}
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[ROOT:.*]]: !transform.any_op {transform.readonly}) {
// CHECK-NEXT: %[[OP:.*]] = transform.structured.match ops{["linalg.matmul"]} in %[[ROOT]]
// CHECK-NEXT: %[[TILED:.*]], %[[LOOPS:.*]]:2 = transform.structured.tile_using_for %[[OP]] tile_sizes [8, 0, 4]
// CHECK-SAME: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT: transform.loop.unroll %[[LOOPS]]#1 {factor = 2 : i64}
// CHECK-NEXT: transform.yield
// CHECK-NOT: schedule.

// STOCK-LABEL: func.func @mm
// STOCK: %[[C8:.*]] = arith.constant 8 : index
// STOCK: scf.for %{{.*}} step %[[C8]]
// STOCK:   scf.for
// STOCK-COUNT-2: linalg.matmul ins(%{{.*}} : tensor<8x4xf32>, tensor<4x16xf32>)
// STOCK-NOT: linalg.matmul
schedule.space @task workload("0", "matmul_32x16x64_f32") {
  schedule.sketch @open(%root: !transform.any_op) {
    %size = schedule.sample_categorical "size" from [4, 8] : !transform.param<i64>
  }
  schedule.sketch @tiled(%root: !transform.any_op) {
    %mr = schedule.sample_categorical "mr" from [4, 8] decided 8 : !transform.param<i64>
    %k0, %k1 = schedule.sample_perfect_tile "k" extent 64 parts 2 decided [16, 4]
      : !transform.param<i64>, !transform.param<i64>
    %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    %product = schedule.product %k0, %c2
    %ok = schedule.cmp le %product, %product
    schedule.require "always" %ok
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %loop = schedule.choose "which" decided 1 : !transform.any_op {
      // Not chosen: neither is its decision missed nor its requirement.
      %open = schedule.sample_categorical "open" from [0] : !transform.param<i64>
      schedule.require "never" %open
      schedule.yield %op : !transform.any_op
    }, {
      %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [%mr, 0, %k1]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
      schedule.yield %loops#1 : !transform.any_op
    }
    %factor = schedule.floordiv %mr, %k1
    schedule.unroll %loop by %factor
  }
}

func.func @mm(%a: tensor<32x64xf32>, %b: tensor<64x16xf32>, %c: tensor<32x16xf32>)
    -> tensor<32x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x16xf32>)
                     outs(%c : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
