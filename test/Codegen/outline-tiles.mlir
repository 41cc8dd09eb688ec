// Products whose tiles are not whole get functions of their own beside others.

// RUN: sched-opt %s --sched-outline-tiles=instructions=amx-bf16 --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-outline-tiles --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: @{{.*}}_tiles

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Steps of 14 groups beside whole ones: the loop moves with the view that it
// uses, and takes buffers, and a number that is read.
// CHECK-LABEL: func.func private @layers_tiles(
// CHECK-SAME: %[[END:[a-z0-9]+]]: index, %{{.*}}: memref<14x16x2xbf16> {llvm.noalias}, %{{.*}}: memref<64x16xf32> {llvm.noalias}, %[[A:[a-z0-9]+]]: memref<4x16x14x2xbf16> {llvm.noalias})
// CHECK-SAME: attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-DAG: memref.collapse_shape %[[A]]
// CHECK-DAG: arith.constant 16 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK: vector.contract
// CHECK: return
// CHECK-LABEL: func.func @layers(
// CHECK: %[[READ:.*]] = memref.load
// CHECK: call @layers_tiles(%[[READ]], %arg1, %{{.*}}, %arg0)
// CHECK: vector.contract
// CHECK-NOT: vector.contract
func.func @layers(%a: memref<4x16x14x2xbf16>, %b: memref<14x16x2xbf16>, %d: memref<16x16x2xbf16>, %n: memref<1xindex>) -> memref<64x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c = memref.alloc() : memref<64x16xf32>
  %rows = memref.collapse_shape %a [[0, 1], [2], [3]] : memref<4x16x14x2xbf16> into memref<64x14x2xbf16>
  %end = memref.load %n[%c0] : memref<1xindex>
  scf.for %i = %c0 to %end step %c16 {
    %x = vector.transfer_read %rows[%i, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x14x2xbf16>, vector<16x14x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x16x2xbf16>, vector<14x16x2xbf16>
    %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
    %ye = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x14x2xf32>, vector<14x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  scf.for %i = %c0 to %c64 step %c16 {
    %x = vector.transfer_read %d[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %xe, %zero : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  return %c : memref<64x16xf32>
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Those of the same shape stay together; one that is of vectors stays, and one of
// buffers that may be the same.
// CHECK-LABEL: func.func @alike(
// CHECK-COUNT-2: vector.contract
// CHECK-LABEL: func.func @vectors(
// CHECK-COUNT-2: vector.contract
// CHECK-LABEL: func.func @overlap(
// CHECK-COUNT-2: vector.contract
// CHECK-NOT: _tiles
func.func @alike(%a: memref<16x14x2xbf16>, %b: memref<14x16x2xbf16>, %c: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  scf.for %i = %c0 to %c32 step %c16 {
    %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x14x2xbf16>, vector<16x14x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x16x2xbf16>, vector<14x16x2xbf16>
    %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
    %ye = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x14x2xf32>, vector<14x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  scf.for %i = %c32 to %c64 step %c16 {
    %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x14x2xbf16>, vector<16x14x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x16x2xbf16>, vector<14x16x2xbf16>
    %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
    %ye = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %zero : vector<16x14x2xf32>, vector<14x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  return
}
func.func @vectors(%a: memref<16x14x2xbf16>, %b: memref<14x16x2xbf16>, %d: memref<16x16x2xbf16>, %c: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %f = arith.constant 0.0 : f32
  %start = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x16xf32>, vector<16x16xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x14x2xbf16>, vector<16x14x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x16x2xbf16>, vector<14x16x2xbf16>
    %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
    %ye = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %start : vector<16x14x2xf32>, vector<14x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  %x = vector.transfer_read %d[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %xe, %start : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
  vector.transfer_write %t, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  return
}
func.func @overlap(%flag: i1, %one: memref<16x14x2xbf16>, %other: memref<16x14x2xbf16>, %b: memref<14x16x2xbf16>, %d: memref<16x16x2xbf16>, %c: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %start = arith.constant dense<0.0> : vector<16x16xf32>
  %a = scf.if %flag -> memref<16x14x2xbf16> {
    scf.yield %one : memref<16x14x2xbf16>
  } else {
    scf.yield %other : memref<16x14x2xbf16>
  }
  scf.for %i = %c0 to %c64 step %c16 {
    %x = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x14x2xbf16>, vector<16x14x2xbf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<14x16x2xbf16>, vector<14x16x2xbf16>
    %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
    %ye = arith.extf %y : vector<14x16x2xbf16> to vector<14x16x2xf32>
    %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %start : vector<16x14x2xf32>, vector<14x16x2xf32> into vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  }
  %x = vector.transfer_read %d[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %xe = arith.extf %x : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %xe, %start : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
  vector.transfer_write %t, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Six tiles of sums, and two columns of operands: each nest has registers, and
// both together have none.
// CHECK-DAG: func.func private @crowded_tiles(
// CHECK-DAG: func.func private @crowded_tiles_0(
// CHECK-LABEL: func.func @crowded(
// CHECK-NOT: vector.contract
func.func @crowded(%a: memref<64x28x2xbf16>, %b: memref<28x96x2xbf16>, %d: memref<28x32x2xbf16>, %c: memref<64x96xf32>, %e: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %c28 = arith.constant 28 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero96 = arith.constant dense<0.0> : vector<16x96xf32>
  %zero32 = arith.constant dense<0.0> : vector<32x32xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %r = scf.for %k = %c0 to %c28 step %c14 iter_args(%s = %zero96) -> (vector<16x96xf32>) {
      %x = vector.transfer_read %a[%i, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<64x28x2xbf16>, vector<16x14x2xbf16>
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<28x96x2xbf16>, vector<14x96x2xbf16>
      %xe = arith.extf %x : vector<16x14x2xbf16> to vector<16x14x2xf32>
      %ye = arith.extf %y : vector<14x96x2xbf16> to vector<14x96x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<16x14x2xf32>, vector<14x96x2xf32> into vector<16x96xf32>
      scf.yield %t : vector<16x96xf32>
    }
    vector.transfer_write %r, %c[%i, %c0] {in_bounds = [true, true]} : vector<16x96xf32>, memref<64x96xf32>
  }
  scf.for %i = %c0 to %c64 step %c32 {
    %r = scf.for %k = %c0 to %c28 step %c14 iter_args(%s = %zero32) -> (vector<32x32xf32>) {
      %x = vector.transfer_read %a[%i, %k, %c0], %pad {in_bounds = [true, true, true]} : memref<64x28x2xbf16>, vector<32x14x2xbf16>
      %y = vector.transfer_read %d[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<28x32x2xbf16>, vector<14x32x2xbf16>
      %xe = arith.extf %x : vector<32x14x2xbf16> to vector<32x14x2xf32>
      %ye = arith.extf %y : vector<14x32x2xbf16> to vector<14x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<32x14x2xf32>, vector<14x32x2xf32> into vector<32x32xf32>
      scf.yield %t : vector<32x32xf32>
    }
    vector.transfer_write %r, %e[%i, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<64x32xf32>
  }
  return
}
