// Contractions of groups become instructions that multiply them; what has none
// stays.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=sse2,avx512vnni,avx512bf16}),sched-pack-sums)" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=dotprod}),sched-pack-sums)" --split-input-file | FileCheck %s --check-prefix=NEON
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=sse2,avx2}),sched-pack-sums)" --split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products))" --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: llvm.call_intrinsic

// Two rows of two groups, read from memory as rows of 32 bits: four products for
// the sums and two for what corrects them.
// CHECK-LABEL: func.func @bytes(
// CHECK-SAME: %[[A:[^:]*]]: memref<2x8x4xi8>, %[[B:[^:]*]]: memref<8x16x4xi8>
// CHECK-DAG: memref.collapse_shape %[[A]] {{\[\[}}0], [1, 2]] : memref<2x8x4xi8> into memref<2x32xi8>
// CHECK-DAG: memref.collapse_shape %[[B]] {{\[\[}}0], [1, 2]] : memref<8x16x4xi8> into memref<8x64xi8>
// CHECK-NOT: vector.contract
// CHECK-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
// NEON-LABEL: func.func @bytes(
// NEON-COUNT-16: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
// NEON-NOT: llvm.call_intrinsic
func.func @bytes(%a: memref<2x8x4xi8>, %b: memref<8x16x4xi8>, %sums: vector<2x16xi32>, %k: index) -> vector<2x16xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<2x8x4xi8>, vector<2x2x4xi8>
  %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<8x16x4xi8>, vector<2x16x4xi8>
  %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
  %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
  %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
    iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
  return %r : vector<2x16xi32>
}

// -----

// One row and one group of bfloats, which have no dimension.
// CHECK-LABEL: func.func @row(
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"{{.*}} : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// NEON-LABEL: func.func @row(
// NEON: vector.contract
func.func @row(%x: vector<2xbf16>, %y: vector<16x2xbf16>, %sums: vector<16xf32>) -> vector<16xf32> {
  %xe = arith.extf %x : vector<2xbf16> to vector<2xf32>
  %ye = arith.extf %y : vector<16x2xbf16> to vector<16x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<2xf32>, vector<16x2xf32> into vector<16xf32>
  return %r : vector<16xf32>
}

// -----

// Unsigned bytes on both sides; and a reduction that is no group.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: vector.contract
func.func @others(%x: vector<4xi8>, %y: vector<16x4xi8>, %v: vector<3xi8>, %w: vector<16x3xi8>, %sums: vector<16xi32>) -> (vector<16xi32>, vector<16xi32>) {
  %xe = arith.extui %x : vector<4xi8> to vector<4xi32>
  %ye = arith.extui %y : vector<16x4xi8> to vector<16x4xi32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
  %ve = arith.extsi %v : vector<3xi8> to vector<3xi32>
  %we = arith.extsi %w : vector<16x3xi8> to vector<16x3xi32>
  %s = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %ve, %we, %sums : vector<3xi32>, vector<16x3xi32> into vector<16xi32>
  return %r, %s : vector<16xi32>, vector<16xi32>
}

// -----

