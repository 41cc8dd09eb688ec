// Products with one to three columns: the right-hand side is laid out along the
// reduction, and vectors run along that.
// RUN: split-file %s %t
// RUN: sched-opt %t/conv.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/conv.mlir --schedule-outline-tasks | sched-opt --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu quiet=true" --emit=transform \
// RUN:   | FileCheck %s --check-prefix=SCRIPT

// CHECK: #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d3, d6)>
// CHECK-LABEL: func.func @conv(
// CHECK: %[[W:.*]] = linalg.transpose ins(%arg1 {{.*}} permutation = [0, 1, 3, 2]
// CHECK: call @[[PRODUCT:conv_[0-9]+]](%{{.*}}, %[[W]], %arg2)
// CHECK: func.func private @[[PRODUCT]](
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$WEIGHTS]], #{{.*}}]

// Four pixels and three columns have a vector of partial sums each.
// SCRIPT: structured.fuse {{.*}} tile_sizes [0, 0, 4, 0]
// SCRIPT: tile_reduction_using_for {{.*}} by tile_sizes = [0, 0, 0, 0, 1, 1, 8]

// Every candidate is right, with tails of pixels and of steps, and a bias.
// RUN: rm -rf %t.d
// RUN: sched-opt %t/conv.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @lanes
// RECORD-NOT: "error":"{{[a-z]}}

//--- conv.mlir
#id = affine_map<(n, h, w, f) -> (n, h, w, f)>
#f = affine_map<(n, h, w, f) -> (f)>
func.func @conv(%x: tensor<1x7x11x67xf32>, %w: tensor<3x3x67x3xf32> {schedule.layout_free}, %b: tensor<3xf32>) -> tensor<1x7x11x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x7x11x67xf32> to tensor<1x9x13x67xf32>
  %e = tensor.empty() : tensor<1x7x11x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x11x3xf32>) -> tensor<1x7x11x3xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x9x13x67xf32>, tensor<3x3x67x3xf32>) outs(%init : tensor<1x7x11x3xf32>) -> tensor<1x7x11x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #f, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<1x7x11x3xf32>, tensor<3xf32>) outs(%e : tensor<1x7x11x3xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<1x7x11x3xf32>
  return %r : tensor<1x7x11x3xf32>
}

//--- stays.mlir
// Four columns fill half of a vector; sixteen steps would go into adding up lanes;
// seven rows do not pay for a transposition.
// STAYS-NOT: linalg.transpose
func.func @columns(%a: tensor<64x64xf32>, %b: tensor<64x4xf32>, %c: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x4xf32>) outs(%c : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %r : tensor<64x4xf32>
}
func.func @steps(%a: tensor<64x16xf32>, %b: tensor<16x3xf32>, %c: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x16xf32>, tensor<16x3xf32>) outs(%c : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}
func.func @rows(%a: tensor<7x64xf32>, %b: tensor<64x3xf32>, %c: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<7x64xf32>, tensor<64x3xf32>) outs(%c : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
