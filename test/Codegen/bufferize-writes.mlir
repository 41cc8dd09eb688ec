// RUN: sched-opt %s --sched-kernel-abi --sched-bufferize | FileCheck %s

// Three rows of four are not all of them, nor is one row of a column of tiles:
// what was there is copied first.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: linalg.copy ins(%{{.*}} : {{.*}}) outs(%[[B]]
// CHECK: vector.transfer_write %{{.*}}, %[[B]][%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<1x3x16xf32>
// CHECK-LABEL: func.func @apart(
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: linalg.copy ins(%{{.*}} : {{.*}}) outs(%[[B]]
// CHECK: vector.transfer_write %{{.*}}, %[[B]][%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x4x1x16xf32>
// All of it is.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: linalg.copy
// CHECK: vector.transfer_write %{{.*}} : vector<4x16xf32>
func.func @rows(%t: tensor<1x4x16xf32>, %o: tensor<3x16xf32>) -> tensor<1x16xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %o[%c0, %c0], %p {in_bounds = [true, true]} : tensor<3x16xf32>, vector<3x16xf32>
  %w = vector.transfer_write %v, %t[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<3x16xf32>, tensor<1x4x16xf32>
  %r = tensor.extract_slice %w[0, 3, 0] [1, 1, 16] [1, 1, 1] : tensor<1x4x16xf32> to tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

func.func @apart(%t: tensor<1x4x13x16xf32>, %o: tensor<4x16xf32>) -> tensor<1x16xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %o[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
  %w = vector.transfer_write %v, %t[%c0, %c0, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(a, b, c, d) -> (b, d)>}
    : vector<4x16xf32>, tensor<1x4x13x16xf32>
  %r = tensor.extract_slice %w[0, 3, 2, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x4x13x16xf32> to tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

func.func @whole(%t: tensor<1x4x16xf32>, %o: tensor<4x16xf32>) -> tensor<1x4x16xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %o[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
  %w = vector.transfer_write %v, %t[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<1x4x16xf32>
  return %w : tensor<1x4x16xf32>
}
