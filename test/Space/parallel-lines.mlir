// Threads have lines of an image by default where channels divide as evenly:
// they would wait for each other's.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu threads=2" | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: func.func @pool(
// CHECK: schedule.sample_categorical "parallel_dim" from [0, 1, 2, 3] default 3
// CHECK-NEXT: schedule.tile_parallel %{{.*}} dims [2, 3, 0, 1]
func.func @pool(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %window : tensor<1x58x58x64xf32>, tensor<3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}
