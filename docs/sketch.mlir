// A sketch of one's own: what to decide, what must hold, what to do. Below it is
// the payload that it is for.
//
//   sched-opt --schedule-sample="seed=1" docs/sketch.mlir              # decides
//   sched-opt --schedule-sample="seed=1" --convert-schedule-to-transform docs/sketch.mlir \
//     | mlir-opt-22 --transform-interpreter                            # applies
//
// ScheduleDialect.md lists all decisions and parameter ops.

schedule.sketch @tiled(%root: !transform.any_op) {
  // Decisions: rows and columns of a tile, and k as two factors of 64.
  %m = schedule.sample_categorical "m" from [2, 4, 8] : !transform.param<i64>
  %n = schedule.sample_categorical "n" from [8, 16] default 16 : !transform.param<i64>
  %k:2 = schedule.sample_perfect_tile "k" extent 64 parts 2 max_innermost 8
    : !transform.param<i64>, !transform.param<i64>

  // A constraint on them: checked before anything is built.
  %size = schedule.product %m, %n
  %most = transform.param.constant 64 : i64 -> !transform.param<i64>
  %fits = schedule.cmp le %size, %most
  schedule.require "a tile of the result has 64 elements at most" %fits

  // What to do, with upstream's ops. Sizes are parameters.
  %op = transform.structured.match ops{["linalg.matmul"]} in %root
    : (!transform.any_op) -> !transform.any_op
  %tile, %loops:3 = transform.structured.tile_using_for %op tile_sizes [%m, %n, %k#1]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)

  // And one of ours: upstream's takes no parameter for the factor.
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  schedule.unroll %loops#1 by %c2
}

func.func @f(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x32xf32>)
                     outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
