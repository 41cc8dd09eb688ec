// RUN: sched-opt %s --sched-decompose --cse --split-input-file -verify-diagnostics | FileCheck %s

// Packing is a reshape and a transpose into the destination.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[DEST:[^:]*]]: tensor<2x3x4x2xf32>)
// CHECK-NOT: linalg.pack
// CHECK: %[[E:.*]] = tensor.expand_shape {{.*}} into tensor<3x2x2x4xf32>
// CHECK: linalg.transpose ins(%[[E]] {{.*}} outs(%[[DEST]] {{.*}} permutation = [2, 0, 3, 1]
func.func @pack(%a: tensor<6x8xf32>, %d: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
  %p = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2]
    into %d : tensor<6x8xf32> -> tensor<2x3x4x2xf32>
  return %p : tensor<2x3x4x2xf32>
}

// CHECK-LABEL: func.func @unpack(
// CHECK-NOT: linalg.unpack
// CHECK: %[[T:.*]] = linalg.transpose {{.*}} permutation = [1, 3, 0, 2]
// CHECK: tensor.collapse_shape %[[T]] {{.*}} into tensor<6x8xf32>
func.func @unpack(%a: tensor<2x3x4x2xf32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %p = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2]
    into %d : tensor<2x3x4x2xf32> -> tensor<6x8xf32>
  return %p : tensor<6x8xf32>
}

// The pad inside of a pack is decomposed as well.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[A:[^:]*]]: tensor<7xf32>
// CHECK-NOT: {{linalg.pack|tensor.pad}}
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: tensor.insert_slice %[[A]] into %{{.*}}[0] [7] [1]
// CHECK: linalg.fill ins(%[[ONE]] {{.*}} -> tensor<1xf32>
// CHECK-NOT: {{linalg.pack|tensor.pad}}
func.func @padded(%a: tensor<7xf32>, %d: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %one = arith.constant 1.0 : f32
  %p = linalg.pack %a padding_value(%one : f32) inner_dims_pos = [0] inner_tiles = [4]
    into %d : tensor<7xf32> -> tensor<2x4xf32>
  return %p : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%a: tensor<2x8xf32>, %d: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %p = linalg.softmax dimension(1) ins(%a : tensor<2x8xf32>) outs(%d : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %p : tensor<2x8xf32>
}

// Only the borders are filled; the middle is written once, where it is computed.
// The corners belong to the first dimension's borders.
// CHECK-LABEL: func.func @borders(
// CHECK: %[[MIDDLE:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1, 2] [8, 8] [1, 1]
// CHECK: tensor.extract_slice %[[MIDDLE]][0, 0] [1, 12] [1, 1]
// CHECK: linalg.fill {{.*}} -> tensor<1x12xf32>
// CHECK: linalg.fill {{.*}} -> tensor<8x2xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [8, 2] [1, 1]
// CHECK: linalg.fill {{.*}} -> tensor<8x2xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 10] [8, 2] [1, 1]
// CHECK-NOT: {{tensor.pad|linalg.fill}}
// CHECK: return
func.func @borders(%a: tensor<8x8xf32>) -> tensor<9x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %b = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = tensor.pad %b low[1, 2] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<9x12xf32>
  return %p : tensor<9x12xf32>
}

// A negative amount takes elements away before others are added.
// CHECK-LABEL: func.func @negative(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[2, 0] [6, 5] [1, 1] : tensor<8x8xf32> to tensor<6x5xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c6
// CHECK: %[[LINE:.*]] = tensor.extract_slice %[[S]][%[[I]], 0] [1, 5] [1, 1]
// CHECK: tensor.insert_slice %[[LINE]] into %{{.*}}[%[[I]], 1] [1, 5] [1, 1] : tensor<5xf32> into tensor<9x6xf32>
// CHECK: linalg.fill {{.*}} -> tensor<1xf32>
// CHECK: linalg.fill {{.*}} -> tensor<3x6xf32>
// CHECK-NOT: {{tensor.pad|linalg.fill}}
// CHECK: return
func.func @negative(%a: tensor<8x8xf32>) -> tensor<9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %b = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = tensor.pad %b low[-2, 1] high[3, -3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<9x6xf32>
  return %p : tensor<9x6xf32>
}

// The padding may be a constant of the region.
// CHECK-LABEL: func.func @inner_constant(
// CHECK: %[[TWO:.*]] = arith.constant 2.0
// CHECK: linalg.fill ins(%[[TWO]]
// CHECK: return
func.func @inner_constant(%a: tensor<8xf32>) -> tensor<9xf32> {
  %p = tensor.pad %a low[1] high[0] {
  ^bb0(%i: index):
    %two = arith.constant 2.0 : f32
    tensor.yield %two : f32
  } : tensor<8xf32> to tensor<9xf32>
  return %p : tensor<9xf32>
}

// What has a buffer form stays what it is.
// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
func.func @matmul(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

func.func @dynamic(%a: tensor<?xf32>, %n: index, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'linalg.pack' op cannot be split into simpler ops; expected a form with constant sizes, or linalg.generic in its place}}
  %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<?xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

func.func @nothing_stays(%a: tensor<3xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{cannot be split into simpler ops}}
  %p = tensor.pad %a low[-5] high[10] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}
