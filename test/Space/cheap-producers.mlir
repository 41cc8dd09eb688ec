// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// The centred values go into the sum of squares and into the result. As the
// script is for two copies, the function is not the task any more.

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @variance(
// CHECK: call @variance_0
// CHECK: func.func private @variance_0(
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK: arith.subf
// CHECK: linalg.generic {{.*}} ins(%[[A]]
// CHECK: arith.mulf
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK: arith.subf
// CHECK: linalg.generic {{.*}} ins(%[[B]]
// CHECK: arith.divf
func.func @variance(%x: tensor<8x64xf32>, %mean: tensor<8xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %s = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<8x64xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

// -----

// An exponential is worth storing, and so is a sum of two tensors.

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @dear(
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: arith.addf
// CHECK-NOT: arith.addf
func.func @dear(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %s = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  %v = linalg.reduce ins(%c : tensor<8x64xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    (%a: f32, %out: f32) {
      %0 = arith.addf %a, %out : f32
      linalg.yield %0 : f32
    }
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
func.func @two(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %s = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  %v = linalg.reduce ins(%c : tensor<8x64xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
    (%a: f32, %out: f32) {
      %0 = arith.addf %a, %out : f32
      linalg.yield %0 : f32
    }
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
