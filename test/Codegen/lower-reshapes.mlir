// RUN: sched-opt %s --sched-lower-reshapes --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-lower-reshapes --fold-memref-alias-ops --split-input-file | FileCheck %s --check-prefix=FOLDED

// A row is a row of the view: no index is taken apart.

// CHECK-LABEL: func.func @collapse(
// CHECK-SAME: %[[X:[^:]*]]: memref<16x16x56x64xf32>
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [14336, 64], strides: [64, 1]
// CHECK: vector.load %[[ROWS]]
// FOLDED-LABEL: func.func @collapse(
// FOLDED-NOT: affine
// FOLDED-NOT: arith
// FOLDED: vector.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<14336x64xf32>
func.func @collapse(%x: memref<16x16x56x64xf32>, %i: index, %j: index) -> vector<16xf32> {
  %rows = memref.collapse_shape %x [[0, 1, 2], [3]] : memref<16x16x56x64xf32> into memref<14336x64xf32>
  %v = vector.load %rows[%i, %j] : memref<14336x64xf32>, vector<16xf32>
  return %v : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @expand(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [64, 4, 16], strides: [64, 16, 1]
// CHECK-NOT: memref.expand_shape
func.func @expand(%x: memref<64x64xf32>, %i: index, %j: index, %k: index) -> f32 {
  %panels = memref.expand_shape %x [[0], [1, 2]] output_shape [64, 4, 16] : memref<64x64xf32> into memref<64x4x16xf32>
  %v = memref.load %panels[%i, %j, %k] : memref<64x4x16xf32>
  return %v : f32
}

// -----

// A part of a buffer begins where the part does.

// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[X:[^:]*]]: memref<8x4x16xf32, strided<[128, 16, 1], offset: ?>>
// CHECK: %{{[^,]*}}, %[[OFFSET:[^,]*]], %{{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[OFFSET]]], sizes: [8, 64], strides: [128, 1]
func.func @part(%x: memref<8x4x16xf32, strided<[128, 16, 1], offset: ?>>, %i: index, %j: index) -> f32 {
  %lines = memref.collapse_shape %x [[0], [1, 2]] : memref<8x4x16xf32, strided<[128, 16, 1], offset: ?>> into memref<8x64xf32, strided<[128, 1], offset: ?>>
  %v = memref.load %lines[%i, %j] : memref<8x64xf32, strided<[128, 1], offset: ?>>
  return %v : f32
}

// -----

// What is known at run time alone stays.

// CHECK-LABEL: func.func @dynamic(
// CHECK: memref.collapse_shape
// CHECK-NOT: memref.reinterpret_cast
func.func @dynamic(%x: memref<?x4xf32>, %i: index) -> f32 {
  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  %v = memref.load %flat[%i] : memref<?xf32>
  return %v : f32
}
