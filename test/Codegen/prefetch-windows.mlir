// RUN: sched-opt %s --sched-prefetch-windows="min-bytes=32768 far-min-bytes=32768" | FileCheck %s
// RUN: sched-opt %s --sched-prefetch-windows | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-windows="min-bytes=18446744073709551615 far-min-bytes=18446744073709551615" | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-windows="min-bytes=0 far-min-bytes=0" | FileCheck %s --check-prefix=SMALL

// RUN: sched-opt %s --sched-prefetch-windows="min-bytes=0 far-min-bytes=32768" | FileCheck %s --check-prefix=FAR
// RUN: sched-opt %s --sched-prefetch-windows="min-bytes=32768 far-min-bytes=0" | FileCheck %s --check-prefix=ONCE
// FAR-NOT: locality<3>
// FAR: locality<2>
// FAR-NOT: locality<3>
// ONCE: locality<3>
// ONCE-NOT: locality<2>

// Images of 8 lines of 64 pixels: less than the 8 MiB from where on the default
// is to fetch ahead.
// SMALL-NOT: memref.prefetch

// Tiles of two pixels of 16 channels, of windows of 3x3 with stride 1: the
// last of three lines is new, and the last two of four pixels. 2 KiB ahead are
// 32 pixels; at the end of a line, its last pixels.
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-DAG: #[[$PIXEL:.*]] = affine_map<(d0) -> (d0 + 34, 62)>
// CHECK-DAG: #[[$NEXT:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[$HALF_PIXEL:.*]] = affine_map<(d0) -> (d0 + 18, 63)>
// CHECK-DAG: #[[$STEP:.*]] = affine_map<(d0, d1) -> (d0 floordiv 4 + d1 * 4, 19)>
// CHECK-DAG: #[[$STEP_OF_SECOND:.*]] = affine_map<(d0, d1) -> (d0 floordiv 4 + d1 * 4 + 12, 19)>
// CHECK-LABEL: func @windows
//  CHECK-SAME:     %[[X:.*]]: memref<8x64x16xf32>
//       CHECK:   scf.for %[[Y:.*]] =
//       CHECK:     scf.for %[[COLUMN:.*]] =
//   CHECK-DAG:       %[[AT_LINE:.*]] = affine.apply #[[$LINE]](%[[Y]])
//   CHECK-DAG:       %[[AT:.*]] = affine.min #[[$PIXEL]](%[[COLUMN]])
//       CHECK:       memref.prefetch %[[X]][%[[AT_LINE]], %[[AT]], %{{.*}}], read, locality<3>, data
//       CHECK:       %[[AFTER:.*]] = affine.apply #[[$NEXT]](%[[AT]])
//       CHECK:       memref.prefetch %[[X]][%[[AT_LINE]], %[[AFTER]], %{{.*}}], read
//   CHECK-NOT:       memref.prefetch
//       CHECK:       scf.for
//       CHECK:         scf.for
func.func @windows(%x: memref<8x64x16xf32>, %w: memref<3x3x16xf32>,
                   %r: memref<6x62x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %y = %c0 to %c6 step %c1 {
    scf.for %column = %c0 to %c62 step %c2 {
      %sums:2 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%s0 = %zeros, %s1 = %zeros) -> (vector<16xf32>, vector<16xf32>) {
        %line = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%y, %i)
        %partial:2 = scf.for %j = %c0 to %c3 step %c1
            iter_args(%p0 = %s0, %p1 = %s1) -> (vector<16xf32>, vector<16xf32>) {
          %f = vector.transfer_read %w[%i, %j, %c0], %zero {in_bounds = [true]} : memref<3x3x16xf32>, vector<16xf32>
          %at0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
          %x0 = vector.transfer_read %x[%line, %at0, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
          %n0 = vector.fma %x0, %f, %p0 : vector<16xf32>
          %at1 = affine.apply affine_map<(d0, d1) -> (d0 + d1 + 1)>(%column, %j)
          %x1 = vector.transfer_read %x[%line, %at1, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
          %n1 = vector.fma %x1, %f, %p1 : vector<16xf32>
          scf.yield %n0, %n1 : vector<16xf32>, vector<16xf32>
        }
        scf.yield %partial#0, %partial#1 : vector<16xf32>, vector<16xf32>
      }
      vector.transfer_write %sums#0, %r[%y, %column, %c0] {in_bounds = [true]} : vector<16xf32>, memref<6x62x16xf32>
      %second = affine.apply affine_map<(d0) -> (d0 + 1)>(%column)
      vector.transfer_write %sums#1, %r[%y, %second, %c0] {in_bounds = [true]} : vector<16xf32>, memref<6x62x16xf32>
    }
  }
  return
}

