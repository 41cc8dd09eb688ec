// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s

// Softmax, then a product with fewer columns than steps: its result is divided.
// CHECK-LABEL: func.func @f(
// CHECK: %[[E:.*]] = call @f_0(%arg0)
// CHECK: %[[S:.*]] = call @f_1(%[[E]])
// CHECK: call @f_2(%[[E]], %arg1, %[[S]])
// CHECK: func.func private @f_2(%[[A:.*]]: tensor<16x64xf32>, %[[V:.*]]: tensor<64x8xf32>, %[[SUM:.*]]: tensor<16xf32>)
// CHECK: %[[P:.*]] = linalg.matmul ins(%[[A]], %[[V]]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %[[SUM]] :
// CHECK: arith.divf
func.func @f(%x: tensor<16x64xf32>, %v: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%r : tensor<16x8xf32>) -> tensor<16x8xf32>
  %y = linalg.matmul ins(%p, %v : tensor<16x64xf32>, tensor<64x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// More columns than steps: more divisions.
// CHECK-LABEL: func.func @wide(
// CHECK: arith.divf
// CHECK: linalg.matmul
func.func @wide(%x: tensor<16x64xf32>, %v: tensor<64x96xf32>) -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = tensor.empty() : tensor<16x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%r : tensor<16x96xf32>) -> tensor<16x96xf32>
  %y = linalg.matmul ins(%p, %v : tensor<16x64xf32>, tensor<64x96xf32>) outs(%init : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}

// -----

// The sum starts from something: that is not scaled.
// CHECK-LABEL: func.func @added(
// CHECK: arith.divf
// CHECK: linalg.matmul
func.func @added(%x: tensor<16x64xf32>, %v: tensor<64x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = linalg.matmul ins(%p, %v : tensor<16x64xf32>, tensor<64x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// Values of any size might overflow in the sum.
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func.func @any(
// CHECK: arith.divf
// CHECK: linalg.matmul
func.func @any(%x: tensor<16x64xf32>, %s: tensor<16xf32>, %v: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<16x64xf32>, tensor<16xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<16x64xf32>
  %r = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%r : tensor<16x8xf32>) -> tensor<16x8xf32>
  %y = linalg.matmul ins(%p, %v : tensor<16x64xf32>, tensor<64x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// Exponentials of any size, too: no largest value is subtracted.
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func.func @bare(
// CHECK: arith.divf
// CHECK: linalg.matmul
func.func @bare(%x: tensor<16x64xf32>, %b: tensor<16xf32>, %s: tensor<16xf32>, %v: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<16x64xf32>, tensor<16xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %d = arith.subf %a, %c : f32
    %q = math.exp %d : f32
    linalg.yield %q : f32
  } -> tensor<16x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<16x64xf32>, tensor<16xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %q = arith.divf %a, %c : f32
    linalg.yield %q : f32
  } -> tensor<16x64xf32>
  %r = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%r : tensor<16x8xf32>) -> tensor<16x8xf32>
  %y = linalg.matmul ins(%n, %v : tensor<16x64xf32>, tensor<64x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// A half float may not hold the sum.
// CHECK-LABEL: func.func @half(
// CHECK: arith.divf
// CHECK: linalg.matmul
func.func @half(%x: tensor<16x64xf16>, %v: tensor<64x8xf16>) -> tensor<16x8xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x64xf16>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64xf16>) outs(%e : tensor<16x64xf16>) -> tensor<16x64xf16>
  %r = tensor.empty() : tensor<16x8xf16>
  %init = linalg.fill ins(%zero : f16) outs(%r : tensor<16x8xf16>) -> tensor<16x8xf16>
  %y = linalg.matmul ins(%p, %v : tensor<16x64xf16>, tensor<64x8xf16>) outs(%init : tensor<16x8xf16>) -> tensor<16x8xf16>
  return %y : tensor<16x8xf16>
}
