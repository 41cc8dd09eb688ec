// Few channels of narrow convolutions and the taps of a line become one
// dimension (Space/JoinTaps.cpp), for a processor with tiles.

// RUN: sched-opt %s --schedule-outline-tasks=tiles 2>%t.log | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=tiles 2>/dev/null | sched-opt --schedule-outline-tasks=tiles | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.log --allow-empty --implicit-check-not='remark: left'
// RUN: sched-opt %s --schedule-outline-tasks 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: linalg.index
// REMARKS-NOT: error

// Numerics of schedules in that form, for tiles that any machine, whatever tasks
// it would cut for itself, has another
// product for.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=transform -o %t.script.mlir 2>/dev/null
// RUN: sched-opt %s --schedule-outline-tasks=tiles -o %t.tasks.mlir 2>/dev/null
// RUN: sched-run %t.tasks.mlir --entry=first --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.tasks.mlir --entry=bytes --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.tasks.mlir --entry=copied --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.tasks.mlir --entry=channels_first --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// LLVM takes minutes for this one where it has to multiply tiles element by element.
// RUN: %if host-tiles %{ sched-run %t.tasks.mlir --entry=touching --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: "verified": true

// 7 taps of 3 channels are 21 of a tile's 32 numbers, with a fourth channel of
// zeros 28, whole groups, in as many tiles: the rows are windows of the image,
// whose pad has that channel, and weights get zeros.
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 19 + d3)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2, d5)>
// CHECK-DAG: #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-LABEL: func.func @first(
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0 low[0, 3, 3, 0] high[0, 2, 2, 1]
// CHECK-NOT: linalg.generic
// CHECK: %[[TAP:.*]] = tensor.extract_slice %[[PADDED]][0, 0, 6, 0] [2, 37, 16, 4] [1, 1, 2, 1]
// CHECK: %[[ONE:.*]] = tensor.expand_shape %[[TAP]] {{.*}} into tensor<2x37x16x1x4xbf16>
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[ONE]] into %{{.*}}[0, 0, 0, 6, 0] [2, 37, 16, 1, 4]
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[ALL]] {{.*}} : tensor<2x37x16x7x4xbf16> into tensor<2x37x16x28xbf16>
// CHECK: %[[ZEROS:.*]] = tensor.pad %arg1 low[0, 0, 0, 0] high[0, 0, 1, 0]
// CHECK: %[[W:.*]] = tensor.collapse_shape %[[ZEROS]] {{\[}}[0], [1, 2], [3]] : tensor<7x7x4x32xbf16> into tensor<7x28x32xbf16>
// CHECK: call @first_0(%[[ROWS]], %[[W]])
// CHECK-LABEL: func.func private @first_0(
// CHECK-SAME: tensor<7x28x32xbf16> {schedule.layout_free}
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$WEIGHTS]],
func.func @first(%x: tensor<2x32x32x3xbf16>, %w: tensor<7x7x3x32xbf16> {schedule.layout_free}) -> tensor<2x16x16x32xf32> {
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 2, 2, 0] {
  ^bb0(%n: index, %h: index, %c: index, %f: index):
    tensor.yield %pad : bf16
  } : tensor<2x32x32x3xbf16> to tensor<2x37x37x3xbf16>
  %e = tensor.empty() : tensor<2x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x16x32xf32>) -> tensor<2x16x16x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%padded, %w : tensor<2x37x37x3xbf16>, tensor<7x7x3x32xbf16>) outs(%i : tensor<2x16x16x32xf32>) -> tensor<2x16x16x32xf32>
  return %r : tensor<2x16x16x32xf32>
}

// 3 taps of 24 bytes are 72, two tiles of 9 groups: the image is as it was.
// CHECK-LABEL: func.func @bytes(
// CHECK-NOT: tensor.pad
// CHECK: call @bytes_0({{.*}}) : (tensor<1x18x16x72xi8>, tensor<3x72x32xi8>)
func.func @bytes(%x: tensor<1x18x18x24xi8>, %w: tensor<3x3x24x32xi8>) -> tensor<1x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x18x18x24xi8>, tensor<3x3x24x32xi8>) outs(%i : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %r : tensor<1x16x16x32xi32>
}

