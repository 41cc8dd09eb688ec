// RUN: sched-opt %s --schedule-winograd="tile=4 threads=1 target=cpu:mcpu=znver3" | FileCheck %s
// RUN: sched-opt %s --schedule-winograd="tile=2 threads=2 target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=TWO
// RUN: sched-opt %s --schedule-winograd="tile=0,4,0 target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=SECOND
// RUN: sched-opt %s --schedule-winograd="tile=4 threads=1 target=cpu:mcpu=znver3" --schedule-extract-tasks 2>&1 | FileCheck %s --check-prefix=TASK
// RUN: not sched-opt %s --schedule-winograd="tile=3" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not sched-opt %s --schedule-winograd="target=vax" 2>&1 | FileCheck %s --check-prefix=TARGET

// TILE: error: tile must be 2, 4 or 0 (left as it is); found 3
// TARGET: error: unknown target 'vax'

// The weights' transform is done beforehand: it is no task, and no remark says
// that it is left out. Its result may be laid out in panels.
// TASK-NOT: remark
// TASK: schedule.workload = "batch_matmul_36x9x16x8_f32(layout-free rhs)"
// TASK: schedule.workload = "batch_matmul_36x4x8x8_f32(constant rhs)"

// Tiles of 4: three by three, of which the last ones have two results. Pixels of
// the pad are no loads, and the pad is gone.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x10x10x8xf32>, %[[WEIGHTS:.*]]: tensor<3x3x8x16xf32>
// CHECK-NOT: tensor.pad
// CHECK: %[[U:.*]] = linalg.generic {{.*}}ins(%{{.*}}, %[[WEIGHTS]] : tensor<36x3x3xf32>, tensor<3x3x8x16xf32>)
// CHECK-SAME: tensor<36x8x16xf32>
// CHECK: %[[V0:.*]] = tensor.empty() : tensor<36x1x3x3x8xf32>
// CHECK: scf.for
// CHECK: vector.transfer_read %[[IMAGE]]{{.*}}, vector<5x5x8xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} : vector<36x1x1x1x8xf32>, tensor<36x1x3x3x8xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield
// CHECK: %[[V:.*]] = tensor.collapse_shape {{.*}} into tensor<36x9x8xf32>
// CHECK: linalg.batch_matmul ins(%[[V]], %[[U]] :
// CHECK: tensor.expand_shape
// CHECK: scf.for
// CHECK: vector.transfer_read {{.*}}, vector<36x1x1x1x8xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} : vector<4x4x8xf32>, tensor<1x10x10x16xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield
// CHECK: vector.transfer_write {{.*}} : vector<4x2x8xf32>, tensor<1x10x10x16xf32>
// CHECK: return

// Threads share the channels, if by whole vectors.
// TWO-LABEL: func.func @padded(
// TWO-NOT: scf.forall
// TWO: linalg.batch_matmul {{.*}}tensor<16x25x8xf32>, tensor<16x8x16xf32>
// TWO: scf.forall (%{{.*}}) in (2)
// TWO: tensor.parallel_insert_slice

// SECOND-LABEL: func.func @padded(
// SECOND: linalg.conv_2d_nhwc_hwcf
// SECOND-LABEL: func.func @epilogue(
// SECOND-NOT: linalg.conv
// SECOND: linalg.batch_matmul
// SECOND-LABEL: func.func @left(
func.func @padded(%image: tensor<1x10x10x8xf32>, %w: tensor<3x3x8x16xf32> {schedule.layout_free}) -> tensor<1x10x10x16xf32> {
  %z = arith.constant 0.0 : f32
  %x = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x10x10x8xf32> to tensor<1x12x12x8xf32>
  %e = tensor.empty() : tensor<1x10x10x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x12x12x8xf32>, tensor<3x3x8x16xf32>)
                                outs(%f : tensor<1x10x10x16xf32>) -> tensor<1x10x10x16xf32>
  return %y : tensor<1x10x10x16xf32>
}

