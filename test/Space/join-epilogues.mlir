// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// What is added behind the reshape of a product is added to the product: the
// other operand is reshaped, which costs nothing.

// CHECK-LABEL: func.func @texts(
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0, 1], [2]]
// CHECK: %[[R:.*]] = call @texts_0(%arg0, %arg1, %[[C]])
// CHECK: %[[E:.*]] = tensor.expand_shape %[[R]]
// CHECK: return %[[E]]
// CHECK-LABEL: func.func private @texts_0(
// CHECK: linalg.matmul
// CHECK: linalg.exp
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @texts(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %c: tensor<2x32x96xf32>) -> tensor<2x32x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x96xf32>) outs(%i : tensor<64x96xf32>) -> tensor<64x96xf32>
  %q = linalg.exp ins(%p : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %x = tensor.expand_shape %q [[0, 1], [2]] output_shape [2, 32, 96] : tensor<64x96xf32> into tensor<2x32x96xf32>
  %e3 = tensor.empty() : tensor<2x32x96xf32>
  %r = linalg.add ins(%x, %c : tensor<2x32x96xf32>, tensor<2x32x96xf32>) outs(%e3 : tensor<2x32x96xf32>) -> tensor<2x32x96xf32>
  return %r : tensor<2x32x96xf32>
}

// -----

// One of the merged dimensions alone indexes the other operand: nothing can be
// added before the reshape, and the ops stay as they are.

// CHECK-LABEL: func.func @positions(
// CHECK: call @positions_0(%arg0, %arg1)
// CHECK: tensor.expand_shape
// CHECK: call @positions_1(
// CHECK-LABEL: func.func private @positions_1(
// CHECK: linalg.generic
#all = affine_map<(a, b, c) -> (a, b, c)>
#position = affine_map<(a, b, c) -> (b, c)>
func.func @positions(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %c: tensor<32x96xf32>) -> tensor<2x32x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x96xf32>) outs(%i : tensor<64x96xf32>) -> tensor<64x96xf32>
  %x = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 32, 96] : tensor<64x96xf32> into tensor<2x32x96xf32>
  %e3 = tensor.empty() : tensor<2x32x96xf32>
  %r = linalg.generic {indexing_maps = [#all, #position, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %c : tensor<2x32x96xf32>, tensor<32x96xf32>) outs(%e3 : tensor<2x32x96xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %0 = arith.addf %u, %v : f32
    linalg.yield %0 : f32
  } -> tensor<2x32x96xf32>
  return %r : tensor<2x32x96xf32>
}
