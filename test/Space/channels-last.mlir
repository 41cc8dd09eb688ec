// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// Short lines of pixels: what is transposed is the image before its pad, and
// the result after bias and relu.

// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[$RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[$BIAS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func.func @short(
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %arg0 {{\[}}[0], [1], [2, 3]] : tensor<2x16x7x7xf32> into tensor<2x16x49xf32>
// CHECK: %[[T:.*]] = call @[[IN:short_[0-9]+]](%[[LINE]])
// CHECK: %[[X:.*]] = tensor.expand_shape %[[T]] {{\[}}[0], [1, 2], [3]]
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[Y:.*]] = call @[[CONV:short_[0-9]+]](%[[P]], %arg1, %arg2)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0], [1, 2], [3]]
// CHECK: call @[[OUT:short_[0-9]+]](%[[C]])
// CHECK: tensor.expand_shape
// CHECK: return
// CHECK: func.func private @[[IN]](
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: func.func private @[[CONV]](
// CHECK-SAME: tensor<24x16x3x3xf32> {schedule.layout_free}
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$WEIGHTS]], #[[$RESULT]]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$BIAS]], #{{.*}}]
// CHECK: arith.maximumf
// CHECK: func.func private @[[OUT]](
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
#id = affine_map<(n, f, h, w) -> (n, f, h, w)>
#f = affine_map<(n, f, h, w) -> (f)>
func.func @short(%x: tensor<2x16x7x7xf32>, %w: tensor<24x16x3x3xf32> {schedule.layout_free}, %b: tensor<24xf32>) -> tensor<2x24x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x16x7x7xf32> to tensor<2x16x9x9xf32>
  %e = tensor.empty() : tensor<2x24x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x16x9x9xf32>, tensor<24x16x3x3xf32>) outs(%init : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  %r = linalg.generic {indexing_maps = [#id, #f, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x24x7x7xf32>, tensor<24xf32>) outs(%e : tensor<2x24x7x7xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.addf %a, %s : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x24x7x7xf32>
  return %r : tensor<2x24x7x7xf32>
}

// -----

// A block of a residual network: one transpose at its start and one at its end.
// What the second convolution starts from is the image itself.

// CHECK-LABEL: func.func @block(
// CHECK-COUNT-4: call @block_
// CHECK-NOT: call
// CHECK: return
// CHECK: linalg.transpose
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.transpose
// CHECK-NOT: linalg.transpose
#id = affine_map<(n, f, h, w) -> (n, f, h, w)>
func.func @block(%x: tensor<1x16x14x14xf32>, %u: tensor<16x16x1x1xf32>, %v: tensor<16x16x1x1xf32>) -> tensor<1x16x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x14x14xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x16x14x14xf32>, tensor<16x16x1x1xf32>) outs(%init : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %a = linalg.exp ins(%c : tensor<1x16x14x14xf32>) outs(%e : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%a, %v : tensor<1x16x14x14xf32>, tensor<16x16x1x1xf32>) outs(%init : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  %r = linalg.add ins(%a, %d : tensor<1x16x14x14xf32>, tensor<1x16x14x14xf32>) outs(%e : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  return %r : tensor<1x16x14x14xf32>
}

// -----

// With a stride the length of the lines does not matter, and each channel may
// have its window.

// CHECK-DAG: #[[$STRIDED:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-LABEL: func.func @strided(
// CHECK: call @strided_0
// CHECK: call @strided_1
// CHECK: call @strided_2
// CHECK: func.func private @strided_1(
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @strided(%x: tensor<1x32x129x129xf32>) -> tensor<1x32x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x32x64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x64x64xf32>) -> tensor<1x32x64x64xf32>
  %r = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x32x129x129xf32>, tensor<3x3xf32>)
      outs(%init : tensor<1x32x64x64xf32>) -> tensor<1x32x64x64xf32>
  return %r : tensor<1x32x64x64xf32>
}

// -----

// Long lines are vectors as they are.

