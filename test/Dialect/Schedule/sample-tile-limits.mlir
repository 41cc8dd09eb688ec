// RUN: sched-opt %s --schedule-sample="seed=1" --verify-diagnostics --split-input-file | FileCheck %s

// Only the whole extent is a multiple that fits.
// CHECK-LABEL: @large_unit
// CHECK: sample_tile "t" {{.*}} decided 8
schedule.sketch @large_unit (%root: !transform.any_op) {
  %t = schedule.sample_tile "t" extent 8 min 2 max 8 multiple_of 9223372036854775807 or_full : !transform.param<i64>
  schedule.yield
}

// -----

schedule.sketch @large_extent (%root: !transform.any_op) {
  // expected-error @+1 {{needs an extent of 1 to 4294967296; found 2305843009213693951}}
  %t:2 = schedule.sample_perfect_tile "t" extent 2305843009213693951 parts 2 : !transform.param<i64>, !transform.param<i64>
  schedule.yield
}
