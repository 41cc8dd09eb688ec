// The sketches of tasks without a contraction, and what is left to the default.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file 2>%t.remarks \
// RUN:   | FileCheck %s --implicit-check-not='schedule.sketch @'
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: --input-file=%t.remarks

// One op of a chain; vectors of four, as exp is in it.
// CHECK-LABEL: func.func @chain(
// CHECK: schedule.space @chain_0 workload("{{[0-9a-f]+}}", "elementwise_64x96_f32(add+exp)"
// CHECK: schedule.sketch @elementwise(
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4, 8] default 4
// CHECK: %[[F:.*]] = schedule.fuse_elementwise %{{.*}} ["linalg.add", "linalg.exp"]
// CHECK: schedule.name_blocks %[[F]] ["root"]
// CHECK: schedule.fuse_stages %[[F]] "root" stages [] rank 2 dims [0, 1]
func.func @chain(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %s = linalg.add ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %r = linalg.exp ins(%s : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// -----

// A copy stays a named op: as a generic one it would be folded away.
// CHECK-LABEL: func.func @copy(
// CHECK: schedule.sketch @elementwise(
// CHECK-NOT: schedule.fuse_elementwise
// CHECK: schedule.name_blocks %{{.*}} ["root"]
func.func @copy(%a: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %r = linalg.copy ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// -----

// One that converts is as any other.
// CHECK-LABEL: func.func @converting_copy(
// CHECK: schedule.sketch @elementwise(
// CHECK: schedule.fuse_elementwise %{{.*}} ["linalg.copy"]
func.func @converting_copy(%a: tensor<64x96xf32>) -> tensor<64x96xf64> {
  %e = tensor.empty() : tensor<64x96xf64>
  %r = linalg.copy ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf64>) -> tensor<64x96xf64>
  return %r : tensor<64x96xf64>
}

// -----

// A transpose takes squares of vectors.
// CHECK-LABEL: func.func @transpose(
// CHECK: schedule.sketch @elementwise(
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4, 8] default 1
// CHECK: schedule.sample_categorical "rows" from [1, 2, 4, 8, 16] default 8
func.func @transpose(%a: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %r = linalg.transpose ins(%a : tensor<96x64xf32>) outs(%e : tensor<64x96xf32>) permutation = [1, 0]
  return %r : tensor<64x96xf32>
}

// -----

// Of large tensors, in blocks of whole lines.
// CHECK-LABEL: func.func @large_transpose(
// CHECK: schedule.space
// CHECK-NEXT: schedule.sketch @transposed_blocks(
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4, 8, 16] default 2
// CHECK: %[[R:.*]] = schedule.sample_categorical "row_block" from [16, 32, 64, 128] default 128
// CHECK: %[[C:.*]] = schedule.sample_categorical "column_block" from [16, 32] default 32
// CHECK: schedule.require "the block stays in the first level of caches"
// CHECK: schedule.fuse_stages %[[F:.*]] "root" stages [] rank 3 dims [0, 1, 2]
// CHECK: %[[O:.*]]:2 = schedule.sample_permutation "block_order" of 2 default [1, 0]
// CHECK: schedule.tile %[[F]] "root" fuse [] rank 3 dims [0, 2] {{.*}} sizes(%[[R]], %[[C]]) order(%[[O]]#0, %[[O]]#1)
// CHECK: schedule.tile %[[F]] "root" fuse [] rank 3 dims [0, 2] {{.*}} order(%[[O]]#0, %[[O]]#1)
// CHECK: schedule.sketch @elementwise(
func.func @large_transpose(%a: tensor<600x4x500xf32>) -> tensor<500x4x600xf32> {
  %e = tensor.empty() : tensor<500x4x600xf32>
  %r = linalg.transpose ins(%a : tensor<600x4x500xf32>) outs(%e : tensor<500x4x600xf32>) permutation = [2, 1, 0]
  return %r : tensor<500x4x600xf32>
}

// -----

