// A transposed convolution of a volume by its phases has ten loops, its filter,
// reshaped, has five of its own, and packing adds more: the model has room.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true target=cpu:mcpu=znver3,triple=x86_64-linux-gnu" 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="left to the default"
// REQUIRES: x86-registered-target

// CHECK-LABEL: func.func @f
// CHECK: vector.broadcast
func.func @f(%x: tensor<1x1x8x11x1xf32>, %w: tensor<16x1x2x1x4xf32>) -> tensor<1x16x17x13x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x18x13x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x18x13x4xf32>) -> tensor<1x1x18x13x4xf32>
  %spread = tensor.insert_slice %x into %z[0, 0, 2, 2, 3] [1, 1, 8, 11, 1] [1, 1, 2, 1, 1]
    : tensor<1x1x8x11x1xf32> into tensor<1x1x18x13x4xf32>
  %we = tensor.empty() : tensor<16x1x2x1x4xf32>
  %filter = linalg.abs ins(%w : tensor<16x1x2x1x4xf32>) outs(%we : tensor<16x1x2x1x4xf32>) -> tensor<16x1x2x1x4xf32>
  %re = tensor.empty() : tensor<1x16x17x13x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%re : tensor<1x16x17x13x1xf32>) -> tensor<1x16x17x13x1xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%spread, %filter : tensor<1x1x18x13x4xf32>, tensor<16x1x2x1x4xf32>)
    outs(%i : tensor<1x16x17x13x1xf32>) -> tensor<1x16x17x13x1xf32>
  return %r : tensor<1x16x17x13x1xf32>
}
