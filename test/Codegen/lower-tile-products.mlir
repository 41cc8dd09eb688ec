// Contractions of groups that are as large as a tile register.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16,amx-int8},canonicalize))" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16,amx-int8 min-bytes=0},canonicalize))" --split-input-file | FileCheck %s --check-prefix=NOFETCH
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

// 20 rows and 17 groups: the last one is copied, with zeros where there are none. The second
// tile begins with row 4, as whole ones are computed. Signs are the operands'.
// CHECK-LABEL: func.func @parts(
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : vector<16x64xi8>
// CHECK: vector.transfer_write %[[ZEROS]], %[[PART:[a-z0-9_]+]][
// CHECK: %[[ROWS:.*]] = vector.transfer_read {{.*}} : memref<20x68xi8>, vector<16x4xi8>
// CHECK: vector.transfer_write %[[ROWS]], %[[PART]]
// CHECK: amx.tile_load %[[PART]]
// CHECK: amx.tile_muli %{{.*}} zext, %{{.*}}, %{{.*}} : !amx.tile<16x64xi8>
// CHECK: vector.transfer_read %{{.*}}[%[[C4]], {{.*}} : memref<20x68xi8>, vector<16x4xi8>
// CHECK: amx.tile_muli
// CHECK: amx.tile_store {{.*}} : memref<20x16xi32>
// CHECK: amx.tile_store %{{.*}}[%[[C4]], {{.*}} : memref<20x16xi32>
// CHECK: %[[SUMS:.*]] = vector.transfer_read {{.*}} : memref<20x16xi32>, vector<20x16xi32>
// CHECK: return %[[SUMS]]
func.func @parts(%a: memref<20x17x4xi8>, %b: memref<17x16x4xi8>, %sums: vector<20x16xi32>) -> vector<20x16xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<20x17x4xi8>, vector<20x17x4xi8>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<17x16x4xi8>, vector<17x16x4xi8>
  %xe = arith.extui %x : vector<20x17x4xi8> to vector<20x17x4xi32>
  %ye = arith.extsi %y : vector<17x16x4xi8> to vector<17x16x4xi32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %xe, %ye, %sums : vector<20x17x4xi32>, vector<17x16x4xi32> into vector<20x16xi32>
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

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// 28 rows in place: the second tile begins with row 12. Sums stay in tiles
// through both loops, which pass nothing else on.
// CHECK-LABEL: func.func @nested(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK-NOT: vector.
// CHECK: amx.tile_load %arg2[%[[C0]], %[[C0]]]
// CHECK: amx.tile_load %arg2[%[[C12]], %[[C0]]]
// CHECK: scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx) {
// CHECK:   scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx) {
// CHECK-NOT: vector.
// CHECK:     amx.tile_load %{{.*}}[%{{.*}}, %[[C0]], %{{.*}}]{{.*}} into !amx.tile<16x32xbf16>
// CHECK:     amx.tile_mulf
// CHECK:     amx.tile_load %{{.*}}[%{{.*}}, %[[C12]], %{{.*}}]{{.*}} into !amx.tile<16x32xbf16>
// CHECK:     amx.tile_mulf
// CHECK-NOT: vector.
// CHECK: amx.tile_store %arg2[%[[C0]], %[[C0]]]
// CHECK: amx.tile_store %arg2[%[[C12]], %[[C0]]]
// CHECK-NOT: vector.
// CHECK: return
func.func @nested(%a: memref<3x28x64x2xbf16>, %b: memref<3x64x16x2xbf16>, %c: memref<28x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %f = arith.constant 0.0 : f32
  %first = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<28x16xf32>, vector<28x16xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %first) -> (vector<28x16xf32>) {
    %q = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %s) -> (vector<28x16xf32>) {
      %x = vector.transfer_read %a[%i, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<3x28x64x2xbf16>, vector<28x16x2xbf16>
      %y = vector.transfer_read %b[%i, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<3x64x16x2xbf16>, vector<16x16x2xbf16>
      %ux = arith.extf %x : vector<28x16x2xbf16> to vector<28x16x2xf32>
      %uy = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %u = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
        %ux, %uy, %t : vector<28x16x2xf32>, vector<16x16x2xf32> into vector<28x16xf32>
      scf.yield %u : vector<28x16xf32>
    }
    scf.yield %q : vector<28x16xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<28x16xf32>, memref<28x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// All products have 14 rows: tiles have no more, and nothing is copied.
// CHECK-LABEL: func.func @lower(
// CHECK-NOT: vector.
// CHECK: amx.tile_load {{.*}} into !amx.tile<14x16xf32>
// CHECK: amx.tile_load {{.*}} into !amx.tile<14x32xbf16>
// CHECK: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK: amx.tile_mulf {{.*}} : !amx.tile<14x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<14x16xf32>
// CHECK: amx.tile_store
// CHECK-NOT: vector.
// CHECK: return
func.func @lower(%a: memref<14x64x2xbf16>, %b: memref<64x16x2xbf16>, %c: memref<14x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %f = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x64x2xbf16>, vector<14x16x2xbf16>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x16x2xbf16>, vector<16x16x2xbf16>
  %s = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<14x16xf32>, vector<14x16xf32>
  %ux = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
  %uy = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %u = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %ux, %uy, %s : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
  vector.transfer_write %u, %c[%c0, %c0] {in_bounds = [true, true]} : vector<14x16xf32>, memref<14x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Beside whole tiles, 14 rows are copied into one: registers have one shape in
// all of a function.
// CHECK-LABEL: func.func @beside(
// CHECK-NOT: amx.tile<14x
// CHECK: amx.tile_mulf
// CHECK: vector.transfer_read {{.*}} vector<14x32xbf16>
// CHECK: amx.tile_mulf
// CHECK: vector.transfer_read {{.*}} : memref<16x16xf32>, vector<14x16xf32>
func.func @beside(%a: memref<16x64x2xbf16>, %b: memref<64x16x2xbf16>, %s: vector<16x16xf32>, %t: vector<14x16xf32>) -> (vector<16x16xf32>, vector<14x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x64x2xbf16>, vector<16x16x2xbf16>
  %z = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x64x2xbf16>, vector<14x16x2xbf16>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x16x2xbf16>, vector<16x16x2xbf16>
  %ux = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %uy = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %u = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %ux, %uy, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
  %vx = arith.extf %z : vector<14x16x2xbf16> to vector<14x16x2xf32>
  %vy = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %v = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %vx, %vy, %t : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
  return %u, %v : vector<16x16xf32>, vector<14x16xf32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>
#drop = affine_map<(d0, d1, d2) -> (d0, d2)>

// No loop over the steps is left: sums are read and written with a dimension of
// one element, and rows were read before the loop, which does not write to them.
// CHECK-LABEL: func.func @one_turn(
// CHECK-NOT: vector.
// CHECK: scf.for
// CHECK: memref.subview %arg2[0, %{{.*}}, 0] [16, 1, 16] [1, 1, 1] : memref<16x4x16xf32> to memref<16x16xf32,
// CHECK: amx.tile_load
// CHECK: amx.tile_load {{.*}} : memref<16x32xbf16>
// CHECK: amx.tile_load {{.*}} : memref<4x16x32xbf16>
// CHECK: amx.tile_mulf
// CHECK: amx.tile_store {{.*}} : memref<16x16xf32,
// CHECK-NOT: amx.tile_store
// CHECK-NOT: vector.
// CHECK: return
func.func @one_turn(%a: memref<16x16x2xbf16>, %b: memref<4x16x16x2xbf16>, %c: memref<16x4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : bf16
  %f = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %y = vector.transfer_read %b[%i, %c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x16x16x2xbf16>, vector<16x16x2xbf16>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %s = vector.transfer_read %c[%c0, %i, %c0], %f {in_bounds = [true, true], permutation_map = #drop} : memref<16x4x16xf32>, vector<16x16xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
      %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    %u = vector.broadcast %t : vector<16x16xf32> to vector<1x16x16xf32>
    %v = vector.transpose %u, [1, 0, 2] : vector<1x16x16xf32> to vector<16x1x16xf32>
    vector.transfer_write %v, %c[%c0, %i, %c0] {in_bounds = [true, true, true]} : vector<16x1x16xf32>, memref<16x4x16xf32>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// The loop copies to what was read before it: read once, it is another value in
// the second iteration.
// CHECK-LABEL: func.func @copied(
// CHECK: vector.transfer_read %arg0
// CHECK: scf.for
// CHECK: vector.transfer_write {{.*}} : vector<16x32xbf16>
// CHECK: amx.tile_mulf
// CHECK: linalg.copy
func.func @copied(%a: memref<16x16x2xbf16>, %from: memref<16x16x2xbf16>, %b: memref<4x16x16x2xbf16>, %sums: vector<16x16xf32>) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : bf16
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %sums) -> (vector<16x16xf32>) {
    %y = vector.transfer_read %b[%i, %c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x16x16x2xbf16>, vector<16x16x2xbf16>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
      %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    linalg.copy ins(%from : memref<16x16x2xbf16>) outs(%a : memref<16x16x2xbf16>)
    scf.yield %t : vector<16x16xf32>
  }
  return %r : vector<16x16xf32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// The body may multiply columns by rows; signs go with the operands.
// CHECK-LABEL: func.func @exchanged(
// CHECK: %[[ROWS:.*]] = amx.tile_load {{.*}} : memref<16x64xi8>
// CHECK: %[[COLUMNS:.*]] = amx.tile_load {{.*}} : memref<16x128xi8>
// CHECK: amx.tile_muli %[[ROWS]] zext, %[[COLUMNS]], %{{.*}} :
func.func @exchanged(%a: memref<16x16x4xi8>, %b: memref<16x32x4xi8>, %sums: vector<16x32xi32>) -> vector<16x32xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x4xi8>, vector<16x16x4xi8>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x32x4xi8>, vector<16x32x4xi8>
  %xe = arith.extui %x : vector<16x16x4xi8> to vector<16x16x4xi32>
  %ye = arith.extsi %y : vector<16x32x4xi8> to vector<16x32x4xi32>
  %t = vector.contract {indexing_maps = [#rhs, #lhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}
    %ye, %xe, %sums : vector<16x32x4xi32>, vector<16x16x4xi32> into vector<16x32xi32>
  return %t : vector<16x32xi32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Lines of 14 pixels are low tiles, and two of them share what they read of two
// columns of tiles (PairLines.cpp); the last of 5 lines is alone.
// CHECK-LABEL: func.func @lines(
// CHECK: scf.for %[[LINE:.*]] = %{{.*}} to %{{c4.*}} step %c2
// CHECK: %{{.*}}:4 = scf.for
// CHECK-COUNT-4: amx.tile_load
// CHECK-NOT: amx.tile_load
// CHECK: scf.yield
// CHECK-COUNT-4: amx.tile_store {{.*}} : memref<5x14x32xf32>
// CHECK: amx.tile_zero
// CHECK: %{{.*}}:2 = scf.for
// CHECK-COUNT-3: amx.tile_load
// CHECK-NOT: amx.tile_load
// CHECK: scf.yield
// CHECK-COUNT-2: amx.tile_store {{.*}} : memref<5x14x32xf32>
// CHECK: return
func.func @lines(%a: memref<5x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<5x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  scf.for %line = %c0 to %c5 step %c1 {
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<5x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32>
  }
  return
}

// Sums that wait in memory are each line's own.
// CHECK-LABEL: func.func @waiting_lines(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c2
// CHECK-COUNT-4: amx.tile_load {{.*}} : memref<14x32xf32
// CHECK: %{{.*}}:4 = scf.for
// CHECK: amx.tile_mulf
// CHECK-COUNT-4: amx.tile_store {{.*}} : memref<14x32xf32
// CHECK: return
func.func @waiting_lines(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  scf.for %line = %c0 to %c4 step %c1 {
    %part = memref.subview %c[%line, 0, 0] [1, 14, 32] [1, 1, 1] : memref<4x14x32xf32> to memref<14x32xf32, strided<[32, 1], offset: ?>>
    %begin = vector.transfer_read %part[%c0, %c0], %none {in_bounds = [true, true]} : memref<14x32xf32, strided<[32, 1], offset: ?>>, vector<14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %part[%c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<14x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Not side by side: the iterations add to the same sums; a product of its own
// for each; what one writes may be what the next one reads.
// CHECK-LABEL: func.func @same_sums(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @other_columns(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
func.func @same_sums(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  scf.for %line = %c0 to %c4 step %c1 {
    %begin = vector.transfer_read %c[%c0, %c0], %none {in_bounds = [true, true]} : memref<14x32xf32>, vector<14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<14x32xf32>
  }
  return
}

func.func @other_columns(%a: memref<4x14x64x2xbf16>, %b: memref<4x64x32x2xbf16>, %c: memref<4x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  scf.for %line = %c0 to %c4 step %c1 {
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%line, %k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
  }
  return
}

func.func @in_place(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<5x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  scf.for %line = %c0 to %c4 step %c1 {
    %next = arith.addi %line, %c1 : index
    %begin = vector.transfer_read %c[%line, %c0, %c0], %none {in_bounds = [true, true]} : memref<5x14x32xf32>, vector<14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%next, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Two products in a line, and no loop over steps: lines would share nothing.
// CHECK-LABEL: func.func @two_products(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK-COUNT-2: amx.tile_mulf
// CHECK-NOT: amx.tile_mulf
// CHECK: return
func.func @two_products(%a: memref<8x14x32x2xbf16>, %b: memref<32x16x2xbf16>, %c: memref<8x14x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<14x16xf32>
  scf.for %line = %c0 to %c8 step %c1 {
    %x = vector.transfer_read %a[%line, %c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<8x14x32x2xbf16>, vector<14x16x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<32x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
    %u = vector.transfer_read %a[%line, %c0, %c16, %c0], %pad {in_bounds = [true, true, true]} : memref<8x14x32x2xbf16>, vector<14x16x2xbf16>
    %v = vector.transfer_read %b[%c16, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<32x16x2xbf16>, vector<16x16x2xbf16>
    %ue = arith.extf %u : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %ve = arith.extf %v : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %s = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %ue, %ve, %t : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
    vector.transfer_write %s, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x16xf32>, memref<8x14x16xf32>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Nor these: what one line writes first would come before what the line before
// it writes there; places that move with the line, and those that lie on each
// other; inner loops whose bounds are known in the loop only.
// CHECK-LABEL: func.func @written_before(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @one_place(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @overlapping(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @bounds_inside(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: arith.select
// CHECK-COUNT-2: amx.tile_mulf
// CHECK-NOT: vector.contract
// CHECK: return
func.func @written_before(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<5x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  scf.for %line = %c0 to %c4 step %c1 {
    %next = arith.addi %line, %c1 : index
    vector.transfer_write %zero, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%next, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32>
  }
  return
}

func.func @one_place(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<9x14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  scf.for %line = %c0 to %c4 step %c1 {
    %back = arith.subi %c4, %line : index
    %view = memref.subview %c[%back, 0, 0] [5, 14, 32] [1, 1, 1] : memref<9x14x32xf32> to memref<5x14x32xf32, strided<[448, 32, 1], offset: ?>>
    %begin = vector.transfer_read %view[%line, %c0, %c0], %none {in_bounds = [true, true]} : memref<5x14x32xf32, strided<[448, 32, 1], offset: ?>>, vector<14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %view[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32, strided<[448, 32, 1], offset: ?>>
  }
  return
}

func.func @overlapping(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<14x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  %lines = memref.reinterpret_cast %c to offset: [0], sizes: [4, 14, 32], strides: [0, 32, 1] : memref<14x32xf32> to memref<4x14x32xf32, strided<[0, 32, 1]>>
  scf.for %line = %c0 to %c4 step %c1 {
    %begin = vector.transfer_read %lines[%line, %c0, %c0], %none {in_bounds = [true, true]} : memref<4x14x32xf32, strided<[0, 32, 1]>>, vector<14x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %lines[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32, strided<[0, 32, 1]>>
  }
  return
}

func.func @bounds_inside(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>, %half: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  %c32 = arith.constant 32 : index
  scf.for %line = %c0 to %c4 step %c1 {
    %from = arith.select %half, %c0, %c32 : index
    %to = arith.addi %from, %c32 : index
    %r = scf.for %k = %from to %to step %c16 iter_args(%s = %zero) -> (vector<14x32xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Four lines of one column of tiles, and of those that are left over three. The
// sums of each are found by an index.
// CHECK-LABEL: func.func @seven(
// CHECK: %{{.*}}:4 = scf.for
// CHECK: %{{.*}}:3 = scf.for
// CHECK-NOT: scf.for
// CHECK: return
// Other types of numbers are left alone.
// CHECK-LABEL: func.func @integers(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i64 : i64
// CHECK: amx.tile_mulf
// CHECK: return
func.func @seven(%a: memref<7x14x64x2xbf16>, %b: memref<64x16x2xbf16>, %c: memref<7x14x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x16xf32>
  scf.for %line = %c0 to %c7 step %c1 {
    %begin = vector.transfer_read %c[%line, %c0, %c0], %none {in_bounds = [true, true]} : memref<7x14x16xf32>, vector<14x16xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %begin) -> (vector<14x16xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<7x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x16x2xbf16>, vector<16x16x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
      scf.yield %t : vector<14x16xf32>
    }
    vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x16xf32>, memref<7x14x16xf32>
  }
  return
}

func.func @integers(%a: memref<4x14x64x2xbf16>, %b: memref<64x16x2xbf16>, %c: memref<4x14x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<14x16xf32>
  %from = arith.constant 0 : i64
  %to = arith.constant 4 : i64
  %by = arith.constant 1 : i64
  scf.for %number = %from to %to step %by : i64 {
    %line = arith.index_cast %number : i64 to index
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<14x16xf32>) {
      %x = vector.transfer_read %a[%line, %c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<4x14x64x2xbf16>, vector<14x16x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x16x2xbf16>, vector<16x16x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x16x2xf32> into vector<14x16xf32>
      scf.yield %t : vector<14x16xf32>
    }
    vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x16xf32>, memref<4x14x16xf32>
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// A right-hand side of 2 MiB and more is fetched a step ahead, every other
// line of the cache.
// CHECK-LABEL: func.func @large(
// CHECK: scf.for %[[K:.*]] = %{{.*}} to
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %c16
// CHECK: memref.prefetch %{{.*}}[%[[NEXT]], %c0], read, locality<3>, data : memref<65536x32xbf16>
// CHECK-COUNT-7: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: amx.tile_load {{.*}} : memref<65536x32xbf16>
// CHECK: return
// NOFETCH-LABEL: func.func @large(
// NOFETCH-NOT: memref.prefetch
// NOFETCH: return
func.func @large(%a: memref<16x65536x2xbf16>, %b: memref<65536x16x2xbf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 65536 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %r = scf.for %k = %c0 to %end step %c16 iter_args(%s = %zero) -> (vector<16x16xf32>) {
    %x = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<16x65536x2xbf16>, vector<16x16x2xbf16>
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<65536x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    scf.yield %t : vector<16x16xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// What else lies between the rows of a result is no reason to write them from
// a copy on the stack.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: memref.alloca
// CHECK: %[[PART:.*]] = memref.subview %{{.*}} : memref<16x4x16xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
// CHECK: amx.tile_store %[[PART]]
// CHECK: return
func.func @apart(%a: memref<16x16x2xbf16>, %b: memref<16x16x2xbf16>, %c: memref<16x4x16xf32>, %panel: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %ye = arith.extf %y : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
  vector.transfer_write %t, %c[%c0, %panel, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<16x16xf32>, memref<16x4x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Steps of 14 groups each: tiles have no more, and nothing is copied.
// CHECK-LABEL: func.func @fewer_groups(
// CHECK-NOT: vector.
// CHECK: scf.for
// CHECK:   amx.tile_load {{.*}} into !amx.tile<16x28xbf16>
// CHECK:   amx.tile_load {{.*}} into !amx.tile<14x32xbf16>
// CHECK:   amx.tile_mulf {{.*}} : !amx.tile<16x28xbf16>, !amx.tile<14x32xbf16>, !amx.tile<16x16xf32>
// CHECK-NOT: vector.
// CHECK: return
func.func @fewer_groups(%a: memref<32x98x2xbf16>, %b: memref<98x16x2xbf16>, %out0: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 14 : index
  %end = arith.constant 98 : index
  %pad = arith.constant 0.0 : bf16
  %zero0 = arith.constant dense<0.0> : vector<32x16xf32>
  %r = scf.for %k = %c0 to %end step %step iter_args(%s0 = %zero0) -> (vector<32x16xf32>) {
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<98x16x2xbf16>, vector<14x16x2xbf16>
    %x0 = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<32x98x2xbf16>, vector<32x14x2xbf16>
    %t0x = arith.extf %x0 : vector<32x14x2xbf16> to vector<32x14x2xf32>
    %t0y = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t0 = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %t0x, %t0y, %s0 : vector<32x14x2xf32>, vector<14x16x2xf32> into vector<32x16xf32>
    scf.yield %t0 : vector<32x16xf32>
  }
  vector.transfer_write %r, %out0[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Of 24 groups two tiles of 12 each.
// CHECK-LABEL: func.func @shared_groups(
// CHECK-NOT: vector.
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : index
// CHECK: amx.tile_load %{{.*}}[%c0, %c0], {{.*}} into !amx.tile<16x24xbf16>
// CHECK: amx.tile_load %{{.*}}[%c0, %c0], {{.*}} into !amx.tile<12x32xbf16>
// CHECK: amx.tile_load %{{.*}}[%c0, %[[C24]]], {{.*}} into !amx.tile<16x24xbf16>
// CHECK: amx.tile_load %{{.*}}[%[[C12]], %c0], {{.*}} into !amx.tile<12x32xbf16>
// CHECK-NOT: vector.
// CHECK: return
func.func @shared_groups(%a: memref<16x24x2xbf16>, %b: memref<24x16x2xbf16>, %out0: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 24 : index
  %end = arith.constant 24 : index
  %pad = arith.constant 0.0 : bf16
  %zero0 = arith.constant dense<0.0> : vector<16x16xf32>
  %r = scf.for %k = %c0 to %end step %step iter_args(%s0 = %zero0) -> (vector<16x16xf32>) {
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<24x16x2xbf16>, vector<24x16x2xbf16>
    %x0 = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<16x24x2xbf16>, vector<16x24x2xbf16>
    %t0x = arith.extf %x0 : vector<16x24x2xbf16> to vector<16x24x2xf32>
    %t0y = arith.extf %y : vector<24x16x2xbf16> to vector<24x16x2xf32>
    %t0 = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %t0x, %t0y, %s0 : vector<16x24x2xf32>, vector<24x16x2xf32> into vector<16x16xf32>
    scf.yield %t0 : vector<16x16xf32>
  }
  vector.transfer_write %r, %out0[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Seven tiles of sums and two operands are more than there are registers: LLVM
// stores none where shapes differ, so tiles are whole, and steps are copied.
// CHECK-LABEL: func.func @crowded(
// CHECK-NOT: amx.tile<14x
// CHECK: vector.transfer_write {{.*}} : vector<16x28xbf16>, memref<16x32xbf16>
// CHECK: amx.tile_mulf {{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>,
func.func @crowded(%a: memref<112x98x2xbf16>, %b: memref<98x16x2xbf16>, %out0: memref<64x16xf32>, %out1: memref<48x16xf32>) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 14 : index
  %end = arith.constant 98 : index
  %pad = arith.constant 0.0 : bf16
  %zero0 = arith.constant dense<0.0> : vector<64x16xf32>
  %zero1 = arith.constant dense<0.0> : vector<48x16xf32>
  %row1 = arith.constant 64 : index
  %r:2 = scf.for %k = %c0 to %end step %step iter_args(%s0 = %zero0, %s1 = %zero1) -> (vector<64x16xf32>, vector<48x16xf32>) {
    %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<98x16x2xbf16>, vector<14x16x2xbf16>
    %x0 = vector.transfer_read %a[%c0, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<112x98x2xbf16>, vector<64x14x2xbf16>
    %t0x = arith.extf %x0 : vector<64x14x2xbf16> to vector<64x14x2xf32>
    %t0y = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t0 = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %t0x, %t0y, %s0 : vector<64x14x2xf32>, vector<14x16x2xf32> into vector<64x16xf32>
    %x1 = vector.transfer_read %a[%row1, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<112x98x2xbf16>, vector<48x14x2xbf16>
    %t1x = arith.extf %x1 : vector<48x14x2xbf16> to vector<48x14x2xf32>
    %t1y = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t1 = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %t1x, %t1y, %s1 : vector<48x14x2xf32>, vector<14x16x2xf32> into vector<48x16xf32>
    scf.yield %t0, %t1 : vector<64x16xf32>, vector<48x16xf32>
  }
  vector.transfer_write %r#0, %out0[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
  vector.transfer_write %r#1, %out1[%c0, %c0] {in_bounds = [true, true]} : vector<48x16xf32>, memref<48x16xf32>
  return
}
