// RUN: sched-opt %s --sched-share-iterations=threads=2 | FileCheck %s
// RUN: sched-opt %s --sched-share-iterations | FileCheck %s --check-prefix=ALONE

// 3 x 4 iterations: half of them for each of two threads. Alone, there is no
// loop over threads.

// CHECK-DAG: #[[$LOWER:.*]] = affine_map<(d0) -> (d0 * 6)>
// CHECK-DAG: #[[$UPPER:.*]] = affine_map<(d0) -> ((d0 + 1) * 6)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-DAG: #[[$PLACE:.*]] = affine_map<(d0) -> (d0 mod 4)>
// CHECK-LABEL: func.func @many(
// CHECK: scf.forall (%[[T:.*]]) in (2) {
// CHECK-DAG: %[[FIRST:.*]] = affine.apply #[[$LOWER]](%[[T]])
// CHECK-DAG: %[[END:.*]] = affine.apply #[[$UPPER]](%[[T]])
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step
// CHECK: affine.apply #[[$LINE]](%[[I]])
// CHECK: affine.apply #[[$PLACE]](%[[I]])
// CHECK: memref.alloc
// CHECK: memref.store
// CHECK-NOT: scf.forall
// CHECK: return
// ALONE-LABEL: func.func @many(
// ALONE-NOT: scf.forall
// ALONE: scf.for
// ALONE: memref.store
func.func @many(%to: memref<3x8xf32>) {
  scf.forall (%i, %j) = (0, 0) to (3, 8) step (1, 2) {
    %b = memref.alloc() : memref<4096xf32>
    %c0 = arith.constant 0 : index
    %v = memref.load %b[%c0] : memref<4096xf32>
    memref.store %v, %to[%i, %j] : memref<3x8xf32>
  }
  return
}

// As many iterations as threads stay.

// CHECK-LABEL: func.func @few(
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK-NOT: scf.for %
func.func @few(%to: memref<2xf32>, %v: f32) {
  scf.forall (%i) in (2) {
    memref.store %v, %to[%i] : memref<2xf32>
  }
  return
}

// So do bounds that are not known, and loops on tensors.

// CHECK-LABEL: func.func @unknown(
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK-NOT: scf.for %
func.func @unknown(%to: memref<8xf32>, %v: f32, %n: index) {
  scf.forall (%i) in (%n) {
    memref.store %v, %to[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @tensors(
// CHECK: scf.forall (%{{.*}}) in (8)
// CHECK-NOT: scf.for %
func.func @tensors(%from: tensor<1xf32>, %to: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %to) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %from into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
