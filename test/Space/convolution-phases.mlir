// A convolution of an image with zeros between its pixels becomes one of the
// image for each remainder of a result by the stride, all of them one op; what
// follows is computed with it. Not with steps of its own, nor with anything but
// zeros between the pixels, nor where nothing is between them, nor for a single
// filter.

// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=GPU
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=even --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=odd --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=bias_first --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=mirrored --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=thrice --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=rows --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=constant --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

// CHECK-DAG: #[[$STRAIGHT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1 + d2 + d6, d3 + d4 + d7, d8)>
// CHECK-DAG: #[[$MIRRORED:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1 + d6, d3 + d7, d8)>
// CHECK-DAG: #[[$MIRROR:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, -d1 + 1, d2, -d3 + 1, d4, d5)>

// Phases are innermost of the pixels, weights are looked at by phases, and bias
// and maximum are of the same task.
// CHECK-LABEL: func.func @even(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x5x6x19xf32>, %[[W:[^:]*]]: tensor<4x4x19x33xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK-DAG: %[[IMAGE:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK-DAG: %[[TAPS:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2, 3], [4], [5]{{.*}} into tensor<2x2x2x2x19x33xf32>
// CHECK: %[[Y:.*]] = call @even_0(%[[IMAGE]], %[[TAPS]],
// CHECK-SAME: -> tensor<1x5x2x6x2x33xf32>
// CHECK: %[[RESULT:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2], [3, 4], [5]]
// CHECK: return %[[RESULT]] : tensor<1x10x12x33xf32>
// CHECK-LABEL: func.func private @even_0(
// CHECK: linalg.generic
// CHECK-SAME: #[[$STRAIGHT]]
// CHECK: arith.addf
// CHECK: arith.maximumf
// GPU-LABEL: func.func @even(
// GPU-NOT: tensor.insert_slice
// GPU: call @even_0(
// GPU-SAME: -> tensor<1x5x2x6x2x33xf32>
func.func @even(%x: tensor<1x5x6x19xf32>, %w: tensor<4x4x19x33xf32>, %b: tensor<33xf32>) -> tensor<1x10x12x33xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x13x15x19xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x13x15x19xf32>) -> tensor<1x13x15x19xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 2, 0] [1, 5, 6, 19] [1, 2, 2, 1] : tensor<1x5x6x19xf32> into tensor<1x13x15x19xf32>
  %e = tensor.empty() : tensor<1x10x12x33xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x10x12x33xf32>) -> tensor<1x10x12x33xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<1x13x15x19xf32>, tensor<4x4x19x33xf32>) outs(%i : tensor<1x10x12x33xf32>) -> tensor<1x10x12x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x10x12x33xf32>, tensor<33xf32>) outs(%e : tensor<1x10x12x33xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x10x12x33xf32>
  return %r : tensor<1x10x12x33xf32>
}

// A fourth tap of zeros comes first; what there is no room for is dropped after
// the maximum.
// CHECK-LABEL: func.func @odd(
// CHECK-DAG: tensor.pad %arg1 low[1, 1, 0, 0] high[0, 0, 0, 0]
// CHECK: %[[Y:.*]] = call @odd_0(
// CHECK-SAME: -> tensor<2x5x2x3x2x20xf32>
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %[[Y]]
// CHECK: tensor.extract_slice %[[ALL]][0, 0, 0, 0] [2, 9, 5, 20]
// CHECK-NOT: call @
// CHECK: return
func.func @odd(%x: tensor<2x5x3x17xf32>, %w: tensor<3x3x17x20xf32>, %b: tensor<20xf32>) -> tensor<2x9x5x20xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<2x11x7x17xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<2x11x7x17xf32>) -> tensor<2x11x7x17xf32>
  %s = tensor.insert_slice %x into %z[0, 1, 1, 0] [2, 5, 3, 17] [1, 2, 2, 1] : tensor<2x5x3x17xf32> into tensor<2x11x7x17xf32>
  %e = tensor.empty() : tensor<2x9x5x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x9x5x20xf32>) -> tensor<2x9x5x20xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<2x11x7x17xf32>, tensor<3x3x17x20xf32>) outs(%i : tensor<2x9x5x20xf32>) -> tensor<2x9x5x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x9x5x20xf32>, tensor<20xf32>) outs(%e : tensor<2x9x5x20xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x9x5x20xf32>
  return %r : tensor<2x9x5x20xf32>
}

