// Batches, as lines and groups of a convolution, come around the cache blocks or
// inside of them; how many of them, the innermost, come inside is a decision.
// Not where there is one of each, nor where they share nothing, as in a
// depthwise convolution, nor in a product of two matrices (SketchWriter.cpp).

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file | FileCheck %s

// None, the groups, or lines and groups inside of the blocks of pixels and
// channels.
// CHECK-LABEL: func.func @groups(
// CHECK: schedule.sketch @plain(
// CHECK: %[[ZERO:.*]] = transform.param.constant 0 :
// CHECK: %[[ONE:.*]] = transform.param.constant 1 :
// CHECK: %[[LINES:.*]] = transform.param.constant 7 :
// CHECK: %[[GROUPS:.*]] = transform.param.constant 2 :
// CHECK: %[[UNIT:.*]] = transform.param.constant 1 :
// CHECK: %[[NONE:.*]] = transform.param.constant 0 :
// CHECK: %[[SINGLE:.*]] = transform.param.constant 1 :
// CHECK: %[[INNER:.*]] = schedule.sample_categorical "inner_batches" from [0, 1, 2] default 0
// CHECK: %[[LINES_AROUND:.*]] = schedule.cmp le %[[INNER]], %[[SINGLE]]
// CHECK: %[[LINE:.*]] = schedule.select %[[LINES_AROUND]], %[[UNIT]], %[[ZERO]]
// CHECK: %[[GROUPS_AROUND:.*]] = schedule.cmp le %[[INNER]], %[[NONE]]
// CHECK: %[[GROUP:.*]] = schedule.select %[[GROUPS_AROUND]], %[[UNIT]], %[[ZERO]]
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["init"] rank 8 dims [0, 1, 3] extents(%[[ONE]], %[[LINES]], %[[GROUPS]]) sizes(%[[UNIT]], %[[LINE]], %[[GROUP]])
// CHECK: schedule.sample_permutation "block_order"
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["init"] rank 8 dims [2, 4]
// CHECK: %[[INNER_LINE:.*]] = schedule.select %[[LINES_AROUND]], %[[ZERO]], %[[UNIT]]
// CHECK: %[[INNER_GROUP:.*]] = schedule.select %[[GROUPS_AROUND]], %[[ZERO]], %[[UNIT]]
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["init"] rank 8 dims [1, 3] extents(%[[LINES]], %[[GROUPS]]) sizes(%[[INNER_LINE]], %[[INNER_GROUP]])
// CHECK: schedule.sample_permutation "tile_order"
func.func @groups(%x: tensor<1x9x16x2x8xf32>, %w: tensor<2x3x3x8x8xf32>) -> tensor<1x7x14x2x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x14x2x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x14x2x8xf32>) -> tensor<1x7x14x2x8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, v, g, f, p, q, c) -> (n, h + p, v + q, g, c)>,
                     affine_map<(n, h, v, g, f, p, q, c) -> (g, p, q, c, f)>,
                     affine_map<(n, h, v, g, f, p, q, c) -> (n, h, v, g, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x9x16x2x8xf32>, tensor<2x3x3x8x8xf32>) outs(%i : tensor<1x7x14x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x14x2x8xf32>
  return %r : tensor<1x7x14x2x8xf32>
}

// -----

// CHECK-LABEL: func.func @line(
// CHECK: schedule.sketch @plain(
// CHECK-NOT: inner_batches
func.func @line(%x: tensor<1x16x8xf32>, %w: tensor<3x8x8xf32>) -> tensor<1x14x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x16x8xf32>, tensor<3x8x8xf32>) outs(%i : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
  return %r : tensor<1x14x8xf32>
}

// -----

