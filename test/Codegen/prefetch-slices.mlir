// RUN: sched-opt %s --sched-prefetch-slices="min-bytes=524288 l1-bytes=32768" | FileCheck %s
// RUN: sched-opt %s --sched-prefetch-slices=min-bytes=524289 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-slices=min-bytes=0 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-prefetch-slices | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: memref.prefetch

// Three tiles read the same slice, blocks of four rows at a time: each fetches
// two rows of four, the last one again what the second does. The next slice is
// that of the next 64 steps, then of the next panel, and at the end itself.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1) -> ((d0 - d1) * 2, 2)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<() -> (0, 1)>
// CHECK-DAG: #[[$ONE:.*]] = affine_map<() -> (1, 1)>
// CHECK-LABEL: func @panels
//  CHECK-SAME:     %{{.*}}: memref<6x256xf32>, %[[B:[a-z0-9_]+]]: memref<16x256x32xf32>
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] = %[[ZERO:[a-z0-9_]+]] to %[[PANELS:[a-z0-9_]+]] step %[[ONE:[a-z0-9_]+]]
//       CHECK:     scf.for %[[BLOCK:[a-z0-9]+]] = %[[ZERO]] to %[[STEPS:[a-z0-9_]+]] step %[[BLOCKS:[a-z0-9_]+]]
//       CHECK:       scf.for %[[TILE:[a-z0-9]+]] = %[[ZERO]]
//       CHECK:         scf.for %[[STEP:[a-z0-9]+]] =
//       CHECK:           %[[ROWS:[a-z0-9_]+]] = affine.min #[[$FIRST]](%[[TILE]], %[[ZERO]])
//       CHECK:           %[[LATER:[a-z0-9_]+]] = arith.addi %[[BLOCK]], %[[BLOCKS]]
//       CHECK:           %[[EXISTS:[a-z0-9_]+]] = arith.cmpi slt, %[[LATER]], %[[STEPS]]
//       CHECK:           %[[NEXT:[a-z0-9_]+]] = arith.select %[[EXISTS]], %[[LATER]], %[[ZERO]]
//       CHECK:           %[[LAST:[a-z0-9_]+]] = arith.xori %[[EXISTS]]
//       CHECK:           %[[AFTER:[a-z0-9_]+]] = arith.addi %[[PANEL]], %[[ONE]]
//       CHECK:           %[[IS:[a-z0-9_]+]] = arith.cmpi slt, %[[AFTER]], %[[PANELS]]
//       CHECK:           %[[OR:[a-z0-9_]+]] = arith.select %[[IS]], %[[AFTER]], %[[PANEL]]
//       CHECK:           %[[COLUMNS:[a-z0-9_]+]] = arith.select %[[LAST]], %[[OR]], %[[PANEL]]
//       CHECK:           %[[K:[a-z0-9_]+]] = affine.apply #[[$ROW]](%[[NEXT]], %[[STEP]])
//       CHECK:           %[[BEGIN:[a-z0-9_]+]] = affine.apply #[[$ROW]](%[[K]], %[[ROWS]])
//       CHECK:           memref.prefetch %[[B]][%[[COLUMNS]], %[[BEGIN]], %[[ZERO]]], read, locality<2>, data
//       CHECK:           %[[HALF:[a-z0-9_]+]] = arith.addi %[[ZERO]], %c16
//       CHECK:           memref.prefetch %[[B]][%[[COLUMNS]], %[[BEGIN]], %[[HALF]]], read
//       CHECK:           %[[TWO:[a-z0-9_]+]] = arith.addi %[[BEGIN]], %c1
//       CHECK:           memref.prefetch %[[B]][%[[COLUMNS]], %[[TWO]], %[[ZERO]]], read
//       CHECK:           %[[AGAIN:[a-z0-9_]+]] = arith.addi %[[BEGIN]], %c1
//  CHECK-NEXT:           memref.prefetch %[[B]][%[[COLUMNS]], %[[AGAIN]],
//   CHECK-NOT:           memref.prefetch
//       CHECK:           vector.transfer_read %arg0
//       CHECK:           vector.transfer_read %[[B]]
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
#at = affine_map<(d0, d1) -> (d0 + d1)>
#two = affine_map<(d0) -> (d0 * 2)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @panels(%a: memref<6x256xf32>, %b: memref<16x256x32xf32>, %c: memref<16x6x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.for %n = %c0 to %c16 step %c1 {
    scf.for %kb = %c0 to %c256 step %c64 {
      scf.for %m = %c0 to %c3 step %c1 {
        %row = affine.apply #two(%m)
        %begin = vector.transfer_read %c[%n, %row, %c0], %zero {in_bounds = [true, true]} : memref<16x6x32xf32>, vector<2x32xf32>
        %end = scf.for %ki = %c0 to %c64 step %c4 iter_args(%sum = %begin) -> (vector<2x32xf32>) {
          %k = affine.apply #at(%kb, %ki)
          %x = vector.transfer_read %a[%row, %k], %zero {in_bounds = [true, true]} : memref<6x256xf32>, vector<2x4xf32>
          %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true, true]} : memref<16x256x32xf32>, vector<4x32xf32>
          %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<2x4xf32>, vector<4x32xf32> into vector<2x32xf32>
          scf.yield %next : vector<2x32xf32>
        }
        vector.transfer_write %end, %c[%n, %row, %c0] {in_bounds = [true, true]} : vector<2x32xf32>, memref<16x6x32xf32>
      }
    }
  }
  return
}

