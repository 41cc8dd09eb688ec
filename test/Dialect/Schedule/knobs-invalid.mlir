// RUN: sched-opt %s --schedule-import-knobs --schedule-export-knobs -verify-diagnostics -split-input-file

schedule.sketch @s(%root: !transform.any_op) {
  // expected-error @below {{decision 'o' has more than one result, which a knob cannot have}}
  %o:2 = schedule.sample_permutation "o" of 2 : !transform.param<i64>, !transform.param<i64>
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  // expected-error @below {{has no counterpart among the transform.tune ops; a sketch with it cannot be exported}}
  schedule.require "x" %x
}

// -----

schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  // expected-error @below {{has decision 't' with a domain that depends on a parameter that is not constant; decide what it is computed from, and fold it, first}}
  %t = schedule.sample_tile "t" extent(%x) min 1 max 4 : !transform.param<i64>
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{has options ["a", "b"]; expected a list of integers, the only ones that a decision takes}}
    %0 = transform.tune.knob<"k"> options = ["a", "b"] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    %c = transform.param.constant 0 -> !transform.any_param
    // expected-error @below {{selects its region by a parameter; expected a number or none}}
    transform.tune.alternatives<"a"> selected_region = %c : !transform.any_param {
    }, {
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{has results; a sketch yields nothing}}
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.tune.knob<"k"> options = [1, 2] -> !transform.any_param
    transform.yield %root : !transform.any_op
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence private @elsewhere(%op: !transform.any_op {transform.readonly})
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.tune.knob<"k"> options = [1, 2] -> !transform.any_param
    // expected-error @below {{includes @elsewhere, which has no body here; put the sequence into this module}}
    transform.include @elsewhere failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    transform.foreach %root : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      // expected-error @below {{is inside of 'transform.foreach', where a sketch has no alternatives; choose outside of it}}
      transform.tune.alternatives<"a"> {
        transform.yield
      }
    }
    transform.yield
  }
}
