// Which sketches a task gets, with one task on each side of each rule's
// condition. A space lists the most promising sketch first: its default is the
// default schedule.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file 2>%t.remarks \
// RUN:   | FileCheck %s --implicit-check-not='schedule.sketch @'
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: --input-file=%t.remarks

// A reduction of 64 fits into L1 as it is: none is split.
// CHECK-LABEL: func.func @short(
// CHECK: schedule.space @short_0 workload("{{[0-9a-f]+}}", "matmul_32x32x64_f32")
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed(
func.func @short(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----

// A longer one may be.
// CHECK-LABEL: func.func @long(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed(
// CHECK: schedule.sketch @plain_blocked(
// CHECK: schedule.sketch @packed_blocked(
func.func @long(%a: tensor<32x65xf32>, %b: tensor<65x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x65xf32>, tensor<65x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----

// Less than a vector of columns makes no panel.
// CHECK-LABEL: func.func @narrow(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @plain_blocked(
func.func @narrow(%a: tensor<32x65xf32>, %b: tensor<65x7xf32>) -> tensor<32x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x7xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x7xf32>) -> tensor<32x7xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x65xf32>, tensor<65x7xf32>) outs(%i : tensor<32x7xf32>) -> tensor<32x7xf32>
  return %r : tensor<32x7xf32>
}

// -----

// One vector does.
// CHECK-LABEL: func.func @vector(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed(
func.func @vector(%a: tensor<32x4xf32>, %b: tensor<4x8xf32>) -> tensor<32x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x8xf32>) -> tensor<32x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x4xf32>, tensor<4x8xf32>) outs(%i : tensor<32x8xf32>) -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}

// -----

// A right-hand side of more than half of L2 (512 KiB here) is packed first.
// CHECK-LABEL: func.func @large(
// CHECK: schedule.sketch @packed(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed_blocked(
// CHECK: schedule.sketch @plain_blocked(
func.func @large(%a: tensor<32x257xf32>, %b: tensor<257x256xf32>) -> tensor<32x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x257xf32>, tensor<257x256xf32>) outs(%i : tensor<32x256xf32>) -> tensor<32x256xf32>
  return %r : tensor<32x256xf32>
}

// -----

// The loops are found wherever they are: (m, n) is (1, 2) here, and k is 0.
#a = affine_map<(k, m, n) -> (m, k)>
#b = affine_map<(k, m, n) -> (k, n)>
#c = affine_map<(k, m, n) -> (m, n)>
// CHECK-LABEL: func.func @reduction_first(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.tile {{.*}} rank 3 dims [1, 2]
// CHECK: schedule.tile {{.*}} rank 3 dims [0]
// CHECK: schedule.sketch @packed(
// CHECK: schedule.pack_rhs {{.*}} loops [1, 2, 0] result [0, 1, -1] rhs [0, 2]
// CHECK: schedule.sketch @plain_blocked(
// CHECK: schedule.sketch @packed_blocked(
func.func @reduction_first(%a: tensor<32x65xf32>, %b: tensor<65x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<32x65xf32>, tensor<65x32xf32>) outs(%c : tensor<32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----

// Batches run one by one.
// CHECK-LABEL: func.func @batch(
// CHECK: schedule.space @batch_0 workload({{.*}}, "batch_matmul_4x32x32x65_f32(accumulate)")
// CHECK: schedule.sketch @plain(
// CHECK: %[[ONE:.*]] = transform.param.constant 1 :
// CHECK: schedule.tile {{.*}} rank 4 dims [0] extents(%{{.*}}) sizes(%[[ONE]])
// CHECK: schedule.tile {{.*}} rank 4 dims [1, 2]
// CHECK: schedule.sketch @packed(
// CHECK: schedule.sketch @plain_blocked(
// CHECK: schedule.sketch @packed_blocked(
func.func @batch(%a: tensor<4x32x65xf32>, %b: tensor<4x65x32xf32>, %c: tensor<4x32x32xf32>) -> tensor<4x32x32xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<4x32x65xf32>, tensor<4x65x32xf32>) outs(%c : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  return %r : tensor<4x32x32xf32>
}

// -----

