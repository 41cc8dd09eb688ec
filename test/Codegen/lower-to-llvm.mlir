// RUN: sched-opt %s --sched-lower-to-llvm --reconcile-unrealized-casts --sched-verify-lowered | FileCheck %s

// Memrefs are plain pointers, and index arithmetic of every dialect is done by
// integers.

// CHECK-LABEL: llvm.func @element(
// CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr, %[[I:[^:]*]]: i64
// CHECK: llvm.sdiv
// CHECK: llvm.mul
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.load
func.func @element(%x: memref<4x8xf32>, %i: index) -> f32 {
  %c8 = arith.constant 8 : index
  %q = arith.floordivsi %i, %c8 : index
  %r = index.rems %i, %c8
  %v = memref.load %x[%q, %r] : memref<4x8xf32>
  return %v : f32
}

// An intrinsic where there is one, a call of libm where there is none.
// CHECK-LABEL: llvm.func @functions(
// CHECK: llvm.intr.sqrt
// CHECK: llvm.call @erff
func.func @functions(%x: f32) -> f32 {
  %a = math.sqrt %x : f32
  %b = math.erf %a : f32
  return %b : f32
}

// CHECK-LABEL: llvm.func @buffer(
// CHECK: llvm.call @aligned_alloc
// CHECK: llvm.call @free
func.func @buffer(%v: f32, %i: index) -> f32 {
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  %r = memref.load %b[%i] : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %r : f32
}

// CHECK-LABEL: llvm.func @loop(
// CHECK: llvm.cond_br
// CHECK: llvm.mlir.poison
func.func @loop(%n: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  %p = ub.poison : f32
  return %i, %p : index, f32
}

// CHECK-LABEL: llvm.func @threads(
// CHECK: omp.parallel
// CHECK: omp.single
// CHECK: llvm.store
// CHECK: omp.barrier
// CHECK: omp.wsloop
// CHECK: omp.loop_nest (%{{.*}}) : i64
// CHECK: llvm.store
func.func @threads(%x: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  omp.parallel {
    omp.single nowait {
      memref.store %v, %x[%c0] : memref<64xf32>
      omp.terminator
    }
    omp.barrier
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
        memref.store %v, %x[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