// Constant weights are transformed at once: 36 products of ones, the first with
// the tap in the corner alone. What is started from and what follows are
// computed on vectors.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %{{.*}}: tensor<1x10x10x8xf32>, %[[START:.*]]: tensor<1x8x8x8xf32>, %[[BIAS:.*]]: tensor<8xf32>
// CHECK: arith.constant dense<{{.*}}> : tensor<36x8x8xf32>
// CHECK: linalg.batch_matmul
// CHECK-NOT: linalg.
// CHECK: %[[STARTS:.*]] = vector.transfer_read %[[START]]{{.*}}, vector<4x4x8xf32>
// CHECK: %[[FROM:.*]] = vector.extract %[[STARTS]][0, 0]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[FROM]] : vector<8xf32>
// CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]]{{.*}} : tensor<8xf32>, vector<8xf32>
// CHECK: %[[BIASED:.*]] = arith.addf %[[SUM]], %[[B]] : vector<8xf32>
// CHECK: arith.maximumf %[[BIASED]], %{{.*}} : vector<8xf32>
// CHECK-NOT: linalg.
// CHECK: return
func.func @epilogue(%x: tensor<1x10x10x8xf32>, %start: tensor<1x8x8x8xf32>, %bias: tensor<8xf32>) -> tensor<1x8x8x8xf32> {
  %w = arith.constant dense<1.0> : tensor<8x3x3x8xf32>
  %z = arith.constant 0.0 : f32
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x10x10x8xf32>, tensor<8x3x3x8xf32>)
                                outs(%start : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %bias : tensor<1x8x8x8xf32>, tensor<8xf32>) outs(%e : tensor<1x8x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// Weights that come with the image, a stride, other taps, f64, and channels that
// are no whole vectors are left alone.
// CHECK-LABEL: func.func @left(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}strides = dense<2>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensor<1x1x8x8xf32>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensor<3x3x8x8xf64>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensor<3x3x8x6xf32>
func.func @left(%x: tensor<1x10x10x8xf32>, %d: tensor<1x10x10x8xf64>, %w: tensor<3x3x8x8xf32>,
                %y0: tensor<1x8x8x8xf32>, %y1: tensor<1x4x4x8xf32>, %y2: tensor<1x10x10x8xf32>,
                %y3: tensor<1x8x8x8xf64>, %y4: tensor<1x8x8x6xf32>)
    -> (tensor<1x8x8x8xf32>, tensor<1x4x4x8xf32>, tensor<1x10x10x8xf32>, tensor<1x8x8x8xf64>, tensor<1x8x8x6xf32>) {
  %w1 = arith.constant dense<1.0> : tensor<3x3x8x8xf32>
  %w2 = arith.constant dense<1.0> : tensor<1x1x8x8xf32>
  %w3 = arith.constant dense<1.0> : tensor<3x3x8x8xf64>
  %w4 = arith.constant dense<1.0> : tensor<3x3x8x6xf32>
  %r0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x8xf32>, tensor<3x3x8x8xf32>) outs(%y0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r1 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w1 : tensor<1x10x10x8xf32>, tensor<3x3x8x8xf32>) outs(%y1 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %r2 = linalg.conv_2d_nhwc_hwcf ins(%x, %w2 : tensor<1x10x10x8xf32>, tensor<1x1x8x8xf32>) outs(%y2 : tensor<1x10x10x8xf32>) -> tensor<1x10x10x8xf32>
  %r3 = linalg.conv_2d_nhwc_hwcf ins(%d, %w3 : tensor<1x10x10x8xf64>, tensor<3x3x8x8xf64>) outs(%y3 : tensor<1x8x8x8xf64>) -> tensor<1x8x8x8xf64>
  %r4 = linalg.conv_2d_nhwc_hwcf ins(%x, %w4 : tensor<1x10x10x8xf32>, tensor<3x3x8x6xf32>) outs(%y4 : tensor<1x8x8x6xf32>) -> tensor<1x8x8x6xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<1x8x8x8xf32>, tensor<1x4x4x8xf32>, tensor<1x10x10x8xf32>, tensor<1x8x8x8xf64>, tensor<1x8x8x6xf32>
}