// 5 taps of 19 channels are 95 of 96 numbers, and of 20 too many: each row is
// copied, with a zero behind it. The image gets the pixel that is read behind
// the last one, and the weights a zero.
// CHECK-LABEL: func.func @copied(
// CHECK: tensor.pad %arg0 low[0, 0, 0, 0] high[0, 0, 1, 0]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape {{.*}} : tensor<1x20x21x19xbf16> into tensor<1x20x399xbf16>
// CHECK: %[[ROWS:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #{{.*}}]{{.*}} ins(%[[FLAT]] : {{.*}} outs(%{{.*}} : tensor<1x20x16x96xbf16>) attrs = {schedule.alone}
// CHECK: %[[TAKEN:.*]] = arith.constant 95 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[TAKEN]] : index
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %arg1 {{\[}}[0], [1, 2], [3]] : tensor<5x5x19x32xbf16> into tensor<5x95x32xbf16>
// CHECK: %[[W:.*]] = tensor.pad %[[JOINED]] low[0, 0, 0] high[0, 1, 0]
// CHECK: call @copied_0(%[[ROWS]], %[[W]])
func.func @copied(%x: tensor<1x20x20x19xbf16>, %w: tensor<5x5x19x32xbf16>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x20x20x19xbf16>, tensor<5x5x19x32xbf16>) outs(%i : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %r : tensor<1x16x16x32xf32>
}

// A constant is no buffer of the function, but its pad is; of a slice that a loop
// takes, rows are copied.
// CHECK-LABEL: func.func @constant(
// CHECK: tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 0, 0, 8]
// CHECK: call @constant_0({{.*}}) : (tensor<1x18x16x96xi8>, tensor<3x96x32xi8>)
// CHECK-LABEL: func.func @in_loop(
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x18x16x128xi8>) attrs = {schedule.alone}
func.func @constant(%w: tensor<3x3x24x32xi8>) -> tensor<1x16x16x32xi32> {
  %x = arith.constant dense<1> : tensor<1x18x18x24xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x18x18x24xi8>, tensor<3x3x24x32xi8>) outs(%i : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %r : tensor<1x16x16x32xi32>
}
func.func @in_loop(%x: tensor<4x18x18x24xi8>, %w: tensor<3x3x24x32xi8>, %to: tensor<4x16x16x32xi32>) -> tensor<4x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %all = scf.for %n = %c0 to %c4 step %c1 iter_args(%sums = %to) -> (tensor<4x16x16x32xi32>) {
    %image = tensor.extract_slice %x[%n, 0, 0, 0] [1, 18, 18, 24] [1, 1, 1, 1] : tensor<4x18x18x24xi8> to tensor<1x18x18x24xi8>
    %e = tensor.empty() : tensor<1x16x16x32xi32>
    %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
    %r = linalg.conv_2d_nhwc_hwcf ins(%image, %w : tensor<1x18x18x24xi8>, tensor<3x3x24x32xi8>) outs(%i : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
    %put = tensor.insert_slice %r into %sums[%n, 0, 0, 0] [1, 16, 16, 32] [1, 1, 1, 1] : tensor<1x16x16x32xi32> into tensor<4x16x16x32xi32>
    scf.yield %put : tensor<4x16x16x32xi32>
  }
  return %all : tensor<4x16x16x32xi32>
}

