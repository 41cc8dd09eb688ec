// The columns of an image that taps with a dilation take elements of, two apart,
// are copied one by one: upstream makes no vectors of such windows. Without a
// dilation they are copied as vectors.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.mlir
// RUN: sched-run %s --entry=apart --transform=%t.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=haswell threads=1" | FileCheck %s

// RIGHT: "verified": true

#apart = affine_map<(n, h, w, c, p, q) -> (n, h + p, w + q * 2, c)>
#near = affine_map<(n, h, w, c, p, q) -> (n, h + p, w + q, c)>
#columns = affine_map<(n, h, w, c, p, q) -> (n, h, w, c, p, q)>

// CHECK-LABEL: schedule.space @apart_0
// CHECK: %[[WIDTH:.*]] = transform.param.constant 1 : i64 -> !transform.param<i64>{{[[:space:]]+}}schedule.tile %{{.*}} "producer0" {{.*}} sizes({{.*}}, %[[WIDTH]])
func.func @apart(%w: tensor<48x49xf32>, %x: tensor<3x29x6x8xf32>) -> tensor<168x49xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x28x2x8x2x3xf32>
  %windows = linalg.generic {indexing_maps = [#apart, #columns], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x29x6x8xf32>) outs(%e : tensor<3x28x2x8x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x28x2x8x2x3xf32>
  %rows = tensor.collapse_shape %windows [[0, 1, 2], [3, 4, 5]] : tensor<3x28x2x8x2x3xf32> into tensor<168x48xf32>
  %r = tensor.empty() : tensor<168x49xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<168x49xf32>) -> tensor<168x49xf32>
  %product = linalg.matmul ins(%rows, %w : tensor<168x48xf32>, tensor<48x49xf32>) outs(%fill : tensor<168x49xf32>) -> tensor<168x49xf32>
  return %product : tensor<168x49xf32>
}

// CHECK-LABEL: schedule.space @near_0
// CHECK: %[[WIDTH:.*]] = transform.param.constant 32 : i64 -> !transform.param<i64>{{[[:space:]]+}}schedule.tile %{{.*}} "producer0" {{.*}} sizes({{.*}}, %[[WIDTH]])
func.func @near(%w: tensor<48x49xf32>, %x: tensor<3x29x4x8xf32>) -> tensor<168x49xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x28x2x8x2x3xf32>
  %windows = linalg.generic {indexing_maps = [#near, #columns], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x29x4x8xf32>) outs(%e : tensor<3x28x2x8x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x28x2x8x2x3xf32>
  %rows = tensor.collapse_shape %windows [[0, 1, 2], [3, 4, 5]] : tensor<3x28x2x8x2x3xf32> into tensor<168x48xf32>
  %r = tensor.empty() : tensor<168x49xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<168x49xf32>) -> tensor<168x49xf32>
  %product = linalg.matmul ins(%rows, %w : tensor<168x48xf32>, tensor<48x49xf32>) outs(%fill : tensor<168x49xf32>) -> tensor<168x49xf32>
  return %product : tensor<168x49xf32>
}
