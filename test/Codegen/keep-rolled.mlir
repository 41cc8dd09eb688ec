// RUN: sched-opt %s --sched-keep-rolled | FileCheck %s

// CHECK: #[[$U:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[$A:.*]] = #llvm.loop_annotation<unroll = #[[$U]]>

// CHECK-LABEL: func.func @stream(
// CHECK: scf.yield
// CHECK-NEXT: } {loop_annotation = #[[$A]]}
func.func @stream(%x: memref<768xf32>, %zero: vector<32xf32>) -> vector<32xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c768 = arith.constant 768 : index
  %r = scf.for %i = %c0 to %c768 step %c32 iter_args(%s = %zero) -> (vector<32xf32>) {
    %v = vector.load %x[%i] : memref<768xf32>, vector<32xf32>
    %t = arith.addf %s, %v : vector<32xf32>
    scf.yield %t : vector<32xf32>
  }
  return %r : vector<32xf32>
}

// CHECK-LABEL: func.func @integers(
// CHECK-NOT: loop_annotation
func.func @integers(%x: memref<768xi32>, %zero: vector<8xi32>) -> vector<8xi32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c768 = arith.constant 768 : index
  %r = scf.for %i = %c0 to %c768 step %c8 iter_args(%s = %zero) -> (vector<8xi32>) {
    %v = vector.load %x[%i] : memref<768xi32>, vector<8xi32>
    %p = arith.muli %v, %v : vector<8xi32>
    %t = arith.addi %s, %p : vector<8xi32>
    scf.yield %t : vector<8xi32>
  }
  return %r : vector<8xi32>
}

// A product's loop, a loop around another one and one of few trips are LLVM's.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: loop_annotation
func.func @others(%x: memref<768xf32>, %y: memref<768xf32>, %zero: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c768 = arith.constant 768 : index
  %r = scf.for %i = %c0 to %c768 step %c8 iter_args(%s = %zero) -> (vector<8xf32>) {
    %v = vector.load %x[%i] : memref<768xf32>, vector<8xf32>
    %t = vector.fma %v, %v, %s : vector<8xf32>
    scf.yield %t : vector<8xf32>
  }
  scf.for %i = %c0 to %c768 step %c8 {
    %v = vector.load %x[%i] : memref<768xf32>, vector<8xf32>
    scf.for %j = %c0 to %c3 step %c1 {
      %w = vector.load %x[%j] : memref<768xf32>, vector<8xf32>
      vector.store %w, %y[%j] : memref<768xf32>, vector<8xf32>
    }
    vector.store %v, %y[%i] : memref<768xf32>, vector<8xf32>
  }
  return %r : vector<8xf32>
}

// Of a nest of scalar loops, only the innermost is LLVM's.
// CHECK-LABEL: func.func @scalars(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: } {loop_annotation = #[[$A]]}
func.func @scalars(%x: memref<33x151xi32>, %m: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %c151 = arith.constant 151 : index
  scf.for %i = %c0 to %c33 step %c1 {
    scf.for %j = %c0 to %c151 step %c1 {
      %v = memref.load %x[%i, %j] : memref<33x151xi32>
      %o = memref.load %m[] : memref<i32>
      %s = arith.minsi %v, %o : i32
      memref.store %s, %m[] : memref<i32>
    }
  }
  return
}
