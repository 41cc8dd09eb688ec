// Tiles of several shapes in a module: LLVM gives a register one shape in all of
// a function, so that products of seven taps of four channels, 56 bytes, have one
// of their own beside those of 64. Windows are read in the image, and nothing is
// copied into a tile.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=llvm -o - 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SERIAL --implicit-check-not='x bfloat]'
// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=llvm -o - 2>/dev/null | FileCheck %s --check-prefixes=CHECK,PARALLEL --implicit-check-not='x bfloat]'
// REQUIRES: x86-registered-target

// SERIAL: define internal {{.*}}void @two_tiles(
// PARALLEL: define internal void @two_tiles..omp_par(
// Windows begin two pixels of 8 bytes apart.
// CHECK: tileloadd64.internal(i16 16, i16 56, ptr %{{.*}}, i64 16)
// CHECK: tdpbf16ps.internal(i16 16, i16 64, i16 56,
// CHECK-NOT: tdpbf16ps.internal(i16 16, i16 64, i16 64,
// CHECK: define {{.*}}void @two
// CHECK: tdpbf16ps.internal(i16 16, i16 64, i16 64,
func.func @two(%x: tensor<1x32x32x3xbf16>, %w: tensor<7x7x3x64xbf16> {schedule.layout_free}, %a: tensor<64x256xbf16>, %b: tensor<256x64xbf16> {schedule.layout_free}) -> (tensor<1x16x16x64xf32>, tensor<64x64xf32>) {
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 2, 2, 0] {
  ^bb0(%n: index, %h: index, %c: index, %f: index):
    tensor.yield %pad : bf16
  } : tensor<1x32x32x3xbf16> to tensor<1x37x37x3xbf16>
  %e = tensor.empty() : tensor<1x16x16x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%padded, %w : tensor<1x37x37x3xbf16>, tensor<7x7x3x64xbf16>) outs(%i : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r2 = linalg.matmul ins(%a, %b : tensor<64x256xbf16>, tensor<256x64xbf16>) outs(%i2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r, %r2 : tensor<1x16x16x64xf32>, tensor<64x64xf32>
}