// Blocks of channels within a line's tiles: what a tile reads is fetched two
// lines of the cache wide, and of the pixels ahead, not of the next channels.
// CHECK-LABEL: func @channels_inside
//  CHECK-SAME:     %[[X:.*]]: memref<8x64x64xf32>
//       CHECK:   scf.for %[[COLUMN:.*]] =
//       CHECK:     scf.for %[[CHANNEL:.*]] =
//   CHECK-DAG:       %[[AT:.*]] = affine.min #{{.*}}(%[[COLUMN]])
//   CHECK-DAG:       %[[FIRST:.*]] = affine.apply #{{.*}}(%[[CHANNEL]])
//       CHECK:       memref.prefetch %[[X]][%{{.*}}, %[[AT]], %[[FIRST]]]
//       CHECK:       %[[SECOND:.*]] = affine.apply #{{.*}}(%[[FIRST]])
//       CHECK:       memref.prefetch %[[X]][%{{.*}}, %[[AT]], %[[SECOND]]]
//   CHECK-NOT:       memref.prefetch
func.func @channels_inside(%x: memref<8x64x64xf32>, %r: memref<62x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c62 = arith.constant 62 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %column = %c0 to %c62 step %c1 {
    scf.for %channel = %c0 to %c64 step %c32 {
      %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<32xf32>) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
        %pixel = vector.transfer_read %x[%c0, %at, %channel], %zero {in_bounds = [true]} : memref<8x64x64xf32>, vector<32xf32>
        %next = arith.addf %s, %pixel : vector<32xf32>
        scf.yield %next : vector<32xf32>
      }
      vector.transfer_write %sum, %r[%column, %channel] {in_bounds = [true]} : vector<32xf32>, memref<62x64xf32>
    }
  }
  return
}

// Windows side by side share nothing: processors foresee that.
// CHECK-LABEL: func @apart
//   CHECK-NOT:   memref.prefetch
func.func @apart(%x: memref<8x64x16xf32>, %r: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %column = %c0 to %c32 step %c1 {
    %sum = scf.for %j = %c0 to %c2 step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%column, %j)
      %pixel = vector.transfer_read %x[%c0, %at, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
      %next = arith.addf %s, %pixel : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    vector.transfer_write %sum, %r[%column, %c0] {in_bounds = [true]} : vector<16xf32>, memref<32x16xf32>
  }
  return
}

// A pixel that is clamped to the image, as next to a border: it is at no sum of
// loop variables, and nothing is fetched for it.
// CHECK-LABEL: func @clamped
//   CHECK-NOT:   memref.prefetch
func.func @clamped(%x: memref<8x64x16xf32>, %r: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %column = %c0 to %c64 step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
      %nearest = arith.minsi %at, %c63 : index
      %pixel = vector.transfer_read %x[%c0, %nearest, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
      %next = arith.addf %s, %pixel : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    vector.transfer_write %sum, %r[%column, %c0] {in_bounds = [true]} : vector<16xf32>, memref<64x16xf32>
  }
  return
}

// Four pixels of four channels are in one line of the cache.
// CHECK-LABEL: func @few_channels
//   CHECK-NOT:   memref.prefetch
func.func @few_channels(%x: memref<128x64x4xf32>, %r: memref<62x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  scf.for %column = %c0 to %c62 step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<4xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
      %pixel = vector.transfer_read %x[%c0, %at, %c0], %zero {in_bounds = [true]} : memref<128x64x4xf32>, vector<4xf32>
      %next = arith.addf %s, %pixel : vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    vector.transfer_write %sum, %r[%column, %c0] {in_bounds = [true]} : vector<4xf32>, memref<62x4xf32>
  }
  return
}

// Two results of the same window: it is not fetched for each.
// CHECK-LABEL: func @two_results
//   CHECK-NOT:   memref.prefetch
func.func @two_results(%x: memref<8x64x16xf32>, %r: memref<62x2x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %column = %c0 to %c62 step %c1 {
    scf.for %which = %c0 to %c2 step %c1 {
      %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
        %pixel = vector.transfer_read %x[%c0, %at, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
        %next = arith.addf %s, %pixel : vector<16xf32>
        scf.yield %next : vector<16xf32>
      }
      vector.transfer_write %sum, %r[%column, %which, %c0] {in_bounds = [true]} : vector<16xf32>, memref<62x2x16xf32>
    }
  }
  return
}

// A view that is there in the loop alone.
// CHECK-LABEL: func @view_inside
//   CHECK-NOT:   memref.prefetch
func.func @view_inside(%flat: memref<8x1024xf32>, %r: memref<62x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %column = %c0 to %c62 step %c1 {
    %x = memref.expand_shape %flat [[0], [1, 2]] output_shape [8, 64, 16] : memref<8x1024xf32> into memref<8x64x16xf32>
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<16xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
      %pixel = vector.transfer_read %x[%c0, %at, %c0], %zero {in_bounds = [true]} : memref<8x64x16xf32>, vector<16xf32>
      %next = arith.addf %s, %pixel : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    vector.transfer_write %sum, %r[%column, %c0] {in_bounds = [true]} : vector<16xf32>, memref<62x16xf32>
  }
  return
}

