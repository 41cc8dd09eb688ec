// RUN: sched-opt %s --sched-keep-rolled | FileCheck %s

// CHECK-DAG: #[[$U:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[$A:.*]] = #llvm.loop_annotation<unroll = #[[$U]]>
// CHECK-DAG: #[[$F:.*]] = #llvm.loop_unroll<full = true>
// CHECK-DAG: #[[$FULL:.*]] = #llvm.loop_annotation<unroll = #[[$F]]>

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

// A loop around much code, and a loop around that: 40 products of 4 registers
// each. Of fewer, LLVM may do as it likes.
// CHECK-LABEL: func.func @much(
// CHECK: vector.fma
// CHECK: } {loop_annotation = #[[$A]]}
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {loop_annotation = #[[$A]]}
// CHECK: vector.fma
// CHECK-NOT: loop_annotation
// CHECK: return
func.func @much(%x: memref<768x64xf32>, %zero: vector<64xf32>) -> (vector<64xf32>, vector<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c768 = arith.constant 768 : index
  %r = scf.for %q = %c0 to %c2 step %c1 iter_args(%o = %zero) -> (vector<64xf32>) {
    %n = scf.for %i = %c0 to %c768 step %c1 iter_args(%s = %o) -> (vector<64xf32>) {
      %v = vector.load %x[%i, %c0] : memref<768x64xf32>, vector<64xf32>
      %f0 = vector.fma %v, %v, %s : vector<64xf32>
      %f1 = vector.fma %v, %v, %f0 : vector<64xf32>
      %f2 = vector.fma %v, %v, %f1 : vector<64xf32>
      %f3 = vector.fma %v, %v, %f2 : vector<64xf32>
      %f4 = vector.fma %v, %v, %f3 : vector<64xf32>
      %f5 = vector.fma %v, %v, %f4 : vector<64xf32>
      %f6 = vector.fma %v, %v, %f5 : vector<64xf32>
      %f7 = vector.fma %v, %v, %f6 : vector<64xf32>
      %f8 = vector.fma %v, %v, %f7 : vector<64xf32>
      %f9 = vector.fma %v, %v, %f8 : vector<64xf32>
      %f10 = vector.fma %v, %v, %f9 : vector<64xf32>
      %f11 = vector.fma %v, %v, %f10 : vector<64xf32>
      %f12 = vector.fma %v, %v, %f11 : vector<64xf32>
      %f13 = vector.fma %v, %v, %f12 : vector<64xf32>
      %f14 = vector.fma %v, %v, %f13 : vector<64xf32>
      %f15 = vector.fma %v, %v, %f14 : vector<64xf32>
      %f16 = vector.fma %v, %v, %f15 : vector<64xf32>
      %f17 = vector.fma %v, %v, %f16 : vector<64xf32>
      %f18 = vector.fma %v, %v, %f17 : vector<64xf32>
      %f19 = vector.fma %v, %v, %f18 : vector<64xf32>
      %f20 = vector.fma %v, %v, %f19 : vector<64xf32>
      %f21 = vector.fma %v, %v, %f20 : vector<64xf32>
      %f22 = vector.fma %v, %v, %f21 : vector<64xf32>
      %f23 = vector.fma %v, %v, %f22 : vector<64xf32>
      %f24 = vector.fma %v, %v, %f23 : vector<64xf32>
      %f25 = vector.fma %v, %v, %f24 : vector<64xf32>
      %f26 = vector.fma %v, %v, %f25 : vector<64xf32>
      %f27 = vector.fma %v, %v, %f26 : vector<64xf32>
      %f28 = vector.fma %v, %v, %f27 : vector<64xf32>
      %f29 = vector.fma %v, %v, %f28 : vector<64xf32>
      %f30 = vector.fma %v, %v, %f29 : vector<64xf32>
      %f31 = vector.fma %v, %v, %f30 : vector<64xf32>
      %f32 = vector.fma %v, %v, %f31 : vector<64xf32>
      %f33 = vector.fma %v, %v, %f32 : vector<64xf32>
      %f34 = vector.fma %v, %v, %f33 : vector<64xf32>
      %f35 = vector.fma %v, %v, %f34 : vector<64xf32>
      %f36 = vector.fma %v, %v, %f35 : vector<64xf32>
      %f37 = vector.fma %v, %v, %f36 : vector<64xf32>
      %f38 = vector.fma %v, %v, %f37 : vector<64xf32>
      %f39 = vector.fma %v, %v, %f38 : vector<64xf32>
      scf.yield %f39 : vector<64xf32>
    }
    scf.yield %n : vector<64xf32>
  }
  %t = scf.for %q = %c0 to %c768 step %c1 iter_args(%o = %zero) -> (vector<64xf32>) {
    %v = vector.load %x[%q, %c0] : memref<768x64xf32>, vector<64xf32>
    %f = vector.fma %v, %v, %o : vector<64xf32>
    scf.yield %f : vector<64xf32>
  }
  return %r, %t : vector<64xf32>, vector<64xf32>
}

// Two iterations of products become one; of three, and around other loops, LLVM
// may do as it likes.
// CHECK-LABEL: func.func @pair(
// CHECK: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {loop_annotation = #[[$FULL]]}
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
func.func @pair(%x: memref<8x16xf32>, %zero: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %q = %c0 to %c2 step %c1 iter_args(%o = %zero) -> (vector<16xf32>) {
    %n = scf.for %i = %c0 to %c8 step %c4 iter_args(%s = %o) -> (vector<16xf32>) {
      %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
      %f = vector.fma %v, %v, %s : vector<16xf32>
      scf.yield %f : vector<16xf32>
    }
    scf.yield %n : vector<16xf32>
  }
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    %f = vector.fma %v, %v, %s : vector<16xf32>
    scf.yield %f : vector<16xf32>
  }
  return %r, %t : vector<16xf32>, vector<16xf32>
}