// Loops that carry the sums: what corrects them is summed up before, once for
// all tiles of rows, and the loops have the products alone.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[A:[^:]*]]: memref<8x8x4xi8>, %[[B:[^:]*]]: memref<4x8x16x4xi8>
// CHECK: scf.for %[[PANEL:.*]] =
// CHECK-NEXT: %[[CORRECTION:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<16xi32>) {
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: scf.for %[[ROWS:.*]] =
// CHECK-COUNT-2: arith.subi %{{.*}}, %[[CORRECTION]]
// CHECK: scf.for {{.*}} -> (vector<2x16xi32>)
// CHECK-NOT: arith.subi
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-NOT: arith.subi
// CHECK: return
// NEON-LABEL: func.func @carried(
// NEON-NOT: arith.subi
// NEON: return
func.func @carried(%a: memref<8x8x4xi8>, %b: memref<4x8x16x4xi8>, %c: memref<4x8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  scf.for %panel = %c0 to %c4 step %c1 {
    scf.for %row = %c0 to %c8 step %c2 {
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %b[%panel, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%panel, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<4x8x16xi32>
    }
  }
  return
}

// -----

// Rows outside, panels inside: a table has the corrections of each panel.
// CHECK-LABEL: func.func @table(
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<4x1x16xi32>
// CHECK: scf.for %[[PANEL:.*]] =
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} -> (vector<16xi32>)
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: vector.store %[[SUMS]], %[[TABLE]]
// CHECK: scf.for %[[ROWS:.*]] =
// CHECK: scf.for
// CHECK: %[[CORRECTION:.*]] = vector.load %[[TABLE]]
// CHECK-COUNT-2: arith.subi %{{.*}}, %[[CORRECTION]]
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: memref.dealloc %[[TABLE]]
// CHECK: return
func.func @table(%a: memref<8x8x4xi8>, %b: memref<6x8x16x4xi8>, %c: memref<6x8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c14 = arith.constant 14 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  scf.for %row = %c0 to %c8 step %c2 {
    scf.for %third = %c3 to %c14 step %c3 {
      %panel = arith.divui %third, %c3 : index
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %b[%panel, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<6x8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%panel, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<6x8x16xi32>
    }
  }
  return
}

// -----

// Panels of two loops.
// CHECK-LABEL: func.func @two_loops(
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<2x4x1x16xi32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[TABLE]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.load %[[TABLE]]
// CHECK: memref.dealloc %[[TABLE]]
func.func @two_loops(%a: memref<8x8x4xi8>, %b: memref<2x6x8x16x4xi8>, %c: memref<2x6x8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c14 = arith.constant 14 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  scf.for %row = %c0 to %c8 step %c2 {
    scf.for %half = %c0 to %c2 step %c1 {
    scf.for %third = %c3 to %c14 step %c3 {
      %panel = arith.divui %third, %c3 : index
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %b[%half, %panel, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<2x6x8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%half, %panel, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<2x6x8x16xi32>
    }
    }
  }
  return
}

// -----

// A table larger than what the caches have to spare, and one of unknown size:
// each row tile sums its panel.
// CHECK-LABEL: func.func @large_table(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @large_table(%a: memref<8x8x4xi8>, %b: memref<5000x8x16x4xi8>, %c: memref<5000x8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c14 = arith.constant 14000 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  scf.for %row = %c0 to %c8 step %c2 {
    scf.for %third = %c3 to %c14 step %c3 {
      %panel = arith.divui %third, %c3 : index
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %b[%panel, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<5000x8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%panel, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<5000x8x16xi32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @open_table(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @open_table(%a: memref<8x8x4xi8>, %b: memref<6x8x16x4xi8>, %c: memref<6x8x16xi32>, %end: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  scf.for %row = %c0 to %c8 step %c2 {
    scf.for %third = %c3 to %end step %c3 {
      %panel = arith.divui %third, %c3 : index
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %b[%panel, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<6x8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%panel, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<6x8x16xi32>
    }
  }
  return
}

// -----

// What is written into the panels in a loop around keeps the sums of their
// columns in it; what is written in the loops that carry the sums, in those.
// CHECK-LABEL: func.func @written(
// CHECK: scf.for
// CHECK: vector.transfer_write
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} -> (vector<16xi32>)
// CHECK: arith.subi %{{.*}}, %[[FIRST]]
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK-NOT: arith.subi
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK: vector.transfer_write
// CHECK: arith.subi
// CHECK: return
func.func @written(%a: memref<8x4xi8>, %b: memref<8x16x4xi8>, %new: vector<16x4xi8>, %c: memref<4x16xi32>, %d: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  scf.for %row = %c0 to %c4 step %c1 {
    vector.transfer_write %new, %b[%row, %c0, %c0] {in_bounds = [true, true]} : vector<16x4xi8>, memref<8x16x4xi8>
    %sums = scf.for %k = %c0 to %c8 step %c1 iter_args(%partial = %zeros) -> (vector<16xi32>) {
      %x = vector.transfer_read %a[%k, %c0], %pad {in_bounds = [true]} : memref<8x4xi8>, vector<4xi8>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16x4xi8>, vector<16x4xi8>
      %xe = arith.extsi %x : vector<4xi8> to vector<4xi32>
      %ye = arith.extsi %y : vector<16x4xi8> to vector<16x4xi32>
      %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
        iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %partial : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
      scf.yield %r : vector<16xi32>
    }
    vector.transfer_write %sums, %c[%row, %c0] {in_bounds = [true]} : vector<16xi32>, memref<4x16xi32>
  }
  %others = scf.for %k = %c0 to %c8 step %c1 iter_args(%partial = %zeros) -> (vector<16xi32>) {
    vector.transfer_write %new, %b[%k, %c0, %c0] {in_bounds = [true, true]} : vector<16x4xi8>, memref<8x16x4xi8>
    %x = vector.transfer_read %a[%k, %c0], %pad {in_bounds = [true]} : memref<8x4xi8>, vector<4xi8>
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16x4xi8>, vector<16x4xi8>
    %xe = arith.extsi %x : vector<4xi8> to vector<4xi32>
    %ye = arith.extsi %y : vector<16x4xi8> to vector<16x4xi32>
    %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %partial : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
    scf.yield %r : vector<16xi32>
  }
  vector.transfer_write %others, %d[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
  return
}

// -----

// A buffer that may be that of the panels: it is written between the tiles.
// CHECK-LABEL: func.func @alias(
// CHECK: scf.for
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} -> (vector<16xi32>)
// CHECK: arith.subi %{{.*}}, %[[SUMS]]
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK: vector.transfer_write
// CHECK: return
func.func @alias(%a: memref<8x4xi8>, %b: memref<8x16x4xi8>, %new: vector<16x4xi8>, %c: memref<4x16xi32>, %which: i1, %other: memref<8x16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %either = arith.select %which, %b, %other : memref<8x16x4xi8>
  scf.for %row = %c0 to %c4 step %c1 {
    %sums = scf.for %k = %c0 to %c8 step %c1 iter_args(%partial = %zeros) -> (vector<16xi32>) {
      %x = vector.transfer_read %a[%k, %c0], %pad {in_bounds = [true]} : memref<8x4xi8>, vector<4xi8>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16x4xi8>, vector<16x4xi8>
      %xe = arith.extsi %x : vector<4xi8> to vector<4xi32>
      %ye = arith.extsi %y : vector<16x4xi8> to vector<16x4xi32>
      %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
        iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %partial : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
      scf.yield %r : vector<16xi32>
    }
    vector.transfer_write %sums, %c[%row, %c0] {in_bounds = [true]} : vector<16xi32>, memref<4x16xi32>
    vector.transfer_write %new, %either[%row, %c0, %c0] {in_bounds = [true, true]} : vector<16x4xi8>, memref<8x16x4xi8>
  }
  return
}

// -----

// The panel is a buffer that an op of linalg fills for each: what corrects its
// sums is summed up behind that op, and not before all loops.
// CHECK-LABEL: func.func @filled(
// CHECK-NOT: scf.for
// CHECK-NOT: llvm.call_intrinsic
// CHECK: scf.for
// CHECK-NEXT: memref.subview
// CHECK-NEXT: linalg.copy
// CHECK-NEXT: scf.for {{.*}} -> (vector<16xi32>) {
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: scf.for
// CHECK: return
func.func @filled(%a: memref<8x8x4xi8>, %b: memref<4x8x16x4xi8>, %c: memref<4x8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<2x16xi32>
  %panel = memref.alloc() : memref<8x16x4xi8>
  scf.for %column = %c0 to %c4 step %c1 {
    %from = memref.subview %b[%column, 0, 0, 0] [1, 8, 16, 4] [1, 1, 1, 1] : memref<4x8x16x4xi8> to memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>
    linalg.copy ins(%from : memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>) outs(%panel : memref<8x16x4xi8>)
    scf.for %row = %c0 to %c8 step %c2 {
      %sums = scf.for %k = %c0 to %c8 step %c2 iter_args(%partial = %zeros) -> (vector<2x16xi32>) {
        %x = vector.transfer_read %a[%row, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<8x8x4xi8>, vector<2x2x4xi8>
        %y = vector.transfer_read %panel[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<8x16x4xi8>, vector<2x16x4xi8>
        %xe = arith.extsi %x : vector<2x2x4xi8> to vector<2x2x4xi32>
        %ye = arith.extsi %y : vector<2x16x4xi8> to vector<2x16x4xi32>
        %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
          iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
          %xe, %ye, %partial : vector<2x2x4xi32>, vector<2x16x4xi32> into vector<2x16xi32>
        scf.yield %r : vector<2x16xi32>
      }
      vector.transfer_write %sums, %c[%column, %row, %c0] {in_bounds = [true, true]} : vector<2x16xi32>, memref<4x8x16xi32>
    }
  }
  memref.dealloc %panel : memref<8x16x4xi8>
  return
}

// -----

// A row of 16 bits by bytes, whose pairs are widened: what two steps add up to is
// added to the sums, in two registers of AVX2, or all at once with VNNI.
// CHECK-LABEL: func.func @words(
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : vector<32xi8> to vector<32xi16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"(%{{.*}}, %{{.*}}, %[[WIDE]]) : (vector<16xi32>, vector<32xi16>, vector<32xi16>) -> vector<16xi32>
// NEON-LABEL: func.func @words(
// NEON: vector.contract
// PAIRS-LABEL: func.func @words(
// PAIRS-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%{{.*}}, %{{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// PAIRS-NOT: llvm.call_intrinsic
func.func @words(%x: vector<2xi16>, %y: vector<16x2xi8>, %sums: vector<16xi32>) -> vector<16xi32> {
  %xe = arith.extsi %x : vector<2xi16> to vector<2xi32>
  %ye = arith.extui %y : vector<16x2xi8> to vector<16x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<2xi32>, vector<16x2xi32> into vector<16xi32>
  return %r : vector<16xi32>
}
