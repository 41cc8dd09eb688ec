// Products of narrow types inside of batches and of the taps of a window: the
// inner loop is the ISA's dot product, as in a plain product (matmul-narrow.mlir).

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/conv-i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=VNNI
// RUN: sched-opt %t/batch-i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=VNNI
// RUN: sched-opt %t/conv-bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cooperlake,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=BF16
// RUN: sched-opt %t/conv-i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=SDOT
// RUN: sched-opt %t/conv-i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefix=SMMLA
// RUN: sched-opt %t/conv-i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=AMX,AMX-I8
// RUN: sched-opt %t/conv-bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=asm \
// RUN:   | %inner_loop | FileCheck %s --check-prefixes=AMX,AMX-BF16
// REQUIRES: x86-registered-target, aarch64-registered-target

// VNNI: vpdpbusd {{.*}}%zmm
// VNNI-NOT: {{vpmulld|vpmovsx|vpunpck}}
// VNNI: spills: 0
// BF16: vdpbf16ps {{.*}}%zmm
// BF16-NOT: {{vfmadd|vpsll|vpermw}}
// BF16: spills: 0
// SDOT: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.4b[0]
// SDOT-NOT: {{sshll|dup|ld1r}}
// SDOT: spills: 0
// Rows are paired in registers.
// SMMLA: smmla v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// SMMLA-NOT: {{sdot|sshll}}
// SMMLA: spills: {{[0-2]$}}
// Sums stay in tiles from one tap to the next.
// AMX-NOT: {{ldtilecfg|tilestored|tilezero|zmm}}
// AMX-I8: tdpbssd %tmm
// AMX-BF16: tdpbf16ps %tmm
// AMX-NOT: {{ldtilecfg|tilestored|tilezero|zmm}}
// AMX: spills: 0

//--- conv-i8.mlir
func.func @f(%x: tensor<1x34x34x256xi8>, %w: tensor<3x3x256x64xi8>) -> tensor<1x32x32x64xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x32x32x64xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x32x32x64xi32>) -> tensor<1x32x32x64xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x256xi8>, tensor<3x3x256x64xi8>)
                                outs(%i : tensor<1x32x32x64xi32>) -> tensor<1x32x32x64xi32>
  return %r : tensor<1x32x32x64xi32>
}
//--- conv-bf16.mlir
func.func @f(%x: tensor<1x34x34x128xbf16>, %w: tensor<3x3x128x64xbf16>) -> tensor<1x32x32x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x32x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x128xbf16>, tensor<3x3x128x64xbf16>)
                                outs(%i : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  return %r : tensor<1x32x32x64xf32>
}
//--- batch-i8.mlir
func.func @f(%a: tensor<4x128x128xi8>, %b: tensor<4x128x128xi8>) -> tensor<4x128x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x128x128xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<4x128x128xi32>) -> tensor<4x128x128xi32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<4x128x128xi8>, tensor<4x128x128xi8>)
                           outs(%i : tensor<4x128x128xi32>) -> tensor<4x128x128xi32>
  return %r : tensor<4x128x128xi32>
}
