// Lines of the cache that the next tile of a product stores.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16 min-bytes=65536}))" --mlir-print-local-scope | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16 min-bytes=65537}))" | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16 min-bytes=0}))" | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16}))" | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: memref.prefetch

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// 16 rows of two lines by 3 steps: six rows a step, of the last one some again.
// Behind the last column of tiles the next one is of the row below.
// CHECK-LABEL: func @tiles
//  CHECK-SAME:     %[[C:[a-z0-9_]+]]: memref<128x128xf32>
//       CHECK:   scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[ROWS:[a-z0-9_]+]] step
//       CHECK:     scf.for %[[J:[a-z0-9]+]] = %{{.*}} to %[[COLUMNS:[a-z0-9_]+]] step
//       CHECK:       scf.for %[[K:[a-z0-9]+]] =
//  CHECK-NEXT:         %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
//  CHECK-NEXT:         %[[LATER:[a-z0-9_]+]] = arith.addi %[[J]], %[[C32]]
//  CHECK-NEXT:         %[[PAST:[a-z0-9_]+]] = arith.cmpi sge, %[[LATER]], %[[COLUMNS]]
//       CHECK:         %[[COLUMN:[a-z0-9_]+]] = arith.select %[[PAST]], %{{.*}}, %[[LATER]]
//       CHECK:         %[[BELOW:[a-z0-9_]+]] = arith.addi %[[I]],
//       CHECK:         %[[NEXT:[a-z0-9_]+]] = arith.select %[[PAST]], %[[BELOW]], %[[I]]
//       CHECK:         %[[ROW:[a-z0-9_]+]] = arith.select %{{.*}}, %[[I]], %[[NEXT]]
//       CHECK:         %[[SHARE:[a-z0-9_]+]] = affine.apply affine_map<(d0, d1) -> (((d0 - d1) floordiv 16) * 6)>(%[[K]], %c0{{.*}})
//       CHECK:         %[[C10:[a-z0-9_]+]] = arith.constant 10 : index
//       CHECK:         %[[OF:[a-z0-9_]+]] = arith.minui %[[SHARE]], %[[C10]]
//       CHECK:         %[[AT:[a-z0-9_]+]] = arith.addi %[[ROW]], %[[OF]]
//  CHECK-NEXT:         memref.prefetch %[[C]][%[[AT]], %[[COLUMN]]], write, locality<3>, data
//       CHECK:         memref.prefetch %[[C]][%[[AT]], %{{.*}}], write
// CHECK-COUNT-10:      memref.prefetch {{.*}}, write
//   CHECK-NOT:         memref.prefetch
//       CHECK:         amx.tile_mulf
func.func @tiles(%a: memref<128x48x2xbf16>, %b: memref<48x128x2xbf16>, %c: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x32xf32>
  scf.for %i = %c0 to %c128 step %c16 {
    scf.for %j = %c0 to %c128 step %c32 {
      %r = scf.for %k = %c0 to %c48 step %c16 iter_args(%s = %zero) -> (vector<16x32xf32>) {
        %x = vector.transfer_read %a[%i, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<128x48x2xbf16>, vector<16x16x2xbf16>
        %y = vector.transfer_read %b[%k, %j, %c0], %pad {in_bounds = [true, true, true]} : memref<48x128x2xbf16>, vector<16x32x2xbf16>
        %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
        %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
        %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x16x2xf32>, vector<16x32x2xf32> into vector<16x32xf32>
        scf.yield %t : vector<16x32xf32>
      }
      vector.transfer_write %r, %c[%i, %j] {in_bounds = [true, true]} : vector<16x32xf32>, memref<128x128xf32>
    }
  }
  return
}

// What follows the sums is no matter; rows that are a dimension of a view, with
// one of one element behind it, are rows: one a step. Four tiles are computed
// side by side (PairLines.cpp), and fetch those that are four further on.
// CHECK-LABEL: func @epilogue
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     scf.for %[[K:[a-z0-9]+]] =
//       CHECK:       %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
//       CHECK:       arith.addi %[[I]], %[[C64]]
//       CHECK:       %[[STEP:[a-z0-9_]+]] = affine.apply affine_map<(d0, d1) -> ((d0 - d1) floordiv 16)>(%[[K]], %c0{{.*}})
//       CHECK:       %[[LAST:[a-z0-9_]+]] = arith.constant 15 : index
//       CHECK:       %[[OF:[a-z0-9_]+]] = arith.minui %[[STEP]], %[[LAST]]
//       CHECK:       memref.prefetch %{{.*}}[%{{.*}}, %c0{{.*}}], write
// CHECK-COUNT-3:     memref.prefetch {{.*}}, write
//   CHECK-NOT:       memref.prefetch
//       CHECK:       amx.tile_mulf
func.func @epilogue(%a: memref<1x1024x512x2xbf16>, %b: memref<512x16x2xbf16>, %bias: vector<16x16xf32>, %c: memref<1x1024x1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  scf.for %i = %c0 to %c1024 step %c16 {
    %r = scf.for %k = %c0 to %c256 step %c16 iter_args(%s = %zero) -> (vector<16x16xf32>) {
      %x = vector.transfer_read %a[%c0, %i, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<1x1024x512x2xbf16>, vector<16x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<512x16x2xbf16>, vector<16x16x2xbf16>
      %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
      scf.yield %t : vector<16x16xf32>
    }
    %e = arith.addf %r, %bias : vector<16x16xf32>
    vector.transfer_write %e, %c[%c0, %i, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(n, i, u, f) -> (i, f)>} : vector<16x16xf32>, memref<1x1024x1x16xf32>
  }
  return
}

// Of more than 16 steps they are there in time.
// CHECK-LABEL: func @long
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @long(%a: memref<1x1024x512x2xbf16>, %b: memref<512x16x2xbf16>, %bias: vector<16x16xf32>, %c: memref<1x1024x1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c272 = arith.constant 272 : index
  %c1024 = arith.constant 1024 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  scf.for %i = %c0 to %c1024 step %c16 {
    %r = scf.for %k = %c0 to %c272 step %c16 iter_args(%s = %zero) -> (vector<16x16xf32>) {
      %x = vector.transfer_read %a[%c0, %i, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<1x1024x512x2xbf16>, vector<16x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<512x16x2xbf16>, vector<16x16x2xbf16>
      %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
      scf.yield %t : vector<16x16xf32>
    }
    %e = arith.addf %r, %bias : vector<16x16xf32>
    vector.transfer_write %e, %c[%c0, %i, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(n, i, u, f) -> (i, f)>} : vector<16x16xf32>, memref<1x1024x1x16xf32>
  }
  return
}

// Left as they are: sums of f32, those that the next iteration stores in the same
// place, those that were there before, and the only ones.
// CHECK-LABEL: func @left
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @left(%a: memref<128x64xf32>, %b: memref<64x16xf32>, %d: memref<128x16x2xbf16>, %e: memref<16x16x2xbf16>, %c: memref<1024x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %f = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  scf.for %i = %c0 to %c128 step %c16 {
    %x = vector.transfer_read %a[%i, %c0], %f {in_bounds = [true, true]} : memref<128x64xf32>, vector<16x16xf32>
    %y = vector.transfer_read %b[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x16xf32>, vector<16x16xf32>
    %t = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<1024x16xf32>
  }
  scf.for %i = %c0 to %c128 step %c16 {
    %x = vector.transfer_read %d[%i, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<128x16x2xbf16>, vector<16x16x2xbf16>
    %y = vector.transfer_read %e[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<1024x16xf32>
  }
  scf.for %i = %c0 to %c128 step %c16 {
    %x = vector.transfer_read %d[%i, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<128x16x2xbf16>, vector<16x16x2xbf16>
    %y = vector.transfer_read %e[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %s = vector.transfer_read %c[%i, %c0], %f {in_bounds = [true, true]} : memref<1024x16xf32>, vector<16x16xf32>
    %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<1024x16xf32>
  }
  scf.for %i = %c0 to %c16 step %c16 {
    %x = vector.transfer_read %d[%i, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<128x16x2xbf16>, vector<16x16x2xbf16>
    %y = vector.transfer_read %e[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<1024x16xf32>
  }
  return
}
