// What each action expands to: upstream's ops, sizes as literals.

// RUN: sched-opt %s --convert-schedule-to-transform --split-input-file | FileCheck %s

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op
// CHECK: %[[OPS:.*]] = transform.structured.match interface{LinalgOp} in %[[FUNC]]
// CHECK: %[[SPLIT:.*]]:3 = transform.split_handle %[[OPS]]
// CHECK: %[[INIT:.*]] = transform.param.constant "init"
// CHECK: transform.annotate %[[SPLIT]]#0 "schedule.block" = %[[INIT]]
// CHECK: %[[ANCHOR:.*]] = transform.param.constant "anchor"
// CHECK: transform.annotate %[[SPLIT]]#2 "schedule.block" = %[[ANCHOR]]
// CHECK-NOT: transform.annotate
schedule.sketch @name_blocks(%func: !transform.any_op) {
  schedule.name_blocks %func ["init", "", "anchor"]
}

// -----

// A size that covers its dimension makes no loop, and each loop made is peeled,
// from the inside out.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ROOT:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %{{.*}}, %[[LOOPS:.*]]:2 = transform.structured.tile_using_for %[[ROOT]] tile_sizes [8, 0, 4] :
// CHECK: transform.foreach %[[LOOPS]]#1 :
// CHECK: transform.loop.peel
// CHECK: transform.foreach %[[LOOPS]]#0 :
// CHECK: transform.loop.peel
// CHECK: linalg.tiling_canonicalization
// CHECK-NOT: tile_using_for
schedule.sketch @tile(%func: !transform.any_op) {
  %m = transform.param.constant 20 : i64 -> !transform.param<i64>
  %n = transform.param.constant 16 : i64 -> !transform.param<i64>
  %k = transform.param.constant 10 : i64 -> !transform.param<i64>
  %mr = schedule.sample_categorical "mr" from [4, 8] decided 8 : !transform.param<i64>
  %nr = schedule.sample_categorical "nr" from [16, 32] decided 32 : !transform.param<i64>
  %kr = schedule.sample_categorical "kr" from [4] decided 4 : !transform.param<i64>
  schedule.tile %func "anchor" fuse [] rank 3 dims [0, 1, 2] extents(%m, %n, %k) sizes(%mr, %nr, %kr)
}

// -----

// With producers, in another order; the dimension that is not tiled comes last.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [8, 0, 4] interchange [2, 0, 1] {apply_cleanup}
schedule.sketch @order(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  schedule.tile %func "epilogue" fuse ["anchor"] rank 3 dims [0, 2] extents(%c64, %c64)
    sizes(%c8, %c4) order(%c1, %c0)
}

// -----

// A size of 0 and one of the whole extent: nothing is left of the action.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NEXT: transform.yield
schedule.sketch @whole(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  schedule.tile %func "anchor" fuse ["init"] rank 2 dims [0, 1] extents(%c8, %c8) sizes(%c0, %c8)
  schedule.tile_parallel %func "anchor" fuse [] rank 2 dims [0] extents(%c8) units(%c1) which %c0 threads %c1
  schedule.cache_read %func "anchor" operand 0 enable %c0
}

// -----

// 64 rows for 2 threads in units of 8: all of them in the parallel loop.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ROOT:.*]] = transform.structured.match attributes {schedule.block = "epilogue"}
// CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %{{.*}}, %[[FORALL:.*]] = transform.structured.tile_using_forall %[[ROOT]] num_threads [2, 0] :
// CHECK: transform.structured.fuse_into_containing_op %[[ANCHOR]] into %[[FORALL]]
// CHECK-NOT: loop.peel
schedule.sketch @parallel(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  schedule.tile_parallel %func "epilogue" fuse ["anchor"] rank 2 dims [0, 1] extents(%c64, %c64)
    units(%c8, %c8) which %c0 threads %c2
}

// -----

// 70 columns for 2 threads in units of 8: the last 6 are cut off first, and the
// first part of each block goes into the parallel loop.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [0, 64]
// CHECK: transform.loop.peel
// CHECK: %[[ROOTS:.*]]:2 = transform.split_handle
// CHECK: %[[ANCHORS:.*]]:2 = transform.split_handle
// CHECK: transform.structured.tile_using_forall %[[ROOTS]]#0 num_threads [0, 2] :
// CHECK: transform.structured.fuse_into_containing_op %[[ANCHORS]]#0
schedule.sketch @parallel_rest(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c70 = transform.param.constant 70 : i64 -> !transform.param<i64>
  schedule.tile_parallel %func "epilogue" fuse ["anchor"] rank 2 dims [0, 1] extents(%c70, %c70)
    units(%c8, %c8) which %c1 threads %c2
}

