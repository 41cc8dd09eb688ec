// Contractions of groups become instructions that multiply them; what has none
// stays.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=avx512vnni,avx512bf16}))" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=dotprod}))" --split-input-file | FileCheck %s --check-prefix=NEON
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
