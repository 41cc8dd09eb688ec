// RUN: sched-opt %s --sched-share-pixels="vector-bytes=64 vector-registers=32" --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-share-pixels="vector-bytes=32 vector-registers=16" --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: sched-opt %s --sched-share-pixels="vector-bytes=64 vector-registers=7" --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: sched-opt %s --sched-share-pixels --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: sched-opt %s --sched-share-pixels="vector-bytes=64 vector-registers=32" --canonicalize --split-input-file | FileCheck %s --check-prefix=PLACES
// RUN: sched-opt %s --sched-skip-border --sched-share-pixels="vector-bytes=64 vector-registers=32" --split-input-file | FileCheck %s --check-prefix=BORDER

// Four rows under a window of three columns: six pixels, of which the first and
// the last are multiplied once, the ones between by two or three columns. Two
// vectors a row do not share, nor do more than the registers hold.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x16xf32>, %[[W:[^:]*]]: tensor<3x16x16xf32>, %[[START:[^:]*]]: vector<4x16xf32>
// CHECK: %[[PADDED:.*]] = tensor.pad
// CHECK: %[[LOOP:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c16{{.*}} step %c2{{.*}} iter_args(%[[SUMS:.*]] = %[[START]])
// CHECK: %[[PIXELS:.*]] = vector.transfer_read %[[PADDED]]{{.*}} vector<6x2xf32>
// CHECK: %[[W0:.*]] = vector.transfer_read %[[W]]{{.*}} vector<2x16xf32>
// CHECK: %[[W1:.*]] = vector.transfer_read %[[W]]{{.*}} vector<2x16xf32>
// CHECK: %[[W2:.*]] = vector.transfer_read %[[W]]{{.*}} vector<2x16xf32>
// CHECK-DAG: %[[SUM0:.*]] = vector.extract %[[SUMS]][0]
// CHECK-DAG: %[[SUM1:.*]] = vector.extract %[[SUMS]][1]
// CHECK-DAG: %[[L0:.*]] = vector.extract %[[W0]][0]
// CHECK-DAG: %[[L1:.*]] = vector.extract %[[W1]][0]
// CHECK-DAG: %[[L2:.*]] = vector.extract %[[W2]][0]
// CHECK: %[[P0:.*]] = vector.extract %[[PIXELS]][0, 0]
// CHECK: %[[B0:.*]] = vector.broadcast %[[P0]]
// CHECK: %[[S00:.*]] = vector.fma %[[B0]], %[[L0]], %[[SUM0]]
// CHECK: %[[P1:.*]] = vector.extract %[[PIXELS]][1, 0]
// CHECK: %[[B1:.*]] = vector.broadcast %[[P1]]
// CHECK: %[[S10:.*]] = vector.fma %[[B1]], %[[L0]], %[[SUM1]]
// CHECK: %[[S01:.*]] = vector.fma %[[B1]], %[[L1]], %[[S00]]
// CHECK: %[[P2:.*]] = vector.extract %[[PIXELS]][2, 0]
// CHECK: %[[B2:.*]] = vector.broadcast %[[P2]]
// CHECK: vector.fma %[[B2]], %[[L0]]
// CHECK: vector.fma %[[B2]], %[[L1]], %[[S10]]
// CHECK: vector.fma %[[B2]], %[[L2]], %[[S01]]
// CHECK: vector.extract %[[PIXELS]][5, 1]
// CHECK: vector.fma
// CHECK-NOT: vector.fma
// CHECK: vector.insert {{.*}} [3]
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: return %[[LOOP]]
// PLACES-LABEL: func.func @window(
// PLACES: scf.for %[[K:[^ ]*]] =
// PLACES: vector.transfer_read %padded[%c0, %[[K]]]
// PLACES: vector.transfer_read %arg1[%c0, %[[K]], %c0]
// PLACES: vector.transfer_read %arg1[%c1, %[[K]], %c0]
// PLACES: vector.transfer_read %arg1[%c2, %[[K]], %c0]
// NARROW-LABEL: func.func @window(
// NARROW: scf.for
// NARROW: scf.for
// NARROW: vector.contract

// Without the border, the columns' products of all or of three rows stand one
// behind another, and read the four pixels that there are.
// BORDER-LABEL: func.func @window(
// BORDER-NOT: vector.contract
// BORDER: scf.for
// BORDER: vector.transfer_read {{.*}} vector<4x2xf32>
// BORDER: %[[P0:.*]] = vector.extract %{{.*}}[0, 0]
// BORDER: vector.broadcast %[[P0]]
// BORDER-COUNT-2: vector.fma
// BORDER: vector.extract
// BORDER-COUNT-3: vector.fma
// BORDER: vector.extract
// BORDER-COUNT-3: vector.fma
// BORDER: vector.extract
// BORDER-COUNT-2: vector.fma
// BORDER: vector.extract
// BORDER-NOT: scf.for
// BORDER: return
func.func @window(%x: tensor<4x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x16xf32> to tensor<6x16xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xf32>) {
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xf32>) {
      %a = vector.transfer_read %padded[%q, %k], %zero {in_bounds = [true, true]} : tensor<6x16xf32>, vector<4x2xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<2x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
      scf.yield %next : vector<4x16xf32>
    }
    scf.yield %s : vector<4x16xf32>
  }
  return %r : vector<4x16xf32>
}

// -----

