// A function that calls itself is refused before anything is searched for: at
// the call that closes the circle.
// RUN: not sched-opt %s --auto-schedule="trials=0 threads=1" 2>&1 | FileCheck %s

// CHECK: recursion.mlir:[[#@LINE+6]]:8: error: 'func.call' op calls @even, which calls itself; expected functions without recursion, as calls are inlined: use a loop
func.func @even(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = call @odd(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @odd(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = call @even(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
