// What the actions for stages expand to.

// RUN: sched-opt %s --convert-schedule-to-transform --split-input-file | FileCheck %s

// 10 rows for 4 threads: 2 are left to a serial copy. The root alone goes to
// the threads; the loop over rows fetches the stages.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [8, 0] {apply_cleanup}
// CHECK: transform.loop.peel
// CHECK: %[[PARTS:.*]]:2 = transform.split_handle
// CHECK: transform.structured.tile_using_forall %[[PARTS]]#0 num_threads [4, 0]
// CHECK-NOT: fuse_into_containing_op
// CHECK: %[[ROOT:.*]] = transform.structured.match attributes {schedule.block = "root"}
// CHECK: transform.structured.fuse %[[ROOT]] tile_sizes [1, 0] {apply_cleanup}
schedule.sketch @threads(%func: !transform.any_op) {
  %rows = transform.param.constant 10 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  %one = transform.param.constant 1 : i64 -> !transform.param<i64>
  %t = transform.param.constant 4 : i64 -> !transform.param<i64>
  schedule.fuse_stages %func "root" stages ["sum"] rank 2 dims [0] extents(%rows) sizes(%one) which %zero threads %t
}

// -----

// No loop over rows: one of a single trip fetches the stages nevertheless.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.tile_using_forall %{{.*}} num_threads [2, 0]
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [4, 0] {apply_cleanup}
schedule.sketch @whole(%func: !transform.any_op) {
  %rows = transform.param.constant 4 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  %two = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.fuse_stages %func "root" stages ["sum"] rank 2 dims [0] extents(%rows) sizes(%rows) which %zero threads %two
}

// -----

// One thread, no stages: plain loops.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: forall
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [0, 32]
schedule.sketch @serial(%func: !transform.any_op) {
  %n = transform.param.constant 100 : i64 -> !transform.param<i64>
  %width = transform.param.constant 32 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  %one = transform.param.constant 1 : i64 -> !transform.param<i64>
  schedule.fuse_stages %func "root" stages [] rank 2 dims [1] extents(%n) sizes(%width) which %zero threads %one
}

// -----

// 1003 = 15 * 64 + 5 * 8 + 3.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.foreach
// CHECK: transform.structured.split %{{.*}} after 960 {dimension = 1 : i64}
// CHECK: transform.structured.tile_reduction_using_for %{{.*}} by tile_sizes = [0, 64]
// CHECK: transform.param.constant "combine_sum"
// CHECK: transform.structured.split %{{.*}} after 40 {dimension = 1 : i64}
// CHECK: transform.structured.tile_reduction_using_for %{{.*}} by tile_sizes = [0, 8]
// CHECK: transform.param.constant "tail_sum"
// CHECK: transform.param.constant "rest_sum"
schedule.sketch @split(%func: !transform.any_op) {
  %w = transform.param.constant 64 : i64 -> !transform.param<i64>
  %r = transform.param.constant 8 : i64 -> !transform.param<i64>
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 1003 width %w rest_width %r keep %w
}

// -----

// A width that divides leaves nothing; one that is not smaller splits nothing.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: transform.structured.split
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [0, 32]
// CHECK-NOT: transform.structured.split
// CHECK-NOT: tile_reduction_using_for
schedule.sketch @whole_vectors(%func: !transform.any_op) {
  %w = transform.param.constant 32 : i64 -> !transform.param<i64>
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 64 width %w rest_width %w keep %w
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 32 width %w rest_width %w keep %w
}

// -----

// No partial results: each step of the same loops reduces its elements.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: tile_reduction_using_for
// CHECK: transform.structured.split %{{.*}} after 960 {dimension = 1 : i64}
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [0, 64]
// CHECK: transform.structured.split %{{.*}} after 40 {dimension = 1 : i64}
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [0, 8]
// CHECK: transform.param.constant "tail_sum"
// CHECK: transform.param.constant "rest_sum"
// CHECK-NOT: tile_reduction_using_for
schedule.sketch @at_once(%func: !transform.any_op) {
  %w = transform.param.constant 64 : i64 -> !transform.param<i64>
  %r = transform.param.constant 8 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 1003 width %w rest_width %r keep %zero
}

// -----

// Further dimensions around: one loop a dimension, also around what is left of
// the rows, and where a row is one step.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.split %{{.*}} after 64 {dimension = 3 : i64}
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 1, 64]
// CHECK: transform.structured.split %{{.*}} after 8 {dimension = 3 : i64}
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 1, 8]
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 1, 3]
// CHECK: transform.param.constant "rest_sum"
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 7]
// CHECK: %{{.*}}, %{{.*}}:2 = transform.structured.tile_using_for %{{.*}} tile_sizes [0, 1, 64] :
schedule.sketch @around(%func: !transform.any_op) {
  %w = transform.param.constant 64 : i64 -> !transform.param<i64>
  %r = transform.param.constant 8 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  schedule.split_reduction %func "sum" rank 4 dim 3 extent 75 around [0, 2] width %w rest_width %r keep %w
  schedule.split_reduction %func "short" rank 3 dim 2 extent 7 around [0] width %w rest_width %r keep %w
  schedule.split_reduction %func "at_once" rank 3 dim 2 extent 64 around [1] width %w rest_width %r keep %zero
}

// -----

// Several lines at once, of what is left of them, too; by themselves where each
// step reduces them to one.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.split %{{.*}} after 1024 {dimension = 3 : i64}
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 4, 64]
// CHECK: tile_reduction_using_for %{{.*}} by tile_sizes = [1, 0, 4, 8]
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [0, 4, 64]
schedule.sketch @lines(%func: !transform.any_op) {
  %w = transform.param.constant 64 : i64 -> !transform.param<i64>
  %r = transform.param.constant 8 : i64 -> !transform.param<i64>
  %four = transform.param.constant 4 : i64 -> !transform.param<i64>
  %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
  schedule.split_reduction %func "sum" rank 4 dim 3 extent 1032 around [0, 2] lines %four width %w rest_width %r keep %w
  schedule.split_reduction %func "at_once" rank 3 dim 2 extent 64 around [1] lines %four width %w rest_width %r keep %zero
}
