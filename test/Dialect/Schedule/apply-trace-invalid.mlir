// RUN: sched-opt %s --schedule-apply-trace -verify-diagnostics -split-input-file

// expected-error @below {{is of @s, but the module has no sketch of that name}}
schedule.trace of @s decisions {mr = 6}

// -----

schedule.space @a workload("a", "a") {
  // expected-note @below {{one is here}}
  schedule.sketch @s(%root: !transform.any_op) {}
}
schedule.space @b workload("b", "b") {
  // expected-note @below {{one is here}}
  schedule.sketch @s(%root: !transform.any_op) {}
}
// expected-error @below {{is of @s, but the module has 2 sketches of that name; put the trace into the space of one}}
schedule.trace of @s decisions {}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  %nr = schedule.sample_categorical "nr" from [8] : !transform.param<i64>
}
// expected-error @below {{trace decides 'kr', but sketch @s has the decisions [mr, nr]; replay it on the sketch that it was made from}}
schedule.trace of @s decisions {mr = 6, nr = 8, kr = 1}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  // expected-note @below {{the decision is here}}
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
}
// expected-error @below {{trace does not decide 'mr' of sketch @s; add a value of its domain [4, 5, 6]}}
schedule.trace of @s decisions {}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  // expected-note @below {{the decision is here}}
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
}
// expected-error @below {{trace decides 'mr' = 7, which is outside of its domain [4, 5, 6]; choose one of its entries}}
schedule.trace of @s decisions {mr = 7}

// -----

// The domain of "t" depends on "x". A long one is cut short.
schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4, 100] : !transform.param<i64>
  // expected-note @below {{the decision is here}}
  %t = schedule.sample_tile "t" extent(%x) min 1 max 64 : !transform.param<i64>
}
// expected-error @below {{trace decides 't' = 65, which is outside of its domain [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ..., 64]}}
schedule.trace of @s decisions {x = 100, t = 65}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4, 5] : !transform.param<i64>
  %y = schedule.sample_categorical "y" from [4, 5] : !transform.param<i64>
  %0 = schedule.cmp le %x, %y
  // expected-error @below {{requirement not met: x is at most y}}
  // expected-note @below {{with the decisions x = 5, y = 4}}
  schedule.require "x is at most y" %0
}
// expected-note @below {{of the trace here}}
schedule.trace of @s decisions {x = 5, y = 4}
