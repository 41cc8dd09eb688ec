// A product of matrices and three schedules of it: StochasticSchedules.md.

!matrix = tensor<128x128xf32>

func.func @mm(%a: !matrix, %b: !matrix) -> !matrix {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !matrix
  %init = linalg.fill ins(%zero : f32) outs(%empty : !matrix) -> !matrix
  %c = linalg.matmul ins(%a, %b : !matrix, !matrix) outs(%init : !matrix) -> !matrix
  return %c : !matrix
}

// Nothing is left open: loops i, j_0, k around 4 columns.
schedule.sketch @fixed(%root: !transform.any_op) {
  %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op

  // Split j by 4 and reorder: i and j_0 are outside, in this order. Decompose the
  // reduction: what it starts from, zeros, is written inside of j_0, where the
  // loop over k is about to begin.
  %columns, %i, %j0 = transform.structured.fuse %product tile_sizes [1, 4]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %step, %k = transform.structured.tile_using_for %columns tile_sizes [0, 0, 1]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}

// The same with the columns left open.
schedule.sketch @stochastic(%root: !transform.any_op) {
  %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op

  // Two factors whose product is 128; j#1 is the inner one.
  %j:2 = schedule.sample_perfect_tile "j" extent 128 parts 2 max_innermost 64 default [8, 16]
    : !transform.param<i64>, !transform.param<i64>

  %columns, %i, %j0 = transform.structured.fuse %product tile_sizes [1, %j#1]
    : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %step, %k = transform.structured.tile_using_for %columns tile_sizes [0, 0, 1]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}

// Rows, columns and steps in tiles; which of the loops over tiles is outside is
// open, too; the innermost tile is unrolled and becomes vectors.
schedule.sketch @reordered(%root: !transform.any_op) {
  %i = schedule.sample_categorical "i" from [1, 2, 4, 8] default 4 : !transform.param<i64>
  %j = schedule.sample_categorical "j" from [8, 16, 32] default 16 : !transform.param<i64>
  %k = schedule.sample_categorical "k" from [1, 2, 4, 8] default 4 : !transform.param<i64>
  %first, %second = schedule.sample_permutation "order" of 2 : !transform.param<i64>, !transform.param<i64>

  // Checked before anything is built: a tile of the result is held in registers.
  %tile = schedule.product %i, %j
  %most = transform.param.constant 128 : i64 -> !transform.param<i64>
  %fits = schedule.cmp le %tile, %most
  schedule.require "the accumulators fit into the vector registers" %fits

  %function = transform.structured.match ops{["func.func"]} attributes {sym_name = "mm"} in %root
    : (!transform.any_op) -> !transform.any_op
  %m = transform.param.constant 128 : i64 -> !transform.param<i64>
  schedule.name_blocks %function ["init", "product"]
  schedule.tile %function "product" fuse ["init"] rank 3 dims [0, 1] extents(%m, %m)
    sizes(%i, %j) order(%first, %second)
  schedule.tile %function "product" fuse [] rank 3 dims [2] extents(%m) sizes(%k)
  schedule.vectorize %function
}
