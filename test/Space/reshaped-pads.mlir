// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s

#image = affine_map<(n, h, g, f, p, c) -> (n, h + p, g, c)>
#weights = affine_map<(n, h, g, f, p, c) -> (g, p, c, f)>
#result = affine_map<(n, h, g, f, p, c) -> (n, h, g, f)>
// The pad of a grouped convolution is behind the reshape of its image, as an
// argument of its task.
// CHECK-LABEL: func.func @grouped(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x9x16xf32>
// CHECK: %[[GROUPS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2, 3]{{.*}} tensor<1x9x16xf32> into tensor<1x9x2x8xf32>
// CHECK: %[[PADDED:.*]] = tensor.pad %[[GROUPS]] low[0, 1, 0, 0] high[0, 1, 0, 0]
// CHECK: call @grouped_0(%[[PADDED]],
func.func @grouped(%x: tensor<1x9x16xf32>, %w: tensor<2x3x8x8xf32>) -> tensor<1x9x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x9x16xf32> to tensor<1x11x16xf32>
  %s = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [1, 11, 2, 8] : tensor<1x11x16xf32> into tensor<1x11x2x8xf32>
  %e = tensor.empty() : tensor<1x9x2x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x2x8xf32>) -> tensor<1x9x2x8xf32>
  %r = linalg.generic {indexing_maps = [#image, #weights, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%s, %w : tensor<1x11x2x8xf32>, tensor<2x3x8x8xf32>) outs(%f : tensor<1x9x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<1x9x2x8xf32>
  return %r : tensor<1x9x2x8xf32>
}

// -----

// Channels that are padded themselves, and a pad that others read, stay.
// CHECK-LABEL: func.func @left(
// CHECK: %[[A:.*]] = tensor.pad
// CHECK: tensor.expand_shape %[[A]]
// CHECK: %[[B:.*]] = tensor.pad
// CHECK: tensor.expand_shape %[[B]]
func.func @left(%x: tensor<9x14xf32>, %y: tensor<9x16xf32>)
    -> (tensor<9x2x8xf32>, tensor<11x2x8xf32>, tensor<11x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<9x14xf32> to tensor<9x16xf32>
  %s = tensor.expand_shape %p [[0], [1, 2]] output_shape [9, 2, 8] : tensor<9x16xf32> into tensor<9x2x8xf32>
  %q = tensor.pad %y low[1, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<9x16xf32> to tensor<11x16xf32>
  %t = tensor.expand_shape %q [[0], [1, 2]] output_shape [11, 2, 8] : tensor<11x16xf32> into tensor<11x2x8xf32>
  %e = tensor.empty() : tensor<9x2x8xf32>
  %r = linalg.exp ins(%s : tensor<9x2x8xf32>) outs(%e : tensor<9x2x8xf32>) -> tensor<9x2x8xf32>
  return %r, %t, %q : tensor<9x2x8xf32>, tensor<11x2x8xf32>, tensor<11x16xf32>
}