// Tiles whose number depends on an outer loop, as next to a border, are counted
// from where they begin; one row of 128 bytes is shared line by line.
// CHECK-LABEL: func @border
//  CHECK-SAME:     %[[B:[a-z0-9_]+]]: memref<16x256x32xf32>
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] =
//       CHECK:     %[[FROM:[a-z0-9_]+]] = affine.max
//       CHECK:     scf.for %[[TILE:[a-z0-9]+]] = %[[FROM]] to
//       CHECK:       scf.for
//       CHECK:         %[[SHARE:[a-z0-9_]+]] = affine.min #{{.*}}(%[[TILE]], %[[FROM]])
//       CHECK:         affine.apply #{{.*}}(%{{.*}}, %[[SHARE]])
//       CHECK:         memref.prefetch %[[B]]
//   CHECK-NOT:         memref.prefetch
//       CHECK:   return
#from = affine_map<(d0) -> (-d0 + 1, 0)>
#to = affine_map<(d0) -> (-d0 + 8, 7)>
func.func @border(%b: memref<16x256x32xf32>, %c: memref<16x8x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %n = %c0 to %c16 step %c1 {
    %from = affine.max #from(%n)
    %to = affine.min #to(%n)
    scf.for %m = %from to %to step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
        %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %next = arith.addf %sum, %y : vector<32xf32>
        scf.yield %next : vector<32xf32>
      }
      vector.transfer_write %sum, %c[%n, %m, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    }
  }
  return
}

