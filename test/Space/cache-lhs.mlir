// A block of the left-hand side may be copied before it is read: a decision of
// products of matrices; not of convolutions, whose blocks overlap.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file | FileCheck %s --check-prefixes=CHECK,SHARED

// CHECK-LABEL: func.func @product(
// CHECK: schedule.sketch @packed(
// CHECK: %[[COPIED:.*]] = schedule.sample_categorical "cache_lhs" from [0, 1] default 0
// ALONE-NOT: threads share all tiles
// SHARED: schedule.require "threads share all tiles of which cache_lhs makes copies"
// CHECK: schedule.cache_read %{{.*}} "anchor" operand 0 enable %[[COPIED]]
func.func @product(%a: tensor<256x512xf32>, %b: tensor<512x256xf32>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x256xf32>) outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func @convolution(
// CHECK: schedule.sketch @
// CHECK-NOT: cache_lhs
// CHECK-NOT: schedule.cache_read
func.func @convolution(%x: tensor<1x30x30x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x64xf32>, tensor<3x3x64x64xf32>) outs(%i : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %r : tensor<1x28x28x64xf32>
}
