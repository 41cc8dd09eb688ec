// RUN: sched-opt %s --sched-prefetch-rows="min-bytes=65536 l1-bytes=4096" --mlir-print-local-scope | FileCheck %s
// RUN: sched-opt %s --sched-prefetch-rows=min-bytes=65536 | FileCheck %s --check-prefix=NEAR
// RUN: sched-opt %s --sched-prefetch-rows="min-bytes=65536 l1-bytes=3072" | FileCheck %s --check-prefix=FITS
// RUN: sched-opt %s --sched-prefetch-rows="min-bytes=65536 l1-bytes=3071" | FileCheck %s --check-prefix=LOWER
// RUN: sched-opt %s --sched-prefetch-rows="min-bytes=65536 l1-bytes=3071" --sched-prefetch-slices=min-bytes=65536 | FileCheck %s --check-prefix=LOWER
// RUN: sched-opt %s --sched-prefetch-rows="min-bytes=65536 l1-bytes=3071" --sched-prefetch-slices=min-bytes=65536 | FileCheck %s --check-prefix=BOTH
// RUN: sched-opt %s --sched-prefetch-rows=min-bytes=65537 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-rows=min-bytes=0 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-rows | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: memref.prefetch
// BOTH-NOT: sched.shares_row

// Rows of 1 KiB: the one two rows later, and the same again at the end. The first
// loop reads from memory as it is.
// CHECK-LABEL: func @norm
//  CHECK-SAME:     %[[X:[a-z0-9_]+]]: memref<64x256xf32>
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %[[END:[a-z0-9_]+]] step
//       CHECK:     %[[TWO:[a-z0-9_]+]] = arith.constant 2 : index
//  CHECK-NEXT:     %[[LATER:[a-z0-9_]+]] = arith.addi %[[ROW]], %[[TWO]]
//  CHECK-NEXT:     %[[EXISTS:[a-z0-9_]+]] = arith.cmpi slt, %[[LATER]], %[[END]]
//  CHECK-NEXT:     %[[NEXT:[a-z0-9_]+]] = arith.select %[[EXISTS]], %[[LATER]], %[[ROW]]
//  CHECK-NEXT:     scf.for
//   CHECK-NOT:     memref.prefetch
//       CHECK:     scf.for %[[COLUMN:[a-z0-9]+]] =
//       CHECK:       memref.prefetch %[[X]][%[[NEXT]], %[[COLUMN]]], read, locality<3>, data
//       CHECK:       %[[LINE:[a-z0-9_]+]] = arith.addi %[[COLUMN]], %{{.*}}
//  CHECK-NEXT:       memref.prefetch %[[X]][%[[NEXT]], %[[LINE]]], read
//  CHECK-NEXT:       vector.transfer_read %[[X]][%[[ROW]], %[[COLUMN]]]
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return

// The first level of caches has room for two rows and the scales, or not.
// FITS-LABEL: func @norm
//       FITS:   locality<3>
// LOWER-LABEL: func @norm
//   LOWER-NOT:   locality<3>
//       LOWER:   locality<2>
func.func @norm(%x: memref<64x256xf32>, %scale: memref<256xf32>, %r: memref<64x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %row = %c0 to %c64 step %c1 {
    %sums = scf.for %column = %c0 to %c256 step %c32 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    scf.for %column = %c0 to %c256 step %c32 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %s = vector.transfer_read %scale[%column], %zero {in_bounds = [true]} : memref<256xf32>, vector<32xf32>
      %scaled = arith.mulf %v, %s : vector<32xf32>
      %d = arith.subf %scaled, %sums : vector<32xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<32xf32>, memref<64x256xf32>
    }
  }
  return
}