// -----

// The panels divide n: no tail. The function's handle is replaced, as upstream's
// pass consumes it; what follows takes the new one.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op
// CHECK-NOT: loop.peel
// CHECK: %[[PACKED:.*]] = transform.structured.pack %{{.*}} packed_sizes = [0, 16, 0]
// CHECK: %[[RHS:.*]] = transform.get_producer_of_operand %[[PACKED]][1]
// CHECK: transform.structured.pack_transpose %[[RHS]] with_compute_op(%[[PACKED]]) outer_perm = [1, 0]
// CHECK: transform.param.constant "pack"
// CHECK: %[[FUSED:.*]] = transform.apply_registered_pass "linalg-fuse-elementwise-ops" to %[[FUNC]]
// CHECK: tile_using_for %{{.*}} tile_sizes [1, 8, 0]
// CHECK: %[[NEW:.*]] = transform.merge_handles %[[FUSED]]
// CHECK: match attributes {schedule.block = "anchor"} in %[[NEW]]
// CHECK: transform.structured.promote_tensor
schedule.sketch @pack(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c6 = transform.param.constant 6 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" init "init" n 64 tile %c16 threads %c1 tail(%c6, %c1)
  schedule.cache_read %f "anchor" operand 0 enable %c1
}

// -----

// What 16 leaves of 70 is cut off and tiled here; a transposed operand has its
// rows in the order of the panels already, and two threads fill two panels each.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [0, 64, 0]
// CHECK: transform.loop.peel
// CHECK: transform.param.constant "tail_anchor"
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [6]
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 2]
// CHECK: transform.structured.pack_transpose %{{.*}} outer_perm = [0, 1]
// CHECK: tile_using_forall %{{.*}} num_threads [2]
schedule.sketch @pack_tail(%func: !transform.any_op) {
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c6 = transform.param.constant 6 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 70 transposed tile %c16 threads %c2 tail(%c6, %c2)
}

// -----

// Groups of four steps are side by side: in panels by the copy, in the left-hand
// side by a reshape.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.pack %{{.*}} packed_sizes = [0, 16, 4]
// CHECK-COUNT-3: transform.structured.lower_pack
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [1, 2, 0]
schedule.sketch @pack_groups(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 64 group 4 tile %c16 threads %c1 tail(%c1, %c1)
}

// -----

// Three threads cannot share four panels evenly: one fills them all.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.pack
// CHECK-NOT: tile_using_forall
schedule.sketch @pack_serial(%func: !transform.any_op) {
  %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 64 tile %c16 threads %c3 tail(%c3, %c3)
}

// -----

// Panels that are filled inside of the reduction: each anchor has its own, which
// are fused before the loop is peeled, so that its rest packs too, and tiled last.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.param.constant "late_pack"
// CHECK-NOT: tile_sizes [1, 8, 0]
// CHECK: transform.merge_handles
// CHECK: %[[ANCHORS:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %[[PACKS:.*]] = transform.structured.match attributes {schedule.block = "late_pack"}
// CHECK: %[[LOOPS:.*]] = transform.foreach %[[ANCHORS]], %[[PACKS]] :
// CHECK: ^bb0(%[[ANCHOR:.*]]: !transform.any_op, %[[PACK:.*]]: !transform.any_op):
// CHECK: %{{.*}}, %[[LOOP:.*]] = transform.structured.tile_using_for %[[ANCHOR]] tile_sizes [0, 0, 32, 0]
// CHECK: %{{.*}}, %[[NEW:.*]] = transform.structured.fuse_into_containing_op %[[PACK]] into %[[LOOP]]
// CHECK: transform.yield %[[NEW]]
// CHECK: transform.foreach %[[LOOPS]] :
// CHECK: transform.loop.peel
// CHECK: tile_using_for %{{.*}} tile_sizes [1, 8, 0]
schedule.sketch @pack_late(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  %c100 = transform.param.constant 100 : i64 -> !transform.param<i64>
  %at = schedule.sample_categorical "pack_at" from [0, 1] decided 1 : !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 64 tile %c16 threads %c1 tail(%c8, %c1) defer %at
  schedule.tile %f "anchor" fuse exactly ["late_pack"] if(%at) rank 4 dims [2] extents(%c100) sizes(%c32)
  schedule.tile %f "late_pack" fuse [] rank 3 dims [0, 1] extents(%c16, %c100) sizes(%c1, %c8)
}

