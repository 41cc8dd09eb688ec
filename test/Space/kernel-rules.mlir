// Which sketches a task gets for a GPU, and what the one of a product decides:
// rules for CPUs write none, and the reverse.

// RUN: sched-opt %s --schedule-generate-space="target=nvvm:sm_90a" --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --implicit-check-not='schedule.sketch @'
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=CPU --implicit-check-not=tile_grid
// CPU-LABEL: func.func @product(

// CHECK-LABEL: func.func @product(
// CHECK: schedule.space @product_0 workload({{.*}}) target(<nvvm, {{.*}}arch = "sm_90a"
// CHECK: schedule.sketch @thread_tiles(
// CHECK: %[[BM:.*]] = schedule.sample_categorical "bm" from [1, 2, 4, 5, {{.*}}, 256] default 128
// CHECK: %[[BN:.*]] = schedule.sample_categorical "bn"
// CHECK: %[[BK:.*]] = schedule.sample_categorical "bk" from [4, 5, 8, 16, 32, 64] default 16
// CHECK: schedule.sample_categorical "stages" from [1, 2, 3, 4] default 3
// CHECK: schedule.require "a copy that goes by itself has a buffer of its own"
// CHECK: schedule.require "a block has at most 1024 threads"
// CHECK: schedule.require "a thread has at most 255 registers"
// CHECK: schedule.require "a multiprocessor has the registers of a block"
// CHECK: schedule.require "a block has at most 232448 bytes of shared memory"
// CHECK-NOT: more_blocks
// CHECK: schedule.name_blocks %{{.*}} ["init0", "anchor", "epilogue"]
// CHECK: schedule.require "the grid has more than one block"
// CHECK: schedule.tile_grid %{{.*}} "epilogue" fuse ["anchor", "init0"] rank 2 dims [0, 1] {{.*}} sizes(%[[BM]], %[[BN]])
// CHECK: schedule.tile_steps %{{.*}} "anchor" rank 3 dims [2] {{.*}} sizes(%[[BK]])
// CHECK: schedule.annotate %{{.*}} "anchor" "sched.simt" {threads = [%{{.*}}, %{{.*}}], vthreads = {{.*}}, tile = {{.*}}, unroll = {{.*}}, stages = {{.*}}, async = {{.*}}, fetch = {{.*}}, pad = {{.*}}, transpose = {{.*}}, max_registers = %{{.*}}}
func.func @product(%a: tensor<1000x515xf32>, %b: tensor<515x777xf32>, %c: tensor<777xf32>) -> tensor<1000x777xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000x777xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1000x515xf32>, tensor<515x777xf32>) outs(%i : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %d = linalg.broadcast ins(%c : tensor<777xf32>) outs(%e : tensor<1000x777xf32>) dimensions = [0]
  %r = linalg.add ins(%p, %d : tensor<1000x777xf32>, tensor<1000x777xf32>) outs(%e : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  return %r : tensor<1000x777xf32>
}

// -----

// Operands that the second level of cache does not hold are shared by neighbours
// of the grid: blocks are taken some rows at a time. A small second level does
// the same to all. Where there are more blocks than run at once, it is decided
// whether a multiprocessor is to hold one more of them.
// RUN: sched-opt %s --schedule-generate-space="target=nvvm:sm_90a,l2=1000,multiprocessors=4" --split-input-file 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=RASTER
// CHECK-NOT: raster
// RASTER-LABEL: func.func @product(
// RASTER: %[[MORE:.*]] = schedule.sample_categorical "more_blocks" from [0, 1] default 0
// RASTER: schedule.require "a thread makes do with four fifths of its registers"
// RASTER: schedule.require "there are blocks for one block more"
// RASTER: %[[REGISTERS:.*]] = schedule.select %[[MORE]],
// RASTER: %[[GROUP:.*]] = schedule.sample_categorical "row_group" from [1, 4, 8, 16] default 8
// RASTER: %[[COLUMNS:.*]] = schedule.product
// RASTER: schedule.annotate %{{.*}} "anchor" "sched.simt" {threads = {{.*}}, max_registers = %[[REGISTERS]], raster = [%[[GROUP]], %[[COLUMNS]]]}
// RASTER-LABEL: func.func @convolution(
// RASTER: raster = [

// What computes an operand is inlined, or a kernel of its own.
// CHECK-LABEL: func.func @producer(
// Warps may share the steps of a tile.
// CHECK: schedule.sketch @matrix_tiles(
// CHECK: %[[SLICES:.*]] = schedule.sample_categorical "slices" from [1, 2, 4] default 1
// CHECK: schedule.require "every slice has a step"
// CHECK: schedule.annotate %{{.*}} "anchor" "sched.simt" {mma = %{{.*}}, warps = [%{{.*}}, %{{.*}}], slices = %[[SLICES]], stages = {{.*}}
// CHECK: schedule.sketch @thread_tiles(
// CHECK: %[[INLINE:.*]] = schedule.sample_categorical "inline_producer0" from [0, 1] default 1
// CHECK: schedule.annotate %{{.*}} "producer0" "sched.simt" {keep = %[[INLINE]] of ["memory", "recompute"]}
func.func @producer(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %ea = tensor.empty() : tensor<64x64xf16>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.exp ins(%a : tensor<64x64xf16>) outs(%ea : tensor<64x64xf16>) -> tensor<64x64xf16>
  %r = linalg.matmul ins(%s, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// The loops over the window run around those over channels; images, lines and
// pixels are rows.
// CHECK-LABEL: func.func @convolution(
// CHECK: schedule.sketch @thread_tiles(
// CHECK: %[[M:.*]] = schedule.sample_categorical "bm"
// CHECK: %[[N:.*]] = schedule.sample_categorical "bn"
// CHECK: %[[H:.*]] = schedule.sample_categorical "bo1"
// CHECK: %[[IMAGES:.*]] = schedule.sample_categorical "bo0"
// CHECK: schedule.product %[[M]], %[[IMAGES]], %[[H]],
// CHECK: schedule.tile_grid %{{.*}} "anchor" fuse ["init0"] rank 7 dims [2, 3, 0, 1] {{.*}} sizes(%[[M]], %[[N]], %[[IMAGES]], %[[H]])
// CHECK: schedule.tile_steps %{{.*}} "anchor" rank 7 dims [4, 5, 6]
func.func @convolution(%x: tensor<2x30x30x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<2x28x28x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x28x28x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x28x28x32xf32>) -> tensor<2x28x28x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x30x30x64xf32>, tensor<3x3x64x32xf32>) outs(%i : tensor<2x28x28x32xf32>) -> tensor<2x28x28x32xf32>
  return %r : tensor<2x28x28x32xf32>
}

// -----

// Batches that are next to each other share nothing.
// CHECK-LABEL: func.func @batches_last(
// CHECK: schedule.sketch @thread_tiles(
// RASTER-LABEL: func.func @batches_last(
// RASTER: schedule.tile_grid %{{.*}} rank 4 dims [0, 1, 2]
// RASTER-NOT: raster
#a = affine_map<(m, n, b, k) -> (b, m, k)>
#b = affine_map<(m, n, b, k) -> (b, k, n)>
#c = affine_map<(m, n, b, k) -> (b, m, n)>
func.func @batches_last(%a: tensor<6x40x30xf32>, %b: tensor<6x30x20xf32>) -> tensor<6x40x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40x20xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<6x40x20xf32>) -> tensor<6x40x20xf32>
  %r = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<6x40x30xf32>, tensor<6x30x20xf32>) outs(%i : tensor<6x40x20xf32>) -> tensor<6x40x20xf32>
  return %r : tensor<6x40x20xf32>
}

