// A convolution by the columns of its image: what makes them is computed before
// the product, or slice by slice inside of its loops over taps.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=24 batch=24 seed=4 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

// All candidates were checked and right, those with slices among them.
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @{{.*}}producer_at = 1
// RECORD-NOT: "error":"{{[a-z]}}

// The script for the unchanged input.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script' --transform-interpreter | FileCheck %s
// CHECK-LABEL: func.func @convolution(
// CHECK-NOT: linalg.
// CHECK: vector.contract
// CHECK-NOT: linalg.
func.func @convolution(%a: tensor<6x7x64xf32>, %b: tensor<3x2x64x40xf32> {schedule.layout_free}, %bias: tensor<40xf32>) -> tensor<24x40xf32> {
  %z = arith.constant 0.0 : f32
  %q = tensor.empty() : tensor<4x6x3x2x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, a, b, c) -> (h + a, w + b, c)>, affine_map<(h, w, a, b, c) -> (h, w, a, b, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<6x7x64xf32>) outs(%q : tensor<4x6x3x2x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x6x3x2x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2], [3], [4]] : tensor<4x6x3x2x64xf32> into tensor<24x3x2x64xf32>
  %e = tensor.empty() : tensor<24x40xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, a, b, k) -> (m, a, b, k)>, affine_map<(m, n, a, b, k) -> (a, b, k, n)>, affine_map<(m, n, a, b, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%col, %b : tensor<24x3x2x64xf32>, tensor<3x2x64x40xf32>) outs(%i : tensor<24x40xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<24x40xf32>
  %v = linalg.broadcast ins(%bias : tensor<40xf32>) outs(%e : tensor<24x40xf32>) dimensions = [0]
  %u = linalg.add ins(%r, %v : tensor<24x40xf32>, tensor<24x40xf32>) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %zero = linalg.fill ins(%z : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %y = linalg.max ins(%u, %zero : tensor<24x40xf32>, tensor<24x40xf32>) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %y : tensor<24x40xf32>
}
