// Where tiles of matrices are multiplied, short lines of an image become one.

// RUN: sched-opt %s --schedule-outline-tasks=tiles=true | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=tiles=true --schedule-outline-tasks=tiles=true | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: [0], [1, 2], [3]

// Searches for a processor with tiles do that, and scripts say so.
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu threads=1 trials=0" --emit=transform | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: sched-opt --schedule-outline-tasks=tiles=true INPUT
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu threads=1 trials=0" --emit=transform | FileCheck %s --check-prefix=LANES
// LANES-NOT: tiles=true

// Numerics, on any machine.
// RUN: sched-run %s --entry=padded --transform=%S/Inputs/outline-for-tiles.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=biased --transform=%S/Inputs/outline-for-tiles.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=added --transform=%S/Inputs/outline-for-tiles.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=dilated --transform=%S/Inputs/outline-for-tiles.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=divided --transform=%S/Inputs/outline-for-tiles.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=places --transform=%S/Inputs/outline-for-tiles.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// Those of a schedule whose rows are written to where they belong.
// RUN: sched-opt %s --schedule-outline-tasks=tiles=true -o %t.joined.mlir
// RUN: sched-opt %t.joined.mlir --auto-schedule="trials=0 threads=2" --emit=transform -o %t.script.mlir
// RUN: sched-run %t.joined.mlir --entry=padded --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t.joined.mlir --entry=biased --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// A line of the padded image has 9 pixels, of which 7 begin a window, and there
// is one line more, for the windows that the others begin.
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3 * 9 + d4, d5)>
// CHECK-DAG: #[[$FAR:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d2 * 20 + d3 * 2, d4)>
// CHECK-LABEL: func.func @padded(
// CHECK: %[[PAD:.*]] = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 2, 1, 0]
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %[[PAD]] {{\[}}[0], [1, 2], [3]] : tensor<1x10x9x64xbf16> into tensor<1x90x64xbf16>
// CHECK: %[[SUMS:.*]] = call @padded_0(%[[LINE]], %arg1) {{.*}} -> tensor<1x63x32xf32>
// CHECK: %[[LINES:.*]] = tensor.expand_shape %[[SUMS]] {{\[}}[0], [1, 2], [3]] output_shape [1, 7, 9, 32]
// CHECK: tensor.extract_slice %[[LINES]][0, 0, 0, 0] [1, 7, 7, 32] [1, 1, 1, 1]
// CHECK-LABEL: func.func private @padded_0(
// CHECK: linalg.generic {indexing_maps = [#[[$ROW]],
func.func @padded(%x: tensor<1x7x7x64xbf16>, %w: tensor<3x3x64x32xbf16> {schedule.layout_free}) -> tensor<1x7x7x32xf32> {
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %z = arith.constant 0.0 : bf16
    tensor.yield %z : bf16
  } : tensor<1x7x7x64xbf16> to tensor<1x9x9x64xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x9x9x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}

// What is the same for all pixels begins the sums of all rows, and what follows
// is computed of them, in the same task. An image without a pad keeps its size:
// sums are those up to the last that is read.
// CHECK-LABEL: func.func @biased(
// CHECK: %[[SUMS:.*]] = call @biased_0({{.*}}) : (tensor<48xi32>, tensor<2x81x64xi8>, tensor<3x3x64x48xi8>) -> tensor<2x61x48xi32>
// CHECK: tensor.insert_slice %[[SUMS]] into {{.*}}[0, 0, 0] [2, 61, 48] [1, 1, 1] : tensor<2x61x48xi32> into tensor<2x63x48xi32>
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice {{.*}} [2, 7, 7, 48] [1, 1, 1, 1]
// CHECK-NEXT: return %[[WHOLE]]
// CHECK-LABEL: func.func private @biased_0(
// CHECK: arith.maxsi
func.func @biased(%x: tensor<2x9x9x64xi8>, %w: tensor<3x3x64x48xi8>, %bias: tensor<48xi32>) -> tensor<2x7x7x48xi32> {
  %e = tensor.empty() : tensor<2x7x7x48xi32>
  %i = linalg.broadcast ins(%bias : tensor<48xi32>) outs(%e : tensor<2x7x7x48xi32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x9x64xi8>, tensor<3x3x64x48xi8>) outs(%i : tensor<2x7x7x48xi32>) -> tensor<2x7x7x48xi32>
  %zero = arith.constant 0 : i32
  %relu = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<2x7x7x48xi32>) outs(%e : tensor<2x7x7x48xi32>) {
  ^bb0(%a: i32, %b: i32):
    %m = arith.maxsi %a, %zero : i32
    linalg.yield %m : i32
  } -> tensor<2x7x7x48xi32>
  return %relu : tensor<2x7x7x48xi32>
}

