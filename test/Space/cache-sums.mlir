// Where the reduction is in blocks, the sums of a block may wait in a buffer: a
// decision of products whose result's rows are pages apart; not of those with
// shorter rows, nor with an epilogue, which reads a buffer anyway (SketchSums.cpp).

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file | FileCheck %s --check-prefixes=CHECK,SHARED

// CHECK-LABEL: func.func @product(
// CHECK: schedule.sketch @packed(
// CHECK-NOT: schedule.cache_write
// CHECK: schedule.sketch @packed_blocked(
// CHECK: schedule.tile %{{.*}} "anchor" fuse ["late_pack", "init"]
// CHECK: %[[CACHED:.*]] = schedule.sample_categorical "cache_sums" from [0, 1] default 0
// CHECK: schedule.require "sums that wait in a buffer fit in L2"
// ALONE-NOT: threads share all tiles
// SHARED-COUNT-2: schedule.require "threads share all tiles of which cache_sums makes copies"
// CHECK: schedule.cache_write %{{.*}} "anchor" init "init" enable %[[CACHED]]
// CHECK: schedule.sample_categorical "kc"
func.func @product(%a: tensor<256x512xf32>, %b: tensor<512x1024xf32>) -> tensor<256x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x1024xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x1024xf32>) outs(%i : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// -----

// Batches between the rows make them as far apart.

// CHECK-LABEL: func.func @batches(
// CHECK: schedule.sample_categorical "inner_batches"
// CHECK: schedule.sample_categorical "cache_sums"
// CHECK: %[[ROWS:.*]] = schedule.min
// CHECK: %[[COLUMNS:.*]] = schedule.min
// CHECK: %[[BATCHES:.*]] = schedule.select
// CHECK: schedule.product %[[ROWS]], %[[COLUMNS]], %[[BATCHES]],
// CHECK: schedule.cache_write %{{.*}} "anchor" enable
func.func @batches(%a: tensor<16x256x512xf32>, %b: tensor<16x512x64xf32>, %c: tensor<256x16x64xf32>) -> tensor<256x16x64xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, b, n)>]
    ins(%a, %b : tensor<16x256x512xf32>, tensor<16x512x64xf32>) outs(%c : tensor<256x16x64xf32>) -> tensor<256x16x64xf32>
  return %r : tensor<256x16x64xf32>
}

// -----

// CHECK-LABEL: func.func @short_rows(
// CHECK: schedule.sketch @packed_blocked(
// CHECK-NOT: cache_sums
// CHECK-NOT: schedule.cache_write
func.func @short_rows(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>) -> tensor<256x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x512xf32>) outs(%i : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}

// -----

// CHECK-LABEL: func.func @epilogue(
// CHECK: schedule.sketch @packed_blocked(
// CHECK-NOT: schedule.cache_write
func.func @epilogue(%a: tensor<256x512xf32>, %b: tensor<512x1024xf32>) -> tensor<256x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x1024xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x1024xf32>) outs(%i : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %s = linalg.exp ins(%r : tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  return %s : tensor<256x1024xf32>
}