// A line of bytes is many of them: 128 columns of 512 rows would stay no more,
// and two vectors of 16 rows would fill no registers.
// CHECK-LABEL: func.func @large_transpose_of_bytes(
// CHECK: schedule.sketch @transposed_blocks(
// CHECK: "vectors" from [1, 2, 4, 8, 16] default 1
// CHECK: "rows" from [1, 2, 4, 8, 16] default 16
// CHECK: %[[ROOM:.*]] = transform.param.constant 16 : i64
// CHECK: schedule.cmp le %{{.*}}, %[[ROOM]]
// CHECK: "row_block" from [64, 128, 256, 512] default 128
// CHECK: "column_block" from [64, 128] default 128
// CHECK: %[[MOST:.*]] = transform.param.constant 16384 : i64
// CHECK: schedule.cmp le %{{.*}}, %[[MOST]]
// CHECK: schedule.sketch @elementwise(
func.func @large_transpose_of_bytes(%a: tensor<2048x2048xi8>) -> tensor<2048x2048xi8> {
  %e = tensor.empty() : tensor<2048x2048xi8>
  %r = linalg.transpose ins(%a : tensor<2048x2048xi8>) outs(%e : tensor<2048x2048xi8>) permutation = [1, 0]
  return %r : tensor<2048x2048xi8>
}

// -----

