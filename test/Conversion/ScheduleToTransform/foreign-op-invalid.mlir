// RUN: sched-opt %s --convert-schedule-to-transform --allow-unregistered-dialect --verify-diagnostics --split-input-file

// Upstream's interpreter crashes on these.
schedule.sketch @constant (%root: !transform.any_op) {
  // expected-error @+1 {{'arith.constant' op is no op of the transform dialect, and a script runs nothing else; move it out of the sketch}}
  %c = arith.constant 3 : i64
  schedule.yield
}

// -----

schedule.sketch @unknown (%root: !transform.any_op) {
  // expected-error @+1 {{'foo.bar' op is no op of the transform dialect}}
  "foo.bar"() : () -> ()
  schedule.yield
}
