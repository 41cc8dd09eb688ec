// Contractions of groups that are as large as a tile register.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16,amx-int8},canonicalize))" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products))" --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: amx

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Two tiles of rows and one of columns: sums begin as zeros, stay in tiles in
// the loop, and are stored from there. What zeroed the result before goes away.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: vector.transfer
// CHECK: amx.tile_zero
// CHECK: amx.tile_zero
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx) {
// CHECK:   amx.tile_load {{.*}} : memref<32x128xbf16> into !amx.tile<16x32xbf16>
// CHECK:   amx.tile_load {{.*}} : memref<64x32xbf16> into !amx.tile<16x32xbf16>
// CHECK:   amx.tile_mulf
// CHECK:   amx.tile_load {{.*}} : memref<32x128xbf16>
// CHECK-NOT: amx.tile_load
// CHECK:   amx.tile_mulf
// CHECK:   scf.yield
// CHECK: amx.tile_store {{.*}} : memref<32x16xf32>
// CHECK: amx.tile_store {{.*}} : memref<32x16xf32>
// CHECK-NOT: vector.transfer
func.func @loop(%a: memref<32x64x2xbf16>, %b: memref<64x16x2xbf16>, %c: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<32x16xf32>
  vector.transfer_write %zero, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<32x16xf32>) {
    %x = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<32x64x2xbf16>, vector<32x16x2xbf16>
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<32x16x2xbf16> to vector<32x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<32x16x2xf32>, vector<16x16x2xf32> into vector<32x16xf32>
    scf.yield %t : vector<32x16xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// 20 rows and 5 groups: copied, with zeros where there are no groups; the sums
// of the rows there are come back through memory. Signs are the operands'.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0> : vector<16x64xi8>
// CHECK: vector.transfer_write %[[ZEROS]], %[[PART:[a-z0-9_]+]][
// CHECK: %[[ROWS:.*]] = vector.transfer_read {{.*}} : memref<20x20xi8>, vector<16x20xi8>
// CHECK: vector.transfer_write %[[ROWS]], %[[PART]]
// CHECK: amx.tile_load %[[PART]]
// CHECK: amx.tile_muli %{{.*}} zext, %{{.*}}, %{{.*}} : !amx.tile<16x64xi8>
// CHECK: vector.transfer_read {{.*}} : memref<20x20xi8>, vector<4x20xi8>
// CHECK: amx.tile_muli
// CHECK-COUNT-2: amx.tile_store {{.*}} : memref<32x16xi32>
// CHECK: %[[SUMS:.*]] = vector.transfer_read {{.*}} : memref<32x16xi32>, vector<20x16xi32>
// CHECK: return %[[SUMS]]
func.func @parts(%a: memref<20x5x4xi8>, %b: memref<5x16x4xi8>, %sums: vector<20x16xi32>) -> vector<20x16xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<20x5x4xi8>, vector<20x5x4xi8>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<5x16x4xi8>, vector<5x16x4xi8>
  %xe = arith.extui %x : vector<20x5x4xi8> to vector<20x5x4xi32>
  %ye = arith.extsi %y : vector<5x16x4xi8> to vector<5x16x4xi32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<20x5x4xi32>, vector<5x16x4xi32> into vector<20x16xi32>
  return %t : vector<20x16xi32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// What another op may have written since is not read again.
// CHECK-LABEL: func.func @written(
// CHECK: memref.store
// CHECK-NOT: amx.tile_load %{{.*}} : memref<16x32xbf16,
// CHECK: vector.transfer_write {{.*}} : vector<16x32xbf16>
// CHECK: amx.tile_mulf
func.func @written(%a: memref<16x16x2xbf16>, %b: memref<16x16x2xbf16>, %sums: vector<16x16xf32>, %v: bf16) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  memref.store %v, %a[%c0, %c0, %c0] : memref<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
  return %t : vector<16x16xf32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Few rows and groups, and columns that are no tile, are left to others.
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-2: vector.contract
func.func @small(%x: vector<8x4x2xbf16>, %y: vector<4x16x2xbf16>, %s: vector<8x16xf32>, %v: vector<16x16x2xbf16>, %w: vector<16x8x2xbf16>, %t: vector<16x8xf32>) -> (vector<8x16xf32>, vector<16x8xf32>) {
  %xe = arith.extf %x : vector<8x4x2xbf16> to vector<8x4x2xf32>
  %ye = arith.extf %y : vector<4x16x2xbf16> to vector<4x16x2xf32>
  %r = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %s : vector<8x4x2xf32>, vector<4x16x2xf32> into vector<8x16xf32>
  %ve = arith.extf %v : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %we = arith.extf %w : vector<16x8x2xbf16> to vector<16x8x2xf32>
  %q = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %ve, %we, %t : vector<16x16x2xf32>, vector<16x8x2xf32> into vector<16x8xf32>
  return %r, %q : vector<8x16xf32>, vector<16x8xf32>
}