// What is read has its own size.
// CHECK-LABEL: func.func @large_conversion(
// CHECK: schedule.sketch @transposed_blocks(
// CHECK: "row_block" from [64, 128, 256, 512] default 64
// CHECK: "column_block" from [64, 128] default 128
// CHECK: transform.param.constant 8192 : i64
// CHECK: schedule.sketch @elementwise(
func.func @large_conversion(%a: tensor<2048x2048xf64>) -> tensor<2048x2048xi8> {
  %e = tensor.empty() : tensor<2048x2048xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<2048x2048xf64>) outs(%e : tensor<2048x2048xi8>) {
  ^bb0(%x: f64, %o: i8):
    %y = arith.fptosi %x : f64 to i8
    linalg.yield %y : i8
  } -> tensor<2048x2048xi8>
  return %r : tensor<2048x2048xi8>
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK: schedule.sketch @rows(
// CHECK: schedule.sample_categorical "partials" from [1, 2, 4, 8] default 8
// CHECK: %[[KEEP:.*]] = schedule.sample_categorical "keep_partials" from [0, 1] default 1
// CHECK: schedule.require "a row of one step has no partial results to give up"
// CHECK: %[[ROWS:.*]] = schedule.sample_categorical "rows" from [1, 2, 4] default 1
// CHECK: schedule.require "the rows' partial results fit in the vector registers"
// CHECK: %[[SOFTMAX:.*]] = transform.structured.match ops{["linalg.softmax"]}
// CHECK: transform.structured.decompose_interface %[[SOFTMAX]]
// CHECK: schedule.name_blocks %[[F:.*]] ["init0", "stage0", "stage1", "init1", "stage2", "root"]
// CHECK: schedule.fuse_stages %[[F]] "root" stages ["stage2", "init1", "stage1", "stage0", "init0"] rank 2 dims [0] {{.*}} sizes(%[[ROWS]])
// CHECK: schedule.split_reduction %[[F]] "stage0" rank 2 dim 1 extent 100 {{.*}} keep %[[KEEP]]
// CHECK: schedule.tile %[[F]] "stage1" fuse []
// CHECK: schedule.split_reduction %[[F]] "stage2" rank 2 dim 1 extent 100 {{.*}} keep %[[KEEP]]
// CHECK: schedule.tile %[[F]] "root" fuse []
// CHECK: schedule.vectorize %[[F]]
// CHECK-NEXT: }
func.func @softmax(%a: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %e = tensor.empty() : tensor<64x100xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<64x100xf32>) outs(%e : tensor<64x100xf32>) -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// -----

// Short rows are several at once by default: their lanes are joined.
// CHECK-LABEL: func.func @short_softmax(
// CHECK: schedule.sketch @rows(
// CHECK: "partials" from [1, 2] default 2
// CHECK: "rows" from [1, 2, 4] default 2
func.func @short_softmax(%a: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x16xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<64x16xf32>) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

// Rows of one vector have no steps that could keep anything, and a sum alone no
// elementwise vectors.
// CHECK-LABEL: func.func @short_rows(
// CHECK: schedule.sketch @rows(
// CHECK-NOT: "vectors"
// CHECK-NOT: "keep_partials"
// CHECK: schedule.split_reduction
func.func @short_rows(%a: tensor<64x8xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x8xf32>) outs(%i : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

// -----

// A maximum of one element more has.
// CHECK-LABEL: func.func @longer_rows(
// CHECK: schedule.sketch @rows(
// CHECK: %[[KEEP:.*]] = schedule.sample_categorical "keep_partials" from [0, 1] default 1
// CHECK: schedule.split_reduction {{.*}} keep %[[KEEP]]
func.func @longer_rows(%a: tensor<64x9xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%a : tensor<64x9xf32>) outs(%i : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

// -----

// Rows are taken in their order in memory, their sums stay in the cache.
// CHECK-LABEL: func.func @columns(
// CHECK: schedule.sketch @columns(
// CHECK-NOT: "keep_partials"
// CHECK: schedule.tile_parallel %[[F:.*]] "root" fuse ["init0"] rank 2 dims [1]
// CHECK: schedule.tile %[[F]] "root" fuse [] rank 2 dims [0, 1]
// CHECK: schedule.tile %[[F]] "init0" fuse []
func.func @columns(%a: tensor<64x100xf32>) -> tensor<100xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x100xf32>) outs(%i : tensor<100xf32>) dimensions = [0]
  return %r : tensor<100xf32>
}

// -----

// Two dimensions at once, into one number: rows are added one after the other.
// CHECK-LABEL: func.func @all(
// CHECK: schedule.sketch @rows(
// CHECK: schedule.name_blocks %[[F:.*]] ["root"]
// CHECK-NEXT: schedule.split_reduction %[[F]] "root" rank 2 dim 1 extent 100 around [0] width
func.func @all(%a: tensor<64x100xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x100xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// -----

// Lines of a page: several of a step are read at once, as many as divide them.
// CHECK-LABEL: func.func @pages(
// CHECK: schedule.sketch @rows(
// CHECK: %[[L:.*]] = schedule.sample_categorical "lines" from [1, 2, 4] default 1
// CHECK: schedule.require "the lines' partial results fit in the vector registers"
// CHECK: schedule.split_reduction %{{.*}} "root" rank 3 dim 2 extent 1030 around [1] lines %[[L]] width
func.func @pages(%x: tensor<16x12x1030xf32>, %s: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<16x12x1030xf32>) outs(%s : tensor<16xf32>) dimensions = [1, 2]
  return %r : tensor<16xf32>
}

// -----

// Threads that share them have whole steps.
// CHECK-LABEL: func.func @shared_pages(
// CHECK: schedule.sketch @shared_rows(
// CHECK: %[[L:.*]] = schedule.sample_categorical "lines" from [1, 2] default 1
// CHECK: schedule.split_reduction %{{.*}} "root" rank 2 dim 1 extent 65536 around [0] lines %[[L]] width
// CHECK: schedule.sketch @rows(
// CHECK: schedule.sample_categorical "lines" from [1, 2, 4] default 1
func.func @shared_pages(%x: tensor<12x65536xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<12x65536xf32>) outs(%s : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// -----

// A norm over two dimensions: one matrix after the other.
// CHECK-LABEL: func.func @norm(
// CHECK: schedule.space @norm_0 workload("{{[0-9a-f]+}}", "rows_16x64x100_f32(mul_add+sqrt)"
// CHECK: schedule.sketch @rows(
// CHECK: schedule.fuse_stages %[[F:.*]] "root" stages ["stage0", "init0"] rank 1 dims [0]
// CHECK-NEXT: schedule.split_reduction %[[F]] "stage0" rank 3 dim 2 extent 100 around [1] width
func.func @norm(%x: tensor<16x64x100xf32>) -> tensor<16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<16x64x100xf32>) outs(%i : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %r = linalg.sqrt ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// All but a dimension in the middle; threads share that.
// CHECK-LABEL: func.func @channels(
// CHECK: schedule.sketch @rows(
// CHECK: schedule.tile_parallel %[[F:.*]] "root" fuse ["init0"] rank 4 dims [1]
// CHECK: schedule.tile %[[F]] "root" fuse ["init0"] rank 4 dims [1]
// CHECK: schedule.split_reduction %[[F]] "root" rank 4 dim 3 extent 75 around [0, 2] width
func.func @channels(%a: tensor<3x6x20x75xf32>) -> tensor<6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<3x6x20x75xf32>) outs(%i : tensor<6xf32>) dimensions = [0, 2, 3]
  return %r : tensor<6xf32>
}

