// Rows of a buffer that one copy takes some of are written where it puts them.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-write-rows,canonicalize,cse))" --split-input-file | FileCheck %s

// Rows of 32 elements, two of a vector, in 2 lines of 4 pixels, of which 3 are
// copied; the buffer has them in panels of 16.
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0) -> (d0 * 16)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-DAG: #[[$PIXEL:.*]] = affine_map<(d0) -> (d0 mod 4)>
// CHECK-DAG: #[[$NEXT_LINE:.*]] = affine_map<(d0) -> ((d0 + 1) floordiv 4)>
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %[[VALUE:.*]]: vector<2x16xf32>, %[[RESULT:.*]]: memref<2x3x32xf32>)
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[ROW:.*]] = {{.*}}
// CHECK-NEXT: scf.for %[[PANEL:.*]] = {{.*}}
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply #[[$COLUMN]](%[[PANEL]])
// CHECK-DAG: %[[LINE:.*]] = affine.apply #[[$LINE]](%[[ROW]])
// CHECK-DAG: %[[PIXEL:.*]] = affine.apply #[[$PIXEL]](%[[ROW]])
// CHECK-DAG: %[[FIRST:.*]] = vector.extract %[[VALUE]][0]
// CHECK-DAG: %[[INSIDE:.*]] = arith.cmpi slt, %[[PIXEL]], %[[THREE]]
// CHECK: scf.if %[[INSIDE]]
// CHECK-NEXT: vector.transfer_write %[[FIRST]], %[[RESULT]][%[[LINE]], %[[PIXEL]], %[[COLUMN]]] {in_bounds = [true]} : vector<16xf32>
// CHECK: %[[SECOND:.*]] = vector.extract %[[VALUE]][1]
// CHECK: %[[NEXT:.*]] = affine.apply #[[$NEXT_LINE]](%[[ROW]])
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %[[SECOND]], %[[RESULT]][%[[NEXT]], %{{.*}}, %[[COLUMN]]]
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @tiles(%value: vector<2x16xf32>, %result: memref<2x3x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %buffer = memref.alloc() : memref<8x2x16xf32>
  scf.for %row = %c0 to %c8 step %c2 {
    scf.for %panel = %c0 to %c2 step %c1 {
      %part = memref.subview %buffer[%row, %panel, 0] [2, 1, 16] [1, 1, 1] : memref<8x2x16xf32> to memref<2x16xf32, strided<[32, 1], offset: ?>>
      vector.transfer_write %value, %part[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, memref<2x16xf32, strided<[32, 1], offset: ?>>
      linalg.copy ins(%part : memref<2x16xf32, strided<[32, 1], offset: ?>>) outs(%part : memref<2x16xf32, strided<[32, 1], offset: ?>>)
    }
  }
  %rows = memref.collapse_shape %buffer [[0], [1, 2]] : memref<8x2x16xf32> into memref<8x32xf32>
  %lines = memref.expand_shape %rows [[0, 1], [2]] output_shape [2, 4, 32] : memref<8x32xf32> into memref<2x4x32xf32>
  %whole = memref.subview %lines[0, 0, 0] [2, 3, 32] [1, 1, 1] : memref<2x4x32xf32> to memref<2x3x32xf32, strided<[128, 32, 1]>>
  linalg.copy ins(%whole : memref<2x3x32xf32, strided<[128, 32, 1]>>) outs(%result : memref<2x3x32xf32>)
  return
}

// -----

// A vector's rows need not be the buffer's last dimensions but one, and are
// found through views whose place is known at run time only.
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<()[s0, s1] -> (s0 * 16 + s1 * 16)>
// CHECK-LABEL: func.func @panels(
// CHECK-SAME: %[[VALUE:.*]]: vector<2x16xf32>, %[[RESULT:.*]]: memref<2x3x32xf32>, %[[ROW:[a-z0-9]*]]: index, %[[PART:[a-z0-9]*]]: index, %[[PANEL:[a-z0-9]*]]: index)
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply #[[$COLUMN]]()[%[[PART]], %[[PANEL]]]
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[RESULT]][%{{.*}}, %{{.*}}, %[[COLUMN]]] {in_bounds = [true]} : vector<16xf32>
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[RESULT]][%{{.*}}, %{{.*}}, %[[COLUMN]]] {in_bounds = [true]} : vector<16xf32>
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @panels(%value: vector<2x16xf32>, %result: memref<2x3x32xf32>, %row: index, %part: index, %panel: index) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<1x8x2x16xf32>
  %mine = memref.subview %buffer[0, 0, %part, 0] [1, 8, 1, 16] [1, 1, 1, 1] : memref<1x8x2x16xf32> to memref<1x8x1x16xf32, strided<[256, 32, 16, 1], offset: ?>>
  vector.transfer_write %value, %mine[%c0, %row, %panel, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : vector<2x16xf32>, memref<1x8x1x16xf32, strided<[256, 32, 16, 1], offset: ?>>
  %rows = memref.collapse_shape %buffer [[0, 1], [2, 3]] : memref<1x8x2x16xf32> into memref<8x32xf32>
  %lines = memref.expand_shape %rows [[0, 1], [2]] output_shape [2, 4, 32] : memref<8x32xf32> into memref<2x4x32xf32>
  %whole = memref.subview %lines[0, 0, 0] [2, 3, 32] [1, 1, 1] : memref<2x4x32xf32> to memref<2x3x32xf32, strided<[128, 32, 1]>>
  linalg.copy ins(%whole : memref<2x3x32xf32, strided<[128, 32, 1]>>) outs(%result : memref<2x3x32xf32>)
  return
}