// -----

// What waits for the innermost of several loops, behind a reshape of rows.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[WINDOWS:.*]] = transform.structured.match attributes {schedule.block = "windows"}
// CHECK: %[[NAME:.*]] = transform.param.constant "late_windows"
// CHECK: transform.annotate %[[WINDOWS]] "schedule.block" = %[[NAME]]
// CHECK: %[[ANCHORS:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %[[LATE:.*]] = transform.structured.match attributes {schedule.block = "late_windows"}
// CHECK: transform.foreach %[[ANCHORS]], %[[LATE]] :
// CHECK: ^bb0(%[[ANCHOR:.*]]: !transform.any_op, %[[BLOCK:.*]]: !transform.any_op):
// CHECK: %{{.*}}, %[[LOOPS:.*]]:2 = transform.structured.tile_using_for %[[ANCHOR]] tile_sizes [0, 0, 1, 32] interchange = [3, 2, 0, 1]
// CHECK: transform.apply_patterns to %[[LOOPS]]#1
// CHECK-NEXT: transform.apply_patterns.tensor.bubble_up_extract_slice
// CHECK: fuse_into_containing_op %[[BLOCK]] into %[[LOOPS]]#1
schedule.sketch @late_windows(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  schedule.defer %func "windows" of "anchor" if %c1
  schedule.tile %func "anchor" fuse exactly ["late_windows"] if(%c1) reshaped ["late_windows"]
    rank 4 dims [3, 2] extents(%c64, %c3) sizes(%c32, %c1)
}

// -----

// Where it does not wait, nothing is renamed or fused.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: late_windows
// CHECK-NOT: fuse_into_containing_op
schedule.sketch @early_windows(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  schedule.defer %func "windows" of "anchor" if %c0
  schedule.tile %func "anchor" fuse exactly ["late_windows"] if(%c0)
    rank 3 dims [2] extents(%c64) sizes(%c32)
}

// -----

// Panels of a convolution: n first, then the taps and k. The left-hand side and
// the packing are kept apart from fusion by loops of one trip.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.pack %{{.*}} packed_sizes = [0, 16, 0, 0, 0]
// CHECK: transform.structured.pack_transpose {{.*}} outer_perm = [3, 0, 1, 2]
// CHECK: tile_using_forall %{{.*}} num_threads [1, 1]
// CHECK-NEXT: %[[PACK:.*]] = transform.structured.match attributes {schedule.block = "pack"}
// CHECK-NEXT: tile_using_forall %[[PACK]] num_threads [1]
// CHECK-NEXT: linalg-fuse-elementwise-ops
// CHECK: tile_using_for %{{.*}} tile_sizes [1, 1, 1, 8, 0]
schedule.sketch @pack_taps(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 64 loops [0, 1, 4, 2, 3] result [0, 1, -1, -1, -1] rhs [2, 3, 4, 1] apart
    tile %c16 threads %c1 tail(%c16, %c1)
}

// -----

// A convolution, over (batch, line, m, n, tap, k): what the panels leave over of n
// is tiled as the result is, then by single taps.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [0, 0, 0, 64]
// CHECK: schedule.block = "tail_epilogue"
// CHECK: transform.structured.fuse %{{.*}} tile_sizes [1, 1, 5]
// CHECK: schedule.block = "tail_anchor"
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 0, 0, 1, 4]
// CHECK: transform.structured.pack %{{.*}} packed_sizes = [0, 0, 0, 16, 0, 0]
// CHECK: transform.structured.pack_transpose {{.*}} outer_perm = [2, 0, 1]
// CHECK: tile_using_for %{{.*}} tile_sizes [1, 1, 8, 0]
schedule.sketch @pack_convolution(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
  %c5 = transform.param.constant 5 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" epilogue "epilogue" n 70
    loops [2, 3, 5, 0, 1, 4] result [2, 3, -1, 0, 1, -1] rhs [4, 5, 3]
    tile %c16 threads %c1 tail(%c5, %c4)
}

// -----

