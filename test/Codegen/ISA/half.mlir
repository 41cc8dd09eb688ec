// Floats of 16 bits are converted as vectors. Elements of the left-hand side are
// converted together, and go to all lanes from memory, which is no spill.

// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{target} = znver3,triple=x86_64-linux-gnu
// DEFINE: %{kind} = product
// DEFINE: %{compile} = sched-opt %t/%{kind}.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=%{target}" --emit=asm
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=AVX2
// REDEFINE: %{target} = cascadelake,triple=x86_64-linux-gnu
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=AVX512
// REDEFINE: %{target} = neoverse-n2,triple=aarch64-linux-gnu
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=NEON
// REDEFINE: %{kind} = bfloats
// REDEFINE: %{target} = cascadelake,triple=x86_64-linux-gnu
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=BF16

// Sums of f16: where there is arithmetic on it, and where there is none.
// REDEFINE: %{kind} = sums
// REDEFINE: %{target} = sapphirerapids,triple=x86_64-linux-gnu
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=FP16
// REDEFINE: %{target} = neoverse-n2,triple=aarch64-linux-gnu
// RUN: %{compile} | %inner_loop | FileCheck %s --check-prefix=FULLFP16
// REDEFINE: %{target} = znver3,triple=x86_64-linux-gnu
// RUN: %{compile} | FileCheck %s --check-prefix=NOFP16

// REDEFINE: %{kind} = softmax
// RUN: %{compile} | FileCheck %s --check-prefix=SOFTMAX
// REQUIRES: x86-registered-target, aarch64-registered-target

// AVX2-NOT: {{vpermps|vpermpd|vmovshdup|vpermilps|__extendhfsf2}}
// AVX2-DAG: vcvtph2ps {{.*}}, %ymm
// AVX2-DAG: vbroadcastss {{.*}}(%rsp{{.*}}), %ymm
// AVX2-DAG: vfmadd231ps {{.*}}%ymm
// Two elements of 48 wait in memory: 6 rows take all registers, and are 1.15 times
// as fast as 4 that leave some.
// AVX2: spills: {{[0-4]$}}
// AVX512-NOT: vpermps
// AVX512-DAG: vcvtph2ps {{.*}}, %zmm
// AVX512-DAG: vfmadd231ps {{.*}}%zmm
// AVX512: spills: 0
// NEON-NOT: {{fcvt s|bl}}
// NEON: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[
// NEON: multiplications:
// BF16-NOT: vperm
// BF16-DAG: vpslld $16, {{.*}}%zmm
// BF16-DAG: vbroadcastss {{.*}}(%rsp{{.*}}), %zmm
// BF16: spills: 0
// FP16-NOT: vcvt
// FP16: vfmadd231ph {{.*}}%zmm
// FP16-NOT: vcvt
// FP16: spills: 0
// FULLFP16-NOT: fcvt
// FULLFP16: fmla v{{[0-9]+}}.8h, v{{[0-9]+}}.8h, v{{[0-9]+}}.h[
// FULLFP16-NOT: fcvt
// FULLFP16: spills: 0
// NOFP16-NOT: {{vcvtph2ps %xmm[0-9]+, %xmm|__extend|__trunc|fmaf}}
// NOFP16: vfmadd231ps {{.*}}%ymm
// NOFP16-NOT: {{__extend|__trunc|fmaf}}
// Maxima stay vectors.
// SOFTMAX-NOT: {{fmax|__extend|__trunc}}
// SOFTMAX: vmaxps {{.*}}%ymm
// SOFTMAX-NOT: {{fmax|__extend|__trunc}}

//--- product.mlir
func.func @f(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>)
                     outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
//--- sums.mlir
func.func @f(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<256x256xf16>
  %i = linalg.fill ins(%z : f16) outs(%e : tensor<256x256xf16>) -> tensor<256x256xf16>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>)
                     outs(%i : tensor<256x256xf16>) -> tensor<256x256xf16>
  return %r : tensor<256x256xf16>
}
//--- bfloats.mlir
func.func @f(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>)
                     outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
//--- softmax.mlir
func.func @f(%a: tensor<128x1024xf16>) -> tensor<128x1024xf16> {
  %e = tensor.empty() : tensor<128x1024xf16>
  %r = linalg.softmax dimension(1) ins(%a : tensor<128x1024xf16>) outs(%e : tensor<128x1024xf16>) -> tensor<128x1024xf16>
  return %r : tensor<128x1024xf16>
}
