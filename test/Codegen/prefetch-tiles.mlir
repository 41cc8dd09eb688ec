// RUN: sched-opt %s --sched-prefetch-tiles=min-bytes=65536 --mlir-print-local-scope | FileCheck %s
// RUN: sched-opt %s --sched-prefetch-tiles=min-bytes=65537 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-tiles=min-bytes=0 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-tiles | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: memref.prefetch

// Tiles of 1 KiB: the one after the next of a line of eight, and at its end one of
// the next line; at the very end, one of the same.
// CHECK-LABEL: func @transpose
//  CHECK-SAME:     %[[X:[a-z0-9_]+]]: memref<128x128xf32>
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %[[ROWS:[a-z0-9_]+]] step
//       CHECK:     scf.for %[[COLUMN:[a-z0-9]+]] = %{{.*}} to %[[COLUMNS:[a-z0-9_]+]] step
//  CHECK-NEXT:       %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
//  CHECK-NEXT:       %[[LATER:[a-z0-9_]+]] = arith.addi %[[COLUMN]], %[[C32]]
//  CHECK-NEXT:       %[[PAST:[a-z0-9_]+]] = arith.cmpi sge, %[[LATER]], %[[COLUMNS]]
//  CHECK-NEXT:       %[[C128:[a-z0-9_]+]] = arith.constant 128 : index
//  CHECK-NEXT:       %[[FIRST:[a-z0-9_]+]] = arith.subi %[[LATER]], %[[C128]]
//  CHECK-NEXT:       %[[AT:[a-z0-9_]+]] = arith.select %[[PAST]], %[[FIRST]], %[[LATER]]
//  CHECK-NEXT:       %[[C16:[a-z0-9_]+]] = arith.constant 16 : index
//  CHECK-NEXT:       %[[BELOW:[a-z0-9_]+]] = arith.addi %[[ROW]], %[[C16]]
//  CHECK-NEXT:       %[[NEXT:[a-z0-9_]+]] = arith.select %[[PAST]], %[[BELOW]], %[[ROW]]
//  CHECK-NEXT:       %[[END:[a-z0-9_]+]] = arith.cmpi sge, %[[NEXT]], %[[ROWS]]
//  CHECK-NEXT:       %[[LINE:[a-z0-9_]+]] = arith.select %[[END]], %[[ROW]], %[[NEXT]]
//  CHECK-NEXT:       memref.prefetch %[[X]][%[[LINE]], %[[AT]]], read, locality<3>, data
//  CHECK-NEXT:       arith.constant 1 : index
//  CHECK-NEXT:       %[[LINE1:[a-z0-9_]+]] = arith.addi %[[LINE]],
//  CHECK-NEXT:       memref.prefetch %[[X]][%[[LINE1]], %[[AT]]], read
// CHECK-COUNT-14:    memref.prefetch
//   CHECK-NOT:       memref.prefetch
//       CHECK:       vector.transfer_read %[[X]][%[[ROW]], %[[COLUMN]]]
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @transpose(%x: memref<128x128xf32>, %r: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c128 step %c16 {
    scf.for %j = %c0 to %c128 step %c16 {
      %v = vector.transfer_read %x[%i, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x16xf32>
      %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
      vector.transfer_write %t, %r[%j, %i] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    }
  }
  return
}

// A loop of one tile is too short: its tile in the next iteration of the loop
// around it, whose end is not known.
// CHECK-LABEL: func @short_loop
//       CHECK:   scf.for %[[BLOCK:[a-z0-9]+]] = %{{.*}} to %[[BLOCKS:[a-z0-9_]+]] step
//       CHECK:     scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %{{.*}} step
//       CHECK:       %[[LATER:[a-z0-9_]+]] = arith.addi %[[BLOCK]]
//  CHECK-NEXT:       %[[PAST:[a-z0-9_]+]] = arith.cmpi sge, %[[LATER]], %[[BLOCKS]]
//  CHECK-NEXT:       %[[AT:[a-z0-9_]+]] = arith.select %[[PAST]], %[[BLOCK]], %[[LATER]]
//  CHECK-NEXT:       memref.prefetch %{{.*}}[%[[ROW]], %[[AT]]]
func.func @short_loop(%x: memref<128x128xf32>, %r: memref<128x128xf32>, %a: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %n = affine.min affine_map<()[s0] -> (s0, 128)>()[%a]
  scf.for %j = %c0 to %n step %c16 {
    scf.for %i = %c0 to %c16 step %c16 {
      %v = vector.transfer_read %x[%i, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x16xf32>
      %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
      vector.transfer_write %t, %r[%j, %i] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    }
  }
  return
}

// Quarters of lines, rows that processors foresee, what is not transposed, and
// loops whose iterations cannot be counted, that have one tile, or other loops.
// CHECK-LABEL: func @others
//   CHECK-NOT:   memref.prefetch
func.func @others(%x: memref<128x128xf32>, %r: memref<128x128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c128 step %c16 {
    scf.for %j = %c0 to %c128 step %c16 {
      %narrow = vector.transfer_read %x[%i, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x4xf32>
      %columns = vector.transpose %narrow, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
      vector.transfer_write %columns, %r[%j, %i] {in_bounds = [true, true]} : vector<4x16xf32>, memref<128x128xf32>
      %few = vector.transfer_read %x[%i, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<2x16xf32>
      %pairs = vector.transpose %few, [1, 0] : vector<2x16xf32> to vector<16x2xf32>
      vector.transfer_write %pairs, %r[%j, %i] {in_bounds = [true, true]} : vector<16x2xf32>, memref<128x128xf32>
      %copy = vector.transfer_read %x[%i, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x16xf32>
      vector.transfer_write %copy, %r[%i, %j] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    }
  }
  scf.for %j = %c0 to %n step %c16 {
    %v = vector.transfer_read %x[%c0, %j], %zero : memref<128x128xf32>, vector<16x16xf32>
    %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
    vector.transfer_write %t, %r[%j, %c0] : vector<16x16xf32>, memref<128x128xf32>
  }
  scf.for %i = %c0 to %c128 step %c16 {
    %line = vector.transfer_read %x[%i, %c0], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<1x64xf32>
    %turned = vector.transpose %line, [1, 0] : vector<1x64xf32> to vector<64x1xf32>
    vector.transfer_write %turned, %r[%c0, %i] {in_bounds = [true, true]} : vector<64x1xf32>, memref<128x128xf32>
    %v = vector.transfer_read %x[%i, %c0], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x16xf32>
    %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
    vector.transfer_write %t, %r[%c0, %i] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    scf.for %j = %c0 to %c128 step %c128 {
      vector.transfer_write %t, %r[%c0, %j] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    }
  }
  %end = affine.min affine_map<()[s0] -> (s0, 32)>()[%n]
  scf.for %j = %c0 to %end step %c16 {
    %v = vector.transfer_read %x[%c0, %j], %zero {in_bounds = [true, true]} : memref<128x128xf32>, vector<16x16xf32>
    %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
    vector.transfer_write %t, %r[%j, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
  }
  return
}

// Three dimensions, of which one is of one element.
// CHECK-LABEL: func @planes
// CHECK-COUNT-16: memref.prefetch %{{.*}}[%c0, %
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @planes(%x: memref<1x128x128xf32>, %r: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c128 step %c16 {
    scf.for %j = %c0 to %c128 step %c16 {
      %v = vector.transfer_read %x[%c0, %i, %j], %zero {in_bounds = [true, true, true]} : memref<1x128x128xf32>, vector<1x16x16xf32>
      %t = vector.transpose %v, [2, 0, 1] : vector<1x16x16xf32> to vector<16x1x16xf32>
      %s = vector.shape_cast %t : vector<16x1x16xf32> to vector<16x16xf32>
      vector.transfer_write %s, %r[%j, %i] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
      %u = vector.transfer_read %x[%c0, %i, %j], %zero {in_bounds = [true, true, true]} : memref<1x128x128xf32>, vector<1x16x16xf32>
      %w = vector.transpose %u, [1, 0, 2] : vector<1x16x16xf32> to vector<16x1x16xf32>
      %z = vector.shape_cast %w : vector<16x1x16xf32> to vector<16x16xf32>
      vector.transfer_write %z, %r[%i, %j] {in_bounds = [true, true]} : vector<16x16xf32>, memref<128x128xf32>
    }
  }
  return
}