// -----

// Two rows of the buffer are one of what is copied.
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<()[s0] -> (s0 * 16 - (s0 floordiv 2) * 32)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<()[s0] -> ((s0 floordiv 2) floordiv 4)>
// CHECK-LABEL: func.func @halves(
// CHECK-SAME: %[[VALUE:.*]]: vector<16xf32>, %[[RESULT:.*]]: memref<2x3x32xf32>, %[[HALF:.*]]: index)
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply #[[$COLUMN]]()[%[[HALF]]]
// CHECK-DAG: %[[LINE:.*]] = affine.apply #[[$LINE]]()[%[[HALF]]]
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %[[VALUE]], %[[RESULT]][%[[LINE]], %{{.*}}, %[[COLUMN]]]
// CHECK: return
func.func @halves(%value: vector<16xf32>, %result: memref<2x3x32xf32>, %half: index) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<16x16xf32>
  vector.transfer_write %value, %buffer[%half, %c0] {in_bounds = [true]} : vector<16xf32>, memref<16x16xf32>
  %lines = memref.expand_shape %buffer [[0, 1, 2], [3]] output_shape [2, 4, 2, 16] : memref<16x16xf32> into memref<2x4x2x16xf32>
  %rows = memref.collapse_shape %lines [[0], [1], [2, 3]] : memref<2x4x2x16xf32> into memref<2x4x32xf32>
  %whole = memref.subview %rows[0, 0, 0] [2, 3, 32] [1, 1, 1] : memref<2x4x32xf32> to memref<2x3x32xf32, strided<[128, 32, 1]>>
  linalg.copy ins(%whole : memref<2x3x32xf32, strided<[128, 32, 1]>>) outs(%result : memref<2x3x32xf32>)
  return
}

// -----