// Filled before all loops, as `defer` and `if` are 0.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.param.constant "pack"
// CHECK: tile_sizes [1, 8, 0]
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 32, 0]
// CHECK-NOT: fuse_into_containing_op
schedule.sketch @pack_early(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  %c100 = transform.param.constant 100 : i64 -> !transform.param<i64>
  %at = schedule.sample_categorical "pack_at" from [0, 1] decided 0 : !transform.param<i64>
  %f = schedule.pack_rhs %func "anchor" n 64 tile %c16 threads %c1 tail(%c16, %c1) defer %at
  schedule.tile %f "anchor" fuse exactly ["late_pack"] if(%at) rank 4 dims [2] extents(%c100) sizes(%c32)
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: transform.foreach
// CHECK: transform.get_operand %{{.*}}[1]
// CHECK-NEXT: transform.structured.promote_tensor
schedule.sketch @cache_read(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 1 : !transform.param<i64>
  schedule.cache_read %func "anchor" operand 1 enable %on
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[INITS:.*]] = transform.structured.match attributes {schedule.block = "init"}
// CHECK: transform.foreach %[[INITS]]
// CHECK: transform.get_operand %{{.*}}[-1]
// CHECK-NEXT: transform.structured.promote_tensor
// CHECK: %[[ANCHORS:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: transform.foreach %[[ANCHORS]]
// CHECK: transform.get_operand %{{.*}}[-1]
// CHECK-NEXT: transform.structured.promote_tensor
// CHECK-NOT: transform.foreach
schedule.sketch @cache_write(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 1 : !transform.param<i64>
  %off = schedule.sample_categorical "off" from [0, 1] decided 0 : !transform.param<i64>
  schedule.cache_write %func "anchor" init "init" enable %on
  schedule.cache_write %func "anchor" enable %on
  schedule.cache_write %func "anchor" enable %off
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[OPS:.*]] = transform.structured.match interface{LinalgOp}
// CHECK: transform.structured.vectorize %[[OPS]]
// CHECK: vector.reduction_to_contract
// CHECK: transform.loop.hoist_loop_invariant_subsets
schedule.sketch @vectorize(%func: !transform.any_op) {
  schedule.vectorize %func
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[LOOPS:.*]]: !transform.any_op
// CHECK-NEXT: transform.loop.unroll %[[LOOPS]] {factor = 4 : i64}
schedule.sketch @unroll(%loops: !transform.any_op) {
  %u = schedule.sample_categorical "u" from [2, 4] decided 4 : !transform.param<i64>
  schedule.unroll %loops by %u
}

// -----

// Without names nothing is made generic first; the new handle goes on.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op
// CHECK-NOT: structured.generalize
// CHECK: %[[FUSED:.*]] = transform.apply_registered_pass "linalg-fuse-elementwise-ops" to %[[FUNC]]
// CHECK: %[[NEW:.*]] = transform.merge_handles %[[FUSED]]
// CHECK: transform.structured.match interface{LinalgOp} in %[[NEW]]
schedule.sketch @fuse(%func: !transform.any_op) {
  %f = schedule.fuse_elementwise %func []
  schedule.vectorize %f
}

// -----

// The third generic op is kept apart.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[OPS:.*]] = transform.structured.match ops{["linalg.generic"]}
// CHECK: %[[SPLIT:.*]]:3 = transform.split_handle %[[OPS]] :
// CHECK: tile_using_forall %[[SPLIT]]#2 num_threads [0, 1, 1]
// CHECK-NEXT: linalg-fuse-elementwise-ops
schedule.sketch @fuse_apart(%func: !transform.any_op) {
  %f = schedule.fuse_elementwise %func [] apart "linalg.generic" at 2 of 3 dims [1, 2]
}

// -----

// Rows that are not next to each other are taken one by one.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %{{.*}}, %[[LOOPS:.*]]:2 = transform.structured.tile_using_for %[[ANCHOR]] tile_sizes [1, 1, 0, 0]
// CHECK-NEXT: transform.annotate %[[LOOPS]]#1 "schedule.points"
// CHECK-NEXT: %[[POINTS:.*]] = transform.structured.match ops{["scf.for"]} attributes {schedule.points}
// CHECK-NEXT: transform.loop.unroll %[[POINTS]] {factor = 64 : i64}
// CHECK: transform.loop.unroll {{.*}} {factor = 2 : i64}
// CHECK-NEXT: transform.annotate %[[LOOPS]]#0 "schedule.points"
// CHECK: %[[NAMED:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK-NEXT: transform.structured.generalize %[[NAMED]]
schedule.sketch @unroll_points(%func: !transform.any_op) {
  schedule.unroll_points %func "anchor" rank 4 dims [0, 1]
  schedule.vectorize %func generalize ["anchor"]
}

// -----

// The transposed copy is a block with loops of its own, which threads share.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %[[NEW:.*]] = transform.structured.transpose_matmul %[[ANCHOR]]
// CHECK: transform.annotate %[[NEW]] "schedule.block"
// CHECK: %[[PACK:.*]] = transform.get_producer_of_operand %[[NEW]][0]
// CHECK: %[[SHARE:.*]], %{{.*}} = transform.structured.tile_using_forall %[[PACK]] num_threads [2]
// CHECK: transform.structured.tile_using_for %[[SHARE]] tile_sizes [8, 8]
schedule.sketch @pack_lhs(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 1 : !transform.param<i64>
  %t = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.pack_lhs %func "anchor" m 100 k 50 enable %on threads %t
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: transpose_matmul
schedule.sketch @no_pack_lhs(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 0 : !transform.param<i64>
  %t = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.pack_lhs %func "anchor" m 100 k 50 enable %on threads %t
}

// -----

// The transposed copy is a block with loops of its own, which threads share.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: %[[NEW:.*]] = transform.structured.transpose_matmul %[[ANCHOR]]
// CHECK: transform.annotate %[[NEW]] "schedule.block"
// CHECK: %[[PACK:.*]] = transform.get_producer_of_operand %[[NEW]][0]
// CHECK: %[[SHARE:.*]], %{{.*}} = transform.structured.tile_using_forall %[[PACK]] num_threads [2]
// CHECK: transform.structured.tile_using_for %[[SHARE]] tile_sizes [8, 8]
schedule.sketch @pack_lhs(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 1 : !transform.param<i64>
  %t = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.pack_lhs %func "anchor" m 100 k 50 enable %on threads %t
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: transpose_matmul
schedule.sketch @no_pack_lhs(%func: !transform.any_op) {
  %on = schedule.sample_categorical "on" from [0, 1] decided 0 : !transform.param<i64>
  %t = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.pack_lhs %func "anchor" m 100 k 50 enable %on threads %t
}

// -----

// Each tail is padded to whole vectors by itself; of several, those that have
// them already stay. The fill, folded with its pad, is named again.
// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK: %[[ANCHOR:.*]] = transform.structured.match attributes {schedule.block = "anchor"}
// CHECK: transform.foreach %[[ANCHOR]]
// CHECK: transform.sequence %{{.*}} : !transform.any_op failures(suppress)
// CHECK: %[[PADDED:.*]], %{{.*}}, %{{.*}} = transform.structured.pad %{{.*}} pad_to_multiple_of [8] {copy_back_op = "none", padding_dimensions = [1], padding_values = [0.000000e+00 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32]}
// CHECK: annotate %[[PADDED]] "schedule.block"
// CHECK: %[[FILLS:.*]] = transform.structured.match ops{["linalg.fill"]}
// CHECK: transform.annotate %[[FILLS]] "schedule.block"
// CHECK-NOT: transform.structured.pad
// The other kind of tail is not decided on.
// CHECK: transform.structured.vectorize
// CHECK: linalg.pad_vectorization
schedule.sketch @fill_tails(%func: !transform.any_op) {
  %padded = schedule.sample_categorical "padded" from [0, 1] decided 1 : !transform.param<i64>
  %masked = schedule.sample_categorical "masked" from [0, 1] decided 0 : !transform.param<i64>
  schedule.fill_tails %func "anchor" init "init" rank 3 dim 1 multiple 8 padding [0.0 : f32, 0.0 : f32, 0.0 : f32] if %padded
  schedule.fill_tails %func "anchor" masked rank 3 dim 1 multiple 8 padding [0.0 : f32, 0.0 : f32, 0.0 : f32] if %masked
  schedule.vectorize %func filled %padded
}

// -----

// CHECK-LABEL: transform.named_sequence @__transform_main(
// CHECK-NOT: transform.structured.pad
// CHECK: transform.structured.vectorize
// CHECK-NOT: linalg.pad_vectorization
schedule.sketch @peeled_tails(%func: !transform.any_op) {
  %tails = schedule.sample_categorical "tails" from [0, 1] decided 0 : !transform.param<i64>
  schedule.fill_tails %func "anchor" masked rank 3 dim 1 multiple 8 padding [0.0 : f32, 0.0 : f32, 0.0 : f32] if %tails
  schedule.vectorize %func filled %tails
}
