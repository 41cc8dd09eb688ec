// Accumulators of 24 floats are three registers, and go from iteration to
// iteration as these.

// RUN: sched-opt %s --emit=llvm | FileCheck %s

// CHECK-LABEL: define void @sum(
// CHECK-NOT:   phi <24 x float>
// CHECK:       phi <8 x float>
// CHECK-NOT:   phi <24 x float>
// CHECK:       llvm.vector.insert.v24f32.v8f32
// CHECK-LABEL: define void @even(
// CHECK:       phi <16 x float>
func.func @sum(%a: tensor<100x24xf32>, %b: tensor<100x24xf32>) -> tensor<24xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<24xf32>
  %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %start) -> vector<24xf32> {
    %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : tensor<100x24xf32>, vector<24xf32>
    %y = vector.transfer_read %b[%i, %c0], %zero {in_bounds = [true]} : tensor<100x24xf32>, vector<24xf32>
    %f = vector.fma %x, %y, %s : vector<24xf32>
    scf.yield %f : vector<24xf32>
  }
  %e = tensor.empty() : tensor<24xf32>
  %r = vector.transfer_write %sum, %e[%c0] {in_bounds = [true]} : vector<24xf32>, tensor<24xf32>
  return %r : tensor<24xf32>
}

func.func @even(%a: tensor<100x16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<1.0> : vector<16xf32>
  %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %start) -> vector<16xf32> {
    %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : tensor<100x16xf32>, vector<16xf32>
    %f = vector.fma %x, %s, %s : vector<16xf32>
    scf.yield %f : vector<16xf32>
  }
  %e = tensor.empty() : tensor<16xf32>
  %r = vector.transfer_write %sum, %e[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  return %r : tensor<16xf32>
}
