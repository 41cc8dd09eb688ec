// Actions for stages that cannot be.

// RUN: sched-opt %s --verify-diagnostics --split-input-file

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fuse_stages' op needs one size a dimension; found 1 dimensions and 2 sizes}}
  schedule.fuse_stages %func "root" stages [] rank 2 dims [0] extents(%c8) sizes(%c8, %c8) which %c8 threads %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.fuse_stages' op needs distinct dimensions below its rank 2; found 2}}
  schedule.fuse_stages %func "root" stages [] rank 2 dims [2] extents(%c8) sizes(%c8) which %c8 threads %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.split_reduction' op needs distinct dimensions below its rank 2; found 2}}
  schedule.split_reduction %func "sum" rank 2 dim 2 extent 64 width %c8 rest_width %c8 keep %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.split_reduction' op needs a positive extent; found 0}}
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 0 width %c8 rest_width %c8 keep %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.split_reduction' op needs distinct dimensions below its rank 3; found 2}}
  schedule.split_reduction %func "sum" rank 3 dim 2 extent 64 around [2] width %c8 rest_width %c8 keep %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.share_reduction' op needs a positive extent; found 0}}
  schedule.share_reduction %func "sum" rank 2 dim 1 extent 0 threads %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.share_reduction' op needs distinct dimensions below its rank 2; found 2}}
  schedule.share_reduction %func "sum" rank 2 dim 2 extent 64 threads %c8
}

// -----

schedule.sketch @s(%func: !transform.any_op) {
  %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{'schedule.split_reduction' op has lines at once of no dimension; say which one the lines are along: around [...]}}
  schedule.split_reduction %func "sum" rank 2 dim 1 extent 64 lines %c8 width %c8 rest_width %c8 keep %c8
}
