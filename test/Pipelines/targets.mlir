// Code for machines other than this one: the target decides, not the host.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=znver3,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=AVX2
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=AVX512
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=NEON
// REQUIRES: x86-registered-target, aarch64-registered-target

// AVX2: vfmadd231ps {{.*}}%ymm
// AVX2-NOT: %zmm
// AVX512: vfmadd231ps {{.*}}%zmm
// NEON: fmla v{{[0-9]+}}.4s
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