// A convolution is a product in each tap of its window: rows are pixels, columns
// channels. Taps run inside of the register tile, whose rows are taken one by
// one where a stride keeps them apart. No blocks are copied, as they overlap.
// CHECK-LABEL: func.func @convolution(
// CHECK: schedule.space @convolution_0 workload({{.*}}, "contraction_2x14x14x64x16x3x3_f32(accumulate)")
// CHECK: schedule.sketch @plain(
// CHECK: schedule.tile {{.*}} "anchor" fuse [] rank 7 dims [0, 1]
// CHECK-NOT: cache_lhs
// CHECK: schedule.tile {{.*}} "anchor" fuse [] rank 7 dims [2, 3] {{.*}} order
// CHECK: schedule.tile {{.*}} "anchor" fuse [] rank 7 dims [4, 5]
// CHECK: schedule.tile {{.*}} "anchor" fuse [] rank 7 dims [6]
// CHECK: schedule.unroll_points {{.*}} "anchor" rank 7 dims [2]
// CHECK: schedule.vectorize {{.*}} generalize ["anchor"]
// CHECK: schedule.sketch @packed(
// CHECK: schedule.pack_rhs {{.*}} "anchor" n 64 loops [2, 3, 6, 0, 1, 4, 5] result [2, 3, -1, 0, 1, -1, -1] rhs [4, 5, 6, 3]
// CHECK: schedule.tile {{.*}} "anchor" fuse [] rank 8 dims [2, 3] {{.*}} order
// CHECK: schedule.unroll_points {{.*}} "anchor" rank 8 dims [2]
// CHECK: schedule.unroll_points {{.*}} "tail_anchor" rank 7 dims [2]
// CHECK: schedule.vectorize {{.*}} generalize ["anchor", "tail_anchor"]
func.func @convolution(%x: tensor<2x29x29x16xf32>, %w: tensor<3x3x16x64xf32>, %y: tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<2x29x29x16xf32>, tensor<3x3x16x64xf32>) outs(%y : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  return %r : tensor<2x14x14x64xf32>
}

// -----

// Weights that all lines read are packed first where they are large.
// CHECK-LABEL: func.func @large_weights(
// CHECK: schedule.sketch @packed(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed_blocked(
// CHECK: schedule.sketch @plain_blocked(
func.func @large_weights(%x: tensor<1x9x9x128xf32>, %w: tensor<3x3x128x128xf32>, %y: tensor<1x7x7x128xf32>) -> tensor<1x7x7x128xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x128xf32>, tensor<3x3x128x128xf32>)
                                outs(%y : tensor<1x7x7x128xf32>) -> tensor<1x7x7x128xf32>
  return %r : tensor<1x7x7x128xf32>
}

// -----

// Channels first, the image is what vectors are read from, and it has windows.
// CHECK-LABEL: func.func @channels_first(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @plain_blocked(
func.func @channels_first(%x: tensor<1x128x9x18xf32>, %w: tensor<128x128x3x3xf32>, %y: tensor<1x128x7x16xf32>) -> tensor<1x128x7x16xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x128x9x18xf32>, tensor<128x128x3x3xf32>)
                                outs(%y : tensor<1x128x7x16xf32>) -> tensor<1x128x7x16xf32>
  return %r : tensor<1x128x7x16xf32>
}

// -----

// The same channel by channel: each lane has a window of its own. No tap is
// long enough to be split, and nothing to be packed.
// CHECK-LABEL: func.func @depthwise(
// CHECK: schedule.space @depthwise_0 workload("{{[0-9a-f]+}}", "windows_2x14x14x64x3x3_f32(accumulate)")
// CHECK: schedule.sketch @plain(
// CHECK-NOT: schedule.sketch @
func.func @depthwise(%x: tensor<2x16x16x64xf32>, %w: tensor<3x3x64xf32>, %y: tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x16x16x64xf32>, tensor<3x3x64xf32>) outs(%y : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  return %r : tensor<2x14x14x64xf32>
}

// -----

// Every second pixel of a line makes no vector.
// CHECK-LABEL: func.func @strided_lanes(
// CHECK-NOT: schedule.space
// REMARK: remark: compiled by the default schedule, without a search: no op to schedule found in @strided_lanes: 'linalg.depthwise_conv_2d_nchw_chw' op is no contraction, reduction or elementwise op of a known form, nor fused with one
func.func @strided_lanes(%x: tensor<1x8x15x15xf32>, %w: tensor<8x3x3xf32>, %y: tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x8x15x15xf32>, tensor<8x3x3xf32>) outs(%y : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  return %r : tensor<1x8x7x7xf32>
}

// -----

// Few rows times rows that are contiguous along the reduction: vectors run
// along it, and as many rows as there are registers for have partial sums.
// CHECK-LABEL: func.func @few_rows(
// CHECK: schedule.sketch @lanes(
// CHECK: sample_categorical "nr" from {{.*}} default 2
// CHECK: schedule.split_reduction {{.*}} "anchor" rank 3 dim 2 extent 64
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed(
func.func @few_rows(%a: tensor<4x64xf32>, %b: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x64xf32>, tensor<32x64xf32>) outs(%i : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

// More rows are worth the transposing.
// CHECK-LABEL: func.func @more_rows(
// CHECK: schedule.sketch @plain(
// CHECK: schedule.sketch @packed(
func.func @more_rows(%a: tensor<5x64xf32>, %b: tensor<32x64xf32>) -> tensor<5x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x32xf32>) -> tensor<5x32xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<5x64xf32>, tensor<32x64xf32>) outs(%i : tensor<5x32xf32>) -> tensor<5x32xf32>
  return %r : tensor<5x32xf32>
}
