// RUN: sched-opt %s --sched-read-unpadded --canonicalize --split-input-file | FileCheck %s

// Inside of the image, a tile reads the image; at a border, the nearest pixels.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[X:[^:]*]]: tensor<10x8xf32>
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[W:.*]] = %c0 to %c10 step %c2
// CHECK: arith.cmpi sge, %[[W]], %c1
// CHECK: arith.cmpi sle, %[[W]], %c7
// CHECK: scf.if %{{.*}} -> (vector<2x8xf32>)
// CHECK: scf.for
// CHECK: vector.transfer_read %[[X]]{{.*}} vector<2x8xf32>
// CHECK: else
// CHECK: scf.for
// CHECK: arith.minsi
// CHECK: %[[READ:.*]] = vector.transfer_read %[[X]]{{.*}} vector<8xf32>
// CHECK: arith.select %{{.*}}, %[[READ]], %cst
func.func @window(%x: tensor<10x8xf32>, %y: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant dense<0xFF800000> : vector<2x8xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %low : f32
  } : tensor<10x8xf32> to tensor<12x8xf32>
  %r = scf.for %w = %c0 to %c10 step %c2 iter_args(%out = %y) -> (tensor<10x8xf32>) {
    %v = scf.for %q = %c0 to %c3 step %c1 iter_args(%most = %none) -> (vector<2x8xf32>) {
      %at = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%w, %q]
      %read = vector.transfer_read %padded[%at, %c0], %low {in_bounds = [true, true]} : tensor<12x8xf32>, vector<2x8xf32>
      %next = arith.maximumf %most, %read : vector<2x8xf32>
      scf.yield %next : vector<2x8xf32>
    }
    %o = vector.transfer_write %v, %out[%w, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, tensor<10x8xf32>
    scf.yield %o : tensor<10x8xf32>
  }
  return %r : tensor<10x8xf32>
}

// -----

// All of the tiles are in the middle: one form.
// CHECK-LABEL: func.func @middle(
// CHECK-SAME: %[[X:[^:]*]]: tensor<10x8xf32>
// CHECK-NOT: {{tensor.pad|scf.if}}
// CHECK: vector.transfer_read %[[X]][%c3, %c0]
func.func @middle(%x: tensor<10x8xf32>) -> vector<2x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x8xf32> to tensor<12x8xf32>
  %read = vector.transfer_read %padded[%c4, %c0], %zero {in_bounds = [true, true]} : tensor<12x8xf32>, vector<2x8xf32>
  %twice = arith.addf %read, %read : vector<2x8xf32>
  return %twice : vector<2x8xf32>
}

// -----

// What is read otherwise too is padded once: as an operand of another op, or
// with lanes across a border.
// CHECK-LABEL: func.func @other_use(
// CHECK: tensor.pad
// CHECK: vector.transfer_read %padded
func.func @other_use(%x: tensor<10x8xf32>) -> (vector<2x8xf32>, tensor<12x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x8xf32> to tensor<12x8xf32>
  %read = vector.transfer_read %padded[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<12x8xf32>, vector<2x8xf32>
  %twice = arith.addf %read, %read : vector<2x8xf32>
  return %twice, %padded : vector<2x8xf32>, tensor<12x8xf32>
}

// CHECK-LABEL: func.func @lanes(
// CHECK: tensor.pad
func.func @lanes(%x: tensor<10x6xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x6xf32> to tensor<10x8xf32>
  %read = vector.transfer_read %padded[%c0, %c0], %zero {in_bounds = [true]} : tensor<10x8xf32>, vector<8xf32>
  %twice = arith.addf %read, %read : vector<8xf32>
  return %twice : vector<8xf32>
}

// -----

// The rows of a product serve many results.
// CHECK-LABEL: func.func @rows(
// CHECK: tensor.pad
func.func @rows(%x: tensor<10x8xf32>) -> vector<4x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x8xf32> to tensor<12x8xf32>
  %read = vector.transfer_read %padded[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<12x8xf32>, vector<2x8xf32>
  %rows = vector.broadcast %read : vector<2x8xf32> to vector<4x2x8xf32>
  return %rows : vector<4x2x8xf32>
}

// -----

// Of few channels they serve few: 3 taps of 3 channels, each pixel 16 results.
#row = affine_map<(d0, d1) -> (d1)>
#weights = affine_map<(d0, d1) -> (d1, d0)>
#result = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @few_products(
// CHECK-SAME: %[[X:[^:]*]]: tensor<10x3xf32>
// CHECK-NOT: tensor.pad
// CHECK: scf.if
// CHECK: %[[INSIDE:.*]] = vector.transfer_read %[[X]]{{.*}} vector<3xf32>
// CHECK: vector.contract {{.*}} %[[INSIDE]],
// CHECK: else
// CHECK: arith.minsi
// CHECK: %[[NEAREST:.*]] = vector.transfer_read %[[X]]{{.*}} vector<3xf32>
// CHECK: %[[PIXEL:.*]] = arith.select %{{.*}}, %[[NEAREST]], %cst
// CHECK: vector.contract {{.*}} %[[PIXEL]],
func.func @few_products(%x: tensor<10x3xf32>, %y: tensor<10x16xf32>, %b: vector<3x16xf32>) -> tensor<10x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x3xf32> to tensor<12x3xf32>
  %r = scf.for %w = %c0 to %c10 step %c1 iter_args(%out = %y) -> (tensor<10x16xf32>) {
    %v = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (vector<16xf32>) {
      %at = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%w, %q]
      %read = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<12x3xf32>, vector<3xf32>
      %next = vector.contract {indexing_maps = [#row, #weights, #result], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
        %read, %b, %sum : vector<3xf32>, vector<3x16xf32> into vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %o = vector.transfer_write %v, %out[%w, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<10x16xf32>
    scf.yield %o : tensor<10x16xf32>
  }
  return %r : tensor<10x16xf32>
}

// -----

// With 32 channels, a pixel is worth its copy.
#row = affine_map<(d0, d1) -> (d1)>
#weights = affine_map<(d0, d1) -> (d1, d0)>
#result = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @many_products(
// CHECK: tensor.pad
func.func @many_products(%x: tensor<10x32xf32>, %b: vector<32x16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x32xf32> to tensor<12x32xf32>
  %v = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (vector<16xf32>) {
    %read = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<12x32xf32>, vector<32xf32>
    %next = vector.contract {indexing_maps = [#row, #weights, #result], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %read, %b, %sum : vector<32xf32>, vector<32x16xf32> into vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %v : vector<16xf32>
}