// Two tiles of different sizes that follow each other fetch a row each.
// CHECK-LABEL: func @siblings
//  CHECK-SAME:     %[[B:[a-z0-9_]+]]: memref<16x256x32xf32>
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] =
//       CHECK:     scf.for %{{.*}} iter_args(%{{.*}}) -> (vector<2x32xf32>)
//       CHECK:       %[[FIRST:[a-z0-9_]+]] = affine.min #[[$NONE]]()
//       CHECK:       %[[ROW:[a-z0-9_]+]] = affine.apply #[[$ROW]](%{{.*}}, %[[FIRST]])
//       CHECK:       memref.prefetch %[[B]][%{{.*}}, %[[ROW]], %{{.*}}]
//       CHECK:       memref.prefetch %[[B]]
//   CHECK-NOT:       memref.prefetch
//       CHECK:     scf.for %{{.*}} iter_args(%{{.*}}) -> (vector<1x32xf32>)
//       CHECK:       %[[SECOND:[a-z0-9_]+]] = affine.min #[[$ONE]]()
//       CHECK:       %[[ROW:[a-z0-9_]+]] = affine.apply #[[$ROW]](%{{.*}}, %[[SECOND]])
//       CHECK:       memref.prefetch %[[B]][%{{.*}}, %[[ROW]], %{{.*}}]
//       CHECK:       memref.prefetch %[[B]]
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return
func.func @siblings(%b: memref<16x256x32xf32>, %a: memref<3x256xf32>, %c: memref<16x3x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<2x32xf32>
  %others = arith.constant dense<0.0> : vector<1x32xf32>
  scf.for %n = %c0 to %c16 step %c1 {
    %first = scf.for %k = %c0 to %c256 step %c2 iter_args(%sum = %zeros) -> (vector<2x32xf32>) {
      %x = vector.transfer_read %a[%c0, %k], %zero {in_bounds = [true, true]} : memref<3x256xf32>, vector<2x2xf32>
      %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true, true]} : memref<16x256x32xf32>, vector<2x32xf32>
      %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<2x2xf32>, vector<2x32xf32> into vector<2x32xf32>
      scf.yield %next : vector<2x32xf32>
    }
    vector.transfer_write %first, %c[%n, %c0, %c0] {in_bounds = [true, true]} : vector<2x32xf32>, memref<16x3x32xf32>
    %second = scf.for %k = %c0 to %c256 step %c2 iter_args(%sum = %others) -> (vector<1x32xf32>) {
      %x = vector.transfer_read %a[%c2, %k], %zero {in_bounds = [true, true]} : memref<3x256xf32>, vector<1x2xf32>
      %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true, true]} : memref<16x256x32xf32>, vector<2x32xf32>
      %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<1x2xf32>, vector<2x32xf32> into vector<1x32xf32>
      scf.yield %next : vector<1x32xf32>
    }
    vector.transfer_write %second, %c[%n, %c2, %c0] {in_bounds = [true, true]} : vector<1x32xf32>, memref<16x3x32xf32>
  }
  return
}

// One tile, rows of half a line, tiles that cannot be counted, one slice a thread,
// indices, sums of different columns or steps, nine tiles for two lines, and a
// place that may trap or is carried are left alone.
// CHECK-LABEL: func @others
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @others(%b: memref<16x256x32xf32>, %c: memref<16x8x32xf32>, %d: memref<16x8x8xf32>, %tiles: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  %few = arith.constant dense<0.0> : vector<8xf32>
  scf.for %n = %c0 to %c16 step %c1 {
    %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
      %next = arith.addf %sum, %y : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %sum, %c[%n, %c0, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
  }
  scf.for %n = %c0 to %c16 step %c1 {
    scf.for %m = %c0 to %c7 step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %few) -> (vector<8xf32>) {
        %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<8xf32>
        %next = arith.addf %sum, %y : vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      vector.transfer_write %sum, %d[%n, %m, %c0] {in_bounds = [true]} : vector<8xf32>, memref<16x8x8xf32>
    }
    scf.for %m = %c0 to %tiles step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
        %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %next = arith.addf %sum, %y : vector<32xf32>
        scf.yield %next : vector<32xf32>
      }
      vector.transfer_write %sum, %c[%n, %m, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    }
  }
  scf.parallel (%n) = (%c0) to (%c16) step (%c1) {
    scf.for %m = %c0 to %c7 step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
        %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %next = arith.addf %sum, %y : vector<32xf32>
        scf.yield %next : vector<32xf32>
      }
      vector.transfer_write %sum, %c[%n, %m, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    }
  }
  scf.for %n = %c0 to %c16 step %c1 {
    %next = arith.addi %n, %c1 : index
    %a0 = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
      %s = arith.addf %sum, %y : vector<32xf32>
      scf.yield %s : vector<32xf32>
    }
    vector.transfer_write %a0, %c[%n, %c0, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    %a1 = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %y = vector.transfer_read %b[%next, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
      %s = arith.addf %sum, %y : vector<32xf32>
      scf.yield %s : vector<32xf32>
    }
    vector.transfer_write %a1, %c[%n, %c1, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    %a2 = scf.for %k = %c16 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
      %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
      %s = arith.addf %sum, %y : vector<32xf32>
      scf.yield %s : vector<32xf32>
    }
    vector.transfer_write %a2, %c[%n, %c7, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
  }
  %places = memref.alloc() : memref<16x256x32xindex>
  %none = arith.constant dense<0> : vector<32xindex>
  %nine = arith.constant 9 : index
  scf.for %n = %c0 to %c16 step %c1 {
    scf.for %m = %c0 to %c7 step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %none) -> (vector<32xindex>) {
        %y = vector.transfer_read %places[%n, %k, %c0], %c0 {in_bounds = [true]} : memref<16x256x32xindex>, vector<32xindex>
        %s = arith.addi %sum, %y : vector<32xindex>
        scf.yield %s : vector<32xindex>
      }
      vector.transfer_write %sum, %places[%n, %m, %c0] {in_bounds = [true]} : vector<32xindex>, memref<16x256x32xindex>
    }
    scf.for %m = %c0 to %nine step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros) -> (vector<32xf32>) {
        %y = vector.transfer_read %b[%n, %k, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %s = arith.addf %sum, %y : vector<32xf32>
        scf.yield %s : vector<32xf32>
      }
      vector.transfer_write %sum, %c[%n, %c0, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    }
    scf.for %m = %c0 to %c7 step %c1 {
      %sum:2 = scf.for %k = %c0 to %c256 step %c1 iter_args(%sum = %zeros, %at = %c0) -> (vector<32xf32>, index) {
        %part = arith.divui %k, %n : index
        %y = vector.transfer_read %b[%n, %part, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %z = vector.transfer_read %b[%n, %at, %c0], %zero {in_bounds = [true]} : memref<16x256x32xf32>, vector<32xf32>
        %s0 = arith.addf %sum, %y : vector<32xf32>
        %s1 = arith.addf %s0, %z : vector<32xf32>
        %after = arith.addi %at, %c1 : index
        scf.yield %s1, %after : vector<32xf32>, index
      }
      vector.transfer_write %sum#0, %c[%n, %m, %c0] {in_bounds = [true]} : vector<32xf32>, memref<16x8x32xf32>
    }
  }
  return
}