// A loop with two indices around that of the pixels, of which 2 KiB are 16. Half
// of their channels, of 2 bytes each, are one line of the cache.
// CHECK-LABEL: func @forall
//  CHECK-SAME:     %[[X:.*]]: memref<8x64x64xf16>
//       CHECK:   scf.forall (%[[Y:.*]], %[[BLOCK:.*]]) =
//       CHECK:     scf.for %[[COLUMN:.*]] =
//   CHECK-DAG:       %[[AT_LINE:.*]] = affine.apply #[[$LINE]](%[[Y]])
//   CHECK-DAG:       %[[AT:.*]] = affine.min #[[$HALF_PIXEL]](%[[COLUMN]])
//   CHECK-DAG:       %[[FIRST:.*]] = affine.apply #{{.*}}(%[[BLOCK]])
//       CHECK:       memref.prefetch %[[X]][%[[AT_LINE]], %[[AT]], %[[FIRST]]]
//   CHECK-NOT:       memref.prefetch
func.func @forall(%x: memref<8x64x64xf16>, %r: memref<6x62x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f16
  %zeros = arith.constant dense<0.0> : vector<32xf16>
  scf.forall (%y, %block) = (0, 0) to (6, 64) step (1, 32) {
    scf.for %column = %c0 to %c62 step %c1 {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<32xf16>) {
        %line = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%y, %i)
        %partial = scf.for %j = %c0 to %c3 step %c1 iter_args(%p = %s) -> (vector<32xf16>) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
          %pixel = vector.transfer_read %x[%line, %at, %block], %zero {in_bounds = [true]} : memref<8x64x64xf16>, vector<32xf16>
          %next = arith.addf %p, %pixel : vector<32xf16>
          scf.yield %next : vector<32xf16>
        }
        scf.yield %partial : vector<32xf16>
      }
      vector.transfer_write %sum, %r[%y, %column, %block] {in_bounds = [true]} : vector<32xf16>, memref<6x62x64xf16>
    }
  }
  return
}

// What is new for a tile is 66 lines of the cache: so many at a time would wait
// for each other.
// CHECK-LABEL: func @too_many
//   CHECK-NOT:   memref.prefetch
func.func @too_many(%x: memref<8x64x1056xf32>, %r: memref<62x1056xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<1056xf32>
  scf.for %column = %c0 to %c62 step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<1056xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%column, %j)
      %pixel = vector.transfer_read %x[%c0, %at, %c0], %zero {in_bounds = [true]} : memref<8x64x1056xf32>, vector<1056xf32>
      %next = arith.addf %s, %pixel : vector<1056xf32>
      scf.yield %next : vector<1056xf32>
    }
    vector.transfer_write %sum, %r[%column, %c0] {in_bounds = [true]} : vector<1056xf32>, memref<62x1056xf32>
  }
  return
}

