// RUN: sched-opt %s --sched-bufferize | FileCheck %s

// A private function gets buffers of plain layout, whatever its callers pass.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: %{{.*}}: memref<4xf32>) -> memref<4xf32>
func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A slice that is passed on is copied into such a buffer.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>
// CHECK: %[[SLICE:.*]] = memref.subview %[[A]][4] [4] [1]
// CHECK: %[[PLAIN:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: linalg.copy ins(%[[SLICE]] : {{.*}}) outs(%[[PLAIN]] : memref<4xf32>)
// CHECK: call @callee(%[[PLAIN]])
func.func @caller(%a: tensor<8xf32>) -> tensor<4xf32> {
  %s = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = call @callee(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Copies are loops, which vectorize, and not calls. What is inserted at the end
// is computed where it goes.
// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[D:.*]]: memref<8xf32>
// CHECK-NOT: memref.copy
// CHECK: %[[PLACE:.*]] = memref.subview %[[D]][0] [4] [1]
// CHECK: linalg.exp ins(%[[A]] {{.*}} outs(%[[PLACE]]
// CHECK: %[[REST:.*]] = memref.subview %[[D]][4] [4] [1]
// CHECK: linalg.copy ins(%[[A]] : {{.*}}) outs(%[[REST]]
func.func @insert(%a: tensor<4xf32>, %d: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %x into %d[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %a into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Zeros that were hoisted out of the loop which adds to them are written anew in
// each iteration, where the sum ends up; they have no buffer and are not copied.
// CHECK-LABEL: func.func @hoisted_fill(
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (memref<8x4xf32>)
// CHECK: %[[PLACE:.*]] = memref.subview %[[T]][%[[I]], 0]
// CHECK: %[[FILL:.*]] = scf.for {{.*}} iter_args(%[[U:.*]] = %[[PLACE]])
// CHECK: vector.transfer_write %{{.*}}, %[[U]]
// CHECK-NOT: linalg.copy
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FILL]])
func.func @hoisted_fill(%a: tensor<8x4xf32>, %d: tensor<8x4xf32> {bufferization.writable = true}) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<2xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %fill = scf.for %j = %c0 to %c4 step %c2 iter_args(%t = %e) -> (tensor<1x4xf32>) {
    %w = vector.transfer_write %zeros, %t[%c0, %j] {in_bounds = [true]} : vector<2xf32>, tensor<1x4xf32>
    scf.yield %w : tensor<1x4xf32>
  }
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %d) -> (tensor<8x4xf32>) {
    %sum = scf.for %j = %c0 to %c4 step %c2 iter_args(%u = %fill) -> (tensor<1x4xf32>) {
      %x = vector.transfer_read %a[%i, %j], %z {in_bounds = [true]} : tensor<8x4xf32>, vector<2xf32>
      %y = vector.transfer_read %u[%c0, %j], %z {in_bounds = [true]} : tensor<1x4xf32>, vector<2xf32>
      %s = arith.addf %x, %y : vector<2xf32>
      %w = vector.transfer_write %s, %u[%c0, %j] {in_bounds = [true]} : vector<2xf32>, tensor<1x4xf32>
      scf.yield %w : tensor<1x4xf32>
    }
    %n = tensor.insert_slice %sum into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %n : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// What is only read stays where it was hoisted to.
// CHECK-LABEL: func.func @read_fill(
// CHECK: %[[FILL:.*]] = scf.for
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK-NOT: vector.transfer_write
// CHECK: linalg.add ins(%{{.*}}, %[[FILL]] :
func.func @read_fill(%a: tensor<8x4xf32>, %d: tensor<8x4xf32> {bufferization.writable = true}) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ones = arith.constant dense<1.0> : vector<2xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %fill = scf.for %j = %c0 to %c4 step %c2 iter_args(%t = %e) -> (tensor<1x4xf32>) {
    %w = vector.transfer_write %ones, %t[%c0, %j] {in_bounds = [true]} : vector<2xf32>, tensor<1x4xf32>
    scf.yield %w : tensor<1x4xf32>
  }
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %d) -> (tensor<8x4xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %place = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %sum = linalg.add ins(%x, %fill : tensor<1x4xf32>, tensor<1x4xf32>) outs(%place : tensor<1x4xf32>) -> tensor<1x4xf32>
    %n = tensor.insert_slice %sum into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %n : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// Rows that two threads share, and one that is left: both loops write the
// result, and nothing is copied.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<5x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: %[[SHARED:.*]] = memref.subview %[[TO:[a-z0-9_]+]][0, 0] [4, 8] [1, 1]
// CHECK: scf.forall
// CHECK-NOT: memref.alloc
// CHECK: vector.transfer_write
// CHECK: memref.subview %[[TO]][4, 0] [1, 8] [1, 1]
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @rows(%x: tensor<5x8xf32>, %result: memref<5x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : f32
  %all = tensor.empty() : tensor<5x8xf32>
  %most = tensor.empty() : tensor<4x8xf32>
  %r = scf.forall (%t) in (2) shared_outs(%out = %most) -> (tensor<4x8xf32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 2)>(%t)
    %own = tensor.extract_slice %out[%first, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
    %v = vector.transfer_read %x[%first, %c0], %p {in_bounds = [true, true]} : tensor<5x8xf32>, vector<2x8xf32>
    %e = math.exp %v : vector<2x8xf32>
    %w = vector.transfer_write %e, %own[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, tensor<2x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %out[%first, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
    }
  }
  %with = tensor.insert_slice %r into %all[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<5x8xf32>
  %rest = tensor.extract_slice %with[4, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<1x8xf32>
  %v = vector.transfer_read %x[%c4, %c0], %p {in_bounds = [true, true]} : tensor<5x8xf32>, vector<1x8xf32>
  %e = math.exp %v : vector<1x8xf32>
  %last = vector.transfer_write %e, %rest[%c0, %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<1x8xf32>
  %done = tensor.insert_slice %last into %with[4, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<5x8xf32>
  bufferization.materialize_in_destination %done in restrict writable %result : (tensor<5x8xf32>, memref<5x8xf32>) -> ()
  return
}

// Panels of two columns, and a column that is none: the same through a reshape.
// CHECK-LABEL: func.func @panels(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x5xf32>, %[[RESULT:[a-z0-9]+]]: memref<4x5xf32>
// CHECK-NOT: memref.alloc
// CHECK: %[[COLUMNS:.*]] = memref.subview %[[RESULT]][0, 0] [4, 4] [1, 1]
// CHECK: memref.expand_shape %[[COLUMNS]] {{.*}} output_shape [4, 2, 2]
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @panels(%x: tensor<4x5xf32>, %result: memref<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : f32
  %all = tensor.empty() : tensor<4x5xf32>
  %most = tensor.empty() : tensor<4x2x2xf32>
  %r = scf.for %panel = %c0 to %c2 step %c1 iter_args(%out = %most) -> (tensor<4x2x2xf32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 2)>(%panel)
    %v = vector.transfer_read %x[%c0, %first], %p {in_bounds = [true, true]} : tensor<4x5xf32>, vector<4x2xf32>
    %e = math.exp %v : vector<4x2xf32>
    %w = vector.transfer_write %e, %out[%c0, %panel, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<4x2xf32>, tensor<4x2x2xf32>
    scf.yield %w : tensor<4x2x2xf32>
  }
  %flat = tensor.collapse_shape %r [[0], [1, 2]] : tensor<4x2x2xf32> into tensor<4x4xf32>
  %with = tensor.insert_slice %flat into %all[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x5xf32>
  %rest = tensor.extract_slice %with[0, 4] [4, 1] [1, 1] : tensor<4x5xf32> to tensor<4x1xf32>
  %v = vector.transfer_read %x[%c0, %c4], %p {in_bounds = [true, true]} : tensor<4x5xf32>, vector<4x1xf32>
  %e = math.exp %v : vector<4x1xf32>
  %last = vector.transfer_write %e, %rest[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x1xf32>
  %done = tensor.insert_slice %last into %with[0, 4] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x5xf32>
  bufferization.materialize_in_destination %done in restrict writable %result : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}
