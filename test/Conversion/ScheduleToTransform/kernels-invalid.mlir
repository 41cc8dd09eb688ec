// Values that no action for GPUs can work with, found when they are known.

// RUN: sched-opt %s --convert-schedule-to-transform -verify-diagnostics -split-input-file

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_grid' op makes a grid of one block: no size is smaller than its extent; tile at least one dimension, or leave the block as it is}}
  schedule.tile_grid %func "anchor" fuse [] rank 3 dims [0, 1] extents(%c4, %c8) sizes(%c4, %c8)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  %minus = transform.param.constant -8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_steps' op needs sizes of at least 0; found -8}}
  schedule.tile_steps %func "anchor" rank 3 dims [2] extents(%c64) sizes(%minus)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.annotate' op has no word 2 for 'keep'; it has 2}}
  schedule.annotate %func "exp" "sched.simt" {keep = %c2 of ["registers", "shared"]}
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %n = transform.num_associations %func : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{'schedule.annotate' op has a parameter that is not decided; run schedule-sample or schedule-apply-trace first}}
  schedule.annotate %func "anchor" "sched.simt" {stages = %n}
}
