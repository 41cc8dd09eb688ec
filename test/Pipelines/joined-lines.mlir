// Lines that became one (Space/JoinLines.cpp) cost no copy of the result, and
// lines that are a tile each are computed side by side; tiles are stored where
// the result has them, or go there row by row.

// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu threads=1 trials=0 quiet" -o %t.mlir
// RUN: sched-opt %t.mlir --sched-lower-to-cpu="dot-products=amx-bf16,amx-int8,amx-tile" -o %t.lowered.mlir --mlir-disable-threading --mlir-print-ir-after=sched-lower-tile-products 2>%t.ir
// RUN: FileCheck %s --input-file=%t.ir
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu threads=2 trials=0 quiet" -o %t.mlir
// RUN: sched-opt %t.mlir --sched-lower-to-cpu="dot-products=amx-bf16,amx-int8,amx-tile threads=2" -o %t.lowered.mlir --mlir-disable-threading --mlir-print-ir-after=sched-lower-tile-products 2>%t.ir
// RUN: FileCheck %s --input-file=%t.ir

// Of buffers, there is one for the padded image alone.
// CHECK-LABEL: func.func @joined(
// CHECK-NOT: memref.alloc() {{.*}}xf32>
// CHECK: amx.tile_mulf
// CHECK-NOT: memref.alloc() {{.*}}xf32>
// CHECK: return
func.func @joined(%x: tensor<1x14x14x64xbf16>, %w: tensor<3x3x64x64xbf16> {schedule.layout_free}) -> tensor<1x14x14x64xf32> {
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %c: index, %f: index):
    tensor.yield %pad : bf16
  } : tensor<1x14x14x64xbf16> to tensor<1x16x16x64xbf16>
  %empty = tensor.empty() : tensor<1x14x14x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x16x16x64xbf16>, tensor<3x3x64x64xbf16>) outs(%init : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %sum : tensor<1x14x14x64xf32>
}

// With a stride of 2 lines are apart. No sum passes through the stack.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT: memref.alloca() {{.*}}xf32>
// CHECK: amx.tile_store {{.*}}strided
// CHECK-NOT: memref.alloca() {{.*}}xf32>
// CHECK: return
func.func @strided(%x: tensor<1x28x28x64xbf16>, %w: tensor<3x3x64x64xbf16> {schedule.layout_free}) -> tensor<1x14x14x64xf32> {
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %c: index, %f: index):
    tensor.yield %pad : bf16
  } : tensor<1x28x28x64xbf16> to tensor<1x30x30x64xbf16>
  %empty = tensor.empty() : tensor<1x14x14x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %w : tensor<1x30x30x64xbf16>, tensor<3x3x64x64xbf16>) outs(%init : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %sum : tensor<1x14x14x64xf32>
}