// Columns two pixels apart: a pixel between is multiplied by other ones. The
// window's loop starts at 1, and its index counts twice.
// PLACES-LABEL: func.func @dilated(
// PLACES: scf.for %[[K:[^ ]*]] =
// PLACES: vector.transfer_read %arg0[%c3, %[[K]]]
// PLACES: vector.transfer_read %arg1[%c1, %[[K]], %c0]
// PLACES: vector.transfer_read %arg1[%c2, %[[K]], %c0]
// CHECK-LABEL: func.func @dilated(
// CHECK: scf.for
// CHECK: vector.transfer_read {{.*}} vector<5x2xf64>
// CHECK: vector.extract %{{.*}}[0, 0]
// CHECK-COUNT-1: vector.fma
// CHECK: vector.extract %{{.*}}[1, 0]
// CHECK-COUNT-1: vector.fma
// CHECK: vector.extract %{{.*}}[2, 0]
// CHECK-COUNT-2: vector.fma
// CHECK: vector.extract %{{.*}}[3, 0]
// CHECK-NOT: scf.for
// CHECK: return
func.func @dilated(%x: tensor<9x16xf64>, %w: tensor<3x16x8xf64>, %start: vector<3x8xf64>) -> vector<3x8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %q = %c1 to %c3 step %c1 iter_args(%sum = %start) -> (vector<3x8xf64>) {
    %at = affine.apply affine_map<(q) -> (q * 2 + 1)>(%q)
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<3x8xf64>) {
      %a = vector.transfer_read %x[%at, %k], %zero {in_bounds = [true, true]} : tensor<9x16xf64>, vector<3x2xf64>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x8xf64>, vector<2x8xf64>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<3x2xf64>, vector<2x8xf64> into vector<3x8xf64>
      scf.yield %next : vector<3x8xf64>
    }
    scf.yield %s : vector<3x8xf64>
  }
  return %r : vector<3x8xf64>
}

// -----

// What is one loop over channels, or reads another line for each column, shares
// nothing; nor do columns whose sums are of integers.
// CHECK-LABEL: func.func @single(
// CHECK: vector.contract
// CHECK-LABEL: func.func @lines(
// CHECK: vector.contract
// CHECK-LABEL: func.func @integers(
// CHECK: vector.contract
func.func @single(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %start) -> (vector<4x16xf32>) {
    %a = vector.transfer_read %x[%c0, %k], %zero {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x2xf32>
    %b = vector.transfer_read %w[%k, %c0], %zero {in_bounds = [true, true]} : tensor<16x16xf32>, vector<2x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
    scf.yield %next : vector<4x16xf32>
  }
  return %s : vector<4x16xf32>
}
func.func @lines(%x: tensor<3x4x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xf32>) {
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xf32>) {
      %a = vector.transfer_read %x[%q, %c0, %k], %zero {in_bounds = [true, true]} : tensor<3x4x16xf32>, vector<4x2xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<2x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
      scf.yield %next : vector<4x16xf32>
    }
    scf.yield %s : vector<4x16xf32>
  }
  return %r : vector<4x16xf32>
}
func.func @integers(%x: tensor<6x16xi32>, %w: tensor<3x16x16xi32>, %start: vector<4x16xi32>) -> vector<4x16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xi32>) {
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xi32>) {
      %a = vector.transfer_read %x[%q, %k], %zero {in_bounds = [true, true]} : tensor<6x16xi32>, vector<4x2xi32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xi32>, vector<2x16xi32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xi32>, vector<2x16xi32> into vector<4x16xi32>
      scf.yield %next : vector<4x16xi32>
    }
    scf.yield %s : vector<4x16xi32>
  }
  return %r : vector<4x16xi32>
}

// -----

// The dimensions of a product may be numbered in another way, as for packed
// weights.
// CHECK-LABEL: func.func @renumbered(
// CHECK-NOT: vector.contract
// CHECK: return
func.func @renumbered(%x: tensor<6x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xf32>) {
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xf32>) {
      %a = vector.transfer_read %x[%q, %k], %zero {in_bounds = [true, true]} : tensor<6x16xf32>, vector<4x2xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<2x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, k, n) -> (m, k)>, affine_map<(m, k, n) -> (k, n)>, affine_map<(m, k, n) -> (m, n)>], iterator_types = ["parallel", "reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
      scf.yield %next : vector<4x16xf32>
    }
    scf.yield %s : vector<4x16xf32>
  }
  return %r : vector<4x16xf32>
}

// -----

// Columns four pixels apart share none with four rows; what is in memory may be
// written in between.
// CHECK-LABEL: func.func @apart(
// CHECK: vector.contract
// CHECK-LABEL: func.func @memory(
// CHECK: vector.contract
func.func @apart(%x: tensor<12x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xf32>) {
    %at = affine.apply affine_map<(q) -> (q * 4)>(%q)
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xf32>) {
      %a = vector.transfer_read %x[%at, %k], %zero {in_bounds = [true, true]} : tensor<12x16xf32>, vector<4x2xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<2x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
      scf.yield %next : vector<4x16xf32>
    }
    scf.yield %s : vector<4x16xf32>
  }
  return %r : vector<4x16xf32>
}
func.func @memory(%x: memref<6x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<4x16xf32>) -> vector<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x16xf32>) {
    %s = scf.for %k = %c0 to %c16 step %c2 iter_args(%acc = %sum) -> (vector<4x16xf32>) {
      %a = vector.transfer_read %x[%q, %k], %zero {in_bounds = [true, true]} : memref<6x16xf32>, vector<4x2xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<2x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x2xf32>, vector<2x16xf32> into vector<4x16xf32>
      scf.yield %next : vector<4x16xf32>
    }
    scf.yield %s : vector<4x16xf32>
  }
  return %r : vector<4x16xf32>
}
