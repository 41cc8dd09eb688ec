// RUN: sched-opt %s --convert-schedule-to-transform --split-input-file | FileCheck %s

// Every op that takes a size as a parameter or an attribute gets the attribute.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: {transform.consumed}
// CHECK-NEXT: tile_using_forall %{{.*}} num_threads [2, 0] :
// CHECK-NEXT: tile_using_forall %{{.*}} tile_sizes [2, 4] :
// CHECK-NEXT: structured.fuse %{{.*}} tile_sizes [4, 2] interchange [1, 0]
// CHECK-NEXT: structured.pad %{{.*}} pad_to_multiple_of [4, 2]
// CHECK-NEXT: structured.vectorize %{{.*}} vector_sizes [2, 4] :
// CHECK-NOT: param.constant
schedule.sketch @static(%root: !transform.any_op) {
  %two = schedule.sample_categorical "two" from [2, 3] decided 2 : !transform.param<i64>
  %four = schedule.sample_categorical "four" from [4, 5] decided 4 : !transform.param<i64>
  %o:2 = schedule.sample_permutation "o" of 2 decided [1, 0]
    : !transform.param<i64>, !transform.param<i64>
  %0, %l0 = transform.structured.tile_using_forall %root num_threads [%two, 0]
    : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  %1, %l1 = transform.structured.tile_using_forall %0 tile_sizes [%two, %four]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
  %2, %l2:2 = transform.structured.fuse %1 tile_sizes [%four, %two] interchange [%o#0, %o#1]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %3, %pad, %copy = transform.structured.pad %2 pad_to_multiple_of [%four, %two] {
      padding_values = [0.0 : f32], padding_dimensions = [0, 1]
    } : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.vectorize %3 vector_sizes [%two, %four]
    : !transform.any_op, !transform.param<i64>, !transform.param<i64>
}

// -----

// Where an op takes parameters only, and inside of regions, a constant stays;
// equal values share it. Sizes that come from the payload stay what they are.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NEXT: %[[C3:.*]] = transform.param.constant 3 : i64 -> !transform.param<i64>
// CHECK-NEXT: %[[N:.*]] = transform.num_associations
// CHECK-NEXT: tile_using_for %{{.*}} tile_sizes [%[[N]], 3]
// CHECK-NEXT: transform.foreach
// CHECK: transform.annotate %{{.*}} "a" = %[[C3]]
// CHECK: transform.annotate %{{.*}} "b" = %[[C3]]
// CHECK-NOT: param.constant
schedule.sketch @constants(%root: !transform.any_op) {
  %a = schedule.sample_categorical "a" from [3] decided 3 : !transform.param<i64>
  %b = schedule.sample_categorical "b" from [3] decided 3 : !transform.param<i64>
  %n = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
  %0, %l:2 = transform.structured.tile_using_for %root tile_sizes [%n, %a]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.foreach %0 : !transform.any_op {
  ^bb0(%one: !transform.any_op):
    transform.annotate %one "a" = %a : !transform.any_op, !transform.param<i64>
  }
  transform.annotate %0 "b" = %b : !transform.any_op, !transform.param<i64>
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NEXT: structured.interchange %[[OP:.*]] iterator_interchange = [2, 0, 1]
// CHECK-NEXT: transform.yield
schedule.sketch @actions(%op: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %o:3 = schedule.sample_permutation "o" of 3 decided [2, 0, 1]
    : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  %p:2 = schedule.sample_permutation "p" of 2 decided [0, 1]
    : !transform.param<i64>, !transform.param<i64>
  %new = schedule.interchange %op by(%o#0, %o#1, %o#2)
  // A factor of 1 and the identity do nothing.
  schedule.unroll %new by %c1
  %same = schedule.interchange %new by(%p#0, %p#1)
}

// -----

// A module without a sketch is left alone, but for traces and spaces.
// CHECK: module {
// CHECK-NEXT: }
schedule.space @s workload("0", "nothing") {}
