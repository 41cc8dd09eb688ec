// Nothing is fused into a windowed sum whose image is computed: a script slices
// the image by the pixels, and the weights, if an op makes them too, by a loop
// of their own, be it of one channel. Weights without such a loop would be fused:
// there, nothing is.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" 2>/dev/null | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=one_channel --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=no_channel --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

#image = affine_map<(n, h, w, c, H, W) -> (n, h + H, w + W, c)>
#weights = affine_map<(n, h, w, c, H, W) -> (H, W, c)>
#result = affine_map<(n, h, w, c, H, W) -> (n, h, w, c)>

// CHECK-LABEL: schedule.space @one_channel
// CHECK: schedule.fuse_elementwise %{{.*}} ["linalg.broadcast", "linalg.transpose"] apart "linalg.generic" at 2 of 4 dims [1, 2, 3]
// CHECK: schedule.name_blocks %{{.*}} ["producer0", "producer1", "init", "anchor"]
func.func @one_channel(%x: tensor<3x27x1xf32>, %w: tensor<1x2x3xf32>) -> tensor<3x26x11x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x27x13x1xf32>
  %image = linalg.broadcast ins(%x : tensor<3x27x1xf32>) outs(%e : tensor<3x27x13x1xf32>) dimensions = [2]
  %f = tensor.empty() : tensor<2x3x1xf32>
  %weights = linalg.transpose ins(%w : tensor<1x2x3xf32>) outs(%f : tensor<2x3x1xf32>) permutation = [1, 2, 0]
  %r = tensor.empty() : tensor<3x26x11x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<3x26x11x1xf32>) -> tensor<3x26x11x1xf32>
  %sums = linalg.generic {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%image, %weights : tensor<3x27x13x1xf32>, tensor<2x3x1xf32>) outs(%i : tensor<3x26x11x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x26x11x1xf32>
  %same = linalg.transpose ins(%sums : tensor<3x26x11x1xf32>) outs(%r : tensor<3x26x11x1xf32>) permutation = [0, 1, 2, 3]
  return %same : tensor<3x26x11x1xf32>
}

// CHECK-LABEL: schedule.space @no_channel
// CHECK-NOT: schedule.fuse_elementwise
// CHECK: schedule.name_blocks %{{.*}} ["producer0", "producer1", "init", "anchor", "epilogue"]
func.func @no_channel(%x: tensor<3x27xf32>, %w: tensor<3x2xf32>) -> tensor<3x26x11xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x27x13xf32>
  %image = linalg.broadcast ins(%x : tensor<3x27xf32>) outs(%e : tensor<3x27x13xf32>) dimensions = [2]
  %f = tensor.empty() : tensor<2x3xf32>
  %weights = linalg.transpose ins(%w : tensor<3x2xf32>) outs(%f : tensor<2x3xf32>) permutation = [1, 0]
  %r = tensor.empty() : tensor<3x26x11xf32>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<3x26x11xf32>) -> tensor<3x26x11xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, h, w, H, W) -> (n, h + H, w + W)>, affine_map<(n, h, w, H, W) -> (H, W)>, affine_map<(n, h, w, H, W) -> (n, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%image, %weights : tensor<3x27x13xf32>, tensor<2x3xf32>) outs(%i : tensor<3x26x11xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x26x11xf32>
  %same = linalg.transpose ins(%sums : tensor<3x26x11xf32>) outs(%r : tensor<3x26x11xf32>) permutation = [0, 1, 2]
  return %same : tensor<3x26x11xf32>
}
