// RUN: sched-opt %s --pass-pipeline='builtin.module(func.func(sched-lower-copies))' | FileCheck %s

// Steps of 64 floats, then vectors of 16; the last overlaps the one before it.
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
