// Pixels that a stride takes apart are put side by side for narrow products.

// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks | FileCheck %s

// The copies are a view of the image in the code.
// RUN: sched-opt %s --schedule-outline-tasks --sched-lower-to-cpu | FileCheck %s --check-prefix=VIEW
// VIEW-LABEL: llvm.func @taps(
// VIEW-NOT: memcpy
// VIEW-NOT: llvm.call @{{.*}}alloc
// VIEW-LABEL: llvm.func @dilated(

// Numerics of a schedule in that form, for lanes of any machine.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=taps --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=dilated --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=one_tap --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=images --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// Three taps: each meets every second pixel. Lines of the image stay as they
// are, and so do the weights.
// CHECK-DAG: #[[$TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d5, d2, d6)>
// CHECK-DAG: #[[$DILATED:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
// CHECK-LABEL: func.func @taps(
// CHECK: %[[ROWS:.*]] = tensor.empty() : tensor<1x17x3x8x64xbf16>
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [1, 17, 8, 64] [1, 1, 2, 1]
// CHECK: tensor.insert_slice {{.*}} into %[[ROWS]][0, 0, 0, 0, 0] [1, 17, 1, 8, 64] [1, 1, 1, 1, 1]
// CHECK: tensor.extract_slice %arg0[0, 0, 1, 0] [1, 17, 8, 64] [1, 1, 2, 1]
// CHECK: tensor.extract_slice %arg0[0, 0, 2, 0] [1, 17, 8, 64] [1, 1, 2, 1]
// CHECK: %[[ALL:.*]] = tensor.insert_slice {{.*}}[0, 0, 2, 0, 0] [1, 17, 1, 8, 64]
// CHECK: call @taps_0(%[[ALL]], %arg1)
// CHECK-LABEL: func.func private @taps_0(
// CHECK: linalg.generic {indexing_maps = [#[[$TAPS]],
func.func @taps(%x: tensor<1x17x17x64xbf16>, %w: tensor<3x3x64x32xbf16> {schedule.layout_free}) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x17x17x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// With a dilation the taps are as many pixels apart.
// CHECK-LABEL: func.func @dilated(
// CHECK: tensor.extract_slice %arg0[0, 0, 0] [2, 20, 64] [1, 3, 1]
// CHECK: tensor.extract_slice %arg0[0, 2, 0] [2, 20, 64] [1, 3, 1]
// CHECK: tensor.extract_slice %arg0[0, 4, 0] [2, 20, 64] [1, 3, 1]
// CHECK-LABEL: func.func private @dilated_0(
// CHECK: linalg.generic {indexing_maps = [#[[$DILATED]],
func.func @dilated(%x: tensor<2x62x64xi8>, %w: tensor<3x64x48xi8>) -> tensor<2x20x48xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x20x48xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<2x20x48xi32>) -> tensor<2x20x48xi32>
  %r = linalg.conv_1d_nwc_wcf {strides = dense<3> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}
      ins(%x, %w : tensor<2x62x64xi8>, tensor<3x64x48xi8>) outs(%i : tensor<2x20x48xi32>) -> tensor<2x20x48xi32>
  return %r : tensor<2x20x48xi32>
}

// Of 16 images of 14 pixels a line, those of a line are a tile's rows: images
// are far apart in memory.
// CHECK-LABEL: func.func @images(
// CHECK: tensor.extract_slice %arg0[0, 0, 2, 0] [16, 30, 14, 64] [1, 1, 2, 1]
// CHECK-LABEL: func.func private @images_0(
// CHECK: linalg.generic {indexing_maps = [#[[$TAPS]],
func.func @images(%x: tensor<16x30x30x64xi8>, %w: tensor<3x3x64x32xi8>) -> tensor<16x14x14x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x14x14x32xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<16x14x14x32xi32>) -> tensor<16x14x14x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<16x30x30x64xi8>, tensor<3x3x64x32xi8>) outs(%i : tensor<16x14x14x32xi32>) -> tensor<16x14x14x32xi32>
  return %r : tensor<16x14x14x32xi32>
}

// One tap meets a quarter of the image, and what is left is one matrix.
// CHECK-LABEL: func.func @one_tap(
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [1, 8, 16, 64] [1, 2, 1, 1]
// CHECK: tensor.extract_slice {{.*}}[0, 0, 0, 0] [1, 8, 8, 64] [1, 1, 2, 1]
// CHECK: call @one_tap_0({{.*}}) : (tensor<{{(1x)?}}64x64xbf16>,
func.func @one_tap(%x: tensor<1x16x16x64xbf16>, %w: tensor<1x1x64x32xbf16>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x16x16x64xbf16>, tensor<1x1x64x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

// Wide elements are multiplied row by row, and short pixels are copied slowly.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: tensor.extract_slice
// CHECK-LABEL: func.func @short(
// CHECK-NOT: tensor.extract_slice
func.func @wide(%x: tensor<1x17x17x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x17x17x64xf32>, tensor<3x3x64x32xf32>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}
func.func @short(%x: tensor<1x17x17x16xbf16>, %w: tensor<3x3x16x32xbf16>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x17x17x16xbf16>, tensor<3x3x16x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}
