// A ReLU that shares the product's start value, beside a producer behind a
// reshape: the script finds the product in the unchanged input, where there is
// one fill for both.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script' --transform-interpreter | FileCheck %s
// RUN: sched-run %s --entry=f --transform=%t.script --threads=1 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @f(
// CHECK-NOT: linalg.
// CHECK: vector.contract
// CHECK: arith.maximumf
// CHECK-NOT: linalg.
// RAN: "verified": true
func.func @f(%a: tensor<8x8x48xf32>, %b: tensor<48x80xf32>) -> tensor<64x80xf32> {
  %s = tensor.empty() : tensor<8x8x48xf32>
  %p = linalg.abs ins(%a : tensor<8x8x48xf32>) outs(%s : tensor<8x8x48xf32>) -> tensor<8x8x48xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<8x8x48xf32> into tensor<64x48xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %r = linalg.matmul ins(%c, %b : tensor<64x48xf32>, tensor<48x80xf32>) outs(%i : tensor<64x80xf32>) -> tensor<64x80xf32>
  %y = linalg.max ins(%r, %i : tensor<64x80xf32>, tensor<64x80xf32>) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %y : tensor<64x80xf32>
}