// With channels outside, the image is transposed and the zeros are not. The bias
// is what sums begin with, and zeros for one more row and column come last.
// CHECK-LABEL: func.func @bias_first(
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.collapse_shape %arg0 {{.*}} into tensor<1x6x20xf32>
// CHECK: call @{{.*}} -> tensor<1x5x2x4x2x7xf32>
// CHECK: tensor.extract_slice
// CHECK: return
// GPU-LABEL: func.func @bias_first(
// GPU: tensor.insert_slice
func.func @bias_first(%x: tensor<1x6x5x4xf32>, %w: tensor<7x6x4x4xf32>, %b: tensor<7xf32>) -> tensor<1x7x9x7xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x6x12x10xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x6x12x10xf32>) -> tensor<1x6x12x10xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 2, 2] [1, 6, 5, 4] [1, 1, 2, 2] : tensor<1x6x5x4xf32> into tensor<1x6x12x10xf32>
  %e = tensor.empty() : tensor<1x7x9x7xf32>
  %i = linalg.broadcast ins(%b : tensor<7xf32>) outs(%e : tensor<1x7x9x7xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<1x6x12x10xf32>, tensor<7x6x4x4xf32>) outs(%i : tensor<1x7x9x7xf32>) -> tensor<1x7x9x7xf32>
  return %c : tensor<1x7x9x7xf32>
}

// The first phase has the last tap: weights are copied. No result is too many.
// CHECK-LABEL: func.func @mirrored(
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic
// CHECK-SAME: #[[$MIRROR]]
// CHECK: call @mirrored_0(%arg0,
// CHECK-SAME: -> tensor<1x4x2x5x2x32xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK-LABEL: func.func private @mirrored_0(
// CHECK: linalg.generic
// CHECK-SAME: #[[$MIRRORED]]
func.func @mirrored(%x: tensor<1x4x5x16xf32>, %w: tensor<2x2x16x32xf32>, %b: tensor<32xf32>) -> tensor<1x8x10x32xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x9x11x16xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x9x11x16xf32>) -> tensor<1x9x11x16xf32>
  %s = tensor.insert_slice %x into %z[0, 1, 1, 0] [1, 4, 5, 16] [1, 2, 2, 1] : tensor<1x4x5x16xf32> into tensor<1x9x11x16xf32>
  %e = tensor.empty() : tensor<1x8x10x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x10x32xf32>) -> tensor<1x8x10x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<1x9x11x16xf32>, tensor<2x2x16x32xf32>) outs(%i : tensor<1x8x10x32xf32>) -> tensor<1x8x10x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x8x10x32xf32>, tensor<32xf32>) outs(%e : tensor<1x8x10x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x8x10x32xf32>
  return %r : tensor<1x8x10x32xf32>
}

// A stride of three, one dimension of pixels, an output padding: with a tap of
// zeros first, five zeros come before the image.
// CHECK-LABEL: func.func @thrice(
// CHECK: tensor.pad %arg1 low[1, 0, 0] high[1, 0, 0]
// CHECK: call @thrice_0(
// CHECK-SAME: -> tensor<1x7x3x40xf32>
// CHECK: tensor.extract_slice
func.func @thrice(%x: tensor<1x7x24xf32>, %w: tensor<7x24x40xf32>, %b: tensor<40xf32>) -> tensor<1x20x40xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x26x24xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x26x24xf32>) -> tensor<1x26x24xf32>
  %s = tensor.insert_slice %x into %z[0, 4, 0] [1, 7, 24] [1, 3, 1] : tensor<1x7x24xf32> into tensor<1x26x24xf32>
  %e = tensor.empty() : tensor<1x20x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x20x40xf32>) -> tensor<1x20x40xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%s, %w : tensor<1x26x24xf32>, tensor<7x24x40xf32>) outs(%i : tensor<1x20x40xf32>) -> tensor<1x20x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x20x40xf32>, tensor<40xf32>) outs(%e : tensor<1x20x40xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<1x20x40xf32>
  return %r : tensor<1x20x40xf32>
}

// Zeros between rows alone.
// CHECK-LABEL: func.func @rows(
// CHECK: call @rows_0(
// CHECK-SAME: -> tensor<1x5x2x6x16xf32>
func.func @rows(%x: tensor<1x5x6x16xf32>, %w: tensor<3x3x16x16xf32>) -> tensor<1x10x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x12x8x16xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x12x8x16xf32>) -> tensor<1x12x8x16xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 1, 0] [1, 5, 6, 16] [1, 2, 1, 1] : tensor<1x5x6x16xf32> into tensor<1x12x8x16xf32>
  %e = tensor.empty() : tensor<1x10x6x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x10x6x16xf32>) -> tensor<1x10x6x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<1x12x8x16xf32>, tensor<3x3x16x16xf32>) outs(%i : tensor<1x10x6x16xf32>) -> tensor<1x10x6x16xf32>
  return %c : tensor<1x10x6x16xf32>
}

