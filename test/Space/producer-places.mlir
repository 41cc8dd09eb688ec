// Where what computes an operand may be: before all loops, or inside of the blocks
// of the reduction.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file 2>/dev/null | FileCheck %s
// RUN: sched-opt %s --schedule-extract-tasks --split-input-file 2>/dev/null | FileCheck %s --check-prefix=TASK

// Windows of an image, whose lines and pixels are collapsed into m: slices of one
// tap, with all rows, can be computed by themselves. Only sketches with blocks of
// the reduction have a place for them.
// TASK: schedule.roles = ["producer", "anchor"]
// TASK-SAME: schedule.workload = "copy+contraction_20x32x64x3_f32(accumulate)"
// TASK: tensor.collapse_shape
// CHECK-LABEL: schedule.space @windows_0
// CHECK: schedule.sketch @plain(
// CHECK-NOT: "producer_at"
// CHECK: schedule.sketch @packed(
// CHECK-NOT: "producer_at"
// CHECK: schedule.pack_rhs %{{.*}} "anchor" n 32 loops [0, 1, 3, 2] result [0, 1, -1, -1] rhs [2, 3, 1] apart
// CHECK: schedule.sketch @plain_blocked(
// CHECK: %[[AT:.*]] = schedule.sample_categorical "producer_at" from [0, 1] default 0
// CHECK: schedule.sketch @packed_blocked(
// CHECK: %[[AT:.*]] = schedule.sample_categorical "producer_at" from [0, 1] default 0
// CHECK: schedule.tile %{{.*}} "producer0" fuse [] rank 4
// CHECK: %[[F:.*]] = schedule.pack_rhs
// CHECK: schedule.defer %[[F]] "producer0" of "anchor" if %[[AT]]
// CHECK: schedule.tile %[[F]] "anchor" fuse [] rank 5 dims [0, 1]
// CHECK: schedule.require "all columns share a slice of what is computed for the rows"
// CHECK: schedule.require "slices of what is reshaped have all rows"
// CHECK: schedule.tile %[[F]] "anchor" fuse exactly ["late_producer0"] if(%[[AT]]) reshaped ["late_producer0"] rank 5 dims [3, 2]
// CHECK: schedule.tile %[[F]] "late_producer0" fuse [] rank 4
// CHECK: schedule.require "slices that are computed are not copied"
func.func @windows(%a: tensor<4x7x64xf32>, %b: tensor<3x64x32xf32>, %i: tensor<20x32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<4x5x3x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, q, c) -> (h, w + q, c)>, affine_map<(h, w, q, c) -> (h, w, q, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<4x7x64xf32>) outs(%q : tensor<4x5x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5x3x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<4x5x3x64xf32> into tensor<20x3x64xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, q, k) -> (m, q, k)>, affine_map<(m, n, q, k) -> (q, k, n)>, affine_map<(m, n, q, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%col, %b : tensor<20x3x64xf32>, tensor<3x64x32xf32>) outs(%i : tensor<20x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x32xf32>
  return %r : tensor<20x32xf32>
}

// -----

// The taps are collapsed too: upstream has no slices of that for a place that is
// known at run time only, so all is computed before.
// CHECK-LABEL: schedule.space @collapsed_0
// CHECK-NOT: "producer_at"
// CHECK: schedule.tile %{{.*}} "producer0" fuse []
// CHECK-NOT: "producer_at"
// CHECK: schedule.pack_rhs %{{.*}} "anchor" n 32 apart
// CHECK-NOT: "producer_at"
func.func @collapsed(%a: tensor<4x7x64xf32>, %b: tensor<192x32xf32>, %i: tensor<20x32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<4x5x3x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, q, c) -> (h, w + q, c)>, affine_map<(h, w, q, c) -> (h, w, q, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<4x7x64xf32>) outs(%q : tensor<4x5x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5x3x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2, 3]] : tensor<4x5x3x64xf32> into tensor<20x192xf32>
  %r = linalg.matmul ins(%col, %b : tensor<20x192xf32>, tensor<192x32xf32>) outs(%i : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %r : tensor<20x32xf32>
}

// -----

