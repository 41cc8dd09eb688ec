// 3x3 convolutions with channels outside: image and result are transposed around
// Winograd's transforms, whatever the length of the lines.

// RUN: sched-opt %s --schedule-winograd="tile=4 threads=1 target=cpu:mcpu=znver3" | FileCheck %s
// RUN: sched-opt %s --schedule-winograd="tile=0 threads=1 target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=OFF

// OFF-COUNT-5: linalg.conv_2d_nchw_fchw

// What is transposed is the image before its pad, and the result after its
// bias; there is nothing but pixels between two of them.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x8x65x70xf32>, %[[U:.*]]: tensor<16x8x3x3xf32>
// CHECK: %[[LINES:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[}}[0], [1], [2, 3]]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[LINES]] : tensor<1x8x4550xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK: %[[X:.*]] = tensor.expand_shape %{{.*}} : tensor<1x4550x8xf32> into tensor<1x65x70x8xf32>
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %[[U]] : tensor<36x3x3xf32>, tensor<16x8x3x3xf32>)
// CHECK: vector.transfer_read %[[X]]{{.*}}, vector<5x5x8xf32>
// CHECK: linalg.batch_matmul
// CHECK: vector.transfer_write {{.*}}, tensor<1x65x70x16xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.batch_matmul
// CHECK: vector.transfer_write {{.*}}, tensor<1x63x68x8xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x4284x8xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK: tensor.expand_shape %{{.*}} into tensor<1x8x63x68xf32>
// CHECK-NOT: linalg.
// CHECK: return
func.func @chain(%image: tensor<1x8x65x70xf32>, %u: tensor<16x8x3x3xf32> {schedule.layout_free}, %bias: tensor<16xf32>) -> tensor<1x8x63x68xf32> {
  %v = arith.constant dense<1.0> : tensor<8x16x3x3xf32>
  %z = arith.constant 0.0 : f32
  %x = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x8x65x70xf32> to tensor<1x8x67x72xf32>
  %e = tensor.empty() : tensor<1x16x65x70xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x65x70xf32>) -> tensor<1x16x65x70xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x8x67x72xf32>, tensor<16x8x3x3xf32>)
                                outs(%f : tensor<1x16x65x70xf32>) -> tensor<1x16x65x70xf32>
  %b = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %bias : tensor<1x16x65x70xf32>, tensor<16xf32>) outs(%e : tensor<1x16x65x70xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x16x65x70xf32>
  %e1 = tensor.empty() : tensor<1x8x63x68xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<1x8x63x68xf32>) -> tensor<1x8x63x68xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%b, %v : tensor<1x16x65x70xf32>, tensor<8x16x3x3xf32>)
                                outs(%f1 : tensor<1x8x63x68xf32>) -> tensor<1x8x63x68xf32>
  return %r : tensor<1x8x63x68xf32>
}

// A stride, weights that come with the image, and channels that are no whole
// vectors are left alone.
// CHECK-LABEL: func.func @left(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}strides = dense<2>
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}tensor<8x8x3x3xf32>
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}tensor<6x8x3x3xf32>
func.func @left(%x: tensor<1x8x10x10xf32>, %w: tensor<8x8x3x3xf32>, %y0: tensor<1x8x4x4xf32>,
                %y1: tensor<1x8x8x8xf32>, %y2: tensor<1x6x8x8xf32>)
    -> (tensor<1x8x4x4xf32>, tensor<1x8x8x8xf32>, tensor<1x6x8x8xf32>) {
  %w0 = arith.constant dense<1.0> : tensor<8x8x3x3xf32>
  %w2 = arith.constant dense<1.0> : tensor<6x8x3x3xf32>
  %r0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w0 : tensor<1x8x10x10xf32>, tensor<8x8x3x3xf32>) outs(%y0 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %r1 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x10x10xf32>, tensor<8x8x3x3xf32>) outs(%y1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r2 = linalg.conv_2d_nchw_fchw ins(%x, %w2 : tensor<1x8x10x10xf32>, tensor<6x8x3x3xf32>) outs(%y2 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %r0, %r1, %r2 : tensor<1x8x4x4xf32>, tensor<1x8x8x8xf32>, tensor<1x6x8x8xf32>
}
