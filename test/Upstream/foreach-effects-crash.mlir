// Upstream's verifier of `transform.foreach` asks each op inside for its effects,
// and crashes on one that does not declare them, as decisions do not. A
// `transform.tune.knob` there is fine: it declares them.
//
// So decisions are refused inside of such ops, and a script's knobs move in front
// of them when they become decisions (ImportKnobs.cpp). When this test fails
// because there is no crash, upstream has mended it: delete the test, and knobs may
// stay where they are (docs/Rationale.md).

// RUN: not --crash mlir-opt-22 %s 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: PLEASE submit a bug report

// RUN: sed -e 's/func[.]call.*/%%0 = transform.tune.knob<"n"> options = [1, 2] -> !transform.any_param/' %s | mlir-opt-22 \
// RUN:   | FileCheck %s --check-prefix=KNOB
// KNOB: transform.foreach
// KNOB: transform.tune.knob

module attributes {transform.with_named_sequence} {
  func.func private @g()
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.foreach %root : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      func.call @g() : () -> ()
    }
    transform.yield
  }
}