// Ten iterations of 15 products of 4 registers, which LLVM would simulate and
// leave; of four iterations it may see what it makes of them, and of eleven it
// does not simulate any.
// CHECK-LABEL: func.func @simulated(
// CHECK: scf.for %{{.*}} to %c10
// CHECK: } {loop_annotation = #[[$A]]}
// CHECK: scf.for %{{.*}} to %c4
// CHECK-NOT: loop_annotation
// CHECK: scf.for %{{.*}} to %c11
// CHECK-NOT: loop_annotation
// CHECK: return
func.func @simulated(%x: memref<16x64xf32>, %zero: vector<64xf32>) -> (vector<64xf32>, vector<64xf32>, vector<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %a = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
    %v = vector.load %x[%i, %c0] : memref<16x64xf32>, vector<64xf32>
    %f0 = vector.fma %v, %v, %s : vector<64xf32>
    %f1 = vector.fma %v, %v, %f0 : vector<64xf32>
    %f2 = vector.fma %v, %v, %f1 : vector<64xf32>
    %f3 = vector.fma %v, %v, %f2 : vector<64xf32>
    %f4 = vector.fma %v, %v, %f3 : vector<64xf32>
    %f5 = vector.fma %v, %v, %f4 : vector<64xf32>
    %f6 = vector.fma %v, %v, %f5 : vector<64xf32>
    %f7 = vector.fma %v, %v, %f6 : vector<64xf32>
    %f8 = vector.fma %v, %v, %f7 : vector<64xf32>
    %f9 = vector.fma %v, %v, %f8 : vector<64xf32>
    %f10 = vector.fma %v, %v, %f9 : vector<64xf32>
    %f11 = vector.fma %v, %v, %f10 : vector<64xf32>
    %f12 = vector.fma %v, %v, %f11 : vector<64xf32>
    %f13 = vector.fma %v, %v, %f12 : vector<64xf32>
    %f14 = vector.fma %v, %v, %f13 : vector<64xf32>
    scf.yield %f14 : vector<64xf32>
  }
  %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
    %v = vector.load %x[%i, %c0] : memref<16x64xf32>, vector<64xf32>
    %f0 = vector.fma %v, %v, %s : vector<64xf32>
    %f1 = vector.fma %v, %v, %f0 : vector<64xf32>
    %f2 = vector.fma %v, %v, %f1 : vector<64xf32>
    %f3 = vector.fma %v, %v, %f2 : vector<64xf32>
    %f4 = vector.fma %v, %v, %f3 : vector<64xf32>
    %f5 = vector.fma %v, %v, %f4 : vector<64xf32>
    %f6 = vector.fma %v, %v, %f5 : vector<64xf32>
    %f7 = vector.fma %v, %v, %f6 : vector<64xf32>
    %f8 = vector.fma %v, %v, %f7 : vector<64xf32>
    %f9 = vector.fma %v, %v, %f8 : vector<64xf32>
    %f10 = vector.fma %v, %v, %f9 : vector<64xf32>
    %f11 = vector.fma %v, %v, %f10 : vector<64xf32>
    %f12 = vector.fma %v, %v, %f11 : vector<64xf32>
    %f13 = vector.fma %v, %v, %f12 : vector<64xf32>
    %f14 = vector.fma %v, %v, %f13 : vector<64xf32>
    scf.yield %f14 : vector<64xf32>
  }
  %c = scf.for %i = %c0 to %c11 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
    %v = vector.load %x[%i, %c0] : memref<16x64xf32>, vector<64xf32>
    %f0 = vector.fma %v, %v, %s : vector<64xf32>
    %f1 = vector.fma %v, %v, %f0 : vector<64xf32>
    %f2 = vector.fma %v, %v, %f1 : vector<64xf32>
    %f3 = vector.fma %v, %v, %f2 : vector<64xf32>
    %f4 = vector.fma %v, %v, %f3 : vector<64xf32>
    %f5 = vector.fma %v, %v, %f4 : vector<64xf32>
    %f6 = vector.fma %v, %v, %f5 : vector<64xf32>
    %f7 = vector.fma %v, %v, %f6 : vector<64xf32>
    %f8 = vector.fma %v, %v, %f7 : vector<64xf32>
    %f9 = vector.fma %v, %v, %f8 : vector<64xf32>
    %f10 = vector.fma %v, %v, %f9 : vector<64xf32>
    %f11 = vector.fma %v, %v, %f10 : vector<64xf32>
    %f12 = vector.fma %v, %v, %f11 : vector<64xf32>
    %f13 = vector.fma %v, %v, %f12 : vector<64xf32>
    %f14 = vector.fma %v, %v, %f13 : vector<64xf32>
    scf.yield %f14 : vector<64xf32>
  }
  return %a, %b, %c : vector<64xf32>, vector<64xf32>, vector<64xf32>
}
