// On the way to a CPU with tiles, a convolution's padded image gets rows that are
// no multiple of 1024 bytes; and steps that are left over, behind all taps of the
// others, add to their sums.

// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,l1=4096,l2=2097152 threads=1 trials=0 quiet" -o %t.mlir
// RUN: sched-opt %t.mlir --sched-lower-to-cpu="dot-products=amx-bf16,amx-int8,amx-tile" -o /dev/null --mlir-disable-threading --mlir-print-ir-after=sched-pad-pitch 2>%t.ir
// RUN: FileCheck %s --input-file=%t.ir
// REQUIRES: x86-registered-target

// CHECK-LABEL: func.func @pitch(
// CHECK: memref.alloc() {{.*}} : memref<1x10x9x544xbf16>
// CHECK: vector.transfer_read {{.*}} : memref<{{.*}}x256x2xbf16, strided<[48960, 544, 2, 1]{{.*}}>>
func.func @pitch(%x: tensor<1x7x7x512xbf16>, %w: tensor<3x3x512x64xbf16> {schedule.layout_free}) -> tensor<1x7x7x64xf32> {
  %z = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : bf16
  } : tensor<1x7x7x512xbf16> to tensor<1x9x9x512xbf16>
  %za = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x64xf32>
  %f = linalg.fill ins(%za : f32) outs(%e : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x9x9x512xbf16>, tensor<3x3x512x64xbf16>) outs(%f : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  return %r : tensor<1x7x7x64xf32>
}

// CHECK-LABEL: func.func @rest(
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<{{.*}}xf32>) {
// CHECK: scf.for {{.*}} iter_args(
// CHECK: scf.for {{.*}} iter_args(
// CHECK: vector.contract
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]])
// CHECK: scf.for {{.*}} iter_args(
// CHECK: vector.contract
func.func @rest(%x: tensor<1x7x7x272xbf16>, %w: tensor<3x3x272x64xbf16> {schedule.layout_free}) -> tensor<1x7x7x64xf32> {
  %z = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : bf16
  } : tensor<1x7x7x272xbf16> to tensor<1x9x9x272xbf16>
  %za = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x64xf32>
  %f = linalg.fill ins(%za : f32) outs(%e : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x9x9x272xbf16>, tensor<3x3x272x64xbf16>) outs(%f : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  return %r : tensor<1x7x7x64xf32>
}
