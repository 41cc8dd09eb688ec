// How many vectors wide register tiles may be. Five and seven are for columns
// that leave none over, as what two threads have of ten and fourteen, and 32
// registers.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3,triple=x86_64-linux-gnu threads=2" --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu threads=2" --split-input-file | FileCheck %s --check-prefixes=CHECK,AVX512
// REQUIRES: x86-registered-target

// CHECK-LABEL: func.func @ten(
// CHECK: schedule.sketch @plain(
// AVX2: schedule.sample_categorical "vectors" from [1, 2, 4, 8]
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4, 5, 8] default 5
func.func @ten(%a: tensor<49x64xf32>, %b: tensor<64x160xf32>, %c: tensor<49x160xf32>) -> tensor<49x160xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<49x64xf32>, tensor<64x160xf32>) outs(%c : tensor<49x160xf32>) -> tensor<49x160xf32>
  return %r : tensor<49x160xf32>
}

// -----

// CHECK-LABEL: func.func @fourteen(
// CHECK: schedule.sketch @plain(
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4, 7, 8]
// CHECK: schedule.sketch @packed(
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4, 7, 8]
func.func @fourteen(%a: tensor<49x64xf32>, %b: tensor<64x224xf32>, %c: tensor<49x224xf32>) -> tensor<49x224xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<49x64xf32>, tensor<64x224xf32>) outs(%c : tensor<49x224xf32>) -> tensor<49x224xf32>
  return %r : tensor<49x224xf32>
}

// -----

// What is filled is as good as a whole vector; of panels, it is not.
// CHECK-LABEL: func.func @nearly(
// CHECK: schedule.sketch @plain(
// AVX2: schedule.sample_categorical "vectors" from [1, 2, 4, 8]
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4, 5]
// CHECK: schedule.sketch @packed(
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4]
func.func @nearly(%a: tensor<49x64xf32>, %b: tensor<64x75xf32>, %c: tensor<49x75xf32>) -> tensor<49x75xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<49x64xf32>, tensor<64x75xf32>) outs(%c : tensor<49x75xf32>) -> tensor<49x75xf32>
  return %r : tensor<49x75xf32>
}

// -----

// One row has no use for them.
// CHECK-LABEL: func.func @row(
// CHECK: schedule.sketch @plain(
// AVX512: schedule.sample_categorical "vectors" from [1, 2, 3, 4, 8]
func.func @row(%a: tensor<1x64xf32>, %b: tensor<64x160xf32>, %c: tensor<1x160xf32>) -> tensor<1x160xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x64xf32>, tensor<64x160xf32>) outs(%c : tensor<1x160xf32>) -> tensor<1x160xf32>
  return %r : tensor<1x160xf32>
}