// Constant weights are put in their places here.
// CHECK-LABEL: func.func @constant(
// CHECK-NOT: tensor.pad %cst
// CHECK: return
// CHECK: arith.constant dense<{{\[\[\[\[}}0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]], {{\[\[\[}}5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]], {{\[\[}}9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]]> : tensor<2x2x2x2xf32>
func.func @constant(%x: tensor<1x3x2xf32>) -> tensor<1x5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  %be = tensor.empty() : tensor<1x7x2xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x7x2xf32>) -> tensor<1x7x2xf32>
  %s = tensor.insert_slice %x into %z[0, 1, 0] [1, 3, 2] [1, 2, 1] : tensor<1x3x2xf32> into tensor<1x7x2xf32>
  %e = tensor.empty() : tensor<1x5x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x2xf32>) -> tensor<1x5x2xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%s, %w : tensor<1x7x2xf32>, tensor<3x2x2xf32>) outs(%i : tensor<1x5x2xf32>) -> tensor<1x5x2xf32>
  return %c : tensor<1x5x2xf32>
}

// Pixels next to each other: no phases.
// CHECK-LABEL: func.func @dense(
// CHECK: tensor.insert_slice
// CHECK: call @dense_0(
// CHECK: return
func.func @dense(%x: tensor<1x5x6x19xf32>, %w: tensor<4x4x19x33xf32>) -> tensor<1x6x7x33xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x9x10x19xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x9x10x19xf32>) -> tensor<1x9x10x19xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 2, 0] [1, 5, 6, 19] [1, 1, 1, 1] : tensor<1x5x6x19xf32> into tensor<1x9x10x19xf32>
  %e = tensor.empty() : tensor<1x6x7x33xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%s, %w : tensor<1x9x10x19xf32>, tensor<4x4x19x33xf32>) outs(%i : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  return %c : tensor<1x6x7x33xf32>
}

// Ones between the pixels.
// CHECK-LABEL: func.func @ones(
// CHECK: tensor.insert_slice
// CHECK: call @ones_0(
// CHECK: return
func.func @ones(%x: tensor<1x7x24xf32>, %w: tensor<4x24x40xf32>) -> tensor<1x14x40xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 1.0 : f32
  %be = tensor.empty() : tensor<1x17x24xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x17x24xf32>) -> tensor<1x17x24xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 0] [1, 7, 24] [1, 2, 1] : tensor<1x7x24xf32> into tensor<1x17x24xf32>
  %e = tensor.empty() : tensor<1x14x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x40xf32>) -> tensor<1x14x40xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%s, %w : tensor<1x17x24xf32>, tensor<4x24x40xf32>) outs(%i : tensor<1x14x40xf32>) -> tensor<1x14x40xf32>
  return %c : tensor<1x14x40xf32>
}

// A stride of the convolution's own.
// CHECK-LABEL: func.func @steps(
// CHECK: tensor.insert_slice
// CHECK: call @steps_0(
// CHECK: return
func.func @steps(%x: tensor<1x7x24xf32>, %w: tensor<4x24x40xf32>) -> tensor<1x8x40xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x18x24xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x18x24xf32>) -> tensor<1x18x24xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 0] [1, 7, 24] [1, 2, 1] : tensor<1x7x24xf32> into tensor<1x18x24xf32>
  %e = tensor.empty() : tensor<1x8x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x40xf32>) -> tensor<1x8x40xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%s, %w : tensor<1x18x24xf32>, tensor<4x24x40xf32>) outs(%i : tensor<1x8x40xf32>) -> tensor<1x8x40xf32>
  return %c : tensor<1x8x40xf32>
}

// A single filter: neighbours in memory would be of two phases.
// CHECK-LABEL: func.func @single(
// CHECK: tensor.insert_slice
// CHECK: call @single_0(
// CHECK: return
func.func @single(%x: tensor<1x7x24xf32>, %w: tensor<4x24x1xf32>) -> tensor<1x14x1xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x17x24xf32>
  %z = linalg.fill ins(%fill : f32) outs(%be : tensor<1x17x24xf32>) -> tensor<1x17x24xf32>
  %s = tensor.insert_slice %x into %z[0, 2, 0] [1, 7, 24] [1, 2, 1] : tensor<1x7x24xf32> into tensor<1x17x24xf32>
  %e = tensor.empty() : tensor<1x14x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x1xf32>) -> tensor<1x14x1xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%s, %w : tensor<1x17x24xf32>, tensor<4x24x1xf32>) outs(%i : tensor<1x14x1xf32>) -> tensor<1x14x1xf32>
  return %c : tensor<1x14x1xf32>
}

