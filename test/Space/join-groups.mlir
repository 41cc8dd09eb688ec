// Groups of few channels become columns with them: in what is computed of all
// pixels of a group, and in what reads it for each pixel.

// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=gpu=true --split-input-file | FileCheck %s --check-prefix=GPU

// The sum of a group starts from what was given; its variance reads the mean of
// each channel's group, which is repeated once for both of its readers.
// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x9x7x96xf32>, %[[START:[a-z0-9]+]]: tensor<2x8xf32>
// CHECK-NOT: tensor.collapse_shape %[[X]]
// CHECK: %[[SUMS:.*]] = call @[[COLUMNS:group_norm_[0-9]+]](%[[X]]) : (tensor<2x9x7x96xf32>) -> tensor<2x96xf32>
// CHECK: tensor.expand_shape %[[SUMS]] {{\[}}[0], [1, 2]] output_shape [2, 8, 12]
// CHECK: call @[[GROUPS:.*]](%{{.*}}, %[[START]]) : (tensor<2x8x12xf32>, tensor<2x8xf32>) -> tensor<2x8x12xf32>
// CHECK: %[[MEANS:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<2x8x12xf32> into tensor<2x96xf32>
// CHECK: call @[[SQUARES:.*]](%[[X]], %[[MEANS]]) : (tensor<2x9x7x96xf32>, tensor<2x96xf32>) -> tensor<2x96xf32>
// CHECK-NOT: call @[[GROUPS]](
// CHECK: call @[[NORM:.*]](%[[X]], %[[MEANS]], %{{.*}}) : (tensor<2x9x7x96xf32>, tensor<2x96xf32>, tensor<2x96xf32>) -> tensor<2x9x7x96xf32>
// CHECK-NOT: tensor
// CHECK: return
// CHECK: func.func private @[[COLUMNS]](
// CHECK: linalg.fill
// CHECK: iterator_types = ["parallel", "reduction", "reduction", "parallel"]
// CHECK: func.func private @[[GROUPS]](
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// GPU-LABEL: func.func @group_norm(
// GPU-NOT: tensor<2x9x7x96xf32>)
// GPU: return
func.func @group_norm(%x: tensor<2x9x7x96xf32>, %start: tensor<2x8xf32>) -> tensor<2x9x7x96xf32> {
  %zero = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [2, 9, 7, 8, 12] : tensor<2x9x7x96xf32> into tensor<2x9x7x8x12xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>], iterator_types = ["parallel", "reduction", "reduction", "parallel", "reduction"]} ins(%groups : tensor<2x9x7x8x12xf32>) outs(%start : tensor<2x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %s, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %empty = tensor.empty() : tensor<2x8xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8xf32>) -> tensor<2x8xf32>
  %var = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (n, g)>], iterator_types = ["parallel", "reduction", "reduction", "parallel", "reduction"]} ins(%groups, %sum : tensor<2x9x7x8x12xf32>, tensor<2x8xf32>) outs(%none : tensor<2x8xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %d = arith.subf %a, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %whole = tensor.empty() : tensor<2x9x7x8x12xf32>
  %norm = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (n, g)>, affine_map<(n, h, w, g, d) -> (n, h, w, g, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%groups, %sum, %var : tensor<2x9x7x8x12xf32>, tensor<2x8xf32>, tensor<2x8xf32>) outs(%whole : tensor<2x9x7x8x12xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = arith.mulf %d, %v : f32
    linalg.yield %r : f32
  } -> tensor<2x9x7x8x12xf32>
  %result = tensor.collapse_shape %norm [[0], [1], [2], [3, 4]] : tensor<2x9x7x8x12xf32> into tensor<2x9x7x96xf32>
  return %result : tensor<2x9x7x96xf32>
}

// -----

// The largest of a group, in whichever order the combiner has its operands.
// CHECK-LABEL: func.func @largest(
// CHECK: call @{{.*}} : (tensor<64x96xf32>) -> tensor<96xf32>
// CHECK: call @{{.*}} : (tensor<8x12xf32>) -> tensor<8xf32>
// CHECK: return
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<96xf32>)
// CHECK: arith.maximumf
// CHECK: arith.maximumf
func.func @largest(%x: tensor<64x8x12xf32>) -> tensor<8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %none = linalg.fill ins(%least : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(p, g, d) -> (p, g, d)>, affine_map<(p, g, d) -> (g)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<64x8x12xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.maximumf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %max : tensor<8xf32>
}

// -----

// Many channels are vectors; a mean of each row is no less than the rows.
// CHECK-LABEL: func.func @many_channels(
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "reduction"]
// CHECK-LABEL: func.func @of_rows(
// CHECK-NOT: call
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
func.func @many_channels(%x: tensor<64x8x128xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(p, g, d) -> (p, g, d)>, affine_map<(p, g, d) -> (g)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<64x8x128xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
func.func @of_rows(%x: tensor<64x8x12xf32>, %m: tensor<64x8xf32>) -> tensor<64x8x12xf32> {
  %empty = tensor.empty() : tensor<64x8x12xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(p, g, d) -> (p, g, d)>, affine_map<(p, g, d) -> (p, g)>, affine_map<(p, g, d) -> (p, g, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<64x8x12xf32>, tensor<64x8xf32>) outs(%empty : tensor<64x8x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x8x12xf32>
  return %d : tensor<64x8x12xf32>
}

// -----

// What two ops combine is in no order but its own.
// CHECK-LABEL: func.func @two_ops(
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "reduction"]
func.func @two_ops(%x: tensor<64x8x12xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %half = arith.constant 0.5 : f32
  %sum = linalg.generic {indexing_maps = [affine_map<(p, g, d) -> (p, g, d)>, affine_map<(p, g, d) -> (g)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<64x8x12xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %h = arith.mulf %o, %half : f32
    %r = arith.addf %a, %h : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
