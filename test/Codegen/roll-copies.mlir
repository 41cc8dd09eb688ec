// RUN: sched-opt %s --sched-roll-copies --split-input-file | FileCheck %s

// A panel that is padded to whole vectors: row by row, and each row may still end
// before the vector does.
// CHECK-LABEL: func.func @panel(
//  CHECK-SAME:     %[[B:[a-z0-9]+]]: memref<4x285x24xf16>, %[[BATCH:[a-z0-9]+]]: index
//       CHECK:   %[[PANEL:.*]] = memref.alloc() : memref<1x285x32xf16>
//   CHECK-NOT:   vector<285x32xf16>
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %c285{{.*}} step %{{.*}} {
//       CHECK:     %[[FROM:.*]] = arith.addi %{{.*}}, %[[ROW]]
//       CHECK:     %[[TO:.*]] = arith.addi %{{.*}}, %[[ROW]]
//       CHECK:     %[[V:.*]] = vector.transfer_read %[[B]][%[[BATCH]], %[[FROM]], %{{.*}}], %{{.*}} : memref<4x285x24xf16>, vector<32xf16>
//       CHECK:     vector.transfer_write %[[V]], %[[PANEL]][%{{.*}}, %[[TO]], %{{.*}}] {in_bounds = [true]}
//   CHECK-NOT:   vector<285x32xf16>
//       CHECK:   return
func.func @panel(%b: memref<4x285x24xf16>, %batch: index) -> memref<1x285x32xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %panel = memref.alloc() : memref<1x285x32xf16>
  %v = vector.transfer_read %b[%batch, %c0, %c0], %zero {in_bounds = [true, false]} : memref<4x285x24xf16>, vector<285x32xf16>
  vector.transfer_write %v, %panel[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<285x32xf16>, memref<1x285x32xf16>
  return %panel : memref<1x285x32xf16>
}

// -----

// One loop for each dimension of rows that has several.
// CHECK-LABEL: func.func @blocks(
//       CHECK:   scf.for %{{.*}} to %c3
//       CHECK:     scf.for %{{.*}} to %c8
//   CHECK-NOT:       scf.for
//       CHECK:       vector.transfer_read {{.*}} vector<16xf32>
func.func @blocks(%b: memref<3x1x8x16xf32>) -> memref<3x1x8x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %copy = memref.alloc() : memref<3x1x8x16xf32>
  %v = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true, true]} : memref<3x1x8x16xf32>, vector<3x1x8x16xf32>
  vector.transfer_write %v, %copy[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<3x1x8x16xf32>, memref<3x1x8x16xf32>
  return %copy : memref<3x1x8x16xf32>
}

// -----

// What stays: few rows; a vector that is used otherwise; rows that may be outside;
// a buffer that may be the one that is read, and one that is written in between.
// CHECK-LABEL: func.func @others(
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @others(%b: memref<32x16xf32>, %c: memref<32x16xf32>) -> (vector<32x16xf32>, memref<16x16xf32>, memref<32x16xf32>, memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %few = memref.alloc() : memref<16x16xf32>
  %v0 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x16xf32>, vector<16x16xf32>
  vector.transfer_write %v0, %few[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  %copy = memref.alloc() : memref<32x16xf32>
  %v1 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
  vector.transfer_write %v1, %copy[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  %v2 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [false, true]} : memref<32x16xf32>, vector<32x16xf32>
  vector.transfer_write %v2, %copy[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  %v3 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
  vector.transfer_write %v3, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  %other = memref.alloc() : memref<32x16xf32>
  %v4 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
  memref.store %zero, %b[%c0, %c0] : memref<32x16xf32>
  vector.transfer_write %v4, %other[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  return %v1, %few, %copy, %other : vector<32x16xf32>, memref<16x16xf32>, memref<32x16xf32>, memref<32x16xf32>
}
