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
// RUN: rm -rf %t.d
// RUN: sched-opt %t/few.mlir --auto-schedule="trials=32 batch=16 seed=1 threads=1 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

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

//--- few.mlir
// One column and a stride; two columns, whose layout is a constant's.
func.func @few(%x: tensor<1x13x13x68xf32>, %w: tensor<3x3x68x1xf32>, %y: tensor<40x72xf32>) -> (tensor<1x6x6x1xf32>, tensor<40x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x1xf32>) -> tensor<1x6x6x1xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x13x13x68xf32>, tensor<3x3x68x1xf32>) outs(%init : tensor<1x6x6x1xf32>) -> tensor<1x6x6x1xf32>
  %two = arith.constant dense<[[0.5, -1.5], [2.0, 0.25], [1.0, 3.0]]> : tensor<3x2xf32>
  %many = tensor.empty() : tensor<24x3x2xf32>
  %copied = linalg.broadcast ins(%two : tensor<3x2xf32>) outs(%many : tensor<24x3x2xf32>) dimensions = [0]
  %k = tensor.collapse_shape %copied [[0, 1], [2]] : tensor<24x3x2xf32> into tensor<72x2xf32>
  %e2 = tensor.empty() : tensor<40x2xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<40x2xf32>) -> tensor<40x2xf32>
  %m = linalg.matmul ins(%y, %k : tensor<40x72xf32>, tensor<72x2xf32>) outs(%init2 : tensor<40x2xf32>) -> tensor<40x2xf32>
  return %c, %m : tensor<1x6x6x1xf32>, tensor<40x2xf32>
}

//--- stays.mlir
// Four columns fill half of a vector; 48 steps are not four of the widest vectors;
// seven rows do not pay for a transposition, nor does a right-hand side of each
// batch; a producer is computed in the loops of vectors of columns.
// STAYS-NOT: linalg.transpose
func.func @columns(%a: tensor<64x64xf32>, %b: tensor<64x4xf32>, %c: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x4xf32>) outs(%c : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %r : tensor<64x4xf32>
}
func.func @steps(%a: tensor<64x48xf32>, %b: tensor<48x3xf32>, %c: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x3xf32>) outs(%c : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}
func.func @rows(%a: tensor<7x64xf32>, %b: tensor<64x3xf32>, %c: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<7x64xf32>, tensor<64x3xf32>) outs(%c : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
func.func @batches(%a: tensor<256x8x64xf32>, %b: tensor<256x64x3xf32>, %c: tensor<256x8x3xf32>) -> tensor<256x8x3xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<256x8x64xf32>, tensor<256x64x3xf32>) outs(%c : tensor<256x8x3xf32>) -> tensor<256x8x3xf32>
  return %r : tensor<256x8x3xf32>
}
func.func @producer(%a: tensor<64x64xf32>, %b: tensor<64x3xf32>, %c: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %p = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%p, %b : tensor<64x64xf32>, tensor<64x3xf32>) outs(%c : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}
