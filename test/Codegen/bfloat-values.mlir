// Sums in bfloat16 round by integers: no call into a runtime library.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu" --emit=asm 2>/dev/null \
// RUN:   | FileCheck %s --implicit-check-not=truncsfbf2 --implicit-check-not=extendbfsf2

// CHECK-LABEL: f:
func.func @f(%a: tensor<16x8xbf16>, %b: tensor<8x32xbf16>, %c: tensor<16x32xbf16>) -> tensor<16x32xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<16x8xbf16>, tensor<8x32xbf16>) outs(%c : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  return %r : tensor<16x32xbf16>
}
