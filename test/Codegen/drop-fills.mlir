// RUN: sched-opt %s --sched-drop-fills --split-input-file | FileCheck %s

// The sums begin with a constant; the tile is written once.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<1x4x1x16xf32>
// CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<4x16xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[NONE]])
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[Y]]
// CHECK: %[[DONE:.*]] = vector.transfer_write %[[SUM]], %[[TILE]]
// CHECK: tensor.insert_slice %[[DONE]] into %[[Y]]
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @product(%a: tensor<8x4x16xf32>, %y: tensor<1x4x1x16xf32>) -> tensor<1x4x1x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %p = ub.poison : f32
  %zeros = arith.constant dense<0.0> : vector<1x4x1x16xf32>
  %filled = vector.transfer_write %zeros, %y[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x4x1x16xf32>, tensor<1x4x1x16xf32>
  %tile = tensor.extract_slice %filled[0, 0, 0, 0] [1, 4, 1, 16] [1, 1, 1, 1] : tensor<1x4x1x16xf32> to tensor<4x16xf32>
  %none = vector.transfer_read %tile[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%before = %none) -> (vector<4x16xf32>) {
    %v = vector.transfer_read %a[%i, %c0, %c0], %p {in_bounds = [true, true]} : tensor<8x4x16xf32>, vector<4x16xf32>
    %after = arith.addf %before, %v : vector<4x16xf32>
    scf.yield %after : vector<4x16xf32>
  }
  %done = vector.transfer_write %sum, %tile[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %r = tensor.insert_slice %done into %filled[0, 0, 0, 0] [1, 4, 1, 16] [1, 1, 1, 1] : tensor<4x16xf32> into tensor<1x4x1x16xf32>
  return %r : tensor<1x4x1x16xf32>
}

// -----

// A part of the tile is all that is written again.
// CHECK-LABEL: func.func @part(
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
func.func @part(%v: vector<2x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : vector<4x16xf32>
  %filled = vector.transfer_write %zeros, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %r = vector.transfer_write %v, %filled[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// What is read elsewhere, or is not the same everywhere, stays.
// CHECK-LABEL: func.func @read(
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
func.func @read(%v: vector<4x16xf32>, %y: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : vector<4x16xf32>
  %filled = vector.transfer_write %zeros, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %r = vector.transfer_write %v, %filled[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  return %filled, %r : tensor<4x16xf32>, tensor<4x16xf32>
}

// CHECK-LABEL: func.func @computed(
// CHECK: vector.transfer_write
// CHECK: vector.transfer_read
func.func @computed(%v: vector<4x16xf32>, %y: tensor<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %p = ub.poison : f32
  %filled = vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %r = vector.transfer_read %filled[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
  return %r : vector<4x16xf32>
}

// -----

// All parts of the tile are written again, one after the other.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[V:[^:]*]]: vector<16xf32>, %[[W:[^:]*]]: vector<3x16xf32>, %[[Y:[^:]*]]: tensor<1x4x16xf32>
// CHECK-NOT: vector.transfer_write %cst
// CHECK: %[[FIRST:.*]] = vector.transfer_write %[[V]], %[[Y]][%c0, %c3, %c0]
// CHECK: vector.transfer_write %[[W]], %[[FIRST]][%c0, %c0, %c0]
func.func @parts(%v: vector<16xf32>, %w: vector<3x16xf32>, %y: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zeros = arith.constant dense<0.0> : vector<1x4x16xf32>
  %filled = vector.transfer_write %zeros, %y[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<1x4x16xf32>, tensor<1x4x16xf32>
  %last = vector.transfer_write %v, %filled[%c0, %c3, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<1x4x16xf32>
  %r = vector.transfer_write %w, %last[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<3x16xf32>, tensor<1x4x16xf32>
  return %r : tensor<1x4x16xf32>
}

// -----

// Not where a part is written twice and another never, is read before, or may
// be anywhere.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-3: vector.transfer_write
// CHECK-LABEL: func.func @between(
// CHECK-COUNT-3: vector.transfer_write
// CHECK-LABEL: func.func @anywhere(
// CHECK-COUNT-3: vector.transfer_write
func.func @twice(%v: vector<16xf32>, %z: vector<2x16xf32>, %y: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %c0 = arith.constant 0 : index
  %filled = vector.transfer_write %z, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<2x16xf32>
  %a = vector.transfer_write %v, %filled[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  %b = vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  return %b : tensor<2x16xf32>
}

func.func @between(%v: vector<16xf32>, %z: vector<2x16xf32>, %y: tensor<2x16xf32>) -> (tensor<2x16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = ub.poison : f32
  %filled = vector.transfer_write %z, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<2x16xf32>
  %a = vector.transfer_write %v, %filled[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  %old = vector.transfer_read %a[%c1, %c0], %p {in_bounds = [true]} : tensor<2x16xf32>, vector<16xf32>
  %b = vector.transfer_write %v, %a[%c1, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  return %b, %old : tensor<2x16xf32>, vector<16xf32>
}

func.func @anywhere(%v: vector<16xf32>, %z: vector<2x16xf32>, %y: tensor<2x16xf32>, %i: index, %j: index) -> tensor<2x16xf32> {
  %c0 = arith.constant 0 : index
  %filled = vector.transfer_write %z, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<2x16xf32>
  %a = vector.transfer_write %v, %filled[%i, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  %b = vector.transfer_write %v, %a[%j, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<2x16xf32>
  return %b : tensor<2x16xf32>
}
