// RUN: sched-opt %s --sched-lower-vectors | FileCheck %s

// Of a length that is no power of two LLVM would load pairs and shuffle them.
// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<9xf32>, {{.*}}, %[[I:[a-z0-9]+]]: index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[I1:.*]] = arith.addi %[[I]], %[[C1]]
// CHECK-DAG: %[[I2:.*]] = arith.addi %[[I]], %[[C2]]
// CHECK-DAG: %[[A:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-DAG: %[[B:.*]] = memref.load %[[X]][%[[I1]]]
// CHECK-DAG: %[[C:.*]] = memref.load %[[X]][%[[I2]]]
// Before what may overwrite them.
// CHECK: vector.store
// CHECK-DAG: %[[P:.*]] = vector.broadcast %[[A]]
// CHECK-DAG: %[[Q:.*]] = vector.broadcast %[[B]]
// CHECK-DAG: %[[R:.*]] = vector.broadcast %[[C]]
// CHECK: %[[S:.*]] = vector.fma %[[P]], %{{.*}}, %[[Q]]
// CHECK: vector.fma %[[S]], %{{.*}}, %[[R]]
func.func @three(%x: memref<9xf32>, %y: vector<8xf32>, %i: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%i] : memref<9xf32>, vector<3xf32>
  vector.store %y, %x[%c0] : memref<9xf32>, vector<8xf32>
  %a = vector.extract %v[0] : f32 from vector<3xf32>
  %b = vector.extract %v[1] : f32 from vector<3xf32>
  %c = vector.extract %v[2] : f32 from vector<3xf32>
  %p = vector.broadcast %a : f32 to vector<8xf32>
  %q = vector.broadcast %b : f32 to vector<8xf32>
  %r = vector.broadcast %c : f32 to vector<8xf32>
  %s = vector.fma %p, %y, %q : vector<8xf32>
  %t = vector.fma %s, %y, %r : vector<8xf32>
  return %t : vector<8xf32>
}

// CHECK-LABEL: func.func @stays(
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: vector.load {{.*}} vector<3xf32>
func.func @stays(%x: memref<9xf32>, %i: index) -> (f32, f32, vector<3xf32>) {
  %v = vector.load %x[%i] : memref<9xf32>, vector<4xf32>
  %a = vector.extract %v[3] : f32 from vector<4xf32>
  %w = vector.load %x[%i] : memref<9xf32>, vector<3xf32>
  %b = vector.extract %w[0] : f32 from vector<3xf32>
  return %a, %b, %w : f32, f32, vector<3xf32>
}
