// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// Softmax of channels that come before pixels: a block is four lines of an
// image with all of their channels, 224 KiB, which goes through all stages.

// CHECK-LABEL: func.func @channels(
// CHECK: scf.forall (%[[N:.*]], %[[H:.*]]) = (0, 0) to (8, 56) step (1, 4)
// CHECK: %[[X:.*]] = tensor.extract_slice %arg0[%[[N]], 0, %[[H]], 0] [1, 256, 4, 56]
// CHECK: func.call @channels_rows(%[[X]])
// CHECK: func.func private @channels_rows(
// CHECK-SAME: attributes {schedule.in_parallel, schedule.outlined}
// CHECK-COUNT-4: call @channels_rows_
func.func @channels(%a: tensor<8x256x56x56xf32>) -> tensor<8x256x56x56xf32> {
  %e = tensor.empty() : tensor<8x256x56x56xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<8x256x56x56xf32>) outs(%e : tensor<8x256x56x56xf32>) -> tensor<8x256x56x56xf32>
  return %r : tensor<8x256x56x56xf32>
}

// -----

// Long lines are cut themselves.

// CHECK-LABEL: func.func @line(
// CHECK: scf.forall (%[[I:.*]]) = (0) to (100000) step (1250)
// CHECK: tensor.extract_slice %arg0[0, %[[I]]] [50, 1250]
func.func @line(%a: tensor<50x100000xf32>) -> tensor<50x100000xf32> {
  %e = tensor.empty() : tensor<50x100000xf32>
  %r = linalg.softmax dimension(0) ins(%a : tensor<50x100000xf32>) outs(%e : tensor<50x100000xf32>) -> tensor<50x100000xf32>
  return %r : tensor<50x100000xf32>
}

// -----

// What follows the statistics may read them at one remove, and the channel's
// own factor; means are computed in the block, too.

// CHECK-LABEL: func.func @norm(
// CHECK: scf.forall (%[[N:.*]], %[[H:.*]]) = (0, 0) to (16, 32) step (1, 4)
// CHECK: tensor.extract_slice %arg0[%[[N]], 0, %[[H]], 0] [1, 384, 4, 32]
// CHECK: tensor.extract_slice %arg1[0] [384]
// CHECK: func.call @norm_rows(
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#pixel = affine_map<(n, c, h, w) -> (n, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#own = affine_map<(n, h, w) -> (n, h, w)>
func.func @norm(%x: tensor<16x384x32x32xf32>, %g: tensor<384xf32>) -> tensor<16x384x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 384.0 : f32
  %e = tensor.empty() : tensor<16x32x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32x32xf32>) -> tensor<16x32x32xf32>
  %sum = linalg.generic {indexing_maps = [#all, #pixel], iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%x : tensor<16x384x32x32xf32>) outs(%i : tensor<16x32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x32x32xf32>
  %root = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<16x32x32xf32>) outs(%e : tensor<16x32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.divf %a, %count : f32
    %1 = math.rsqrt %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x32x32xf32>
  %ex = tensor.empty() : tensor<16x384x32x32xf32>
  %y = linalg.generic {indexing_maps = [#all, #pixel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %root, %g : tensor<16x384x32x32xf32>, tensor<16x32x32xf32>, tensor<384xf32>) outs(%ex : tensor<16x384x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<16x384x32x32xf32>
  return %y : tensor<16x384x32x32xf32>
}

// -----

// Not: what a cache holds as a whole, rows, which are one task, and columns of
// which the fewest do not fit.

// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.forall
func.func @small(%a: tensor<4x64x28x28xf32>) -> tensor<4x64x28x28xf32> {
  %e = tensor.empty() : tensor<4x64x28x28xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<4x64x28x28xf32>) outs(%e : tensor<4x64x28x28xf32>) -> tensor<4x64x28x28xf32>
  return %r : tensor<4x64x28x28xf32>
}
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: scf.forall
func.func @rows(%a: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %e = tensor.empty() : tensor<2048x1024xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  return %r : tensor<2048x1024xf32>
}
// CHECK-LABEL: func.func @tall(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @tall(%a: tensor<8192x256xf32>) -> tensor<8192x256xf32> {
  %e = tensor.empty() : tensor<8192x256xf32>
  %r = linalg.softmax dimension(0) ins(%a : tensor<8192x256xf32>) outs(%e : tensor<8192x256xf32>) -> tensor<8192x256xf32>
  return %r : tensor<8192x256xf32>
}
