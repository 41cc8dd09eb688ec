// No script has upstream's patterns that compute wrong results or do not end
// (test/Upstream): for a product, a convolution, one of single channels, a softmax.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=vectorize_children --implicit-check-not=cast_away

// All of them get vectors, by what a script may hold.
// CHECK: sym_name = "product"
// CHECK: transform.structured.vectorize %
// CHECK: sym_name = "convolution"
// CHECK: transform.structured.vectorize %
// CHECK: sym_name = "single_channels"
// CHECK: transform.structured.vectorize %
// CHECK: sym_name = "softmax"
// CHECK: transform.structured.vectorize %
func.func @product(%a: tensor<127x255xf32>, %b: tensor<255x129xf32>, %i: tensor<127x129xf32>) -> tensor<127x129xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<127x255xf32>, tensor<255x129xf32>) outs(%i : tensor<127x129xf32>) -> tensor<127x129xf32>
  return %r : tensor<127x129xf32>
}

func.func @convolution(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32x48xf32>, %i: tensor<1x14x14x48xf32>) -> tensor<1x14x14x48xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x32xf32>, tensor<3x3x32x48xf32>) outs(%i : tensor<1x14x14x48xf32>) -> tensor<1x14x14x48xf32>
  return %r : tensor<1x14x14x48xf32>
}

func.func @single_channels(%x: tensor<1x16x16x37xf32>, %w: tensor<3x3x37xf32>, %i: tensor<1x14x14x37xf32>) -> tensor<1x14x14x37xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x16x16x37xf32>, tensor<3x3x37xf32>) outs(%i : tensor<1x14x14x37xf32>) -> tensor<1x14x14x37xf32>
  return %r : tensor<1x14x14x37xf32>
}

func.func @softmax(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %e = tensor.empty() : tensor<64x100xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x100xf32>) outs(%e : tensor<64x100xf32>) -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}
