// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// The products have the heads of all texts as one batch, the softmax and its
// mask as two. They get both, and are one chain of rows; of the reshapes, only
// those at the function's border are left. A transpose before takes the
// reshape in.

// CHECK-LABEL: func.func @heads(
// CHECK-NOT: 384x384
// CHECK: call @heads_0({{.*}}) : (tensor<2x4x384x64xf32>) -> tensor<2x4x64x384xf32>
// CHECK: scf.forall ({{.*}}) = (0, 0, 0) to (2, 4, 384) step (1, 1, 128)
// CHECK: func.call @heads_rows(
// CHECK-NOT: tensor.expand_shape
// CHECK: return
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#mask = affine_map<(a, b, c, d) -> (a, d)>
func.func @heads(%q: tensor<8x384x64xf32>, %k: tensor<8x384x64xf32>, %v: tensor<8x384x64xf32>, %m: tensor<2x384xf32>) -> tensor<2x4x384x64xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<8x64x384xf32>
  %kt = linalg.transpose ins(%k : tensor<8x384x64xf32>) outs(%et : tensor<8x64x384xf32>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<8x384x384xf32>
  %e4 = tensor.empty() : tensor<2x4x384x384xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x384x384xf32>) -> tensor<8x384x384xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<8x384x64xf32>, tensor<8x64x384xf32>) outs(%i : tensor<8x384x384xf32>) -> tensor<8x384x384xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 384, 384] : tensor<8x384x384xf32> into tensor<2x4x384x384xf32>
  %sm = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s4, %m : tensor<2x4x384x384xf32>, tensor<2x384xf32>) outs(%e4 : tensor<2x4x384x384xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x384x384xf32>
  %p = linalg.softmax dimension(3) ins(%sm : tensor<2x4x384x384xf32>) outs(%e4 : tensor<2x4x384x384xf32>) -> tensor<2x4x384x384xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x384x384xf32> into tensor<8x384x384xf32>
  %eo = tensor.empty() : tensor<8x384x64xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x384x64xf32>) -> tensor<8x384x64xf32>
  %r = linalg.batch_matmul ins(%p3, %v : tensor<8x384x384xf32>, tensor<8x384x64xf32>) outs(%io : tensor<8x384x64xf32>) -> tensor<8x384x64xf32>
  %r4 = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 4, 384, 64] : tensor<8x384x64xf32> into tensor<2x4x384x64xf32>
  return %r4 : tensor<2x4x384x64xf32>
}

// -----

// Without a reduction in between there is no chain: the reshapes stay.

// CHECK-LABEL: func.func @layers(
// CHECK: call @layers_0({{.*}}) : (tensor<8x384x64xf32>, tensor<8x64x384xf32>) -> tensor<8x384x384xf32>
// CHECK: tensor.expand_shape
// CHECK: call @layers_1({{.*}}) : ({{.*}}tensor<8x384x64xf32>) -> tensor<8x384x64xf32>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#mask = affine_map<(a, b, c, d) -> (a, d)>
func.func @layers(%q: tensor<8x384x64xf32>, %k: tensor<8x64x384xf32>, %v: tensor<8x384x64xf32>, %m: tensor<2x384xf32>) -> tensor<8x384x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x384x384xf32>
  %e4 = tensor.empty() : tensor<2x4x384x384xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x384x384xf32>) -> tensor<8x384x384xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<8x384x64xf32>, tensor<8x64x384xf32>) outs(%i : tensor<8x384x384xf32>) -> tensor<8x384x384xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 384, 384] : tensor<8x384x384xf32> into tensor<2x4x384x384xf32>
  %p = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s4, %m : tensor<2x4x384x384xf32>, tensor<2x384xf32>) outs(%e4 : tensor<2x4x384x384xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x384x384xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x384x384xf32> into tensor<8x384x384xf32>
  %eo = tensor.empty() : tensor<8x384x64xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x384x64xf32>) -> tensor<8x384x64xf32>
  %r = linalg.batch_matmul ins(%p3, %v : tensor<8x384x384xf32>, tensor<8x384x64xf32>) outs(%io : tensor<8x384x64xf32>) -> tensor<8x384x64xf32>
  return %r : tensor<8x384x64xf32>
}
