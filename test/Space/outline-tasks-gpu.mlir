// For a GPU nothing is copied beforehand: channels stay outside, few columns
// stay as they are, and attention is no loop over blocks of rows.
// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s --check-prefix=CPU
// RUN: sched-opt %s --schedule-outline-tasks=gpu=true | FileCheck %s

// CPU-LABEL: func.func @channels
// CPU: linalg.transpose
// CHECK-LABEL: func.func @channels
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
func.func @channels(%image: tensor<1x64x9x9xf32>, %kernel: tensor<64x64x3x3xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%image, %kernel : tensor<1x64x9x9xf32>, tensor<64x64x3x3xf32>)
      outs(%init : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
  return %r : tensor<1x64x7x7xf32>
}

// CPU-LABEL: func.func @columns
// CPU: linalg.transpose
// CHECK-LABEL: func.func @columns
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @columns(%a: tensor<256x256xf32>, %b: tensor<256x2xf32>) -> tensor<256x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x2xf32>) -> tensor<256x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x2xf32>) outs(%init : tensor<256x2xf32>) -> tensor<256x2xf32>
  return %r : tensor<256x2xf32>
}