// Tiles of two rows, through a view whose place is computed from the row.
// CHECK-LABEL: func @tiles
//  CHECK-SAME:     %[[X:[a-z0-9_]+]]: memref<64x256xf32>
//       CHECK:   scf.for %[[TILE:[a-z0-9]+]] =
//       CHECK:     %[[NEXT:[a-z0-9_]+]] = arith.select
//       CHECK:     scf.for %[[COLUMN:[a-z0-9]+]] =
//       CHECK:       %[[BEGIN:[a-z0-9_]+]] = affine.apply {{.*}}(%[[NEXT]])
//       CHECK:       %[[ROWS:[a-z0-9_]+]] = memref.subview %[[X]][%[[BEGIN]], 0]
//       CHECK:       memref.prefetch %[[ROWS]][%{{.*}}, %[[COLUMN]]], read
//       CHECK:       %[[SECOND:[a-z0-9_]+]] = arith.addi
//  CHECK-NEXT:       memref.prefetch %[[ROWS]][%[[SECOND]], %[[COLUMN]]], read
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return
func.func @tiles(%x: memref<64x256xf32>, %r: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<2x16xf32>
  scf.for %tile = %c0 to %c32 step %c1 {
    %begin = affine.apply affine_map<(d0) -> (d0 * 2)>(%tile)
    %rows = memref.subview %x[%begin, 0] [2, 256] [1, 1] : memref<64x256xf32> to memref<2x256xf32, strided<[256, 1], offset: ?>>
    %sums = scf.for %column = %c0 to %c256 step %c16 iter_args(%sum = %zeros) -> (vector<2x16xf32>) {
      %v = vector.transfer_read %rows[%c0, %column], %zero {in_bounds = [true, true]} : memref<2x256xf32, strided<[256, 1], offset: ?>>, vector<2x16xf32>
      %next = arith.addf %sum, %v : vector<2x16xf32>
      scf.yield %next : vector<2x16xf32>
    }
    %squares = scf.for %column = %c0 to %c256 step %c16 iter_args(%sum = %sums) -> (vector<2x16xf32>) {
      %v = vector.transfer_read %rows[%c0, %column], %zero {in_bounds = [true, true]} : memref<2x256xf32, strided<[256, 1], offset: ?>>, vector<2x16xf32>
      %square = arith.mulf %v, %v : vector<2x16xf32>
      %next = arith.addf %sum, %square : vector<2x16xf32>
      scf.yield %next : vector<2x16xf32>
    }
    %first = vector.extract %squares[0] : vector<16xf32> from vector<2x16xf32>
    vector.transfer_write %first, %r[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  }
  return
}

// Where two rows do not fit, each loop fetches a share of the next row: a sum 2
// lines where it reads 8, one after the other, and what stores 2 where it reads
// 4, all the rest. Else that fetches all 4.
// CHECK-LABEL: func @shares
//  CHECK-SAME:     %[[X:[a-z0-9_]+]]: memref<16x1024xf32>
//       CHECK:     %[[NEXT:[a-z0-9_]+]] = arith.select
//  CHECK-NEXT:     scf.for %[[COLUMN:[a-z0-9]+]] =
//  CHECK-NEXT:       %[[BEGIN:[a-z0-9_]+]] = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%[[COLUMN]])
//  CHECK-NEXT:       memref.prefetch %[[X]][%[[NEXT]], %[[BEGIN]]], read
//       CHECK:       memref.prefetch
//   CHECK-NOT:       memref.prefetch
//       CHECK:     scf.for %[[COLUMN:[a-z0-9]+]] =
//  CHECK-NEXT:       affine.apply affine_map<(d0) -> (d0 floordiv 4 + 256)>(%[[COLUMN]])
// CHECK-COUNT-2:     memref.prefetch
//   CHECK-NOT:       memref.prefetch
//       CHECK:     scf.for %[[COLUMN:[a-z0-9]+]] =
//  CHECK-NEXT:       affine.apply affine_map<(d0) -> (d0 floordiv 2 + 512)>(%[[COLUMN]])
// CHECK-COUNT-2:     memref.prefetch
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return

//   NEAR-LABEL: func @shares
// NEAR-COUNT-4: memref.prefetch {{.*}} locality<3>
//     NEAR-NOT: memref.prefetch
//         NEAR: return

// sched-prefetch-slices would fetch the rest of each sum's, too, and takes away
// what says so.
//   LOWER-LABEL: func @shares
// LOWER-COUNT-6: memref.prefetch {{.*}} locality<2>
//     LOWER-NOT: memref.prefetch
//         LOWER: return
func.func @shares(%x: memref<16x1024xf32>, %r: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<128xf32>
  scf.for %row = %c0 to %c16 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %zeros) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %next = arith.addf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    %squares = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %sums) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %square = arith.mulf %v, %v : vector<128xf32>
      %next = arith.addf %sum, %square : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    %part = vector.extract_strided_slice %squares {offsets = [0], sizes = [64], strides = [1]} : vector<128xf32> to vector<64xf32>
    scf.for %column = %c0 to %c1024 step %c64 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<64xf32>
      %d = arith.subf %v, %part : vector<64xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<64xf32>, memref<16x1024xf32>
    }
  }
  return
}

