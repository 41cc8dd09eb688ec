// Ops that each read the one before twice: there are 2^40 ways through them, of
// which none is gone twice.
//
// RUN: timeout 60 sched-opt %s --schedule-outline-tasks=gpu=true | FileCheck %s
// RUN: timeout 60 sched-opt %s --schedule-generate-space="target=nvvm:sm_90a" | FileCheck %s --check-prefix=SPACE
// RUN: timeout 60 sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=SPACE

// CHECK: func.func @rows(
// CHECK: func.func @sum(
// SPACE: schedule.space @
func.func @rows(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %s0 = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s1 = linalg.add ins(%s0, %s0 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s2 = linalg.add ins(%s1, %s1 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s3 = linalg.add ins(%s2, %s2 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s4 = linalg.add ins(%s3, %s3 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s5 = linalg.add ins(%s4, %s4 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s6 = linalg.add ins(%s5, %s5 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s7 = linalg.add ins(%s6, %s6 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s8 = linalg.add ins(%s7, %s7 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s9 = linalg.add ins(%s8, %s8 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s10 = linalg.add ins(%s9, %s9 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s11 = linalg.add ins(%s10, %s10 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s12 = linalg.add ins(%s11, %s11 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s13 = linalg.add ins(%s12, %s12 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s14 = linalg.add ins(%s13, %s13 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s15 = linalg.add ins(%s14, %s14 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s16 = linalg.add ins(%s15, %s15 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s17 = linalg.add ins(%s16, %s16 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s18 = linalg.add ins(%s17, %s17 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s19 = linalg.add ins(%s18, %s18 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s20 = linalg.add ins(%s19, %s19 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s21 = linalg.add ins(%s20, %s20 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s22 = linalg.add ins(%s21, %s21 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s23 = linalg.add ins(%s22, %s22 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s24 = linalg.add ins(%s23, %s23 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s25 = linalg.add ins(%s24, %s24 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s26 = linalg.add ins(%s25, %s25 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s27 = linalg.add ins(%s26, %s26 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s28 = linalg.add ins(%s27, %s27 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s29 = linalg.add ins(%s28, %s28 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s30 = linalg.add ins(%s29, %s29 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s31 = linalg.add ins(%s30, %s30 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s32 = linalg.add ins(%s31, %s31 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s33 = linalg.add ins(%s32, %s32 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s34 = linalg.add ins(%s33, %s33 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s35 = linalg.add ins(%s34, %s34 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s36 = linalg.add ins(%s35, %s35 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s37 = linalg.add ins(%s36, %s36 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s38 = linalg.add ins(%s37, %s37 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s39 = linalg.add ins(%s38, %s38 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s40 = linalg.add ins(%s39, %s39 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %s40 : tensor<16x64xf32>
}

func.func @sum(%x: tensor<1000x1000xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s0 = linalg.reduce { arith.addf } ins(%x : tensor<1000x1000xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  %s1 = linalg.add ins(%s0, %s0 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s2 = linalg.add ins(%s1, %s1 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s3 = linalg.add ins(%s2, %s2 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s4 = linalg.add ins(%s3, %s3 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s5 = linalg.add ins(%s4, %s4 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s6 = linalg.add ins(%s5, %s5 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s7 = linalg.add ins(%s6, %s6 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s8 = linalg.add ins(%s7, %s7 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s9 = linalg.add ins(%s8, %s8 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s10 = linalg.add ins(%s9, %s9 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s11 = linalg.add ins(%s10, %s10 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s12 = linalg.add ins(%s11, %s11 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s13 = linalg.add ins(%s12, %s12 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s14 = linalg.add ins(%s13, %s13 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s15 = linalg.add ins(%s14, %s14 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s16 = linalg.add ins(%s15, %s15 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s17 = linalg.add ins(%s16, %s16 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s18 = linalg.add ins(%s17, %s17 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s19 = linalg.add ins(%s18, %s18 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s20 = linalg.add ins(%s19, %s19 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s21 = linalg.add ins(%s20, %s20 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s22 = linalg.add ins(%s21, %s21 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s23 = linalg.add ins(%s22, %s22 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s24 = linalg.add ins(%s23, %s23 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s25 = linalg.add ins(%s24, %s24 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s26 = linalg.add ins(%s25, %s25 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s27 = linalg.add ins(%s26, %s26 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s28 = linalg.add ins(%s27, %s27 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s29 = linalg.add ins(%s28, %s28 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s30 = linalg.add ins(%s29, %s29 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s31 = linalg.add ins(%s30, %s30 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s32 = linalg.add ins(%s31, %s31 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s33 = linalg.add ins(%s32, %s32 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s34 = linalg.add ins(%s33, %s33 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s35 = linalg.add ins(%s34, %s34 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s36 = linalg.add ins(%s35, %s35 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s37 = linalg.add ins(%s36, %s36 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s38 = linalg.add ins(%s37, %s37 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s39 = linalg.add ins(%s38, %s38 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  %s40 = linalg.add ins(%s39, %s39 : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %s40 : tensor<f32>
}
