// Narrow convolutions whose windows touch become products of matrices
// (Space/JoinPatches.cpp), for a processor with tiles.

// RUN: sched-opt %s --schedule-outline-tasks=tiles 2>/dev/null | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=tiles 2>/dev/null | sched-opt --schedule-outline-tasks=tiles | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: permutation = [0, 1, 3, 2, 4]

// Numerics of schedules in that form, for tiles that any machine, whatever tasks
// it would cut for itself, has another
// product for.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=transform -o %t.script.mlir 2>/dev/null
// RUN: sched-opt %s --schedule-outline-tasks=tiles -o %t.tasks.mlir 2>/dev/null
// RUN: sched-run %t.tasks.mlir --entry=patches --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.tasks.mlir --entry=channels_first --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.tasks.mlir --entry=volume --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// A line of a patch, 16 pixels of three channels, is one piece of the copy.
// CHECK-LABEL: func.func @patches(
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %arg0 {{\[}}[0], [1], [2, 3]] : tensor<2x64x96x3xbf16> into tensor<2x64x288xbf16>
// CHECK-NEXT: %[[SPLIT:.*]] = tensor.expand_shape %[[FLAT]] {{\[}}[0], [1, 2], [3, 4]] output_shape [2, 4, 16, 6, 48]
// CHECK: %[[MOVED:.*]] = call @[[MOVE:patches_[0-9]]](%[[SPLIT]])
// CHECK-NEXT: %[[JOINED:.*]] = tensor.collapse_shape %[[MOVED]] {{.*}} into tensor<2x4x6x768xbf16>
// CHECK: %[[W:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1, 2], [3]] : tensor<16x16x3x64xbf16> into tensor<768x64xbf16>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[JOINED]] {{\[}}[0, 1, 2], [3]] : {{.*}} into tensor<48x768xbf16>
// CHECK: call @patches_{{[0-9]}}(%[[ROWS]], %[[W]])
// CHECK: func.func private @[[MOVE]](
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x4x6x16x48xbf16>) permutation = [0, 1, 3, 2, 4]
func.func @patches(%x: tensor<2x64x96x3xbf16>, %w: tensor<16x16x3x64xbf16> {schedule.layout_free}) -> tensor<2x4x6x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x6x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x64xf32>) -> tensor<2x4x6x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<16> : tensor<2xi64>}
      ins(%x, %w : tensor<2x64x96x3xbf16>, tensor<16x16x3x64xbf16>) outs(%i : tensor<2x4x6x64xf32>) -> tensor<2x4x6x64xf32>
  return %r : tensor<2x4x6x64xf32>
}

// Channels first are moved, and weights that have the taps last transposed.
// CHECK-LABEL: func.func @channels_first(
// CHECK-DAG: linalg.transpose ins(%arg1 : tensor<64x3x8x8xi8>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK-DAG: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2, 3]] : tensor<64x8x8x3xi8> into tensor<64x192xi8>
// CHECK-DAG: linalg.transpose {{.*}} outs(%{{.*}} : tensor<1x8x8x8x24xi8>) permutation = [0, 1, 3, 2, 4]
func.func @channels_first(%x: tensor<1x3x64x64xi8>, %w: tensor<64x3x8x8xi8> {schedule.layout_free}) -> tensor<1x64x8x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x64x8x8xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x64x8x8xi32>) -> tensor<1x64x8x8xi32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<8> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x64x64xi8>, tensor<64x3x8x8xi8>) outs(%i : tensor<1x64x8x8xi32>) -> tensor<1x64x8x8xi32>
  return %r : tensor<1x64x8x8xi32>
}

// Three dimensions, of which one has single pixels.
// CHECK-LABEL: func.func @volume(
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<1x8x4x4x1x4x12xbf16>) permutation = [0, 1, 3, 5, 2, 4, 6]
// CHECK: func.func private @volume_{{[0-9]}}(%{{.*}}: tensor<128x48xbf16>
func.func @volume(%x: tensor<1x8x16x16x3xbf16>, %w: tensor<1x4x4x3x32xbf16>) -> tensor<1x8x4x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x4x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x4x32xf32>) -> tensor<1x8x4x4x32xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf {strides = dense<[1, 4, 4]> : tensor<3xi64>}
      ins(%x, %w : tensor<1x8x16x16x3xbf16>, tensor<1x4x4x3x32xbf16>) outs(%i : tensor<1x8x4x4x32xf32>) -> tensor<1x8x4x4x32xf32>
  return %r : tensor<1x8x4x4x32xf32>
}

// Left as they are, or to JoinTaps.cpp: windows that leave pixels out, or that
// overlap; lines of whole tiles, of few filters, whose rows are read where they
// are; pixels of whole rows of a tile; and lines alone.
// CHECK-LABEL: func.func @left(
// CHECK: return
// CHECK-NOT: linalg.transpose
func.func @left(%g: tensor<1x64x72x3xbf16>, %w: tensor<8x8x3x32xbf16>, %o: tensor<1x60x64x3xbf16>, %f: tensor<1x128x128x3xbf16>, %v: tensor<4x4x3x32xbf16>, %m: tensor<1x16x16x32xbf16>, %u: tensor<2x2x32x32xbf16>, %l: tensor<1x8x128x3xbf16>, %lw: tensor<1x16x3x32xbf16>) -> (tensor<1x8x8x32xf32>, tensor<1x14x8x32xf32>, tensor<1x32x32x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %oe = tensor.empty() : tensor<1x14x8x32xf32>
  %oi = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x14x8x32xf32>) -> tensor<1x14x8x32xf32>
  %fe = tensor.empty() : tensor<1x32x32x32xf32>
  %fi = linalg.fill ins(%zero : f32) outs(%fe : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[8, 9]> : tensor<2xi64>} ins(%g, %w : tensor<1x64x72x3xbf16>, tensor<8x8x3x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {strides = dense<[4, 8]> : tensor<2xi64>} ins(%o, %w : tensor<1x60x64x3xbf16>, tensor<8x8x3x32xbf16>) outs(%oi : tensor<1x14x8x32xf32>) -> tensor<1x14x8x32xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {strides = dense<4> : tensor<2xi64>} ins(%f, %v : tensor<1x128x128x3xbf16>, tensor<4x4x3x32xbf16>) outs(%fi : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%m, %u : tensor<1x16x16x32xbf16>, tensor<2x2x32x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %4 = linalg.conv_2d_nhwc_hwcf {strides = dense<[1, 16]> : tensor<2xi64>} ins(%l, %lw : tensor<1x8x128x3xbf16>, tensor<1x16x3x32xbf16>) outs(%i : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %0, %1, %2, %3, %4 : tensor<1x8x8x32xf32>, tensor<1x14x8x32xf32>, tensor<1x32x32x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>
}