// The other groups of a line come between. The steps of a tile's two loops are
// numbered one after another; the first loop is cut at the image's border, and
// counts as if it were not. So there are 24 steps, and 20 pixels of a line that
// are new: one in each, the last one again where there is none left.
// CHECK-LABEL: func @groups
//  CHECK-SAME:     %[[X:.*]]: memref<64x20x4x16xf32>
//       CHECK:   scf.for %[[Y:[a-z0-9]+]] =
//       CHECK:     scf.for %[[G:[a-z0-9]+]] =
//       CHECK:       %[[LINE:.*]] = affine.min #{{.*}}(%[[Y]])
//   CHECK-NOT:       memref.prefetch
//       CHECK:       scf.for %[[I:[a-z0-9]+]] =
//   CHECK-NOT:         memref.prefetch
//       CHECK:         scf.for %[[C:[a-z0-9]+]] =
//       CHECK:           %[[FIRST:.*]] = affine.min #[[$STEP]](%[[C]], %[[I]])
//       CHECK:           memref.prefetch %[[X]][%[[LINE]], %{{.*}}, %{{.*}}, %{{.*}}], read, locality<2>, data
//   CHECK-NOT:           memref.prefetch
//       CHECK:       scf.for %[[J:[a-z0-9]+]] =
//       CHECK:         scf.for %[[D:[a-z0-9]+]] =
//       CHECK:           affine.min #[[$STEP_OF_SECOND]](%[[D]], %[[J]])
//       CHECK:           memref.prefetch %[[X]][%[[LINE]], %{{.*}}, %{{.*}}, %{{.*}}], read, locality<2>, data
//   CHECK-NOT:           memref.prefetch
func.func @groups(%x: memref<64x20x4x16xf32>, %w: vector<4x8xf32>, %r: memref<16x4x2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<10x8xf32>
  scf.for %y = %c0 to %c16 step %c1 {
    scf.for %g = %c0 to %c4 step %c1 {
      %first = affine.max affine_map<(d0) -> (-d0 + 1, 0)>(%y)
      %end = affine.min affine_map<(d0) -> (-d0 + 17, 3)>(%y)
      %a = scf.for %i = %first to %end step %c1 iter_args(%s = %zeros) -> (vector<10x8xf32>) {
        %line = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%y, %i)
        %p = scf.for %c = %c0 to %c16 step %c4 iter_args(%t = %s) -> (vector<10x8xf32>) {
          %pixels = vector.transfer_read %x[%line, %c0, %g, %c], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : memref<64x20x4x16xf32>, vector<10x4xf32>
          %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %pixels, %w, %t : vector<10x4xf32>, vector<4x8xf32> into vector<10x8xf32>
          scf.yield %next : vector<10x8xf32>
        }
        scf.yield %p : vector<10x8xf32>
      }
      %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %a) -> (vector<10x8xf32>) {
        %line = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%y, %i)
        %p = scf.for %c = %c0 to %c16 step %c4 iter_args(%t = %s) -> (vector<10x8xf32>) {
          %pixels = vector.transfer_read %x[%line, %c10, %g, %c], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : memref<64x20x4x16xf32>, vector<10x4xf32>
          %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %pixels, %w, %t : vector<10x4xf32>, vector<4x8xf32> into vector<10x8xf32>
          scf.yield %next : vector<10x8xf32>
        }
        scf.yield %p : vector<10x8xf32>
      }
      %sum = vector.extract_strided_slice %b {offsets = [0, 0], sizes = [2, 4], strides = [1, 1]} : vector<10x8xf32> to vector<2x4xf32>
      vector.transfer_write %sum, %r[%y, %g, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<16x4x2x4xf32>
    }
  }
  return
}

// Of branches one is taken, which would leave out what the other one fetches:
// all is fetched at once. So it is where a step computes too little.
// CHECK-LABEL: func @branches
//       CHECK:   scf.for
//       CHECK:     scf.for
// CHECK-COUNT-20:     memref.prefetch {{.*}}, read, locality<3>, data
//       CHECK:       scf.if
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return
func.func @branches(%x: memref<64x20x4x16xf32>, %w: vector<4x8xf32>, %r: memref<16x4x2x4xf32>, %which: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<20x8xf32>
  scf.for %y = %c0 to %c16 step %c1 {
    scf.for %g = %c0 to %c4 step %c1 {
      %a = scf.if %which -> (vector<20x8xf32>) {
        %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<20x8xf32>) {
          %line = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%y, %i)
          %p = scf.for %c = %c0 to %c16 step %c4 iter_args(%t = %s) -> (vector<20x8xf32>) {
            %pixels = vector.transfer_read %x[%line, %c0, %g, %c], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : memref<64x20x4x16xf32>, vector<20x4xf32>
            %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %pixels, %w, %t : vector<20x4xf32>, vector<4x8xf32> into vector<20x8xf32>
            scf.yield %next : vector<20x8xf32>
          }
          scf.yield %p : vector<20x8xf32>
        }
        scf.yield %sum : vector<20x8xf32>
      } else {
        scf.yield %zeros : vector<20x8xf32>
      }
      %sum = vector.extract_strided_slice %a {offsets = [0, 0], sizes = [2, 4], strides = [1, 1]} : vector<20x8xf32> to vector<2x4xf32>
      vector.transfer_write %sum, %r[%y, %g, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<16x4x2x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func @short_steps
//       CHECK:   scf.for
//       CHECK:     scf.for
// CHECK-COUNT-20:     memref.prefetch {{.*}}, read, locality<3>, data
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return
func.func @short_steps(%x: memref<64x20x4x16xf32>, %r: memref<16x4x20x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<20x4xf32>
  scf.for %y = %c0 to %c16 step %c1 {
    scf.for %g = %c0 to %c4 step %c1 {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zeros) -> (vector<20x4xf32>) {
        %line = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%y, %i)
        %p = scf.for %c = %c0 to %c16 step %c4 iter_args(%t = %s) -> (vector<20x4xf32>) {
          %pixels = vector.transfer_read %x[%line, %c0, %g, %c], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : memref<64x20x4x16xf32>, vector<20x4xf32>
          %next = arith.addf %t, %pixels : vector<20x4xf32>
          scf.yield %next : vector<20x4xf32>
        }
        scf.yield %p : vector<20x4xf32>
      }
      vector.transfer_write %sum, %r[%y, %g, %c0, %c0] {in_bounds = [true, true]} : vector<20x4xf32>, memref<16x4x20x4xf32>
    }
  }
  return
}