// An image's rows are within it: only the line and the pixel are divided.
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-DAG: #[[$PIXEL:.*]] = affine_map<(d0) -> (d0 mod 4)>
// CHECK-DAG: #[[$NEXT_LINE:.*]] = affine_map<(d0) -> ((d0 + 1) floordiv 4)>
// CHECK-DAG: #[[$NEXT_PIXEL:.*]] = affine_map<(d0) -> (d0 - ((d0 + 1) floordiv 4) * 4 + 1)>
// CHECK-LABEL: func.func @images(
// CHECK-SAME: %[[RESULT:[a-z0-9]*]]: memref<3x2x3x16xf32>
// CHECK: scf.for %[[IMAGE:.*]] =
// CHECK: scf.for %[[ROW:.*]] =
// CHECK-DAG: %[[LINE:.*]] = affine.apply #[[$LINE]](%[[ROW]])
// CHECK-DAG: %[[PIXEL:.*]] = affine.apply #[[$PIXEL]](%[[ROW]])
// CHECK: transfer_write %{{.*}}, %[[RESULT]][%[[IMAGE]], %[[LINE]], %[[PIXEL]], %{{.*}}]
// CHECK-DAG: %[[NEXT_LINE:.*]] = affine.apply #[[$NEXT_LINE]](%[[ROW]])
// CHECK-DAG: %[[NEXT_PIXEL:.*]] = affine.apply #[[$NEXT_PIXEL]](%[[ROW]])
// CHECK: transfer_write %{{.*}}, %[[RESULT]][%[[IMAGE]], %[[NEXT_LINE]], %[[NEXT_PIXEL]], %{{.*}}]
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @images(%value: vector<2x16xf32>, %result: memref<3x2x3x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %buffer = memref.alloc() : memref<3x8x16xf32>
  scf.for %image = %c0 to %c3 step %c1 {
    scf.for %row = %c0 to %c8 step %c2 {
      vector.transfer_write %value, %buffer[%image, %row, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, memref<3x8x16xf32>
    }
  }
  %lines = memref.expand_shape %buffer [[0], [1, 2], [3]] output_shape [3, 2, 4, 16] : memref<3x8x16xf32> into memref<3x2x4x16xf32>
  %whole = memref.subview %lines[0, 0, 0, 0] [3, 2, 3, 16] [1, 1, 1, 1] : memref<3x2x4x16xf32> to memref<3x2x3x16xf32, strided<[128, 64, 16, 1]>>
  linalg.copy ins(%whole : memref<3x2x3x16xf32, strided<[128, 64, 16, 1]>>) outs(%result : memref<3x2x3x16xf32>)
  return
}

// -----

// A view whose extents are known at run time only says nothing of places.
// CHECK-LABEL: func.func @dynamic(
// CHECK: memref.alloc
// CHECK: linalg.copy
func.func @dynamic(%value: vector<16xf32>, %result: memref<2x3x32xf32>, %n: index, %m: index, %i: index) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<8x32xf32>
  %part = memref.subview %buffer[0, 0] [%n, 32] [1, 1] : memref<8x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %lines = memref.expand_shape %part [[0, 1], [2]] output_shape [2, %m, 32] : memref<?x32xf32, strided<[32, 1]>> into memref<2x?x32xf32, strided<[?, 32, 1]>>
  %line = memref.subview %lines[%i, 0, 0] [1, 4, 32] [1, 1, 1] : memref<2x?x32xf32, strided<[?, 32, 1]>> to memref<4x32xf32, strided<[32, 1], offset: ?>>
  vector.transfer_write %value, %line[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<4x32xf32, strided<[32, 1], offset: ?>>
  %all = memref.expand_shape %buffer [[0, 1], [2]] output_shape [2, 4, 32] : memref<8x32xf32> into memref<2x4x32xf32>
  %whole = memref.subview %all[0, 0, 0] [2, 3, 32] [1, 1, 1] : memref<2x4x32xf32> to memref<2x3x32xf32, strided<[128, 32, 1]>>
  linalg.copy ins(%whole : memref<2x3x32xf32, strided<[128, 32, 1]>>) outs(%result : memref<2x3x32xf32>)
  return
}

// -----

// What is read stays a buffer: sums that wait in it, or a result that is read
// before.
// CHECK-LABEL: func.func @read(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @result_in_use(
// CHECK: linalg.copy
func.func @read(%result: memref<2x3x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<2x4x16xf32>
  %value = vector.transfer_read %buffer[%c0, %c0, %c0], %zero {in_bounds = [true]} : memref<2x4x16xf32>, vector<16xf32>
  vector.transfer_write %value, %buffer[%c0, %c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<2x4x16xf32>
  %whole = memref.subview %buffer[0, 0, 0] [2, 3, 16] [1, 1, 1] : memref<2x4x16xf32> to memref<2x3x16xf32, strided<[64, 16, 1]>>
  linalg.copy ins(%whole : memref<2x3x16xf32, strided<[64, 16, 1]>>) outs(%result : memref<2x3x16xf32>)
  return
}
func.func @result_in_use(%value: vector<16xf32>, %result: memref<2x3x16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<2x4x16xf32>
  vector.transfer_write %value, %buffer[%c0, %c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<2x4x16xf32>
  %before = vector.transfer_read %result[%c0, %c0, %c0], %zero {in_bounds = [true]} : memref<2x3x16xf32>, vector<16xf32>
  %whole = memref.subview %buffer[0, 0, 0] [2, 3, 16] [1, 1, 1] : memref<2x4x16xf32> to memref<2x3x16xf32, strided<[64, 16, 1]>>
  linalg.copy ins(%whole : memref<2x3x16xf32, strided<[64, 16, 1]>>) outs(%result : memref<2x3x16xf32>)
  return %before : vector<16xf32>
}

// -----

// A write that is wider than a row of the copy, one of several rows of one
// element, and one that comes after the copy.
// CHECK-LABEL: func.func @across(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @one_column(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @later(
// CHECK: linalg.copy
func.func @across(%value: vector<32xf32>, %result: memref<3x16xf32>) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<4x32xf32>
  vector.transfer_write %value, %buffer[%c0, %c0] {in_bounds = [true]} : vector<32xf32>, memref<4x32xf32>
  %halves = memref.expand_shape %buffer [[0], [1, 2]] output_shape [4, 2, 16] : memref<4x32xf32> into memref<4x2x16xf32>
  %whole = memref.subview %halves[0, 0, 0] [3, 1, 16] [1, 1, 1] : memref<4x2x16xf32> to memref<3x16xf32, strided<[32, 1]>>
  linalg.copy ins(%whole : memref<3x16xf32, strided<[32, 1]>>) outs(%result : memref<3x16xf32>)
  return
}
func.func @one_column(%value: vector<2xf32>, %result: memref<2x3x1xf32>) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<8x1xf32>
  %part = memref.subview %buffer[2, 0] [2, 1] [1, 1] : memref<8x1xf32> to memref<2xf32, strided<[1], offset: 2>>
  vector.transfer_write %value, %part[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32, strided<[1], offset: 2>>
  %lines = memref.expand_shape %buffer [[0, 1], [2]] output_shape [2, 4, 1] : memref<8x1xf32> into memref<2x4x1xf32>
  %whole = memref.subview %lines[0, 0, 0] [2, 3, 1] [1, 1, 1] : memref<2x4x1xf32> to memref<2x3x1xf32, strided<[4, 1, 1]>>
  linalg.copy ins(%whole : memref<2x3x1xf32, strided<[4, 1, 1]>>) outs(%result : memref<2x3x1xf32>)
  return
}
func.func @later(%value: vector<16xf32>, %result: memref<2x3x16xf32>) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<2x4x16xf32>
  vector.transfer_write %value, %buffer[%c0, %c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<2x4x16xf32>
  %whole = memref.subview %buffer[0, 0, 0] [2, 3, 16] [1, 1, 1] : memref<2x4x16xf32> to memref<2x3x16xf32, strided<[64, 16, 1]>>
  linalg.copy ins(%whole : memref<2x3x16xf32, strided<[64, 16, 1]>>) outs(%result : memref<2x3x16xf32>)
  vector.transfer_write %value, %buffer[%c0, %c0, %c0] {in_bounds = [true]} : vector<16xf32>, memref<2x4x16xf32>
  return
}