// -----

// RASTER-LABEL: func.func @softmax(
// CHECK-LABEL: func.func @softmax(
// CHECK: schedule.sketch @thread_rows(
// CHECK: %[[V:.*]] = schedule.sample_categorical "vector" from [1, 2, 4] default 4
// CHECK: %[[T:.*]] = schedule.sample_categorical "threads_across"
// CHECK: schedule.tile_grid %{{.*}} "root" stages fuse ["stage2", "init1", "stage1", "stage0", "init0"] rank 2 dims [0]
// CHECK: schedule.annotate %{{.*}} "stage0" "sched.simt" {threads = [%[[R:.*]], %[[T]]], vector = %[[V]], along = %{{.*}}}
// CHECK: schedule.annotate %{{.*}} "stage1" "sched.simt" {threads = [%[[R]], %[[T]]], vector = %[[V]], along = %{{.*}}, keep = %{{.*}} of ["registers", "shared", "recompute"]}
func.func @softmax(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %e = tensor.empty() : tensor<64x1000xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %r : tensor<64x1000xf32>
}

// -----

// Vectors along the channels, which are not the innermost loop.
// CHECK-LABEL: func.func @depthwise(
// CHECK: schedule.sketch @thread_points(
// CHECK: schedule.annotate %{{.*}} "anchor" "sched.simt" {threads = [%{{.*}}, %[[Z:.*]], %[[Y:.*]], %[[X:.*]], %[[ONE:.*]], %[[ONE]]], vector = %{{.*}}, along = %{{.*}}}
func.func @depthwise(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x14x14x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x16x16x32xf32>, tensor<3x3x32xf32>) outs(%i : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  return %r : tensor<1x14x14x32xf32>
}

// -----

// A single element is no grid: the code generator binds it.
// CHECK-LABEL: func.func @element(
func.func @element(%x: tensor<1xf32>) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = linalg.exp ins(%x : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
