// What channels-last.mlir rewrites computes the same: a result alone, also with
// its columns outside of its rows, an image alone, and bytes in long lines.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.mlir
// RUN: sched-run %s --entry=result --transform=%t.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=columns_outside --transform=%t.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=image --transform=%t.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=narrow --transform=%t.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// CHECK: "verified": true

func.func @result(%x: tensor<1x72x72x16xf32>, %w: tensor<3x3x16x24xf32>) -> tensor<1x24x70x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x70x70xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x70x70xf32>) -> tensor<1x24x70x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, y, x) -> (n, h + y, w + x, c)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (y, x, c, f)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x72x72x16xf32>, tensor<3x3x16x24xf32>) outs(%i : tensor<1x24x70x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x24x70x70xf32>
  return %r : tensor<1x24x70x70xf32>
}

func.func @columns_outside(%x: tensor<1x72x72x16xf32>, %w: tensor<3x3x16x24xf32>) -> tensor<1x24x70x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x70x70xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x70x70xf32>) -> tensor<1x24x70x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, y, x) -> (n, h + y, w + x, c)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (y, x, c, f)>,
                                        affine_map<(n, f, h, w, c, y, x) -> (n, f, w, h)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x72x72x16xf32>, tensor<3x3x16x24xf32>) outs(%i : tensor<1x24x70x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x24x70x70xf32>
  return %r : tensor<1x24x70x70xf32>
}

func.func @image(%x: tensor<1x32x30x30xf32>, %w: tensor<3x3x32xf32>, %i: tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, y, x) -> (n, c, h + y, w + x)>,
                                        affine_map<(n, h, w, c, y, x) -> (y, x, c)>,
                                        affine_map<(n, h, w, c, y, x) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x30x30xf32>, tensor<3x3x32xf32>) outs(%i : tensor<1x28x28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x28x28x32xf32>
  return %r : tensor<1x28x28x32xf32>
}

func.func @narrow(%x: tensor<1x16x66x66xi8>, %w: tensor<24x16x3x3xi8>) -> tensor<1x24x64x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x24x64x64xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x24x64x64xi32>) -> tensor<1x24x64x64xi32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x66x66xi8>, tensor<24x16x3x3xi8>) outs(%i : tensor<1x24x64x64xi32>) -> tensor<1x24x64x64xi32>
  return %c : tensor<1x24x64x64xi32>
}
