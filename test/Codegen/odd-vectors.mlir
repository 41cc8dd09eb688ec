// Accumulators of 24 floats are three registers of AVX2, and go from iteration
// to iteration as these; those of AVX-512 are a register and a half. Of 19, three
// are in a vector of four.

// RUN: split-file %s %t
// RUN: cat %t/avx2.mlir %t/sums.mlir > %t/sums-avx2.mlir
// RUN: cat %t/avx512.mlir %t/sums.mlir > %t/sums-avx512.mlir
// RUN: sched-opt %t/sums-avx2.mlir --emit=llvm | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: sched-opt %t/sums-avx512.mlir --emit=llvm | FileCheck %s --check-prefixes=CHECK,AVX512
// REQUIRES: x86-registered-target

// CHECK-LABEL: define void @sum(
// CHECK-NOT:   phi <24 x float>
// AVX2-COUNT-3: phi <8 x float>
// AVX512:      phi <16 x float>
// AVX512:      phi <8 x float>
// CHECK-NOT:   phi <{{.*}} x float>
// AVX2:        llvm.vector.insert.v24f32.v8f32
// CHECK-LABEL: define void @even(
// CHECK:       phi <16 x float>
// CHECK-NOT:   phi <{{.*}} x float>
// CHECK-LABEL: define void @odd(
// CHECK-NOT:   phi <19 x float>
// AVX2-COUNT-2: phi <8 x float>
// AVX512:      phi <16 x float>
// CHECK-NEXT:  phi <4 x float>
// CHECK-NOT:   phi <{{.*}} x float>
// CHECK:       shufflevector <32 x float> {{.*}} <19 x i32>

//--- avx2.mlir
module attributes {schedule.target = "cpu:mcpu=haswell,triple=x86_64-linux-gnu", schedule.threads = 1 : i64} {
//--- avx512.mlir
module attributes {schedule.target = "cpu:mcpu=cascadelake,triple=x86_64-linux-gnu", schedule.threads = 1 : i64} {
//--- sums.mlir
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

func.func @odd(%a: tensor<100x19xf32>, %b: tensor<100x19xf32>) -> tensor<19xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<19xf32>
  %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %start) -> vector<19xf32> {
    %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : tensor<100x19xf32>, vector<19xf32>
    %y = vector.transfer_read %b[%i, %c0], %zero {in_bounds = [true]} : tensor<100x19xf32>, vector<19xf32>
    %f = vector.fma %x, %y, %s : vector<19xf32>
    scf.yield %f : vector<19xf32>
  }
  %e = tensor.empty() : tensor<19xf32>
  %r = vector.transfer_write %sum, %e[%c0] {in_bounds = [true]} : vector<19xf32>, tensor<19xf32>
  return %r : tensor<19xf32>
}
}