// A pad that cuts off the image's edge.
// CHECK-LABEL: func.func @cut(
// CHECK: tensor.insert_slice
// CHECK: return
func.func @cut(%x: tensor<1x7x24xf32>, %w: tensor<4x24x40xf32>) -> tensor<1x13x40xf32> {
  %zero = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x15x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%be : tensor<1x15x24xf32>) -> tensor<1x15x24xf32>
  %s = tensor.insert_slice %x into %z[0, 0, 0] [1, 7, 24] [1, 2, 1] : tensor<1x7x24xf32> into tensor<1x15x24xf32>
  %p = tensor.pad %s low[0, -1, 0] high[0, 2, 0] {
  ^bb0(%a: index, %b: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x15x24xf32> to tensor<1x16x24xf32>
  %e = tensor.empty() : tensor<1x13x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x13x40xf32>) -> tensor<1x13x40xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%p, %w : tensor<1x16x24xf32>, tensor<4x24x40xf32>) outs(%i : tensor<1x13x40xf32>) -> tensor<1x13x40xf32>
  return %c : tensor<1x13x40xf32>
}

// Three strides of a volume: its phases are loops, too.
// CHECK-LABEL: func.func @volume(
// CHECK-NOT: tensor.insert_slice
// CHECK: call @volume_0(
// CHECK: return
// With groups besides, these are more loops than contractions may have, which
// would be compiled by the default schedule.
// CHECK-LABEL: func.func @groups(
// CHECK: tensor.insert_slice
// CHECK: call @groups_0(
// CHECK: return
func.func @volume(%x: tensor<1x3x3x3x16xf32>, %w: tensor<2x2x2x16x32xf32>) -> tensor<1x6x6x6x32xf32> {
  %zero = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x7x7x7x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%be : tensor<1x7x7x7x16xf32>) -> tensor<1x7x7x7x16xf32>
  %s = tensor.insert_slice %x into %z[0, 1, 1, 1, 0] [1, 3, 3, 3, 16] [1, 2, 2, 2, 1] : tensor<1x3x3x3x16xf32> into tensor<1x7x7x7x16xf32>
  %e = tensor.empty() : tensor<1x6x6x6x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x6x32xf32>) -> tensor<1x6x6x6x32xf32>
  %c = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%s, %w : tensor<1x7x7x7x16xf32>, tensor<2x2x2x16x32xf32>) outs(%i : tensor<1x6x6x6x32xf32>) -> tensor<1x6x6x6x32xf32>
  return %c : tensor<1x6x6x6x32xf32>
}
#image = affine_map<(n, d, h, w, g, f, z, y, x, c) -> (n, d + z, h + y, w + x, g, c)>
#weights = affine_map<(n, d, h, w, g, f, z, y, x, c) -> (z, y, x, g, c, f)>
#result = affine_map<(n, d, h, w, g, f, z, y, x, c) -> (n, d, h, w, g, f)>
func.func @groups(%x: tensor<1x3x3x3x2x16xf32>, %w: tensor<2x2x2x2x16x32xf32>) -> tensor<1x6x6x6x2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<1x7x7x7x2x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%be : tensor<1x7x7x7x2x16xf32>) -> tensor<1x7x7x7x2x16xf32>
  %s = tensor.insert_slice %x into %z[0, 1, 1, 1, 0, 0] [1, 3, 3, 3, 2, 16] [1, 2, 2, 2, 1, 1] : tensor<1x3x3x3x2x16xf32> into tensor<1x7x7x7x2x16xf32>
  %e = tensor.empty() : tensor<1x6x6x6x2x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x6x2x32xf32>) -> tensor<1x6x6x6x2x32xf32>
  %c = linalg.generic {indexing_maps = [#image, #weights, #result],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%s, %w : tensor<1x7x7x7x2x16xf32>, tensor<2x2x2x2x16x32xf32>) outs(%i : tensor<1x6x6x6x2x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x6x2x32xf32>
  return %c : tensor<1x6x6x6x2x32xf32>
}