// Rows along the steps that one tile alone reads: each step fetches what the
// same step of the next tile reads, into the first level.
// CHECK-LABEL: func @alone
//  CHECK-SAME:     %[[A:[a-z0-9_]+]]: memref<512x256xf32>
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %[[ROWS:[a-z0-9_]+]] step %[[FOUR:[a-z0-9_]+]]
//       CHECK:     scf.for %[[STEP:[a-z0-9]+]] =
//       CHECK:       %[[LATER:[a-z0-9_]+]] = arith.addi %[[ROW]], %[[FOUR]]
//       CHECK:       %[[EXISTS:[a-z0-9_]+]] = arith.cmpi slt, %[[LATER]], %[[ROWS]]
//       CHECK:       %[[NEXT:[a-z0-9_]+]] = arith.select %[[EXISTS]], %[[LATER]], %[[ROW]]
//       CHECK:       %[[FIRST:[a-z0-9_]+]] = affine.apply #{{.*}}(%[[NEXT]],
//       CHECK:       memref.prefetch %[[A]][%[[FIRST]], %[[STEP]]], read, locality<3>, data
//       CHECK:       %[[SECOND:[a-z0-9_]+]] = arith.addi %[[FIRST]], %c1
//       CHECK:       memref.prefetch %[[A]][%[[SECOND]], %[[STEP]]], read, locality<3>, data
// CHECK-COUNT-2:       memref.prefetch %[[A]]
//   CHECK-NOT:       memref.prefetch
//       CHECK:   return
func.func @alone(%a: memref<512x256xf32>, %b: memref<256x8xf32>, %c: memref<512x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %rows = arith.constant 512 : index
  %steps = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4x8xf32>
  scf.for %m = %c0 to %rows step %c4 {
    %sums = scf.for %k = %c0 to %steps step %c8 iter_args(%sum = %zeros) -> (vector<4x8xf32>) {
      %x = vector.transfer_read %a[%m, %k], %zero {in_bounds = [true, true]} : memref<512x256xf32>, vector<4x8xf32>
      %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : memref<256x8xf32>, vector<8x8xf32>
      %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<4x8xf32>, vector<8x8xf32> into vector<4x8xf32>
      scf.yield %next : vector<4x8xf32>
    }
    vector.transfer_write %sums, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<512x8xf32>
  }
  return
}

