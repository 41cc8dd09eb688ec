// Depthwise convolutions with several results a channel, with and without a
// pad, a stride and an op after them: channels are repeated, and the numbers are
// those of the function as it is.

// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=padded --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %s --entry=strided --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %s --entry=many --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

// The image is repeated before it is padded, and the result is used with both
// dimensions as one.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[IMAGE:.*]] = call @padded_0(%arg0)
// CHECK: tensor.collapse_shape %[[IMAGE]] {{.*}} : tensor<1x13x17x12x2xf32> into tensor<1x13x17x24xf32>
// CHECK: tensor.pad
// CHECK: } : tensor<1x13x17x24xf32> to tensor<1x15x19x24xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: func.func private @padded_0(
// CHECK: linalg.broadcast
// CHECK: func.func private @padded_1(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK: linalg.max
func.func @padded(%x: tensor<1x13x17x12xf32>, %w: tensor<3x3x12x2xf32>, %y: tensor<1x13x17x24xf32>) -> tensor<1x13x17x24xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x13x17x12xf32> to tensor<1x15x19x12xf32>
  %e = tensor.empty() : tensor<1x13x17x12x2xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x13x17x12x2xf32>) -> tensor<1x13x17x12x2xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%p, %w : tensor<1x15x19x12xf32>, tensor<3x3x12x2xf32>) outs(%i : tensor<1x13x17x12x2xf32>) -> tensor<1x13x17x12x2xf32>
  %j = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x13x17x12x2xf32> into tensor<1x13x17x24xf32>
  %f = tensor.empty() : tensor<1x13x17x24xf32>
  %q = linalg.max ins(%j, %y : tensor<1x13x17x24xf32>, tensor<1x13x17x24xf32>) outs(%f : tensor<1x13x17x24xf32>) -> tensor<1x13x17x24xf32>
  return %q : tensor<1x13x17x24xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK: tensor.expand_shape {{.*}} into tensor<2x6x8x5x3xf32>
// CHECK: return
func.func @strided(%x: tensor<2x13x17x5xf32>, %w: tensor<3x3x5x3xf32>, %y: tensor<2x6x8x5x3xf32>) -> tensor<2x6x8x5x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x13x17x5xf32>, tensor<3x3x5x3xf32>) outs(%y : tensor<2x6x8x5x3xf32>) -> tensor<2x6x8x5x3xf32>
  return %r : tensor<2x6x8x5x3xf32>
}

// Results enough for a vector stay.
// CHECK-LABEL: func.func @many(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
func.func @many(%x: tensor<1x13x17x4xf32>, %w: tensor<3x3x4x8xf32>, %y: tensor<1x11x15x4x8xf32>) -> tensor<1x11x15x4x8xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x13x17x4xf32>, tensor<3x3x4x8xf32>) outs(%y : tensor<1x11x15x4x8xf32>) -> tensor<1x11x15x4x8xf32>
  return %r : tensor<1x11x15x4x8xf32>
}

// By its loops, not by its name: results of a group that is one channel. The
// weights, which have the taps innermost, are transposed.
// RUN: sched-run %s --entry=grouped --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// CHECK-LABEL: func.func @grouped(
// CHECK: %[[W:.*]] = call @grouped_0(%{{.*}}) : (tensor<16x2x3x3xf32>) -> tensor<3x3x16x2xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[W]] {{.*}} into tensor<3x3x32xf32>
// CHECK: call @grouped_1(%{{.*}}, %[[C]], %{{.*}})
// CHECK: tensor.expand_shape
func.func @grouped(%x: tensor<1x16x16x16x1xf32>, %w: tensor<16x2x1x3x3xf32>, %y: tensor<1x14x14x16x2xf32>) -> tensor<1x14x14x16x2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, f, c, y, x) -> (n, h + y, w + x, g, c)>,
                                        affine_map<(n, h, w, g, f, c, y, x) -> (g, f, c, y, x)>,
                                        affine_map<(n, h, w, g, f, c, y, x) -> (n, h, w, g, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x16x1xf32>, tensor<16x2x1x3x3xf32>) outs(%y : tensor<1x14x14x16x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<1x14x14x16x2xf32>
  return %r : tensor<1x14x14x16x2xf32>
}
