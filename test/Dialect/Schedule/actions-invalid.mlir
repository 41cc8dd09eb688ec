// What the actions' own verifiers say, and what they accept.

// RUN: sched-opt %s -verify-diagnostics -split-input-file

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.name_blocks' op names two blocks 'anchor'; give each block a name of its own}}
  schedule.name_blocks %func ["anchor", "epilogue", "anchor"]
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.name_blocks' op names no block}}
  schedule.name_blocks %func []
}

// -----

// Several ops may stay without a name.
schedule.sketch @s(%func: !transform.any_op) {
  schedule.name_blocks %func ["", "anchor", ""]
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a positive extent of n; found 0}}
  %f = schedule.pack_rhs %func "anchor" n 0 tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_parallel' op needs one unit a dimension; found 2 dimensions and 1 units}}
  schedule.tile_parallel %func "anchor" fuse [] rank 3 dims [0, 1] extents(%p, %p)
    units(%p) which %p threads %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_parallel' op needs one extent a dimension; found 1 dimensions and 2 extents}}
  schedule.tile_parallel %func "anchor" fuse [] rank 3 dims [1] extents(%p, %p)
    units(%p) which %p threads %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_parallel' op needs distinct dimensions below its rank 3; found 3}}
  schedule.tile_parallel %func "anchor" fuse [] rank 3 dims [0, 3] extents(%p, %p)
    units(%p, %p) which %p threads %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs one size a dimension; found 2 dimensions and 3 sizes}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0, 1] extents(%p, %p) sizes(%p, %p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs an order of all its 2 loops, or none; found 1}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0, 1] extents(%p, %p) sizes(%p, %p)
    order(%p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs one extent a dimension; found 2 dimensions and 1 extents}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0, 1] extents(%p) sizes(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.tile' op needs one extent a dimension; found 0 dimensions and 0 extents}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [] extents() sizes()
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs distinct dimensions below its rank 3; found -1}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [-1] extents(%p) sizes(%p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs distinct dimensions below its rank 3; found 1}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [1, 1] extents(%p, %p) sizes(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.interchange' op needs one position a dimension}}
  %0 = schedule.interchange %func by()
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.cache_read' op attribute 'operand' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  schedule.cache_read %func "anchor" operand -1 enable %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.unroll_points' op needs distinct dimensions below its rank 3; found 3}}
  schedule.unroll_points %func "anchor" rank 3 dims [3]
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op computes exactly some blocks inside of loops in their listed order; found 1 blocks and an order of 2 loops}}
  schedule.tile %func "anchor" fuse exactly ["late_pack"] rank 3 dims [0, 1] extents(%p, %p) sizes(%p, %p) order(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op computes exactly some blocks inside of loops in their listed order; found 0 blocks and an order of 0 loops}}
  schedule.tile %func "anchor" fuse exactly [] rank 3 dims [0] extents(%p) sizes(%p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs one condition a block, or none; found 2 blocks and 1 conditions}}
  schedule.tile %func "anchor" fuse exactly ["a", "b"] if(%p) rank 3 dims [0] extents(%p) sizes(%p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs the positions of all loops, each once; found [0, 1, 3]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 3] result [0, 1, -1] rhs [3, 1] tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a dimension of the result for each loop that is no reduction, the last for n, and a reduction for k; found [1, 0, -1]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 2] result [1, 0, -1] rhs [2, 1] tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a right-hand side that n, k and other loops index, each one dimension; found [2]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 2] result [0, 1, -1] rhs [2] tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a right-hand side that n, k and other loops index, each one dimension; found [2, 1, -3]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 2] result [0, 1, -1] rhs [2, 1, -3] tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a dimension of the result for each loop that is no reduction, the last for n, and a reduction for k; found [0, 7, -1]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 2] result [0, 7, -1] rhs [2, 1] tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op says twice how the right-hand side is stored}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 1, 2] result [0, 1, -1] rhs [2, 1] transposed tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a loop of n before that of k where steps are in groups; found loops [0, 2, 1]}}
  %f = schedule.pack_rhs %func "anchor" n 8 loops [0, 2, 1] result [0, 1, -1] rhs [1, 2] group 4 tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs a group of at least one step; found 0}}
  %f = schedule.pack_rhs %func "anchor" n 8 group 0 tile %p threads %p tail(%p, %p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.fuse_elementwise' op keeps apart one of so many ops; found number 2 of 2}}
  %f = schedule.fuse_elementwise %func [] apart "linalg.generic" at 2 of 2 dims [0]
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.fuse_elementwise' op needs dimensions of the op that is kept apart}}
  %f = schedule.fuse_elementwise %func [] apart "linalg.generic" at 1 of 2 dims []
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op can leave out only what `exactly` names; what else is fused follows from the payload}}
  schedule.tile %func "anchor" fuse ["init"] if(%p) rank 3 dims [0] extents(%p) sizes(%p)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_lhs' op needs extents above 8; found 8}}
  schedule.pack_lhs %func "anchor" m 9 k 8 enable %p threads %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_lhs' op needs extents above 8; found 8}}
  schedule.pack_lhs %func "anchor" m 9 k 8 enable %p threads %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fill_tails' op needs a value to pad with for each operand}}
  schedule.fill_tails %func "anchor" rank 3 dim 1 multiple 8 padding [] if %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fill_tails' op has an init only in front of loops, where nothing is masked}}
  schedule.fill_tails %func "anchor" masked init "init" rank 3 dim 1 multiple 8 padding [0 : i8] if %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fill_tails' op needs distinct dimensions below its rank 3; found 3}}
  schedule.fill_tails %func "anchor" rank 3 dim 3 multiple 8 padding [0 : i8] if %p
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fill_tails' op attribute 'multiple' failed to satisfy constraint}}
  schedule.fill_tails %func "anchor" rank 3 dim 1 multiple 0 padding [0 : i8] if %p
}
