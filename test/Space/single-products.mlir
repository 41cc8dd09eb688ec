// A product with one row and one column becomes a dot product, with vectors
// along the steps; others stay products.

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks | FileCheck %t/forms.mlir

// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/script.mlir
// RUN: sched-run %t/run.mlir --entry=plain --transform=%t/script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=adds --transform=%t/script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RAN
// RAN: check: right

//--- forms.mlir
// The task reads and gives what has no such dimensions.
// CHECK-LABEL: func.func @plain(
// CHECK-DAG: tensor.collapse_shape %{{.*}} : tensor<1x1000xf32> into tensor<1000xf32>
// CHECK-DAG: tensor.collapse_shape %{{.*}} : tensor<1000x1xf32> into tensor<1000xf32>
// CHECK: %[[R:.*]] = call @plain_0(
// CHECK: tensor.expand_shape %{{.*}} : tensor<f32> into tensor<1x1xf32>
// CHECK-LABEL: func.func private @plain_0(
// CHECK-SAME: tensor<1000xf32>, %{{.*}}: tensor<1000xf32>) -> tensor<f32>
// CHECK: linalg.fill {{.*}} -> tensor<f32>
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
func.func @plain(%a: tensor<1x1000xf32>, %b: tensor<1000x1xf32>) -> tensor<1x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x1000xf32>, tensor<1000x1xf32>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// Two columns, and a few steps.
// CHECK-LABEL: func.func @two(
// CHECK: linalg.matmul ins({{.*}} : tensor<1x1000xf32>, tensor<1000x2xf32>)
func.func @two(%a: tensor<1x1000xf32>, %b: tensor<1000x2xf32>, %c: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x1000xf32>, tensor<1000x2xf32>) outs(%c : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
// CHECK-LABEL: func.func @short(
// CHECK: linalg.matmul ins({{.*}} : tensor<1x8xf32>, tensor<8x1xf32>)
func.func @short(%a: tensor<1x8xf32>, %b: tensor<8x1xf32>, %c: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x8xf32>, tensor<8x1xf32>) outs(%c : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

//--- run.mlir
func.func @plain(%a: tensor<1x1000xf32>, %b: tensor<1000x1xf32>) -> tensor<1x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x1000xf32>, tensor<1000x1xf32>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
// Of two rows, to what is given, with a step behind it.
func.func @adds(%a: tensor<1x777xf32>, %b: tensor<1x777xf32>, %c: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<1x777xf32>, tensor<1x777xf32>) outs(%c : tensor<1x1xf32>) -> tensor<1x1xf32>
  %e = tensor.empty() : tensor<1x1xf32>
  %r = linalg.exp ins(%p : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
