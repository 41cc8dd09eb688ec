// Upstream splits a reduction into partial ones without moving `linalg.index`: in
// each step it counts from 0 again. The same op tiled without partial results
// (PLAIN) adds the offset. Wrong results without a message.
//
// So a reduction whose body has `linalg.index` is left to the default
// (StageGrouping.cpp), and DecomposeArgmax.cpp reads places from a constant. When this test
// fails because an `affine.apply` adds the loop's variable, upstream has mended it:
// delete the test, and places may be indices (docs/Rationale.md).

// RUN: mlir-opt-22 %s --transform-interpreter | FileCheck %s
// RUN: sed -e 's/tile_reduction_using_for %op by tile_sizes = \[4\]/tile_reduction_using_forall %op by num_threads = [4]/' %s \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s
// RUN: sed -e 's/tile_reduction_using_for %op by tile_sizes = \[4\]/tile_using_for %op tile_sizes [4]/' -e 's/%new:4/%new:2/' \
// RUN:   -e 's/!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op/!transform.any_op, !transform.any_op/' %s \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @f(
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: %[[PLACE:.*]] = linalg.index 0 : index
// CHECK-NEXT: arith.index_cast %[[PLACE]] : index to i64
// CHECK: linalg.reduce

// PLAIN-LABEL: func.func @f(
// PLAIN: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step
// PLAIN: %[[PLACE:.*]] = linalg.index 0 : index
// PLAIN-NEXT: %[[MOVED:.*]] = affine.apply #{{.*}}(%[[STEP]])[%[[PLACE]]]
// PLAIN-NEXT: arith.index_cast %[[MOVED]] : index to i64
func.func @f(%a: tensor<16xi64>, %i: tensor<i64>) -> tensor<i64> {
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<16xi64>) outs(%i : tensor<i64>) {
  ^bb0(%x: i64, %s: i64):
    %k = linalg.index 0 : index
    %place = arith.index_cast %k : index to i64
    %p = arith.muli %x, %place : i64
    %t = arith.addi %p, %s : i64
    linalg.yield %t : i64
  } -> tensor<i64>
  return %r : tensor<i64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %new:4 = transform.structured.tile_reduction_using_for %op by tile_sizes = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