// An elementwise op follows the product into threads and cache blocks too.
// CHECK-LABEL: schedule.space @elementwise_0
// CHECK: schedule.sketch @plain_blocked(
// CHECK: %[[AT:.*]] = schedule.sample_categorical "producer_at"
// CHECK: schedule.tile %{{.*}} "epilogue" fuse ["anchor", "late_producer0"] rank 2
// CHECK-NOT: "slices of what is reshaped have all rows"
// CHECK: schedule.tile %{{.*}} "anchor" fuse exactly ["late_producer0"] if(%[[AT]]) rank 3 dims [2]
// CHECK: schedule.sketch @packed_blocked(
// CHECK: schedule.tile %{{.*}} "anchor" fuse exactly ["late_producer0", "late_pack"] if(%{{.*}}, %{{.*}}) rank 4 dims [2]
func.func @elementwise(%a: tensor<20x192xf32>, %b: tensor<192x32xf32>, %i: tensor<20x32xf32>, %d: tensor<20x32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<20x192xf32>
  %e = tensor.empty() : tensor<20x32xf32>
  %x = linalg.abs ins(%a : tensor<20x192xf32>) outs(%q : tensor<20x192xf32>) -> tensor<20x192xf32>
  %r = linalg.matmul ins(%x, %b : tensor<20x192xf32>, tensor<192x32xf32>) outs(%i : tensor<20x32xf32>) -> tensor<20x32xf32>
  %s = linalg.add ins(%r, %d : tensor<20x32xf32>, tensor<20x32xf32>) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %s : tensor<20x32xf32>
}

// -----

// What computes the right-hand side has no such place, nor has anything where the
// reduction is short.
// CHECK-LABEL: schedule.space @rhs_0
// CHECK-NOT: "producer_at"
func.func @rhs(%a: tensor<20x192xf32>, %b: tensor<192x32xf32>, %i: tensor<20x32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<192x32xf32>
  %x = linalg.abs ins(%b : tensor<192x32xf32>) outs(%q : tensor<192x32xf32>) -> tensor<192x32xf32>
  %r = linalg.matmul ins(%a, %x : tensor<20x192xf32>, tensor<192x32xf32>) outs(%i : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %r : tensor<20x32xf32>
}

// -----

// CHECK-LABEL: schedule.space @short_0
// CHECK-NOT: "producer_at"
func.func @short(%a: tensor<20x64xf32>, %b: tensor<64x32xf32>, %i: tensor<20x32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<20x64xf32>
  %x = linalg.abs ins(%a : tensor<20x64xf32>) outs(%q : tensor<20x64xf32>) -> tensor<20x64xf32>
  %r = linalg.matmul ins(%x, %b : tensor<20x64xf32>, tensor<64x32xf32>) outs(%i : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %r : tensor<20x32xf32>
}

// -----

// A bias and a maximum become one epilogue, and the reshape stays where it is.
// CHECK-LABEL: schedule.space @chain_0
// CHECK: schedule.fuse_elementwise %{{.*}} ["linalg.broadcast", "linalg.add", "linalg.max"] apart "linalg.generic" at 1 of 5 dims [0, 1]
// CHECK: schedule.name_blocks %{{.*}} ["producer0", "init", "anchor", "epilogue"]
func.func @chain(%a: tensor<4x7x64xf32>, %b: tensor<3x64x32xf32>, %bias: tensor<32xf32>) -> tensor<20x32xf32> {
  %q = tensor.empty() : tensor<4x5x3x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, q, c) -> (h, w + q, c)>, affine_map<(h, w, q, c) -> (h, w, q, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<4x7x64xf32>) outs(%q : tensor<4x5x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5x3x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<4x5x3x64xf32> into tensor<20x3x64xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, q, k) -> (m, q, k)>, affine_map<(m, n, q, k) -> (q, k, n)>, affine_map<(m, n, q, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%col, %b : tensor<20x3x64xf32>, tensor<3x64x32xf32>) outs(%i : tensor<20x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x32xf32>
  %v = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%e : tensor<20x32xf32>) dimensions = [0]
  %u = linalg.add ins(%r, %v : tensor<20x32xf32>, tensor<20x32xf32>) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  %zero = linalg.fill ins(%z : f32) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  %y = linalg.max ins(%u, %zero : tensor<20x32xf32>, tensor<20x32xf32>) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %y : tensor<20x32xf32>
}

// -----

// The windows are read elsewhere too, and are no part of the product's task.
// TASK: schedule.workload = "contraction_20x32x64x3_f32(accumulate)"
// TASK-NOT: "producer"
func.func @shared(%a: tensor<4x7x64xf32>, %b: tensor<3x64x32xf32>, %i: tensor<20x32xf32>) -> (tensor<20x32xf32>, tensor<4x5x3x64xf32>) {
  %q = tensor.empty() : tensor<4x5x3x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, q, c) -> (h, w + q, c)>, affine_map<(h, w, q, c) -> (h, w, q, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<4x7x64xf32>) outs(%q : tensor<4x5x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5x3x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<4x5x3x64xf32> into tensor<20x3x64xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, q, k) -> (m, q, k)>, affine_map<(m, n, q, k) -> (q, k, n)>, affine_map<(m, n, q, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%col, %b : tensor<20x3x64xf32>, tensor<3x64x32xf32>) outs(%i : tensor<20x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x32xf32>
  return %r, %w : tensor<20x32xf32>, tensor<4x5x3x64xf32>
}
