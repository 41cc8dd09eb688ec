// What schedule-drop-script removes, and what it leaves alone.

// RUN: sched-opt %s --schedule-drop-script | FileCheck %s

// CHECK: module attributes {schedule.threads = 2 : i64} {
module attributes {schedule.threads = 2 : i64, transform.with_named_sequence} {
  // CHECK-LABEL: func.func @f
  // CHECK: linalg.exp {note = 1 : i64} ins(
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %r = linalg.exp {note = 1, schedule.block = "anchor"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
  // CHECK-NOT: transform.named_sequence
  transform.named_sequence @helper(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
  // CHECK: func.func private @g
  func.func private @g(tensor<8xf32>) -> tensor<8xf32>
}
