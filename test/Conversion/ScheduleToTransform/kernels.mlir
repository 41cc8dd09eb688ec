// What the actions for GPUs become.

// RUN: sched-opt %s --convert-schedule-to-transform | FileCheck %s

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op
schedule.sketch @s(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %c100 = transform.param.constant 100 : i64 -> !transform.param<i64>
  // A dimension of one tile has no loop; consumers are fused first.
  // CHECK: %[[ROOT:.*]] = transform.structured.match attributes {schedule.block = "epilogue"} in %[[FUNC]]
  // CHECK: %{{.*}}, %[[LOOP:.*]] = transform.structured.tile_using_forall %[[ROOT]] tile_sizes [16, 0, 1](mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>])
  // CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"} in %[[FUNC]]
  // CHECK: %{{.*}}, %[[NEXT:.*]] = transform.structured.fuse_into_containing_op %[[ANCHOR]] into %[[LOOP]]
  // CHECK: transform.structured.match attributes {schedule.block = "init"} in %[[FUNC]]
  // CHECK: transform.structured.fuse_into_containing_op %{{.*}} into %[[NEXT]]
  schedule.tile_grid %func "epilogue" fuse ["anchor", "init"] rank 3 dims [0, 1, 2]
    extents(%c100, %c16, %c100) sizes(%c16, %c16, %c1)
  // CHECK: %{{.*}}, %[[GRID:.*]] = transform.structured.fuse %{{.*}} tile_sizes [0, 16] {apply_cleanup, use_forall}
  // CHECK: %[[MAP:.*]] = transform.param.constant [#gpu.block<linear_dim_0>]
  // CHECK: transform.annotate %[[GRID]] "mapping" = %[[MAP]]
  schedule.tile_grid %func "root" stages fuse [] rank 2 dims [1] extents(%c100) sizes(%c16)
  // Window first, then channels.
  // CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [0, 16, 1] interchange = [2, 1, 0]
  // CHECK-NOT: transform.loop.peel
  schedule.tile_steps %func "anchor" rank 3 dims [2, 1] extents(%c100, %c100) sizes(%c1, %c16)
  // CHECK: %[[EXP:.*]] = transform.structured.match attributes {schedule.block = "exp"}
  // CHECK: %[[SIMT:.*]] = transform.param.constant {keep = "shared", stages = 16 : i64, threads = [1, 16], unit = "word"}
  // CHECK: transform.annotate %[[EXP]] "sched.simt" = %[[SIMT]]
  schedule.annotate %func "exp" "sched.simt"
    {threads = [%c1, %c16], stages = %c16, keep = %c1 of ["registers", "shared"], unit = "word"}
}