// CHECK-LABEL: func.func @matrices(
// CHECK: schedule.sketch @plain(
// CHECK-NOT: inner_batches
func.func @matrices(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func.func @depthwise(
// CHECK: schedule.sketch @plain(
// CHECK-NOT: inner_batches
func.func @depthwise(%x: tensor<1x9x16x8xf32>, %w: tensor<3x3x8xf32>, %y: tensor<1x7x14x8xf32>) -> tensor<1x7x14x8xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x9x16x8xf32>, tensor<3x3x8xf32>) outs(%y : tensor<1x7x14x8xf32>) -> tensor<1x7x14x8xf32>
  return %r : tensor<1x7x14x8xf32>
}

// -----

// Batches with operands of their own, one after the other.

// CHECK-LABEL: func.func @products(
// CHECK: schedule.sketch @plain(
// CHECK-NOT: inner_batches
func.func @products(%a: tensor<4x64x16xf32>, %b: tensor<4x16x64xf32>, %c: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<4x64x16xf32>, tensor<4x16x64xf32>) outs(%c : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  return %r : tensor<4x64x64xf32>
}

// -----

// The same between the rows of the result.

// CHECK-LABEL: func.func @heads(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sample_categorical "inner_batches"
func.func @heads(%a: tensor<4x64x16xf32>, %b: tensor<4x16x64xf32>, %c: tensor<64x4x64xf32>) -> tensor<64x4x64xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, b, n)>]
    ins(%a, %b : tensor<4x64x16xf32>, tensor<4x16x64xf32>) outs(%c : tensor<64x4x64xf32>) -> tensor<64x4x64xf32>
  return %r : tensor<64x4x64xf32>
}

// -----

// Of an image of 16 planes, a register tile's rows are along a line of 14
// pixels, as these are next to each other, and planes and lines are batches.

// CHECK-LABEL: func.func @planes(
// CHECK: schedule.sketch @plain(
// CHECK-NEXT: transform.param.constant 0 :
// CHECK-NEXT: transform.param.constant 14 :
// CHECK: schedule.sample_categorical "inner_batches" from [0, 1, 2] default 0
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["init"] rank 9 dims [0, 1, 2]
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["init"] rank 9 dims [1, 2]
func.func @planes(%x: tensor<1x18x16x16x8xf32>, %w: tensor<3x3x3x8x16xf32>) -> tensor<1x16x14x14x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x14x14x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x14x14x16xf32>) -> tensor<1x16x14x14x16xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x18x16x16x8xf32>, tensor<3x3x3x8x16xf32>) outs(%i : tensor<1x16x14x14x16xf32>) -> tensor<1x16x14x14x16xf32>
  return %r : tensor<1x16x14x14x16xf32>
}

// -----

// Shorter lines would leave more of a tile empty.

// CHECK-LABEL: func.func @short_lines(
// CHECK: schedule.sketch @plain(
// CHECK-NEXT: transform.param.constant 0 :
// CHECK-NEXT: transform.param.constant 16 :
func.func @short_lines(%x: tensor<1x18x15x15x8xf32>, %w: tensor<3x3x3x8x16xf32>) -> tensor<1x16x13x13x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x13x13x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x13x13x16xf32>) -> tensor<1x16x13x13x16xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x18x15x15x8xf32>, tensor<3x3x3x8x16xf32>) outs(%i : tensor<1x16x13x13x16xf32>) -> tensor<1x16x13x13x16xf32>
  return %r : tensor<1x16x13x13x16xf32>
}

// -----

// The half of L2 does not hold the weights, but those of a tile's columns: lines
// come inside by default, and as many columns as it holds before the next ones.
// CHECK-LABEL: func.func @large_weights(
// CHECK: schedule.sketch @packed(
// CHECK: schedule.sample_categorical "inner_batches" from [0, 1] default 1
// CHECK: schedule.sample_categorical "n_tiles" from {{.*}} default 3 :
func.func @large_weights(%x: tensor<1x9x18x128xf32>, %w: tensor<3x3x128x128xf32>, %y: tensor<1x7x16x128xf32>) -> tensor<1x7x16x128xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x9x18x128xf32>, tensor<3x3x128x128xf32>) outs(%y : tensor<1x7x16x128xf32>) -> tensor<1x7x16x128xf32>
  return %r : tensor<1x7x16x128xf32>
}