// A third sum takes 8 lines of what is left, as the others do: so the last 40 are
// fetched 3 at a time, and at the end those that are there.
// CHECK-LABEL: func @cut
// CHECK-COUNT-3:   affine.apply
//       CHECK:     affine.min affine_map<(d0) -> ((d0 * 3) floordiv 4 + 384, 976)>(%{{.*}})
// CHECK-COUNT-3:   memref.prefetch
//   CHECK-NOT:     memref.prefetch
//       CHECK:   return
func.func @cut(%x: memref<16x1024xf32>, %r: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<128xf32>
  scf.for %row = %c0 to %c16 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %zeros) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %next = arith.addf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    %squares = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %sums) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %square = arith.mulf %v, %v : vector<128xf32>
      %next = arith.addf %sum, %square : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    %most = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %squares) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %next = arith.maximumf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    %part = vector.extract_strided_slice %most {offsets = [0], sizes = [64], strides = [1]} : vector<128xf32> to vector<64xf32>
    scf.for %column = %c0 to %c1024 step %c64 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<64xf32>
      %d = arith.subf %v, %part : vector<64xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<64xf32>, memref<16x1024xf32>
    }
  }
  return
}

// Vectors of a line leave no share for the sums: the last loop has it all.
// LOWER-LABEL: func @thin
//   LOWER-NOT:   memref.prefetch
//       LOWER:   vector.extract_strided_slice
//       LOWER:   memref.prefetch
//   LOWER-NOT:   memref.prefetch
//       LOWER:   return
func.func @thin(%x: memref<16x1024xf32>, %r: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %row = %c0 to %c16 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c16 iter_args(%sum = %zeros) -> (vector<16xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<16xf32>
      %next = arith.addf %sum, %v : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %squares = scf.for %column = %c0 to %c1024 step %c16 iter_args(%sum = %sums) -> (vector<16xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<16xf32>
      %square = arith.mulf %v, %v : vector<16xf32>
      %next = arith.addf %sum, %square : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %part = vector.extract_strided_slice %squares {offsets = [0], sizes = [16], strides = [1]} : vector<16xf32> to vector<16xf32>
    scf.for %column = %c0 to %c1024 step %c16 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<16xf32>
      %d = arith.subf %v, %part : vector<16xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<16xf32>, memref<16x1024xf32>
    }
  }
  return
}

// Loops that read different halves of a row share nothing: the last one fetches
// what it reads.
// CHECK-LABEL: func @halves
//   CHECK-NOT:   memref.prefetch
// CHECK-COUNT-8: memref.prefetch {{.*}} locality<2>
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @halves(%x: memref<8x2048xf32>, %r: memref<8x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<128xf32>
  %right = memref.subview %x[0, 1024] [8, 1024] [1, 1] : memref<8x2048xf32> to memref<8x1024xf32, strided<[2048, 1], offset: 1024>>
  scf.for %row = %c0 to %c8 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %zeros) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<8x2048xf32>, vector<128xf32>
      %next = arith.addf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    scf.for %column = %c0 to %c1024 step %c128 {
      %v = vector.transfer_read %right[%row, %column], %zero {in_bounds = [true]} : memref<8x1024xf32, strided<[2048, 1], offset: 1024>>, vector<128xf32>
      %d = arith.subf %v, %sums : vector<128xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<128xf32>, memref<8x1024xf32>
    }
  }
  return
}

