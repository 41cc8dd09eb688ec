// RUN: sched-opt %s --schedule-sample=seed=1 | FileCheck %s
// RUN: sched-opt %s --schedule-sample=seed=1 > %t.1
// RUN: sched-opt %s --schedule-sample=seed=1 | diff - %t.1
// RUN: sched-opt %s --schedule-sample=seed=2 | not diff -q - %t.1

// Each decision is made; those made already stay. What is decided is in the
// domain, or the verifier would complain.
// CHECK-LABEL: schedule.sketch @all
schedule.sketch @all(%root: !transform.any_op) {
  // CHECK: sample_categorical "mr" {{.*}} decided 5 :
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] decided 5 : !transform.param<i64>
  // CHECK: sample_tile "mc" {{.*}} decided {{[0-9]+}} :
  %mc = schedule.sample_tile "mc" extent 100 min 16 max 64 multiple_of 16 or_full
    : !transform.param<i64>
  // The domain of a later decision may depend on an earlier one.
  // CHECK: sample_perfect_tile "i" extent(%{{.*}}) {{.*}} decided {{\[[0-9]+, [0-9]+\]}} :
  %i:2 = schedule.sample_perfect_tile "i" extent(%mc) parts 2 max_innermost 8
    : !transform.param<i64>, !transform.param<i64>
  // CHECK: sample_permutation "o" of 3 decided {{\[[0-2], [0-2], [0-2]\]}} :
  %o:3 = schedule.sample_permutation "o" of 3
    : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  // CHECK: sample_compute_location {{.*}} decided {{[01]}} :
  %at = schedule.sample_compute_location "at" from ["root", "tile"] : !transform.param<i64>
}

// Decisions of the alternative that was not chosen stay open.
// CHECK-LABEL: schedule.sketch @alternatives
schedule.sketch @alternatives(%root: !transform.any_op) {
  // CHECK: schedule.choose "which" weights {{.*}} decided 1 {
  // CHECK-NEXT: sample_categorical "left" from [1, 2] :
  // CHECK: sample_categorical "right" from [1, 2] decided
  schedule.choose "which" weights [1.0e-12, 1.0] {
    %0 = schedule.sample_categorical "left" from [1, 2] : !transform.param<i64>
  }, {
    %0 = schedule.sample_categorical "right" from [1, 2] : !transform.param<i64>
  }
}

// One draw in 50 is legal.
// CHECK-LABEL: schedule.sketch @require
schedule.sketch @require(%root: !transform.any_op) {
  %c49 = transform.param.constant 49 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  // CHECK: sample_tile "x" {{.*}} decided 49 :
  %x = schedule.sample_tile "x" extent 50 min 1 max 50 : !transform.param<i64>
  // CHECK: sample_tile "y" {{.*}} decided 50 :
  %y = schedule.sample_tile "y" extent 50 min 50 max 50 : !transform.param<i64>
  %next = schedule.sum %x, %c1
  %0 = schedule.cmp eq %next, %y
  schedule.require "y follows x" %0
}
