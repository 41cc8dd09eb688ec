// Ops that come of one in the input have one remark, unless they are left for
// different reasons.

// RUN: sched-opt %s --schedule-extract-tasks -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// CHECK: net.mlir:3:4: remark: compiled by the default schedule, without a search: 'linalg.generic' op reads a value of type tensor<8x8xf32> in its body that is no operand
// CHECK: net.mlir:3:4: remark: compiled by the default schedule, without a search: 'linalg.reduce' op reduces with elements of i1
// CHECK: net.mlir:5:4: remark: compiled by the default schedule, without a search: 'linalg.reduce' op reduces with elements of i1

#one = loc("net.mlir":3:4)
#other = loc("net.mlir":5:4)
func.func @reversed(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %m: tensor<8x9xi1>, %n: tensor<8xi1>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xi1>, tensor<8xi1>) {
  %last = arith.constant 7 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %v = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32> loc(#one)
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %v = tensor.extract %b[%i, %k] : tensor<8x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32> loc(#one)
  %s = linalg.reduce { arith.andi } ins(%m : tensor<8x9xi1>) outs(%n : tensor<8xi1>) dimensions = [1] loc(#one)
  %t = linalg.reduce { arith.andi } ins(%m : tensor<8x9xi1>) outs(%n : tensor<8xi1>) dimensions = [1] loc(#other)
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %x, %y, %s, %t : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xi1>, tensor<8xi1>
}
