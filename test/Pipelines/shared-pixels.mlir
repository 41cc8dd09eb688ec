// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true winograd=off cost-model=analytic target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,features=-amx-tile" --emit=asm | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true winograd=off cost-model=analytic target=cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu" --emit=asm | FileCheck %s --check-prefix=LANES

// A pixel is loaded once for the three columns of the window, whose products
// follow: nearly all take it from a register, and none is kept on the stack.
// Where an instruction multiplies by a lane of a vector, it is not loaded by
// itself at all.
// CHECK: vbroadcastss {{.*}}({{.*}}), %zmm
// CHECK-NOT: zmm{{.*}}rsp
// CHECK-NOT: rsp{{.*}}zmm
// CHECK-COUNT-48: vfmadd231ps %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}}
// CHECK: ret
// LANES: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[
func.func @convolution(%image: tensor<1x30x34x32xf32>, %weights: tensor<3x3x32x16xf32>) -> tensor<1x28x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x32x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x32x16xf32>) -> tensor<1x28x32x16xf32>
  %sums = linalg.conv_2d_nhwc_hwcf ins(%image, %weights : tensor<1x30x34x32xf32>, tensor<3x3x32x16xf32>) outs(%start : tensor<1x28x32x16xf32>) -> tensor<1x28x32x16xf32>
  return %sums : tensor<1x28x32x16xf32>
}
