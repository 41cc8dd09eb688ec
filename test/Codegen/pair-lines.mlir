// Tiles whose rows are written under conditions, as sched-write-rows has them,
// are computed beside those of the next iteration like others.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-tile-products{instructions=amx-bf16,amx-int8},canonicalize))" --split-input-file | FileCheck %s

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// Two lines, and their rows behind both.
// CHECK-LABEL: func.func @guarded(
// CHECK: scf.for %[[LINE:.*]] = %{{.*}} to %{{.*}} step %c2
// CHECK: %[[SUMS:.*]]:4 = scf.for
// CHECK-COUNT-4: amx.tile_mulf
// CHECK: scf.yield
// CHECK-DAG: %[[OTHER_SUMS:.*]] = builtin.unrealized_conversion_cast %[[SUMS]]#2
// CHECK-DAG: amx.tile_store %[[OTHER:.*]][%c0, %c0], %[[OTHER_SUMS]]
// CHECK-DAG: %[[OTHERS:.*]] = vector.transfer_read %[[OTHER]]
// CHECK-DAG: %[[OWN_SUMS:.*]] = builtin.unrealized_conversion_cast %[[SUMS]]#0
// CHECK-DAG: amx.tile_store %[[OWN:.*]][%c0, %c0], %[[OWN_SUMS]]
// CHECK-DAG: %[[OWNS:.*]] = vector.transfer_read %[[OWN]]
// CHECK-DAG: %[[ROW:.*]] = vector.extract %[[OWNS]][0]
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %[[ROW]], %arg2[%[[LINE]],
// CHECK: %[[NEXT:.*]] = arith.addi %[[LINE]], %c1
// CHECK: %[[NEXT_ROW:.*]] = vector.extract %[[OTHERS]][0]
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %[[NEXT_ROW]], %arg2[%[[NEXT]],
// CHECK: return
func.func @guarded(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>, %last: index) {
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
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    %row = vector.extract %r[0] : vector<32xf32> from vector<14x32xf32>
    %inside = arith.cmpi slt, %line, %last : index
    scf.if %inside {
      vector.transfer_write %row, %c[%line, %c0, %c0] {in_bounds = [true]} : vector<32xf32>, memref<4x14x32xf32>
    }
  }
  return
}

// -----

#lhs = affine_map<(m, k, n, g) -> (m, k, g)>
#rhs = affine_map<(m, k, n, g) -> (k, n, g)>
#sums = affine_map<(m, k, n, g) -> (m, n)>

// What the next line reads may be what this one writes, in a branch as well;
// a branch before the products would come before the line in front of it has
// written. Branches with two sides are none that sched-write-rows makes.
// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @in_front(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @otherwise(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
// CHECK-LABEL: func.func @read_in_branch(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: %{{.*}}:2 = scf.for
func.func @in_place(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<5x14x32xf32>, %last: index) {
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
    %inside = arith.cmpi slt, %line, %last : index
    scf.if %inside {
      vector.transfer_write %r, %c[%next, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<5x14x32xf32>
    }
  }
  return
}

func.func @in_front(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<14x32xf32>
  scf.for %line = %c0 to %c4 step %c1 {
    %inside = arith.cmpi slt, %line, %last : index
    scf.if %inside {
      vector.transfer_write %zero, %c[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
    }
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (vector<14x32xf32>) {
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

func.func @otherwise(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>, %last: index) {
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
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    %inside = arith.cmpi slt, %line, %last : index
    scf.if %inside {
      vector.transfer_write %r, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
    } else {
      vector.transfer_write %zero, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
    }
  }
  return
}

func.func @read_in_branch(%a: memref<4x14x64x2xbf16>, %b: memref<64x32x2xbf16>, %c: memref<4x14x32xf32>, %last: index) {
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
      %y = vector.transfer_read %b[%k, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<64x32x2xbf16>, vector<16x32x2xbf16>
      %xe = arith.extf %x : vector<14x16x2xbf16> to vector<14x16x2xf32>
      %ye = arith.extf %y : vector<16x32x2xbf16> to vector<16x32x2xf32>
      %t = vector.contract {indexing_maps = [#lhs, #rhs, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>} %xe, %ye, %s : vector<14x16x2xf32>, vector<16x32x2xf32> into vector<14x32xf32>
      scf.yield %t : vector<14x32xf32>
    }
    %inside = arith.cmpi slt, %line, %last : index
    %none = arith.constant 0.0 : f32
    scf.if %inside {
      %first = vector.transfer_read %c[%c0, %c0, %c0], %none {in_bounds = [true, true]} : memref<4x14x32xf32>, vector<14x32xf32>
      %sum = arith.addf %first, %r : vector<14x32xf32>
      vector.transfer_write %sum, %c[%line, %c0, %c0] {in_bounds = [true, true]} : vector<14x32xf32>, memref<4x14x32xf32>
    }
  }
  return
}
