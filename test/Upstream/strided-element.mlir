// A vector without dimensions, read where neighbours are not next to each other,
// stays as it is: upstream loads it as a vector of one. When this test fails
// because no transfer is left, LoadElement and StoreElement in
// lib/Codegen/LowerVectors.cpp can go, and so can this test.

// RUN: mlir-opt-22 %s --convert-vector-to-scf=full-unroll=true --convert-vector-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
func.func @f(%a: memref<8xf32, strided<[2]>>, %i: index, %j: index) {
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%i], %p : memref<8xf32, strided<[2]>>, vector<f32>
  vector.transfer_write %v, %a[%j] : vector<f32>, memref<8xf32, strided<[2]>>
  return
}
