// Weights that are computed and then reshaped, as those of a convolution whose image
// becomes columns: their panels keep the dimensions that the sketch tiles, also where
// there is only one panel.

// RUN: sched-opt %s --convert-schedule-to-transform --transform-interpreter --schedule-drop-script | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: linalg.add
// CHECK: scf.for %{{.*}} step %c32
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x16x32xf32>) outs(%{{.*}} : tensor<1x32x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<28x32xf32>, tensor<1x32x16xf32>)
func.func @f(%a: tensor<28x64xf32>, %b: tensor<16x16x2x2xf32>, %c: tensor<16x16x2x2xf32>,
             %d: tensor<28x16xf32>) -> tensor<28x16xf32> {
  %e = tensor.empty() : tensor<16x16x2x2xf32>
  %w = linalg.add ins(%b, %c : tensor<16x16x2x2xf32>, tensor<16x16x2x2xf32>)
                  outs(%e : tensor<16x16x2x2xf32>) -> tensor<16x16x2x2xf32>
  %k = tensor.collapse_shape %w [[0], [1, 2, 3]] : tensor<16x16x2x2xf32> into tensor<16x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %k : tensor<28x64xf32>, tensor<16x64xf32>) outs(%d : tensor<28x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %x = arith.mulf %p, %q : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<28x16xf32>
  return %r : tensor<28x16xf32>
}

schedule.sketch @late(%module: !transform.any_op) {
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
  %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
  %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
  schedule.name_blocks %func ["producer", "anchor"]
  schedule.tile %func "producer" fuse [] rank 4 dims [0] extents(%c16) sizes(%c1)
  %f = schedule.pack_rhs %func "anchor" n 16 transposed apart tile %c16 threads %c1 tail(%c1, %c1) defer %c1
  schedule.tile %f "anchor" fuse exactly ["late_pack"] if(%c1) rank 4 dims [2] extents(%c64) sizes(%c32)
}
