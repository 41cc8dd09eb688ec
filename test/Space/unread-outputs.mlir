// Ops that name another op's result as their output but do not read it, as a
// batch norm names the convolution before it: an empty tensor says the same, and
// the two are one task.

// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/norm.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/norm.script.mlir
// RUN: sched-run %t/norm.mlir --transform=%t/norm.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

//--- norm.mlir
// CHECK-LABEL: func.func @norm(
// CHECK: call @norm_0(
// CHECK-NOT: call
// CHECK: return
// CHECK-LABEL: func.func private @norm_0(
// CHECK: tensor.empty() : tensor<1x6x6x32xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<1x6x6x32xf32>
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[EMPTY]] :
#all = affine_map<(n, h, w, f) -> (n, h, w, f)>
#channel = affine_map<(n, h, w, f) -> (f)>
func.func @norm(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16x32xf32>, %mean: tensor<32xf32>,
                %scale: tensor<32xf32>) -> tensor<1x6x6x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x16xf32>, tensor<3x3x16x32xf32>)
                                outs(%i : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %mean, %scale : tensor<1x6x6x32xf32>, tensor<32xf32>, tensor<32xf32>)
      outs(%c : tensor<1x6x6x32xf32>) {
  ^bb0(%v: f32, %m: f32, %s: f32, %o: f32):
    %d = arith.subf %v, %m : f32
    %p = arith.mulf %d, %s : f32
    linalg.yield %p : f32
  } -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}

// -----

//--- others.mlir
// What is read becomes an input; arguments stay.
// CHECK-LABEL: func.func @read(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %[[P]] :
#id = affine_map<(m, n) -> (m, n)>
func.func @read(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x32xf32>) outs(%p : tensor<8x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// -----

// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %{{.*}}: tensor<8x32xf32>, %[[Y:.*]]: tensor<8x32xf32>)
// CHECK: linalg.exp
// CHECK-SAME: outs(%[[Y]] :
func.func @argument(%x: tensor<8x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %r = linalg.exp ins(%x : tensor<8x32xf32>) outs(%y : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