// -----

// All dimensions but the outermost and the innermost, as of the pixels of
// images: columns.
// CHECK-LABEL: func.func @pixels(
// CHECK: schedule.sketch @columns(
// CHECK: schedule.tile_parallel %[[F:.*]] "root" fuse [] rank 4 dims [0, 3]
// CHECK: schedule.tile %[[F]] "root" fuse [] rank 4 dims [0, 1, 2, 3]
func.func @pixels(%a: tensor<4x7x7x96xf32>, %i: tensor<4x96xf32>) -> tensor<4x96xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x7x7x96xf32>) outs(%i : tensor<4x96xf32>) dimensions = [1, 2]
  return %r : tensor<4x96xf32>
}

// -----

// Vectors of what is read would be scattered over the result: what it starts
// from is transposed before, and the result after.
// CHECK-LABEL: func.func @transposed_sums(
// CHECK: schedule.space @transposed_sums_0 workload({{.*}}, "elementwise_8x16_f32(transpose)"
// CHECK: schedule.sketch @elementwise(
// CHECK: schedule.space @transposed_sums_1 workload({{.*}}, "columns_8x16x5_f32(add)"
// CHECK: schedule.sketch @columns(
// CHECK: schedule.space @transposed_sums_2 workload({{.*}}, "elementwise_16x8_f32(transpose)"
// CHECK: schedule.sketch @elementwise(
func.func @transposed_sums(%a: tensor<8x5x16xf32>, %i: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(j, i, k) -> (i, k, j)>, affine_map<(j, i, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<8x5x16xf32>) outs(%i : tensor<16x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// What does not fuse into such a reduction would be computed as a whole.
// CHECK-LABEL: func.func @paired_channels(
// REMARK: remark: compiled by the default schedule, without a search: no rule applies to rows_4x6x4x75_f32(exp+max_add)
// CHECK-NOT: schedule.space
func.func @paired_channels(%a: tensor<4x6x4x75xf32>, %i: tensor<6xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<4x6x4x75xf32>
  %x = linalg.exp ins(%a : tensor<4x6x4x75xf32>) outs(%e : tensor<4x6x4x75xf32>) -> tensor<4x6x4x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (n, c, i, j)>, affine_map<(n, c, i, j) -> (i, c, n, j)>, affine_map<(n, c, i, j) -> (c)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%x, %x : tensor<4x6x4x75xf32>, tensor<4x6x4x75xf32>) outs(%i : tensor<6xf32>) {
  ^bb0(%l: f32, %m: f32, %o: f32):
    %d = arith.maximumf %l, %m : f32
    %s = arith.addf %d, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// A window is no row: it has a sketch of the contractions.
// CHECK-LABEL: func.func @pool(
// CHECK: schedule.space @pool_0 workload("{{[0-9a-f]+}}", "windows_1x4x4x8x3x3_f32(accumulate)")
// CHECK: schedule.sketch @plain(
// CHECK-NOT: schedule.sketch @
func.func @pool(%a: tensor<1x9x9x8xf32>, %w: tensor<3x3xf32>, %i: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%a, %w : tensor<1x9x9x8xf32>, tensor<3x3xf32>) outs(%i : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}
