// `no_inline` keeps functions apart until kernels are made, which have no calls
// (AllowInlining.cpp).
// RUN: sched-opt %s --sched-allow-inlining | FileCheck %s
// RUN: sched-opt %s --emit=asm -o - | FileCheck %s --check-prefix=ASM
// RUN: sched-opt %s --auto-schedule="trials=0 target=nvvm:sm_80 quiet=true" --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// CHECK-LABEL: func.func private @apart(
// CHECK-NOT: no_inline
// ASM-NOT: apart
// ASM: both:
// ASM-NOT: apart
// PTX-COUNT-2: .entry
func.func private @apart(%x: tensor<64xf32>) -> tensor<64xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @both(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = call @apart(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = call @apart(%a) {no_inline} : (tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}
