// Convolutions as products with the columns of the image.

// RUN: sched-opt %s --schedule-im2col | FileCheck %s
// RUN: sched-opt %s --schedule-im2col="which=0,1,0" | FileCheck %s --check-prefix=SECOND
// RUN: sched-opt %s --schedule-im2col --schedule-generate-space="threads=1 target=cpu:mcpu=znver3" 2>/dev/null | FileCheck %s --check-prefix=SPACE
// RUN: not sched-opt %s --schedule-im2col="which=2" 2>&1 | FileCheck %s --check-prefix=WHICH

// WHICH: error: which must be 1 (rewritten) or 0 (left as it is); found 2

// CHECK-DAG: #[[$WINDOWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3, d2 * 2 + d4, d5)>
// CHECK-DAG: #[[$DILATED:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3 * 2, d2 + d4 * 2, d5)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[$FILTERS_FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
// CHECK-DAG: #[[$CHANNELS_FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4, d2, d3)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// Few channels: taps and channels are one dimension. Where both copy and product
// are a task, its sketches say where the columns are made.
// CHECK-LABEL: func.func @stem(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<2x31x31x3xf32>, %[[WEIGHTS:.*]]: tensor<3x3x3x32xf32>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[$WINDOWS]], #{{.*}}]{{.*}}ins(%[[IMAGE]] : {{.*}} outs(%{{.*}} : tensor<2x15x15x3x3x3xf32>)
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[COPY]] {{\[}}[0, 1, 2], [3, 4, 5]] : {{.*}} into tensor<450x27xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %[[WEIGHTS]] {{\[}}[0, 1, 2], [3]] : {{.*}} into tensor<27x32xf32>
// CHECK: %[[START:.*]] = linalg.fill {{.*}} tensor<450x32xf32>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}}"parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] {{.*}} outs(%[[START]]
// CHECK: tensor.expand_shape %[[Y]] {{\[}}[0, 1, 2], [3]]
// SECOND-LABEL: func.func @stem(
// SECOND: linalg.conv_2d_nhwc_hwcf
// SPACE-LABEL: schedule.space @stem_
// SPACE: "producer0"
func.func @stem(%x: tensor<2x31x31x3xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<2x15x15x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x15x15x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x15x15x32xf32>) -> tensor<2x15x15x32xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x31x31x3xf32>, tensor<3x3x3x32xf32>) outs(%i : tensor<2x15x15x32xf32>) -> tensor<2x15x15x32xf32>
  return %y : tensor<2x15x15x32xf32>
}

// Single taps: slices of them may be made where they are used. A bias and a
// relu are computed on rows.
// CHECK-LABEL: func.func @dilated(
// CHECK: linalg.generic {indexing_maps = [#[[$DILATED]], #{{.*}}]
// CHECK: linalg.generic {indexing_maps = [#[[$COLUMNS]], #[[$FILTERS_FIRST]], #{{.*}}]{{.*}}"parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #{{.*}}, #[[$ROWS]]]
// CHECK: arith.maximumf
// CHECK: tensor.expand_shape
// CHECK-NEXT: return
// SECOND-LABEL: func.func @dilated(
// SECOND-NOT: linalg.conv
// SPACE-LABEL: schedule.space @dilated_
// SPACE: schedule.sample_categorical "producer_at" from [0, 1]
func.func @dilated(%x: tensor<1x11x11x16xf32>, %w: tensor<32x3x3x16xf32>, %bias: tensor<32xf32>) -> tensor<1x7x7x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %y = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x11x11x16xf32>, tensor<32x3x3x16xf32>) outs(%i : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %bias : tensor<1x7x7x32xf32>, tensor<32xf32>) outs(%e : tensor<1x7x7x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<1x7x7x32xf32>
  return %r : tensor<1x7x7x32xf32>
}

// Channels outside are moved first.
// CHECK-LABEL: func.func @outside(
// CHECK: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[$COLUMNS]], #[[$CHANNELS_FIRST]], #{{.*}}]
// CHECK: linalg.transpose
// SECOND-LABEL: func.func @outside(
// SECOND: linalg.conv_2d_nchw_fchw
func.func @outside(%x: tensor<1x16x9x70xf32>, %w: tensor<16x16x3x3xf32>, %i: tensor<1x16x7x68xf32>) -> tensor<1x16x7x68xf32> {
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x9x70xf32>, tensor<16x16x3x3xf32>) outs(%i : tensor<1x16x7x68xf32>) -> tensor<1x16x7x68xf32>
  return %y : tensor<1x16x7x68xf32>
}

// A single tap has no columns, and a window for each channel is no product.
// CHECK-LABEL: func.func @left(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @left(%x: tensor<1x8x8x16xf32>, %w: tensor<1x1x16x16xf32>, %v: tensor<3x3x16xf32>, %i: tensor<1x8x8x16xf32>, %j: tensor<1x6x6x16xf32>)
    -> (tensor<1x8x8x16xf32>, tensor<1x6x6x16xf32>) {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32>) outs(%i : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %v : tensor<1x8x8x16xf32>, tensor<3x3x16xf32>) outs(%j : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %y, %d : tensor<1x8x8x16xf32>, tensor<1x6x6x16xf32>
}
