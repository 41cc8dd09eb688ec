// Upstream's one-shot analysis compares the sizes of a vector with those of the
// tensor's first dimensions, as many as the vector has. Here, 3 and 16 are at
// least 1 and 4; so three rows of four pass for all of them, and the fourth is
// not copied to the buffer that they are written to: what is read of it is what
// happens to be there, without a message.
//
// So such vectors get as many dimensions as their tensor (Bufferize.cpp,
// test/Codegen/bufferize-writes.mlir). When this test fails because the argument
// is copied, upstream has mended it: delete both, and what they are about.

// RUN: mlir-opt-22 %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: vector.transfer_write
// CHECK: vector.transfer_read
// CHECK: return
func.func @rows(%t: tensor<1x4x16xf32> {bufferization.writable = false}, %v: vector<3x16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<3x16xf32>, tensor<1x4x16xf32>
  %r = vector.transfer_read %w[%c0, %c3, %c0], %p {in_bounds = [true]} : tensor<1x4x16xf32>, vector<16xf32>
  return %r : vector<16xf32>
}
