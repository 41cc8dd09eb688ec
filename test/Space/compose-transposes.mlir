// Transposes that undo each other go, and one behind a moved convolution is
// composed with that (Space/ComposeTransposes.cpp).

// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks | FileCheck %s

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=tokens --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=rotated --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// The patches of a vision transformer: its convolution has channels first, and
// what follows has pixels as rows, as the convolution computes them.
// CHECK-LABEL: func.func @tokens(
// CHECK: %[[SUMS:.*]] = call @tokens_1(
// CHECK-NEXT: %[[ROWS:.*]] = tensor.collapse_shape %[[SUMS]] {{\[}}[0], [1, 2], [3]] : tensor<1x4x4x32xf32> into tensor<1x16x32xf32>
// CHECK-NEXT: return %[[ROWS]]
func.func @tokens(%x: tensor<1x4x16x16xf32>, %w: tensor<32x4x4x4xf32>) -> tensor<1x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x4x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<4> : tensor<2xi64>}
      ins(%x, %w : tensor<1x4x16x16xf32>, tensor<32x4x4x4xf32>) outs(%i : tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  %c = tensor.collapse_shape %r [[0], [1], [2, 3]] : tensor<1x32x4x4xf32> into tensor<1x32x16xf32>
  %te = tensor.empty() : tensor<1x16x32xf32>
  %t = linalg.transpose ins(%c : tensor<1x32x16xf32>) outs(%te : tensor<1x16x32xf32>) permutation = [0, 2, 1]
  return %t : tensor<1x16x32xf32>
}

// Behind a convolution that was moved, one transpose does what two would.
// CHECK-LABEL: func.func @rotated(
// CHECK: %[[SUMS:.*]] = call @rotated_1(
// CHECK-NEXT: %[[ROWS:.*]] = tensor.collapse_shape %[[SUMS]]
// CHECK-NEXT: call @rotated_2(%[[ROWS]])
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @rotated_2(
// CHECK: linalg.transpose {{.*}} permutation = [1, 0, 2]
func.func @rotated(%x: tensor<2x4x16x16xf32>, %w: tensor<32x4x4x4xf32>) -> tensor<16x2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x32x4x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<4> : tensor<2xi64>}
      ins(%x, %w : tensor<2x4x16x16xf32>, tensor<32x4x4x4xf32>) outs(%i : tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
  %c = tensor.collapse_shape %r [[0], [1], [2, 3]] : tensor<2x32x4x4xf32> into tensor<2x32x16xf32>
  %te = tensor.empty() : tensor<16x2x32xf32>
  %t = linalg.transpose ins(%c : tensor<2x32x16xf32>) outs(%te : tensor<16x2x32xf32>) permutation = [2, 0, 1]
  return %t : tensor<16x2x32xf32>
}

// Others are no identity, or all that there is of a function; a generic op may
// be one of them.
#in = affine_map<(i, j, k) -> (k, i, j)>
#out = affine_map<(i, j, k) -> (i, j, k)>
// CHECK-LABEL: func.func @kept(
// CHECK: linalg.generic
// CHECK: linalg.transpose
// CHECK: return
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-2: linalg.transpose
// CHECK: return
func.func @kept(%x: tensor<8x16x32xf32>) -> tensor<32x8x16xf32> {
  %e = tensor.empty() : tensor<16x32x8xf32>
  %t = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x16x32xf32>) outs(%e : tensor<16x32x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<16x32x8xf32>
  %ue = tensor.empty() : tensor<32x8x16xf32>
  %u = linalg.transpose ins(%t : tensor<16x32x8xf32>) outs(%ue : tensor<32x8x16xf32>) permutation = [1, 2, 0]
  return %u : tensor<32x8x16xf32>
}
func.func @returned(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) permutation = [1, 0]
  %ue = tensor.empty() : tensor<8x16xf32>
  %u = linalg.transpose ins(%t : tensor<16x8xf32>) outs(%ue : tensor<8x16xf32>) permutation = [1, 0]
  return %u : tensor<8x16xf32>
}

// Reshapes that end with another type stay between.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: call @apart_
func.func @apart(%x: tensor<8x16xf32>) -> tensor<4x32xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) permutation = [1, 0]
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<16x8xf32> into tensor<128xf32>
  %g = tensor.expand_shape %f [[0, 1]] output_shape [32, 4] : tensor<128xf32> into tensor<32x4xf32>
  %ue = tensor.empty() : tensor<4x32xf32>
  %u = linalg.transpose ins(%g : tensor<32x4xf32>) outs(%ue : tensor<4x32xf32>) permutation = [1, 0]
  return %u : tensor<4x32xf32>
}
