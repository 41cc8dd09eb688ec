// RUN: sched-opt %s --schedule-sample=max-tries=100 -verify-diagnostics -split-input-file

// expected-error @below {{@never has no legal decisions in 100 draws; loosen a requirement, widen a domain, or raise max-tries}}
schedule.sketch @never(%root: !transform.any_op) {
  %c9 = transform.param.constant 9 : i64 -> !transform.param<i64>
  %x = schedule.sample_categorical "x" from [4, 5, 6] : !transform.param<i64>
  %0 = schedule.cmp gt %x, %c9
  // expected-note @below {{requirement not met in 100 of them: x is large}}
  schedule.require "x is large" %0
}

// -----

schedule.sketch @empty(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4, 5, 6] : !transform.param<i64>
  // expected-error @below {{decision 't' has an empty domain; widen its bounds}}
  %t = schedule.sample_tile "t" extent(%x) min 10 max 20 : !transform.param<i64>
}

// -----

schedule.sketch @payload(%root: !transform.any_op) {
  %n = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
  // expected-error @below {{needs a parameter that is known only when the script runs on the payload; compute it from decisions and constants}}
  %t = schedule.sample_tile "t" extent(%n) min 1 max 2 : !transform.param<i64>
}

// -----

schedule.sketch @overflow(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [4611686018427387904] : !transform.param<i64>
  // expected-error @below {{overflows for the operands [4611686018427387904, 4611686018427387904]}}
  %t = schedule.product %x, %x
}
