// Contractions of groups of 64 bits become products of two rows by two columns;
// what has no instruction stays.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-square-products{instructions=i8mm,bf16}))" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-square-products{instructions=dotprod}))" --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: llvm.call_intrinsic

// Three rows of two groups by four columns: two pairs of rows, of which the last
// has one row twice, times two pairs of columns and two groups. Sums stay in
// squares from one iteration to the next.
// CHECK-LABEL: func.func @bytes(
// CHECK-SAME: %[[A:[^:]*]]: memref<3x16x8xi8>, %[[B:[^:]*]]: memref<16x4x8xi8>, %[[SUMS:[^:]*]]: vector<3x4xi32>
// CHECK: %[[ROW1:.*]] = vector.extract %[[SUMS]][1]
// CHECK: %[[ROW2:.*]] = vector.extract %[[SUMS]][2]
// CHECK: vector.shuffle %[[ROW2]], %[[ROW2]] [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
// CHECK: scf.for {{.*}} -> ({{.*}}vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
// CHECK-DAG: %[[LHS:.*]] = vector.bitcast %{{.*}} : vector<3x16xi8> to vector<3x2xi64>
// CHECK-DAG: vector.bitcast %{{.*}} : vector<2x32xi8> to vector<2x4xi64>
// CHECK-DAG: vector.shuffle %{{.*}}, %{{.*}} [0, 2] : vector<2xi64>, vector<2xi64>
// CHECK-COUNT-8: llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-NOT: unrealized_conversion_cast
// CHECK: return
// NONE: vector.contract
func.func @bytes(%a: memref<3x16x8xi8>, %b: memref<16x4x8xi8>, %sums: vector<3x4xi32>) -> vector<3x4xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %pad = arith.constant 0 : i8
  %all = scf.for %k = %c0 to %c16 step %c2 iter_args(%sum = %sums) -> vector<3x4xi32> {
    %x = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<3x16x8xi8>, vector<3x2x8xi8>
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x4x8xi8>, vector<2x4x8xi8>
    %xe = arith.extsi %x : vector<3x2x8xi8> to vector<3x2x8xi32>
    %ye = arith.extsi %y : vector<2x4x8xi8> to vector<2x4x8xi32>
    %r = vector.contract {indexing_maps = [affine_map<(m, k, n, g) -> (m, k, g)>, affine_map<(m, k, n, g) -> (k, n, g)>, affine_map<(m, k, n, g) -> (m, n)>],
      iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
      %xe, %ye, %sum : vector<3x2x8xi32>, vector<2x4x8xi32> into vector<3x4xi32>
    scf.yield %r : vector<3x4xi32>
  }
  return %all : vector<3x4xi32>
}

// -----

// A single row and group, which have no dimension; four bfloats are a group.
// CHECK-LABEL: func.func @row(
// CHECK: llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"{{.*}} : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
func.func @row(%x: vector<4xbf16>, %y: vector<4x4xbf16>, %sums: vector<4xf32>) -> vector<4xf32> {
  %xe = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %ye = arith.extf %y : vector<4x4xbf16> to vector<4x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<4xf32>, vector<4x4xf32> into vector<4xf32>
  return %r : vector<4xf32>
}

// -----

// Without a sign on both sides, or on the left.
// CHECK-LABEL: func.func @unsigned(
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.aarch64.neon.ummla.v4i32.v16i8"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"
func.func @unsigned(%x: vector<8xi8>, %y: vector<4x8xi8>, %sums: vector<4xi32>) -> vector<4xi32> {
  %xe = arith.extui %x : vector<8xi8> to vector<8xi32>
  %yu = arith.extui %y : vector<4x8xi8> to vector<4x8xi32>
  %ys = arith.extsi %y : vector<4x8xi8> to vector<4x8xi32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %yu, %sums : vector<8xi32>, vector<4x8xi32> into vector<4xi32>
  %s = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ys, %r : vector<8xi32>, vector<4x8xi32> into vector<4xi32>
  return %s : vector<4xi32>
}

// -----

// A sign on the left alone, a group of 32 bits, and columns that are no fours.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-3: vector.contract
func.func @left(%x: vector<8xi8>, %y: vector<4x8xi8>, %v: vector<4xi8>, %w: vector<4x4xi8>, %z: vector<6x8xi8>,
                %sums: vector<4xi32>, %three: vector<6xi32>) -> (vector<4xi32>, vector<4xi32>, vector<6xi32>) {
  %xe = arith.extsi %x : vector<8xi8> to vector<8xi32>
  %ye = arith.extui %y : vector<4x8xi8> to vector<4x8xi32>
  %r = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<8xi32>, vector<4x8xi32> into vector<4xi32>
  %ve = arith.extsi %v : vector<4xi8> to vector<4xi32>
  %we = arith.extsi %w : vector<4x4xi8> to vector<4x4xi32>
  %s = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %ve, %we, %sums : vector<4xi32>, vector<4x4xi32> into vector<4xi32>
  %ze = arith.extsi %z : vector<6x8xi8> to vector<6x8xi32>
  %t = vector.contract {indexing_maps = [affine_map<(n, g) -> (g)>, affine_map<(n, g) -> (n, g)>, affine_map<(n, g) -> (n)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ze, %three : vector<8xi32>, vector<6x8xi32> into vector<6xi32>
  return %r, %s, %t : vector<4xi32>, vector<4xi32>, vector<6xi32>
}
