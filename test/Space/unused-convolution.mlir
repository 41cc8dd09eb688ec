// A convolution with channels outside of which nothing is used is rewritten like
// any other: it must still be there when the channels of all have been moved.

// RUN: sched-opt %s --schedule-im2col | FileCheck %s
// RUN: sched-opt %s --schedule-winograd="tile=4 threads=1 target=cpu:mcpu=znver3" | FileCheck %s

// CHECK-LABEL: func.func @unused(
// CHECK-NOT: linalg.conv_2d_nchw_fchw
// CHECK: return
func.func @unused(%x: tensor<1x8x10x10xf32>, %y: tensor<1x8x8x8xf32>) -> tensor<1x8x10x10xf32> {
  %w = arith.constant dense<1.0> : tensor<8x8x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x10x10xf32>, tensor<8x8x3x3xf32>) outs(%y : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %s = linalg.exp ins(%r : tensor<1x8x8x8xf32>) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %x : tensor<1x8x10x10xf32>
}
