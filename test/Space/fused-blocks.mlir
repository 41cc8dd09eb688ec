// Which ops of a task are fused before it is scheduled, and what is then named.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file 2>/dev/null | FileCheck %s

// Nothing to fuse.
// CHECK-LABEL: func.func @plain(
// CHECK: schedule.sketch
// CHECK-NOT: fuse_elementwise
// CHECK: schedule.name_blocks %{{.*}} ["anchor", "epilogue"]
func.func @plain(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  %x = linalg.exp ins(%r : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %x : tensor<16x32xf32>
}

// -----

// A transpose goes into the product, which reads the operand as it is stored.
// CHECK-LABEL: func.func @transposed(
// CHECK: schedule.sketch @packed(
// CHECK: fuse_elementwise %{{.*}} ["linalg.transpose", "linalg.matmul"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["anchor"]
// CHECK: schedule.pack_rhs {{.*}} transposed
func.func @transposed(%a: tensor<16x24xf32>, %b: tensor<32x24xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<24x32xf32>
  %t = linalg.transpose ins(%b : tensor<32x24xf32>) outs(%e : tensor<24x32xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %t : tensor<16x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// -----

// A chain that computes is one op, tiled first: rows of one, and for a single
// row, parts of it.
// CHECK-LABEL: func.func @chain(
// CHECK: schedule.sketch
// CHECK: fuse_elementwise %{{.*}} ["linalg.exp", "linalg.abs"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
// CHECK: %[[COLUMNS:.*]] = transform.param.constant 24
// CHECK-NEXT: %[[WIDTH:.*]] = transform.param.constant 23
// CHECK-NEXT: schedule.tile %{{.*}} "producer0" fuse [] rank 2 dims [0, 1] extents({{.*}}, %[[COLUMNS]]) sizes({{.*}}, %[[WIDTH]])
func.func @chain(%a: tensor<1x24xf32>, %b: tensor<24x32xf32>, %c: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %e = tensor.empty() : tensor<1x24xf32>
  %x = linalg.exp ins(%a : tensor<1x24xf32>) outs(%e : tensor<1x24xf32>) -> tensor<1x24xf32>
  %y = linalg.abs ins(%x : tensor<1x24xf32>) outs(%e : tensor<1x24xf32>) -> tensor<1x24xf32>
  %r = linalg.matmul ins(%y, %b : tensor<1x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %r : tensor<1x32xf32>
}

// -----

// A broadcast would take a dimension from the operand: it stays outside.
// CHECK-LABEL: func.func @broadcast(
// CHECK: schedule.sketch
// CHECK: fuse_elementwise %{{.*}} ["linalg.broadcast"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
func.func @broadcast(%a: tensor<24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x24xf32>
  %x = linalg.broadcast ins(%a : tensor<24xf32>) outs(%e : tensor<16x24xf32>) dimensions = [0]
  %r = linalg.matmul ins(%x, %b : tensor<16x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A generic contraction would take in what computes: nothing is fused, and one
// producer is named where it stands. A chain before it becomes one producer,
// while the contraction is kept apart.
// CHECK-LABEL: func.func @generic(
// CHECK: schedule.space @generic_0
// CHECK-NOT: fuse_elementwise
// CHECK: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
// CHECK-LABEL: schedule.space @generic_chain_0
// CHECK: schedule.sketch @plain
// CHECK: fuse_elementwise %{{.*}} ["linalg.exp", "linalg.abs"] apart "linalg.generic" at 2 of 3 dims [0, 1]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
func.func @generic(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x24xf32>
  %x = linalg.exp ins(%a : tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%c : tensor<16x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
func.func @generic_chain(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x24xf32>
  %x = linalg.exp ins(%a : tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %y = linalg.abs ins(%x : tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%c : tensor<16x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// -----

// What only passes its operand on would be gone before its turn comes.
// CHECK-LABEL: func.func @same_order(
// CHECK: schedule.sketch
// CHECK: fuse_elementwise %{{.*}} ["linalg.transpose"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["anchor"]
func.func @same_order(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.transpose ins(%r : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) permutation = [0, 1]
  return %t : tensor<16x32xf32>
}

// -----

// A minimum of equals, too.
// CHECK-LABEL: func.func @equals(
// CHECK: schedule.sketch
// CHECK: fuse_elementwise %{{.*}} ["linalg.min"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["anchor"]
func.func @equals(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>)
                     outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = linalg.min ins(%r, %r : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %t : tensor<16x32xf32>
}

// -----

// The model has room for the dimensions of a volume, of its producer, and of
// panels.
// CHECK-LABEL: func.func @volume(
// CHECK: schedule.sketch @packed(
// CHECK: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
// CHECK: schedule.pack_rhs
func.func @volume(%x: tensor<2x1x10x11x9xf32>, %y: tensor<2x1x10x11x9xf32>, %w: tensor<1x3x1x9x10xf32>, %i: tensor<2x1x8x11x10xf32>) -> tensor<2x1x8x11x10xf32> {
  %e = tensor.empty() : tensor<2x1x10x11x9xf32>
  %a = linalg.add ins(%x, %y : tensor<2x1x10x11x9xf32>, tensor<2x1x10x11x9xf32>) outs(%e : tensor<2x1x10x11x9xf32>) -> tensor<2x1x10x11x9xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%a, %w : tensor<2x1x10x11x9xf32>, tensor<1x3x1x9x10xf32>) outs(%i : tensor<2x1x8x11x10xf32>) -> tensor<2x1x8x11x10xf32>
  return %r : tensor<2x1x8x11x10xf32>
}

// -----

// Next to a generic contraction, which keeps its producers as they are.
// CHECK-LABEL: func.func @same_order_apart(
// CHECK: schedule.sketch
// CHECK: fuse_elementwise %{{.*}} ["linalg.abs", "linalg.copy"] apart
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["producer0", "anchor"]
func.func @same_order_apart(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<24x32xf32>
  %p = linalg.abs ins(%b : tensor<24x32xf32>) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(k, m, n) -> (m, k)>, affine_map<(k, m, n) -> (k, n)>, affine_map<(k, m, n) -> (m, n)>],
    iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a, %p : tensor<16x24xf32>, tensor<24x32xf32>) outs(%c : tensor<16x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %q = arith.mulf %x, %y : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  %f = tensor.empty() : tensor<16x32xf32>
  %u = linalg.copy ins(%r : tensor<16x32xf32>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %u : tensor<16x32xf32>
}
