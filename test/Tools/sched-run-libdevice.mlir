// REQUIRES: ptxas, nvptx-registered-target
// CUDA's library rounds some steps towards zero, and has others in assembly;
// what it computes is emulated to the bit, and compared with the host's.

// RUN: sched-run %s --entry=hyperbolic --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=remainders --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=wide --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: check: right

#map = affine_map<(i) -> (i)>
func.func @hyperbolic(%x: tensor<300xf32>) -> tensor<300xf32> {
  %e = tensor.empty() : tensor<300xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
    ins(%x : tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %more = arith.constant 1.5 : f32
    %s = math.sin %a : f32
    %b = arith.addf %s, %more : f32
    %half = arith.divf %s, %more : f32
    %u = math.asinh %a : f32
    %v = math.acosh %b : f32
    %w = math.atanh %half : f32
    %uv = arith.addf %u, %v : f32
    %uvw = arith.addf %uv, %w : f32
    linalg.yield %uvw : f32
  } -> tensor<300xf32>
  return %r : tensor<300xf32>
}

func.func @remainders(%x: tensor<300xf32>, %y: tensor<300xf32>) -> tensor<300xf32> {
  %e = tensor.empty() : tensor<300xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
    ins(%x, %y : tensor<300xf32>, tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %many = arith.constant 3.7e8 : f32
    %large = arith.mulf %a, %many : f32
    %c = arith.remf %large, %b : f32
    linalg.yield %c : f32
  } -> tensor<300xf32>
  return %r : tensor<300xf32>
}

func.func @wide(%x: tensor<300xf64>, %y: tensor<300xf64>) -> tensor<300xf64> {
  %e = tensor.empty() : tensor<300xf64>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
    ins(%x, %y : tensor<300xf64>, tensor<300xf64>) outs(%e : tensor<300xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %c = arith.remf %a, %b : f64
    %d = math.asinh %c : f64
    %h = math.cbrt %a : f64
    %i = arith.addf %d, %h : f64
    linalg.yield %i : f64
  } -> tensor<300xf64>
  return %r : tensor<300xf64>
}