// CHECK-LABEL: func.func @long(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
func.func @long(%x: tensor<1x16x66x66xf32>, %w: tensor<24x16x3x3xf32>, %init: tensor<1x24x64x64xf32>) -> tensor<1x24x64x64xf32> {
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x66x66xf32>, tensor<24x16x3x3xf32>) outs(%init : tensor<1x24x64x64xf32>) -> tensor<1x24x64x64xf32>
  return %c : tensor<1x24x64x64xf32>
}

// -----

// The channels are innermost already, or there are none.

// CHECK-LABEL: func.func @last(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @last(%x: tensor<1x9x9x16xf32>, %w: tensor<3x3x16x24xf32>, %init: tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x16xf32>, tensor<3x3x16x24xf32>) outs(%init : tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32>
  return %c : tensor<1x7x7x24xf32>
}
// CHECK-LABEL: func.func @none(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d
func.func @none(%x: tensor<9x9xf32>, %w: tensor<3x3xf32>, %init: tensor<7x7xf32>) -> tensor<7x7xf32> {
  %c = linalg.conv_2d ins(%x, %w : tensor<9x9xf32>, tensor<3x3xf32>) outs(%init : tensor<7x7xf32>) -> tensor<7x7xf32>
  return %c : tensor<7x7xf32>
}

// -----

// An op of more dimensions, such as a broadcast, is not of the result's layout.

// CHECK-LABEL: func.func @broadcast(
// CHECK: call @[[OUT:broadcast_[0-9]+]]({{.*}}) : (tensor<1x2x68xf32>) -> tensor<1x68x2xf32>
// CHECK: tensor.expand_shape
// CHECK: linalg.broadcast
func.func @broadcast(%x: tensor<1x68x3xf32>, %w: tensor<68x2xf32>, %init: tensor<1x68x2xf32>, %e: tensor<1x68x84x2xf32>) -> tensor<1x68x84x2xf32> {
  %c = linalg.depthwise_conv_1d_ncw_cw ins(%x, %w : tensor<1x68x3xf32>, tensor<68x2xf32>) outs(%init : tensor<1x68x2xf32>) -> tensor<1x68x2xf32>
  %r = linalg.broadcast ins(%c : tensor<1x68x2xf32>) outs(%e : tensor<1x68x84x2xf32>) dimensions = [2]
  return %r : tensor<1x68x84x2xf32>
}

// -----

// Groups of one channel with two results each: innermost, these would be no
// vectors.

// CHECK-LABEL: func.func @groups(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
func.func @groups(%x: tensor<1x16x1x16x16xf32>, %w: tensor<16x2x1x3x3xf32>, %i: tensor<1x16x2x14x14xf32>) -> tensor<1x16x2x14x14xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w, c, y, x) -> (n, g, c, h + y, w + x)>,
                                        affine_map<(n, g, f, h, w, c, y, x) -> (g, f, c, y, x)>,
                                        affine_map<(n, g, f, h, w, c, y, x) -> (n, g, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x1x16x16xf32>, tensor<16x2x1x3x3xf32>) outs(%i : tensor<1x16x2x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x2x14x14xf32>
  return %r : tensor<1x16x2x14x14xf32>
}

// -----

// Long lines, and dot products, whose steps are channels: of bytes, the image
// and the result are transposed.

// CHECK-LABEL: func.func @narrow(
// CHECK: call @{{narrow_[0-9]+}}({{.*}}) : (tensor<1x16x4356xi8>) -> tensor<1x4356x16xi8>
// CHECK: call @{{narrow_[0-9]+}}({{.*}}) : (tensor<1x66x66x16xi8>,
// CHECK: call @{{narrow_[0-9]+}}({{.*}}) : (tensor<1x4096x24xi32>) -> tensor<1x24x4096xi32>
func.func @narrow(%x: tensor<1x16x66x66xi8>, %w: tensor<24x16x3x3xi8>) -> tensor<1x24x64x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x24x64x64xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x24x64x64xi32>) -> tensor<1x24x64x64xi32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x66x66xi8>, tensor<24x16x3x3xi8>) outs(%i : tensor<1x24x64x64xi32>) -> tensor<1x24x64x64xi32>
  return %c : tensor<1x24x64x64xi32>
}

// -----

