// Values that no action can work with, found when they are known.

// RUN: sched-opt %s --convert-schedule-to-transform -verify-diagnostics -split-input-file

schedule.sketch @s(%func: !transform.any_op) {
  %n = transform.num_associations %func : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op has a parameter that is not decided; run schedule-sample or schedule-apply-trace first}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0] extents(%n) sizes(%n)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs an order that is a permutation of its loops; found position 1}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0, 1] extents(%c64, %c64) sizes(%c8, %c8) order(%c1, %c1)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs an order that is a permutation of its loops; found position 8}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0] extents(%c64) sizes(%c8) order(%c8)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  %minus = transform.param.constant -8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile' op needs sizes of at least 0; found -8}}
  schedule.tile %func "anchor" fuse [] rank 3 dims [0] extents(%c64) sizes(%minus)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_parallel' op has no dimension 2 to parallelize; it has 2}}
  schedule.tile_parallel %func "anchor" fuse [] rank 3 dims [0, 1] extents(%c64, %c64) units(%c2, %c2)
    which %c2 threads %c2
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
  %c6 = transform.param.constant 6 : i64 -> !transform.param<i64>
  %c20 = transform.param.constant 20 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_parallel' op has fewer than one tile of 6 a thread: extent 20, 4 threads; use fewer threads or a smaller tile}}
  schedule.tile_parallel %func "anchor" fuse [] rank 3 dims [0] extents(%c20) units(%c6)
    which %c0 threads %c4
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs at least one whole panel; found a tile of 32 for 20 columns; choose a tile of 1 to 20}}
  %f = schedule.pack_rhs %func "anchor" n 20 tile %c32 threads %c1 tail(%c1, %c1)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.pack_rhs' op needs at least one whole panel; found a tile of 0 for 20 columns; choose a tile of 1 to 20}}
  %f = schedule.pack_rhs %func "anchor" n 20 tile %c0 threads %c0 tail(%c0, %c0)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %n = transform.num_associations %func : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{'schedule.cache_read' op has a parameter that is not decided; run schedule-sample or schedule-apply-trace first}}
  schedule.cache_read %func "anchor" operand 0 enable %n
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %n = transform.num_associations %func : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{'schedule.cache_write' op has a parameter that is not decided; run schedule-sample or schedule-apply-trace first}}
  schedule.cache_write %func "anchor" enable %n
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %n = transform.num_associations %func : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{'schedule.interchange' op has an order that is not constant}}
  %0 = schedule.interchange %func by(%n)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
  %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fuse_stages' op has an extent of 3 for 4 threads; use fewer threads}}
  schedule.fuse_stages %func "root" stages [] rank 2 dims [0] extents(%c3) sizes(%c1) which %c0 threads %c4
}
