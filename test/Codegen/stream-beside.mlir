// RUN: sched-opt %s --sched-stream-results="min-bytes=16384 far-bytes=16385" | FileCheck %s
// RUN: sched-opt %s --sched-stream-results="min-bytes=16384 far-bytes=16384" | FileCheck %s --check-prefix=FAR
// RUN: sched-opt %s --sched-stream-results=min-bytes=16384 | FileCheck %s --check-prefix=FAR
// RUN: sched-opt %s --sched-stream-results="min-bytes=16384 beside-bytes=16385" | FileCheck %s --check-prefix=BESIDE

// A result beside an image of four times as many bytes, as a pooling's, is not
// stored past the caches, unless it is that large by itself.
// CHECK-LABEL: func @smaller(
// CHECK-NOT: nontemporal
// FAR-LABEL: func @smaller(
// FAR: nontemporal
// CHECK-LABEL: func @half(
// CHECK: nontemporal
// CHECK-LABEL: func @lookup(
// CHECK: nontemporal
// One beside an argument as large, or twice as large, needs `beside-bytes`.
// BESIDE-LABEL: func @smaller(
// BESIDE: nontemporal
// BESIDE-LABEL: func @half(
// BESIDE-NOT: nontemporal
// BESIDE-LABEL: func @lookup(
// BESIDE: nontemporal
// BESIDE-LABEL: func @same(
// BESIDE-NOT: nontemporal
// BESIDE-LABEL: func @larger(
// BESIDE: nontemporal
func.func @smaller(%x: memref<256x64xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %from = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%from, %j] : memref<256x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}

func.func @half(%x: memref<128x64xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%i, %j] : memref<128x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}

// Of a table, only the rows that are looked up are read.
func.func @lookup(%x: memref<256x64xf32>, %places: memref<64xi32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %number = memref.load %places[%i] : memref<64xi32>
    %from = arith.index_cast %number : i32 to index
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%from, %j] : memref<256x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}

func.func @same(%x: memref<64x64xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%i, %j] : memref<64x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}

func.func @larger(%x: memref<63x64xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c62 = arith.constant 62 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %from = arith.minsi %i, %c62 : index
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%from, %j] : memref<63x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}