// Nor is the first row in each iteration one with the others.
// CHECK-LABEL: func @first
//   CHECK-NOT:   memref.prefetch
// CHECK-COUNT-8: memref.prefetch {{.*}} locality<2>
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @first(%x: memref<16x1024xf32>, %r: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<128xf32>
  scf.for %row = %c0 to %c16 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %zeros) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%c0, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %next = arith.addf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    scf.for %column = %c0 to %c1024 step %c128 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %d = arith.subf %v, %sums : vector<128xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<128xf32>, memref<16x1024xf32>
    }
  }
  return
}

// Indices have no size that is known here.
// CHECK-LABEL: func @index_reads
// CHECK-COUNT-8: memref.prefetch
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @index_reads(%x: memref<16x1024xf32>, %i: memref<1024xindex>, %r: memref<16x1024xf32>, %q: memref<8x1024xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<128xf32>
  scf.for %row = %c0 to %c16 step %c1 {
    %sums = scf.for %column = %c0 to %c1024 step %c128 iter_args(%sum = %zeros) -> (vector<128xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %next = arith.addf %sum, %v : vector<128xf32>
      scf.yield %next : vector<128xf32>
    }
    scf.for %column = %c0 to %c1024 step %c128 {
      %k = vector.transfer_read %i[%column], %c0 {in_bounds = [true]} : memref<1024xindex>, vector<128xindex>
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<16x1024xf32>, vector<128xf32>
      %d = arith.subf %v, %sums : vector<128xf32>
      vector.transfer_write %k, %q[%c0, %column] {in_bounds = [true]} : vector<128xindex>, memref<8x1024xindex>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<128xf32>, memref<16x1024xf32>
    }
  }
  return
}

// One loop over a row: processors foresee that. And the same row in each
// iteration is in the cache.
// CHECK-LABEL: func @others
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @others(%x: memref<64x256xf32>, %r: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %row = %c0 to %c64 step %c1 {
    %sums = scf.for %column = %c0 to %c256 step %c32 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %sums, %r[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  }
  scf.for %row = %c0 to %c64 step %c1 {
    %sums = scf.for %column = %c0 to %c256 step %c32 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%c1, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %squares = scf.for %column = %c0 to %c256 step %c32 iter_args(%sum = %sums) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%c1, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %squares, %r[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  }
  return
}

// Single elements of a large buffer, as vectors without dimensions.
// CHECK-LABEL: func @elements
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @elements(%x: memref<64x256xf32>, %r: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.for %row = %c0 to %c64 step %c1 {
    scf.for %column = %c0 to %c256 step %c1 {
      %v = vector.transfer_read %x[%row, %column], %zero : memref<64x256xf32>, vector<f32>
      vector.transfer_write %v, %r[] : vector<f32>, memref<f32>
    }
    scf.for %column = %c0 to %c256 step %c1 {
      %v = vector.transfer_read %x[%row, %column], %zero : memref<64x256xf32>, vector<f32>
      vector.transfer_write %v, %r[] : vector<f32>, memref<f32>
    }
  }
  return
}

// A loop over other integers than places is left as it is.
// CHECK-LABEL: func @narrow_rows(
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @narrow_rows(%x: memref<64x256xf32>, %r: memref<64x256xf32>) {
  %first = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 64 : i32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %rows step %one : i32 {
    %row = arith.index_cast %i : i32 to index
    %sums = scf.for %column = %c0 to %c256 step %c32 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    scf.for %column = %c0 to %c256 step %c32 {
      %v = vector.transfer_read %x[%row, %column], %zero {in_bounds = [true]} : memref<64x256xf32>, vector<32xf32>
      %d = arith.subf %v, %sums : vector<32xf32>
      vector.transfer_write %d, %r[%row, %column] {in_bounds = [true]} : vector<32xf32>, memref<64x256xf32>
    }
  }
  return
}
