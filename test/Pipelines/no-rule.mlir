// What no rule has a sketch for is left as it was, and the remark is at its op.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1" 2>%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: --input-file=%t.log

// CHECK-LABEL: func.func @f
// CHECK: linalg.matmul
func.func @f(%a: tensor<1x1xf32>, %b: tensor<1x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %x = linalg.exp ins(%a : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  // REMARK: no-rule.mlir:[[#@LINE+1]]:8: remark: compiled by the default schedule, without a search: no rule applies to exp+matmul_1x8x1_f32(accumulate)
  %r = linalg.matmul ins(%x, %b : tensor<1x1xf32>, tensor<1x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// What is read twice, in two orders, does not fuse into the sums of it.
// CHECK-LABEL: func.func @paired_channels
// CHECK: linalg.exp
// CHECK: linalg.generic
func.func @paired_channels(%a: tensor<4x6x4x75xf32>, %i: tensor<6xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<4x6x4x75xf32>
  %x = linalg.exp ins(%a : tensor<4x6x4x75xf32>) outs(%e : tensor<4x6x4x75xf32>) -> tensor<4x6x4x75xf32>
  // REMARK: no-rule.mlir:[[#@LINE+1]]:8: remark: compiled by the default schedule, without a search: no rule applies to rows_4x6x4x75_f32(exp+max_add)
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (n, c, i, j)>, affine_map<(n, c, i, j) -> (i, c, n, j)>, affine_map<(n, c, i, j) -> (c)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%x, %x : tensor<4x6x4x75xf32>, tensor<4x6x4x75xf32>) outs(%i : tensor<6xf32>) {
  ^bb0(%l: f32, %m: f32, %o: f32):
    %d = arith.maximumf %l, %m : f32
    %s = arith.addf %d, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
