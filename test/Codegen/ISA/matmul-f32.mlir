// The inner loop of a product of f32 on each ISA: vectors of the full width,
// nothing spilled, and elements of the left-hand side multiplied without a
// register of their own where the ISA can.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=haswell,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX2
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=znver3,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX2
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX512
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=AVX512
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=NEON
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=NEON
// REQUIRES: x86-registered-target, aarch64-registered-target

// AVX2: vbroadcastss {{.*}}, %ymm
// AVX2: vfmadd231ps {{.*}}%ymm
// AVX2-NOT: %zmm
// AVX2: spills: 0

// AVX512: vfmadd231ps {{.*}}%zmm
// AVX512-NOT: %ymm
// AVX512: multiplications: {{[0-9][0-9]}}
// AVX512: spills: 0

// NEON-NOT: {{ld1r|dup}}
// NEON: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// NEON: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[3]
// NEON: multiplications: {{[0-9][0-9]}}
// NEON: spills: 0
func.func @f(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
                     outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
