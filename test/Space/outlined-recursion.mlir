// Outlined tasks that call themselves cannot be put in the place of their calls.

// RUN: rm -rf %t.d && mkdir %t.d && touch %t.d/records.jsonl
// RUN: not sched-opt %s --schedule-drop-script 2>&1 | FileCheck %s
// RUN: not sched-opt %s --schedule-extract-tasks 2>&1 | FileCheck %s
// RUN: not sched-opt %s --auto-schedule="trials=0" 2>&1 | FileCheck %s
// RUN: not sched-opt %s --apply-history-best="work-dir=%t.d" 2>&1 | FileCheck %s
// RUN: not sched-run %s 2>&1 | FileCheck %s --check-prefixes=CHECK,TOOL

// CHECK: outlined-recursion.mlir:[[#@LINE+1]]:1: error: found the function @even, marked schedule.outlined, which calls itself; expected one that can be put in the place of its calls: remove the mark or the recursion
func.func private @even(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {schedule.outlined} {
  %r = call @odd(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func private @odd(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {schedule.outlined} {
  %s = linalg.add ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = call @even(%s) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// CHECK-NOT: error: {{.*}}calls itself
// TOOL: error: the outlined tasks of {{.*}} cannot be inlined
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = call @odd(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
