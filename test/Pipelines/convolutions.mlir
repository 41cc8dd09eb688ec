// Convolutions of channels-last images. By the columns of the image: what makes
// them is computed before the product, or slice by slice inside of its loops over
// taps. Directly: with weights in panels.

// RUN: split-file %s %t
// RUN: rm -rf %t.d
// RUN: sched-opt %t/columns.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=2 strategy=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

// All candidates were checked and right, those with slices among them.
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @{{.*}}producer_at = 1
// RECORD-NOT: "error":"{{[a-z]}}
// RUN: rm -rf %t.d
// RUN: sched-opt %t/direct.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=2 strategy=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=DIRECT --input-file=%t.d/records.jsonl
// DIRECT-NOT: "error":"{{[a-z]}}
// DIRECT: schedule.trace of @packed
// DIRECT-NOT: "error":"{{[a-z]}}

// The script for the unchanged input.
// RUN: sched-opt %t/columns.mlir --auto-schedule="trials=0 threads=1 cost-model=analytic target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.columns
// RUN: mlir-opt-22 %t/columns.mlir --transform-preload-library='transform-library-paths=%t.columns' --transform-interpreter | FileCheck %t/columns.mlir
// RUN: sched-opt %t/direct.mlir --auto-schedule="trials=0 threads=1 cost-model=analytic target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.direct
// RUN: mlir-opt-22 %t/direct.mlir --transform-preload-library='transform-library-paths=%t.direct' --transform-interpreter | FileCheck %t/direct.mlir

//--- columns.mlir
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: linalg.
// CHECK: vector.contract
// CHECK-NOT: linalg.
func.func @columns(%a: tensor<5x3x64xf32>, %b: tensor<3x2x64x16xf32> {schedule.layout_free}, %bias: tensor<16xf32>) -> tensor<6x16xf32> {
  %z = arith.constant 0.0 : f32
  %q = tensor.empty() : tensor<3x2x3x2x64xf32>
  %w = linalg.generic {
    indexing_maps = [affine_map<(h, w, a, b, c) -> (h + a, w + b, c)>, affine_map<(h, w, a, b, c) -> (h, w, a, b, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<5x3x64xf32>) outs(%q : tensor<3x2x3x2x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<3x2x3x2x64xf32>
  %col = tensor.collapse_shape %w [[0, 1], [2], [3], [4]] : tensor<3x2x3x2x64xf32> into tensor<6x3x2x64xf32>
  %e = tensor.empty() : tensor<6x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, a, b, k) -> (m, a, b, k)>, affine_map<(m, n, a, b, k) -> (a, b, k, n)>, affine_map<(m, n, a, b, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%col, %b : tensor<6x3x2x64xf32>, tensor<3x2x64x16xf32>) outs(%i : tensor<6x16xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<6x16xf32>
  %v = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<6x16xf32>) dimensions = [0]
  %u = linalg.add ins(%r, %v : tensor<6x16xf32>, tensor<6x16xf32>) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %zero = linalg.fill ins(%z : f32) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %y = linalg.max ins(%u, %zero : tensor<6x16xf32>, tensor<6x16xf32>) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  return %y : tensor<6x16xf32>
}

//--- direct.mlir
// CHECK-LABEL: func.func @direct(
// CHECK-NOT: linalg.
// CHECK: tensor.empty() : tensor<{{[0-9]+}}x3x3x96x{{[0-9]+}}xf32>
// CHECK: vector.contract
// CHECK-NOT: linalg.
func.func @direct(%x: tensor<2x9x15x96xf32>, %w: tensor<3x3x96x200xf32> {schedule.layout_free}, %bias: tensor<200xf32>) -> tensor<2x4x7x200xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x7x200xf32>
  %i = linalg.broadcast ins(%bias : tensor<200xf32>) outs(%e : tensor<2x4x7x200xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x9x15x96xf32>, tensor<3x3x96x200xf32>)
                                outs(%i : tensor<2x4x7x200xf32>) -> tensor<2x4x7x200xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x7x200xf32>) -> tensor<2x4x7x200xf32>
  %y = linalg.max ins(%r, %f : tensor<2x4x7x200xf32>, tensor<2x4x7x200xf32>) outs(%e : tensor<2x4x7x200xf32>) -> tensor<2x4x7x200xf32>
  return %y : tensor<2x4x7x200xf32>
}
