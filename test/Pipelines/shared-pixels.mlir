// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true winograd=off cost-model=analytic target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,features=-amx-tile" --emit=asm | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true winograd=off cost-model=analytic target=cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu" --emit=asm | FileCheck %s --check-prefix=LANES
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true winograd=off cost-model=analytic" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=convolution --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=padded --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=dilated --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// A pixel is loaded once for the three columns of the window, whose products
// follow: nearly all take it from a register, and none is kept on the stack.
// Where an instruction multiplies by a lane of a vector, it is not loaded by
// itself at all.
// CHECK-LABEL: convolution:
// CHECK: vbroadcastss {{.*}}({{.*}}), %zmm
// CHECK-NOT: zmm{{.*}}rsp
// CHECK-NOT: rsp{{.*}}zmm
// CHECK-COUNT-48: vfmadd231ps %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}}
// CHECK: ret
// LANES-LABEL: convolution:
// LANES: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[
func.func @convolution(%image: tensor<1x30x34x32xf32>, %weights: tensor<3x3x32x16xf32>) -> tensor<1x28x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x32x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x32x16xf32>) -> tensor<1x28x32x16xf32>
  %sums = linalg.conv_2d_nhwc_hwcf ins(%image, %weights : tensor<1x30x34x32xf32>, tensor<3x3x32x16xf32>) outs(%start : tensor<1x28x32x16xf32>) -> tensor<1x28x32x16xf32>
  return %sums : tensor<1x28x32x16xf32>
}

// Lines of 20 pixels, of which tiles at both ends leave out a column.
func.func @padded(%image: tensor<2x6x20x32xf32>, %weights: tensor<3x3x32x16xf32> {schedule.layout_free}) -> tensor<2x6x20x16xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x6x20x32xf32> to tensor<2x8x22x32xf32>
  %empty = tensor.empty() : tensor<2x6x20x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x6x20x16xf32>) -> tensor<2x6x20x16xf32>
  %sums = linalg.conv_2d_nhwc_hwcf ins(%padded, %weights : tensor<2x8x22x32xf32>, tensor<3x3x32x16xf32>) outs(%start : tensor<2x6x20x16xf32>) -> tensor<2x6x20x16xf32>
  return %sums : tensor<2x6x20x16xf32>
}

func.func @dilated(%image: tensor<1x9x24x24xf64>, %weights: tensor<3x3x24x8xf64>) -> tensor<1x5x20x8xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<1x5x20x8xf64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<1x5x20x8xf64>) -> tensor<1x5x20x8xf64>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%image, %weights : tensor<1x9x24x24xf64>, tensor<3x3x24x8xf64>) outs(%start : tensor<1x5x20x8xf64>) -> tensor<1x5x20x8xf64>
  return %sums : tensor<1x5x20x8xf64>
}
