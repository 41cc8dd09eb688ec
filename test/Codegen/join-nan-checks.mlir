// Maxima that keep NaNs share their checks where each goes into the next: two
// operands a comparison, and one choice at the end.

// RUN: split-file %s %t
// RUN: cat %t/x86.mlir %t/extremes.mlir | sched-opt --emit=llvm | FileCheck %s --check-prefixes=CHECK,X86
// RUN: cat %t/x86.mlir %t/extremes.mlir | sched-opt --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: cat %t/aarch64.mlir %t/extremes.mlir | sched-opt --emit=llvm | FileCheck %s --check-prefixes=CHECK,AARCH64
// REQUIRES: x86-registered-target, aarch64-registered-target

// CHECK-LABEL: define void @window(
// X86-NOT:     llvm.maximum
// X86:         %[[NUMBERS:.*]] = fcmp ord <16 x float>
// X86:         %[[OTHERS:.*]] = fcmp ord <16 x float>
// X86:         and <16 x i1> %[[NUMBERS]], %[[OTHERS]]
// X86-NOT:     fcmp ord
// X86:         select <16 x i1> {{.*}}, <16 x float> splat (float 0x7FF8000000000000)
// AARCH64-COUNT-3: llvm.maximum
// ASM-LABEL:   window:
// ASM-COUNT-2: vcmpordps
// ASM-NOT:     vcmp
// ASM-LABEL:   single:

// Nothing to share: LLVM's own code has as many comparisons.
// CHECK-LABEL: define void @single(
// CHECK-NOT:   fcmp
// CHECK:       llvm.minimum

// An intermediate result that something else reads keeps its NaNs.
// CHECK-LABEL: define void @shared(
// CHECK-NOT:   fcmp
// CHECK:       llvm.maximum
// CHECK-NOT:   fcmp
// CHECK:       llvm.maximum
// CHECK-NOT:   fcmp

//--- x86.mlir
module attributes {schedule.target = "cpu:mcpu=cascadelake,triple=x86_64-linux-gnu", schedule.threads = 1 : i64} {
//--- aarch64.mlir
module attributes {schedule.target = "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu", schedule.threads = 1 : i64} {
//--- extremes.mlir
func.func @window(%a: tensor<4x16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %w = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true]} : tensor<4x16xf32>, vector<16xf32>
  %x = vector.transfer_read %a[%c1, %c0], %zero {in_bounds = [true]} : tensor<4x16xf32>, vector<16xf32>
  %y = vector.transfer_read %a[%c2, %c0], %zero {in_bounds = [true]} : tensor<4x16xf32>, vector<16xf32>
  %z = vector.transfer_read %a[%c3, %c0], %zero {in_bounds = [true]} : tensor<4x16xf32>, vector<16xf32>
  %wx = arith.maximumf %w, %x : vector<16xf32>
  %wxy = arith.maximumf %wx, %y : vector<16xf32>
  %wxyz = arith.maximumf %wxy, %z : vector<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = vector.transfer_write %wxyz, %e[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  return %r : tensor<16xf32>
}

func.func @single(%a: tensor<2x16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true]} : tensor<2x16xf32>, vector<16xf32>
  %y = vector.transfer_read %a[%c1, %c0], %zero {in_bounds = [true]} : tensor<2x16xf32>, vector<16xf32>
  %xy = arith.minimumf %x, %y : vector<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = vector.transfer_write %xy, %e[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  return %r : tensor<16xf32>
}

func.func @shared(%a: tensor<3x16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true]} : tensor<3x16xf32>, vector<16xf32>
  %y = vector.transfer_read %a[%c1, %c0], %zero {in_bounds = [true]} : tensor<3x16xf32>, vector<16xf32>
  %z = vector.transfer_read %a[%c2, %c0], %zero {in_bounds = [true]} : tensor<3x16xf32>, vector<16xf32>
  %xy = arith.maximumf %x, %y : vector<16xf32>
  %xyz = arith.maximumf %xy, %z : vector<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = vector.transfer_write %xy, %e[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  %s = vector.transfer_write %xyz, %e[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  return %r, %s : tensor<16xf32>, tensor<16xf32>
}
}
