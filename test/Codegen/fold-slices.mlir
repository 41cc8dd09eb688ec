// RUN: sched-opt %s --sched-fold-slices --split-input-file | FileCheck %s

// Rows of a tile, which are slices of slices, are written to the tile, and read
// where it was taken from.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x8x1x16xf32>, %[[I:[^:]*]]: index
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[X]][0, %{{.*}}, 0, 0] [1, 2, 1, 16]
// CHECK-NOT: tensor.extract_slice
// CHECK: vector.transfer_read %[[X]][%c0, %[[I]], %c0, %c0]
// CHECK: %[[NEXT:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK: vector.transfer_read %[[X]][%c0, %[[NEXT]], %c0, %c0]
// CHECK: %[[FIRST:.*]] = vector.transfer_write %{{.*}}, %[[TILE]][%c0, %c0, %c0, %c0]
// CHECK: %[[BOTH:.*]] = vector.transfer_write %{{.*}}, %[[FIRST]][%c0, %c1, %c0, %c0]
// CHECK: tensor.insert_slice %[[BOTH]] into %[[X]][0, %{{.*}}, 0, 0] [1, 2, 1, 16]
// CHECK-NOT: tensor.insert_slice
func.func @rows(%x: tensor<1x8x1x16xf32>, %i: index) -> tensor<1x8x1x16xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %tile = tensor.extract_slice %x[0, %i, 0, 0] [1, 2, 1, 16] [1, 1, 1, 1] : tensor<1x8x1x16xf32> to tensor<1x2x1x16xf32>
  %s0 = tensor.extract_slice %tile[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x2x1x16xf32> to tensor<1x1x1x16xf32>
  %s1 = tensor.extract_slice %tile[0, 1, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x2x1x16xf32> to tensor<1x1x1x16xf32>
  %r0 = tensor.extract_slice %s0[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x1x1x16xf32> to tensor<16xf32>
  %r1 = tensor.extract_slice %s1[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x1x1x16xf32> to tensor<16xf32>
  %v0 = vector.transfer_read %r0[%c0], %p {in_bounds = [true]} : tensor<16xf32>, vector<16xf32>
  %v1 = vector.transfer_read %r1[%c0], %p {in_bounds = [true]} : tensor<16xf32>, vector<16xf32>
  %n0 = arith.negf %v0 : vector<16xf32>
  %n1 = arith.negf %v1 : vector<16xf32>
  %w0 = vector.transfer_write %n0, %r0[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  %w1 = vector.transfer_write %n1, %r1[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  %i0 = tensor.insert_slice %w0 into %s0[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<16xf32> into tensor<1x1x1x16xf32>
  %i1 = tensor.insert_slice %w1 into %s1[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<16xf32> into tensor<1x1x1x16xf32>
  %t0 = tensor.insert_slice %i0 into %tile[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x1x1x16xf32> into tensor<1x2x1x16xf32>
  %t1 = tensor.insert_slice %i1 into %t0[0, 1, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1] : tensor<1x1x1x16xf32> into tensor<1x2x1x16xf32>
  %r = tensor.insert_slice %t1 into %x[0, %i, 0, 0] [1, 2, 1, 16] [1, 1, 1, 1] : tensor<1x2x1x16xf32> into tensor<1x8x1x16xf32>
  return %r : tensor<1x8x1x16xf32>
}

// -----

// Part of a tile stays one of the tile: it is put back there.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x16xf32>
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[X]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[TILE]][0, 0] [3, 16]
// CHECK: vector.transfer_write %{{.*}}, %[[PART]]
// CHECK: tensor.insert_slice %{{.*}} into %[[TILE]]
func.func @part(%x: tensor<8x16xf32>, %i: index, %v: vector<16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %tile = tensor.extract_slice %x[%i, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %part = tensor.extract_slice %tile[0, 0] [3, 16] [1, 1] : tensor<4x16xf32> to tensor<3x16xf32>
  %w = vector.transfer_write %v, %part[%c2, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<3x16xf32>
  %t = tensor.insert_slice %w into %tile[0, 0] [3, 16] [1, 1] : tensor<3x16xf32> into tensor<4x16xf32>
  %r = tensor.insert_slice %t into %x[%i, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
