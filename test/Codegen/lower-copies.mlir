// RUN: sched-opt %s --pass-pipeline='builtin.module(func.func(sched-lower-copies))' | FileCheck %s

// Steps of 64 floats, then vectors of 16; the last overlaps the one before it.
// Both sides are looked at as a line (LineView.cpp).
// CHECK-LABEL: func.func @line(
// CHECK: %[[FROM:.*]] = memref.reinterpret_cast %{{.*}} sizes: [215], strides: [1]
// CHECK: %[[TO:.*]] = memref.reinterpret_cast
// CHECK: scf.for %[[I:[^ ]+]] = %{{.*}} to %c192 step %c64
// CHECK: %[[STEP:.*]] = vector.load %[[FROM]][%[[I]]] {{.*}} vector<64xf32>
// CHECK: vector.store %[[STEP]], %[[TO]][%[[I]]]
// CHECK: vector.load %[[FROM]][%c192{{.*}} vector<16xf32>
// CHECK: vector.load %[[FROM]][%c207{{.*}} vector<8xf32>
// CHECK-NOT: vector.load
// CHECK-NOT: linalg.copy
func.func @line(%a: memref<5x43xf32>, %b: memref<5x43xf32>) {
  linalg.copy ins(%a : memref<5x43xf32>) outs(%b : memref<5x43xf32>)
  return
}

// Shorter than a vector, and no power of two: two of them.
// CHECK-LABEL: func.func @short(
// CHECK: vector.load %{{.*}}[%c0{{.*}} vector<4xf64>
// CHECK: vector.load %{{.*}}[%c1{{.*}} vector<4xf64>
// CHECK-NOT: vector.load
// CHECK: return
func.func @short(%a: memref<5xf64>, %b: memref<5xf64>) {
  linalg.copy ins(%a : memref<5xf64>) outs(%b : memref<5xf64>)
  return
}

// Lines of a slice, one after the other.
// CHECK-LABEL: func.func @slice(
// CHECK: scf.for %[[I:[^ ]+]] = %{{.*}} to %c5
// CHECK: affine.apply {{.*}}, %[[I]])
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK: return
func.func @slice(%a: memref<5x1x16xf32, strided<[32, 7, 1], offset: ?>>, %b: memref<5x1x16xf32>) {
  linalg.copy ins(%a : memref<5x1x16xf32, strided<[32, 7, 1], offset: ?>>) outs(%b : memref<5x1x16xf32>)
  return
}

// Elements that lie apart, and bits, which vectors store packed, are left.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-2: linalg.copy
func.func @left(%a: memref<5x8xf32, strided<[32, 2]>>, %b: memref<5x8xf32>, %c: memref<64xi1>, %d: memref<64xi1>) {
  linalg.copy ins(%a : memref<5x8xf32, strided<[32, 2]>>) outs(%b : memref<5x8xf32>)
  linalg.copy ins(%c : memref<64xi1>) outs(%d : memref<64xi1>)
  return
}

// Bits are flipped on the way into an allocation of the function.
// CHECK-LABEL: func.func @flipped(
// CHECK: %[[LINE:.*]] = vector.load %{{.*}} vector<4xi8>
// CHECK: arith.xori %[[LINE]], %{{.*}} : vector<4xi8>
// CHECK: vector.load %{{.*}} vector<4xi8>
// CHECK: arith.xori
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @flipped(%a: memref<7xi8>) -> memref<7xi8> {
  %bit = arith.constant -128 : i8
  %b = memref.alloc() : memref<7xi8>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<7xi8>) outs(%b : memref<7xi8>) {
  ^bb0(%x: i8, %y: i8):
    %f = arith.xori %x, %bit : i8
    linalg.yield %f : i8
  }
  return %b : memref<7xi8>
}

// In place, elements that two vectors cover would be flipped twice; and what
// else is computed, stored or read elsewhere, is no copy.
// CHECK-LABEL: func.func @not_copied(
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT: vector.load
// CHECK: return
func.func @not_copied(%a: memref<7xi8>, %d: memref<3x3xi8>, %e: memref<7xi8>) -> (memref<7xi8>, memref<3x3xi8>) {
  %bit = arith.constant -128 : i8
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<7xi8>
  %c = memref.alloc() : memref<3x3xi8>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%b : memref<7xi8>) outs(%b : memref<7xi8>) {
  ^bb0(%x: i8, %y: i8):
    %f = arith.xori %x, %bit : i8
    linalg.yield %f : i8
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<7xi8>) outs(%e : memref<7xi8>) {
  ^bb0(%x: i8, %y: i8):
    %f = arith.xori %x, %bit : i8
    linalg.yield %f : i8
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<7xi8>) outs(%b : memref<7xi8>) {
  ^bb0(%x: i8, %y: i8):
    memref.store %x, %e[%c0] : memref<7xi8>
    %f = arith.xori %x, %bit : i8
    linalg.yield %f : i8
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<7xi8>) outs(%b : memref<7xi8>) {
  ^bb0(%x: i8, %y: i8):
    %f = arith.addi %x, %bit : i8
    linalg.yield %f : i8
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d : memref<3x3xi8>) outs(%c : memref<3x3xi8>) {
  ^bb0(%x: i8, %y: i8):
    %f = arith.xori %x, %bit : i8
    linalg.yield %f : i8
  }
  return %b, %c : memref<7xi8>, memref<3x3xi8>
}
