// The same for the default schedule of a convolution: rows are pixels, and the
// reduction has taps.

// RUN: sched-opt %s --auto-schedule="strategy=none trials=0 threads=1 quiet=true target=cpu:mcpu=haswell,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX2
// RUN: sched-opt %s --auto-schedule="strategy=none trials=0 threads=1 quiet=true target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX512
// RUN: sched-opt %s --auto-schedule="strategy=none trials=0 threads=1 quiet=true target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=NEON
// REQUIRES: x86-registered-target, aarch64-registered-target

// AVX2: vbroadcastss {{.*}}, %ymm
// AVX2: vfmadd231ps {{.*}}%ymm
// AVX2-NOT: %zmm
// AVX2: multiplications: {{[0-9][0-9]}}
// AVX2: spills: 0

// AVX512: vfmadd231ps {{.*}}%zmm
// AVX512: spills: 0
// NEON: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// NEON: spills: 0
func.func @f(%x: tensor<1x30x30x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x64xf32>, tensor<3x3x64x64xf32>)
                                outs(%i : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %r : tensor<1x28x28x64xf32>
}