// The first level has no room for as much.
// CHECK-LABEL: func @alone_long
// CHECK-COUNT-4: memref.prefetch %{{.*}}, read, locality<2>, data
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @alone_long(%a: memref<128x1024xf32>, %b: memref<1024x8xf32>, %c: memref<128x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %rows = arith.constant 128 : index
  %steps = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4x8xf32>
  scf.for %m = %c0 to %rows step %c4 {
    %sums = scf.for %k = %c0 to %steps step %c8 iter_args(%sum = %zeros) -> (vector<4x8xf32>) {
      %x = vector.transfer_read %a[%m, %k], %zero {in_bounds = [true, true]} : memref<128x1024xf32>, vector<4x8xf32>
      %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : memref<1024x8xf32>, vector<8x8xf32>
      %next = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<4x8xf32>, vector<8x8xf32> into vector<4x8xf32>
      scf.yield %next : vector<4x8xf32>
    }
    vector.transfer_write %sums, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<128x8xf32>
  }
  return
}

// A single row comes in the order of memory, and rows of the next turn of a sum
// are no other slice.
// CHECK-LABEL: func @in_order
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @in_order(%a: memref<512x256xf32>, %c: memref<512x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.constant dense<0.0> : vector<8xf32>
  %rows = arith.constant dense<0.0> : vector<4x8xf32>
  scf.for %m = %c0 to %c256 step %c4 {
    %single = scf.for %k = %c0 to %c256 step %c8 iter_args(%sum = %row) -> (vector<8xf32>) {
      %x = vector.transfer_read %a[%m, %k], %zero {in_bounds = [true]} : memref<512x256xf32>, vector<8xf32>
      %next = arith.addf %x, %sum : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    vector.transfer_write %single, %c[%m, %c0] {in_bounds = [true]} : vector<8xf32>, memref<512x8xf32>
    %window = scf.for %tap = %c0 to %c4 step %c1 iter_args(%all = %rows) -> (vector<4x8xf32>) {
      %sums = scf.for %k = %c0 to %c256 step %c8 iter_args(%sum = %all) -> (vector<4x8xf32>) {
        %x = vector.transfer_read %a[%tap, %k], %zero {in_bounds = [true, true]} : memref<512x256xf32>, vector<4x8xf32>
        %next = arith.addf %x, %sum : vector<4x8xf32>
        scf.yield %next : vector<4x8xf32>
      }
      scf.yield %sums : vector<4x8xf32>
    }
    vector.transfer_write %window, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<512x8xf32>
  }
  return
}

// What two sums read, or windows of rows that overlap, would be fetched twice.
// CHECK-LABEL: func @of_others
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
func.func @of_others(%a: memref<512x256xf32>, %b: memref<256x512xf32>, %c: memref<512x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4x8xf32>
  scf.for %m = %c0 to %c256 step %c4 {
    %first = scf.for %k = %c0 to %c256 step %c8 iter_args(%sum = %zeros) -> (vector<4x8xf32>) {
      %x = vector.transfer_read %a[%m, %k], %zero {in_bounds = [true, true]} : memref<512x256xf32>, vector<4x8xf32>
      %next = arith.addf %x, %sum : vector<4x8xf32>
      scf.yield %next : vector<4x8xf32>
    }
    vector.transfer_write %first, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<512x8xf32>
    %second = scf.for %k = %c0 to %c256 step %c8 iter_args(%sum = %first) -> (vector<4x8xf32>) {
      %x = vector.transfer_read %a[%m, %k], %zero {in_bounds = [true, true]} : memref<512x256xf32>, vector<4x8xf32>
      %next = arith.mulf %x, %sum : vector<4x8xf32>
      scf.yield %next : vector<4x8xf32>
    }
    vector.transfer_write %second, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<512x8xf32>
  }
  scf.for %m = %c0 to %c256 step %c1 {
    %sums = scf.for %k = %c0 to %c256 step %c8 iter_args(%sum = %zeros) -> (vector<4x8xf32>) {
      %x = vector.transfer_read %b[%m, %k], %zero {in_bounds = [true, true]} : memref<256x512xf32>, vector<4x8xf32>
      %next = arith.addf %x, %sum : vector<4x8xf32>
      scf.yield %next : vector<4x8xf32>
    }
    vector.transfer_write %sums, %c[%m, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<512x8xf32>
  }
  return
}
