// What whole vectors leave over of the columns: computed in its own size, under
// masks where the processor has some for such elements, or padded.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu threads=1" --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu threads=1" --split-input-file | FileCheck %s --check-prefixes=CHECK,NEON
// REQUIRES: x86-registered-target, aarch64-registered-target

// Panels are whole already; what they leave over reads the operand where it is.
// A tile may be wider than the result.
// CHECK-LABEL: func.func @floats(
// CHECK: schedule.sketch @plain(
// AVX2: %[[VECTORS:.*]] = schedule.sample_categorical "vectors" from [1, 2, 3]
// AVX2: schedule.sample_categorical "tails" from [0, 1, 2] default 0
// AVX512: schedule.sample_categorical "vectors" from [1, 2]
// AVX512: schedule.sample_categorical "tails" from [0, 1, 2] default 0
// NEON: schedule.sample_categorical "tails" from [0, 2] default 0
// CHECK: schedule.require "tiles wider than the result are filled"
// AVX2: schedule.fill_tails %{{.*}} "anchor" init "init" rank 3 dim 1 multiple 8 padding [0.000000e+00 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32]
// AVX2: schedule.tile %{{.*}} "anchor" fuse [] rank 3 dims [2]
// AVX2-NEXT: schedule.fill_tails %{{.*}} "anchor" masked rank 3 dim 1 multiple 8
// AVX512: schedule.fill_tails %{{.*}} "anchor" init "init" rank 3 dim 1 multiple 16
// AVX512: schedule.fill_tails %{{.*}} "anchor" masked rank 3 dim 1 multiple 16
// NEON: schedule.fill_tails %{{.*}} "anchor" init "init" rank 3 dim 1 multiple 4
// NEON-NOT: masked
// CHECK: schedule.vectorize %{{.*}} filled %
// CHECK: schedule.sketch @packed(
// AVX2: schedule.sample_categorical "tails" from [0, 1] default 0
// AVX2: schedule.fill_tails %{{.*}} "tail_anchor" masked
// AVX512: schedule.sample_categorical "tails" from [0, 1] default 0
// NEON-NOT: schedule.fill_tails
// CHECK: schedule.vectorize
func.func @floats(%a: tensor<40x33xf32>, %b: tensor<33x23xf32>) -> tensor<40x23xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<40x23xf32>) -> tensor<40x23xf32>
  %r = linalg.matmul ins(%a, %b : tensor<40x33xf32>, tensor<33x23xf32>) outs(%i : tensor<40x23xf32>) -> tensor<40x23xf32>
  return %r : tensor<40x23xf32>
}

// -----

// AVX2 has no masks of bytes.
// CHECK-LABEL: func.func @bytes(
// CHECK: schedule.sketch @plain(
// AVX2: schedule.sample_categorical "tails" from [0, 2] default 0
// AVX512: schedule.sample_categorical "tails" from [0, 1, 2] default 0
// NEON: schedule.sample_categorical "tails" from [0, 2] default 0
func.func @bytes(%a: tensor<40x33xi8>, %b: tensor<33x23xi8>) -> tensor<40x23xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x23xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<40x23xi32>) -> tensor<40x23xi32>
  %r = linalg.matmul ins(%a, %b : tensor<40x33xi8>, tensor<33x23xi8>) outs(%i : tensor<40x23xi32>) -> tensor<40x23xi32>
  return %r : tensor<40x23xi32>
}

// -----

// Columns are whole vectors everywhere, or a single one.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: tails
// CHECK: func.func @column(
// CHECK-NOT: tails
func.func @whole(%a: tensor<41x33xf32>, %b: tensor<33x48xf32>) -> tensor<41x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<41x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<41x48xf32>) -> tensor<41x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<41x33xf32>, tensor<33x48xf32>) outs(%i : tensor<41x48xf32>) -> tensor<41x48xf32>
  return %r : tensor<41x48xf32>
}

// -----

func.func @column(%a: tensor<41x33xf32>, %b: tensor<33x1xf32>) -> tensor<41x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<41x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<41x1xf32>) -> tensor<41x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<41x33xf32>, tensor<33x1xf32>) outs(%i : tensor<41x1xf32>) -> tensor<41x1xf32>
  return %r : tensor<41x1xf32>
}

// -----

// Batches are padded, but not masked; taps of a convolution are reductions
// around, which tails are not made for.
// CHECK-LABEL: func.func @batches(
// CHECK: schedule.sketch @plain(
// AVX2: schedule.sample_categorical "tails" from [0, 2] default 0
// AVX2: schedule.fill_tails %{{.*}} "anchor" init "init" rank 4 dim 2 multiple 8
func.func @batches(%a: tensor<5x40x33xf32>, %b: tensor<5x33x23xf32>) -> tensor<5x40x23xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x40x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x40x23xf32>) -> tensor<5x40x23xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<5x40x33xf32>, tensor<5x33x23xf32>) outs(%i : tensor<5x40x23xf32>) -> tensor<5x40x23xf32>
  return %r : tensor<5x40x23xf32>
}

// -----

// CHECK-LABEL: func.func @taps(
// CHECK: schedule.sketch @plain(
// CHECK-NOT: tails
func.func @taps(%a: tensor<1x20x20x33xf32>, %b: tensor<3x3x33x23xf32>, %i: tensor<1x18x18x23xf32>) -> tensor<1x18x18x23xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x20x20x33xf32>, tensor<3x3x33x23xf32>)
                                outs(%i : tensor<1x18x18x23xf32>) -> tensor<1x18x18x23xf32>
  return %r : tensor<1x18x18x23xf32>
}
