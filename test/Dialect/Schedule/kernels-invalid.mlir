// What the verifiers of the actions for GPUs reject.

// RUN: sched-opt %s -verify-diagnostics -split-input-file

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_grid' op needs one size a dimension; found 2 dimensions and 1 sizes}}
  schedule.tile_grid %func "anchor" fuse [] rank 3 dims [0, 1] extents(%c8, %c8) sizes(%c8)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_grid' op needs distinct dimensions below its rank 2; found 2}}
  schedule.tile_grid %func "anchor" fuse [] rank 2 dims [0, 2] extents(%c8, %c8) sizes(%c8, %c8)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.tile_steps' op needs one extent a dimension; found 1 dimensions and 2 extents}}
  schedule.tile_steps %func "anchor" rank 3 dims [2] extents(%c8, %c8) sizes(%c8)
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  // expected-error @below {{'schedule.annotate' op has no entry to put on its block}}
  schedule.annotate %func "anchor" "sched.simt" {}
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.annotate' op has the key 'stages' twice}}
  schedule.annotate %func "anchor" "sched.simt" {stages = %c8, stages = %c8}
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.annotate' op chooses one of some words; found [8]}}
  schedule.annotate %func "anchor" "sched.simt" {keep = %c8 of [8]}
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.annotate' op needs values as its keys say: 2; found 1}}
  "schedule.annotate"(%func, %c8) {block = "anchor", attribute = "sched.simt", keys = ["threads"], forms = [2]} : (!transform.any_op, !transform.param<i64>) -> ()
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{expected '='}}
  schedule.annotate %func "anchor" "sched.simt" {stages %c8}
}
