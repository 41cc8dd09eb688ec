// RUN: sched-opt %s --convert-schedule-to-transform -verify-diagnostics -split-input-file

schedule.sketch @s(%root: !transform.any_op) {
  // expected-error @below {{decision 'mr' is not made; run schedule-sample or schedule-apply-trace first}}
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
}

// -----

// expected-error @below {{module has no decided sketch among [@a, @b]; run schedule-sample or schedule-apply-trace first}}
module {
  schedule.sketch @a(%root: !transform.any_op) {
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  }
  schedule.sketch @b(%root: !transform.any_op) {
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  }
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4, 5, 6] decided 4 : !transform.param<i64>
  %y = schedule.sample_categorical "y" from [4, 5, 6] decided 6 : !transform.param<i64>
  %0 = schedule.cmp gt %x, %y
  // expected-error @below {{requirement not met: x is larger than y}}
  // expected-note @below {{with the decisions x = 4, y = 6}}
  schedule.require "x is larger than y" %0
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4, 5, 6] decided 4 : !transform.param<i64>
  // expected-error @below {{decision 't' cannot be 5; its domain is [1, 2, 3, 4]; choose one of its entries}}
  %t = schedule.sample_tile "t" extent(%x) min 1 max 8 decided 5 : !transform.param<i64>
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [0] decided 0 : !transform.param<i64>
  // expected-error @below {{needs a factor of at least 1; found 0}}
  schedule.unroll %root by %x
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [1] decided 1 : !transform.param<i64>
  // expected-error @below {{needs a permutation of its dimensions; found [1, 1]}}
  %0 = schedule.interchange %root by(%x, %x)
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{has a factor that is not constant}}
  schedule.unroll %root by %x
}

// -----

module attributes {transform.with_named_sequence} {
  schedule.sketch @s(%root: !transform.any_op) {}
  // expected-error @below {{symbol @__transform_main is in the way of the script of sketch @s; rename or remove it}}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

// -----

%x = transform.param.constant 1 : i64 -> !transform.param<i64>
// expected-error @below {{is illegal outside of a sketch}}
%0 = schedule.product %x, %x
