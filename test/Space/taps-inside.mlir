// Whether all taps of a step come before the next step, where steps are those of
// tile registers: a decision of the sketch whose sums stay in registers
// (SketchSteps.cpp). By default so where a tile's rows with all of their steps do
// not stay in L1; and of weights that L2 does not hold, each tile meets as many
// rows as it can.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu,l1=49152,l2=2097152 threads=1" --split-input-file | FileCheck %s
// REQUIRES: x86-registered-target

#image = affine_map<(n, r, f, h, w, c) -> (n, r + h * 9 + w, c)>
#weights = affine_map<(n, r, f, h, w, c) -> (h, w, c, f)>
#sums = affine_map<(n, r, f, h, w, c) -> (n, r, f)>
#loops = {indexing_maps = [#image, #weights, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-LABEL: func.func @far(
// CHECK: schedule.sketch @tiles(
// CHECK: %[[ZERO:.*]] = transform.param.constant 0 :
// CHECK: schedule.sample_categorical "mr" from [16, 32, 48, 21, 63] default 63
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4] default 1
// CHECK: %[[KU:.*]] = transform.param.constant 16 :
// CHECK: %[[INSIDE:.*]] = schedule.sample_categorical "taps_inside" from [0, 1] default 1
// CHECK: %[[AROUND_TAPS:.*]] = schedule.select %[[INSIDE]], %[[KU]], %[[ZERO]]
// CHECK: %[[IN_TAPS:.*]] = schedule.select %[[INSIDE]], %[[ZERO]], %[[KU]]
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 8 dims [5] extents(%{{.*}}) sizes(%[[AROUND_TAPS]])
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 8 dims [3, 4]
// CHECK: schedule.tile %{{.*}} "anchor" fuse [] rank 8 dims [5] extents(%{{.*}}) sizes(%[[IN_TAPS]])
// CHECK: schedule.sketch @tiles_blocked(
// CHECK: schedule.sample_categorical "mr" from [16, 32, 48, 21, 63] default 32
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4] default 2
// CHECK-NOT: taps_inside
func.func @far(%image: tensor<1x90x512xbf16>, %weights: tensor<3x3x512x512xbf16> {schedule.layout_free}) -> tensor<1x63x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x63x512xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x63x512xf32>) -> tensor<1x63x512xf32>
  %r = linalg.generic #loops ins(%image, %weights : tensor<1x90x512xbf16>, tensor<3x3x512x512xbf16>) outs(%none : tensor<1x63x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x63x512xf32>
  return %r : tensor<1x63x512xf32>
}

// -----

#image = affine_map<(n, r, f, h, w, c) -> (n, r + h * 9 + w, c)>
#weights = affine_map<(n, r, f, h, w, c) -> (h, w, c, f)>
#sums = affine_map<(n, r, f, h, w, c) -> (n, r, f)>
#loops = {indexing_maps = [#image, #weights, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-LABEL: func.func @near(
// CHECK: schedule.sketch @tiles(
// CHECK: schedule.sample_categorical "mr" from [16, 32, 48, 21, 63] default 32
// CHECK: schedule.sample_categorical "vectors" from [1, 2, 4] default 2
// CHECK: schedule.sample_categorical "taps_inside" from [0, 1] default 0
func.func @near(%image: tensor<1x90x128xbf16>, %weights: tensor<3x3x128x128xbf16> {schedule.layout_free}) -> tensor<1x63x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x63x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x63x128xf32>) -> tensor<1x63x128xf32>
  %r = linalg.generic #loops ins(%image, %weights : tensor<1x90x128xbf16>, tensor<3x3x128x128xbf16>) outs(%none : tensor<1x63x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x63x128xf32>
  return %r : tensor<1x63x128xf32>
}

// -----

#image = affine_map<(n, r, f, h, w, c) -> (n, r + h * 9 + w, c)>
#weights = affine_map<(n, r, f, h, w, c) -> (h, w, c, f)>
#sums = affine_map<(n, r, f, h, w, c) -> (n, r, f)>
#loops = {indexing_maps = [#image, #weights, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-LABEL: func.func @one_tap(
// CHECK: schedule.sketch @tiles(
// CHECK-NOT: taps_inside
func.func @one_tap(%image: tensor<1x90x512xbf16>, %weights: tensor<1x1x512x512xbf16> {schedule.layout_free}) -> tensor<1x63x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x63x512xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x63x512xf32>) -> tensor<1x63x512xf32>
  %r = linalg.generic #loops ins(%image, %weights : tensor<1x90x512xbf16>, tensor<1x1x512x512xbf16>) outs(%none : tensor<1x63x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x63x512xf32>
  return %r : tensor<1x63x512xf32>
}

// -----

#image = affine_map<(n, r, f, h, w, c) -> (n, r + h * 9 + w, c)>
#weights = affine_map<(n, r, f, h, w, c) -> (h, w, c, f)>
#sums = affine_map<(n, r, f, h, w, c) -> (n, r, f)>
#loops = {indexing_maps = [#image, #weights, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-LABEL: func.func @one_step(
// CHECK: schedule.sketch @tiles(
// CHECK-NOT: taps_inside
func.func @one_step(%image: tensor<1x90x32xbf16>, %weights: tensor<3x3x32x128xbf16> {schedule.layout_free}) -> tensor<1x63x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x63x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x63x128xf32>) -> tensor<1x63x128xf32>
  %r = linalg.generic #loops ins(%image, %weights : tensor<1x90x32xbf16>, tensor<3x3x32x128xbf16>) outs(%none : tensor<1x63x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x63x128xf32>
  return %r : tensor<1x63x128xf32>
}