// A number for each pixel is added where whole windows are read, be it what the
// sums start from.
// CHECK-LABEL: func.func @added(
// CHECK: call @added_0({{.*}}) : (tensor<81x64xi8>, tensor<3x3x64x16xi8>) -> tensor<61x16xi32>
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice {{.*}} [7, 7, 16] [1, 1, 1]
// CHECK: call @added_1({{.*}}%[[WHOLE]]{{.*}}) : {{.*}} -> tensor<7x7x16xi32>
func.func @added(%x: tensor<9x9x64xi8>, %w: tensor<3x3x64x16xi8>, %start: tensor<7x7x16xi32>, %more: tensor<7x7x16xi32>) -> tensor<7x7x16xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (h + kh, w + kw, c)>, affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<9x9x64xi8>, tensor<3x3x64x16xi8>) outs(%start : tensor<7x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %p, %q : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<7x7x16xi32>
  %e = tensor.empty() : tensor<7x7x16xi32>
  %sum = linalg.add ins(%r, %more : tensor<7x7x16xi32>, tensor<7x7x16xi32>) outs(%e : tensor<7x7x16xi32>) -> tensor<7x7x16xi32>
  return %sum : tensor<7x7x16xi32>
}

// A sum of a window that is cut must not be divided by, and has no place in the
// result.
// CHECK-LABEL: func.func @divided(
// CHECK: tensor.extract_slice
// CHECK: call @divided_1(
// CHECK-LABEL: func.func @places(
// CHECK: tensor.extract_slice
// CHECK: call @places_1(
func.func @divided(%x: tensor<9x9x64xi8>, %w: tensor<3x3x64x16xi8>) -> tensor<7x7x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7x7x16xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<7x7x16xi32>) -> tensor<7x7x16xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (h + kh, w + kw, c)>, affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<9x9x64xi8>, tensor<3x3x64x16xi8>) outs(%i : tensor<7x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %p, %q : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<7x7x16xi32>
  %o = linalg.generic {indexing_maps = [affine_map<(h, w, f) -> (h, w, f)>, affine_map<(h, w, f) -> (h, w, f)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<7x7x16xi32>) outs(%e : tensor<7x7x16xi32>) {
  ^bb0(%a: i32, %b: i32):
    %seven = arith.constant 7 : i32
    %one = arith.constant 1 : i32
    %odd = arith.ori %a, %one : i32
    %v = arith.divsi %seven, %odd : i32
    linalg.yield %v : i32
  } -> tensor<7x7x16xi32>
  return %o : tensor<7x7x16xi32>
}

func.func @places(%x: tensor<9x9x64xi8>, %w: tensor<3x3x64x16xi8>) -> tensor<7x7x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7x7x16xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<7x7x16xi32>) -> tensor<7x7x16xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (h + kh, w + kw, c)>, affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<9x9x64xi8>, tensor<3x3x64x16xi8>) outs(%i : tensor<7x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %p, %q : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<7x7x16xi32>
  %o = linalg.generic {indexing_maps = [affine_map<(h, w, f) -> (h, w, f)>, affine_map<(h, w, f) -> (h, w, f)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<7x7x16xi32>) outs(%e : tensor<7x7x16xi32>) {
  ^bb0(%a: i32, %b: i32):
    %h = linalg.index 0 : index
    %n = arith.index_cast %h : index to i32
    %v = arith.addi %a, %n : i32
    linalg.yield %v : i32
  } -> tensor<7x7x16xi32>
  return %o : tensor<7x7x16xi32>
}

// Taps that are apart are as many pixels away, and images need no padding.
// CHECK-LABEL: func.func @dilated(
// CHECK: call @dilated_0({{.*}}) : (tensor<90x64xi8>, tensor<2x3x64x32xi8>) -> tensor<66x32xi32>
// CHECK-LABEL: func.func private @dilated_0(
// CHECK: linalg.generic {indexing_maps = [#[[$FAR]],
func.func @dilated(%x: tensor<9x10x64xi8>, %w: tensor<2x3x64x32xi8>) -> tensor<7x6x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7x6x32xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<7x6x32xi32>) -> tensor<7x6x32xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (h + 2 * kh, w + 2 * kw, c)>, affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<9x10x64xi8>, tensor<2x3x64x32xi8>) outs(%i : tensor<7x6x32xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %p, %q : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<7x6x32xi32>
  return %r : tensor<7x6x32xi32>
}

// Lines of whole tiles, wide elements, a stride and windows of one
// pixel stay what they are.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: tensor.collapse_shape
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: tensor.collapse_shape
// CHECK-LABEL: func.func @strided(
// CHECK-NOT: tensor.collapse_shape
// CHECK-LABEL: func.func @one_pixel(
// CHECK: call @one_pixel_0({{.*}}) : (tensor<49x64xbf16>, tensor<64x32xbf16>) -> tensor<49x32xf32>
func.func @whole(%x: tensor<1x18x18x64xbf16>, %w: tensor<3x3x64x32xbf16>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x18x18x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %r : tensor<1x16x16x32xf32>
}
func.func @wide(%x: tensor<1x9x9x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<1x7x7x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x64xf32>, tensor<3x3x64x32xf32>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}
func.func @strided(%x: tensor<1x15x15x64xbf16>, %w: tensor<3x3x64x32xbf16>) -> tensor<1x7x7x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x15x15x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}
func.func @one_pixel(%x: tensor<1x7x7x64xbf16>, %w: tensor<1x1x64x32xbf16>) -> tensor<1x7x7x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x7x7x64xbf16>, tensor<1x1x64x32xbf16>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}