// Depthwise, bytes are no dot products: long lines stay.

// CHECK-LABEL: func.func @narrow_windows(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.depthwise_conv_2d_nchw_chw
func.func @narrow_windows(%x: tensor<1x16x66x66xi8>, %w: tensor<16x3x3xi8>, %i: tensor<1x16x64x64xi32>) -> tensor<1x16x64x64xi32> {
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x16x66x66xi8>, tensor<16x3x3xi8>) outs(%i : tensor<1x16x64x64xi32>) -> tensor<1x16x64x64xi32>
  return %c : tensor<1x16x64x64xi32>
}

// -----

// A group's channels, in one dimension with the groups, are no pixels.

// CHECK-LABEL: func.func @flat_groups(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
func.func @flat_groups(%x: tensor<4x16x16x32xf32>, %w: tensor<3x3x4x8x8xf32>, %i: tensor<4x14x14x4x8xf32>) -> tensor<4x14x14x4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, f, y, x, c) -> (n, h + y, w + x, g * 8 + c)>,
                                        affine_map<(n, h, w, g, f, y, x, c) -> (y, x, g, c, f)>,
                                        affine_map<(n, h, w, g, f, y, x, c) -> (n, h, w, g, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x16x16x32xf32>, tensor<3x3x4x8x8xf32>) outs(%i : tensor<4x14x14x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x14x14x4x8xf32>
  return %r : tensor<4x14x14x4x8xf32>
}

// -----

// An image with channels innermost, and a result with channels outside, which
// alone is transposed.

// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[$RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-LABEL: func.func @result(
// CHECK: %[[Y:.*]] = call @[[CONV:result_[0-9]+]](%arg0, %arg1)
// CHECK: call @{{result_[0-9]+}}({{.*}}) : (tensor<1x4900x24xf32>) -> tensor<1x24x4900xf32>
// CHECK: func.func private @[[CONV]](
// CHECK: indexing_maps = [#[[$IMAGE]], {{.*}}, #[[$RESULT]]]
func.func @result(%x: tensor<1x72x72x16xf32>, %w: tensor<3x3x16x24xf32>) -> tensor<1x24x70x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x70x70xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x70x70xf32>) -> tensor<1x24x70x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, y, x) -> (n, h + y, w + x, c)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (y, x, c, f)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x72x72x16xf32>, tensor<3x3x16x24xf32>) outs(%i : tensor<1x24x70x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x24x70x70xf32>
  return %r : tensor<1x24x70x70xf32>
}

// -----

// The other way around each channel has its window, which no rule reads across;
// the result stays.

// CHECK-LABEL: func.func @image(
// CHECK: call @{{image_[0-9]+}}({{.*}}) : (tensor<1x32x900xf32>) -> tensor<1x900x32xf32>
// CHECK: %[[Y:.*]] = call @{{image_[0-9]+}}({{.*}}) : (tensor<1x30x30x32xf32>, {{.*}}) -> tensor<1x28x28x32xf32>
// CHECK-NEXT: return %[[Y]]
func.func @image(%x: tensor<1x32x30x30xf32>, %w: tensor<3x3x32xf32>, %i: tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, y, x) -> (n, c, h + y, w + x)>,
                                        affine_map<(n, h, w, c, y, x) -> (y, x, c)>,
                                        affine_map<(n, h, w, c, y, x) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x30x30xf32>, tensor<3x3x32xf32>) outs(%i : tensor<1x28x28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x28x28x32xf32>
  return %r : tensor<1x28x28x32xf32>
}

// -----

// A product reads such an image for its rows as it is.

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
func.func @rows(%x: tensor<1x16x30x30xf32>, %w: tensor<3x3x16x32xf32>, %i: tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, c, y, x) -> (n, c, h + y, w + x)>,
                                        affine_map<(n, h, w, f, c, y, x) -> (y, x, c, f)>,
                                        affine_map<(n, h, w, f, c, y, x) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x30x30xf32>, tensor<3x3x16x32xf32>) outs(%i : tensor<1x28x28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x28x28x32xf32>
  return %r : tensor<1x28x28x32xf32>
}