// Channels first are moved, and weights that have the taps last transposed; the
// lines are short, and overlap.
// CHECK-LABEL: func.func @channels_first(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x64x8x32xbf16>) attrs = {schedule.alone}
// CHECK: %[[MOVED:.*]] = linalg.transpose ins(%arg1 : tensor<64x3x7x8xbf16>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[W:.*]] = tensor.collapse_shape %[[MOVED]] {{\[}}[0], [1], [2, 3]] : tensor<64x7x8x3xbf16> into tensor<64x7x24xbf16>
// CHECK: tensor.pad %[[W]] low[0, 0, 0] high[0, 0, 8]
func.func @channels_first(%x: tensor<1x3x64x64xbf16>, %w: tensor<64x3x7x8xbf16> {schedule.layout_free}) -> tensor<1x64x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<8> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x64x64xbf16>, tensor<64x3x7x8xbf16>) outs(%i : tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  return %r : tensor<1x64x8x8xf32>
}

// Windows that touch are rows already.
// CHECK-LABEL: func.func @touching(
// CHECK-NOT: linalg.generic
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %arg0 {{\[}}[0], [1], [2, 3], [4]] output_shape [1, 8, 32, 2, 32]
// CHECK-NEXT: %[[ROWS:.*]] = tensor.collapse_shape %[[SPLIT]] {{\[}}[0], [1], [2], [3, 4]] : {{.*}} into tensor<1x8x32x64xi8>
// CHECK-NEXT: %[[W:.*]] = tensor.collapse_shape %arg1 {{\[}}[0], [1, 2], [3]] : tensor<2x2x32x32xi8> into tensor<2x64x32xi8>
// CHECK-NEXT: call @touching_0(%[[ROWS]], %[[W]])
func.func @touching(%x: tensor<1x8x64x32xi8>, %w: tensor<2x2x32x32xi8>) -> tensor<1x4x32x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4x32x32xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x32x32xi32>) -> tensor<1x4x32x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x64x32xi8>, tensor<2x2x32x32xi8>) outs(%i : tensor<1x4x32x32xi32>) -> tensor<1x4x32x32xi32>
  return %r : tensor<1x4x32x32xi32>
}

// Left as they are: taps with others between them; 64 bytes; three taps of
// three bytes, which vectors multiply as fast; f32; few filters.
// CHECK-LABEL: func.func @left(
// CHECK-NOT: linalg.index
// CHECK: return
func.func @left(%d: tensor<1x36x36x3xbf16>, %dw: tensor<3x3x3x32xbf16>, %m: tensor<1x34x34x32xbf16>, %mw: tensor<3x3x32x32xbf16>, %b: tensor<1x34x34x3xi8>, %bw: tensor<3x3x3x32xi8>, %f: tensor<1x34x34x3xf32>, %fw: tensor<3x3x3x32xf32>, %s: tensor<1x34x34x3xbf16>, %sw: tensor<3x3x3x8xbf16>) -> (tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>, tensor<1x32x32x32xi32>, tensor<1x32x32x32xf32>, tensor<1x32x32x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x32x32x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %ie = tensor.empty() : tensor<1x32x32x32xi32>
  %ii = linalg.fill ins(%none : i32) outs(%ie : tensor<1x32x32x32xi32>) -> tensor<1x32x32x32xi32>
  %se = tensor.empty() : tensor<1x32x32x8xf32>
  %si = linalg.fill ins(%zero : f32) outs(%se : tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%d, %dw : tensor<1x36x36x3xbf16>, tensor<3x3x3x32xbf16>) outs(%i : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%m, %mw : tensor<1x34x34x32xbf16>, tensor<3x3x32x32xbf16>) outs(%i : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%b, %bw : tensor<1x34x34x3xi8>, tensor<3x3x3x32xi8>) outs(%ii : tensor<1x32x32x32xi32>) -> tensor<1x32x32x32xi32>
  %3 = linalg.conv_2d_nhwc_hwcf ins(%f, %fw : tensor<1x34x34x3xf32>, tensor<3x3x3x32xf32>) outs(%i : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %4 = linalg.conv_2d_nhwc_hwcf ins(%s, %sw : tensor<1x34x34x3xbf16>, tensor<3x3x3x8xbf16>) outs(%si : tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
  return %0, %1, %2, %3, %4 : tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>, tensor<1x32x32x32xi32>, tensor<1x32x32x32xf32>, tensor<1x32x32x8xf32>
}
