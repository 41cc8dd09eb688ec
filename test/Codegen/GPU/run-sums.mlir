// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=f --target=nvvm:sm_86 --emulate | FileCheck %s

// What no schedule has tied: threads share what is not summed up first, as those
// that share a reduction exchange all their sums, which were 150 KiB here.

// CHECK: check: right

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<65x1x13xi8>, %arg1: tensor<65x13x24xi8>) -> tensor<65x24xi32> {
    %c-4_i32 = arith.constant -4 : i32
    %c-2_i32 = arith.constant -2 : i32
    %c104_i32 = arith.constant 104 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<65x24xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<65x24xi32>) -> tensor<65x24xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg1 : tensor<65x13x24xi8>) outs(%1 : tensor<65x24xi32>) {
    ^bb0(%in: i8, %out: i32):
      %11 = arith.extsi %in : i8 to i32
      %12 = arith.addi %11, %out : i32
      linalg.yield %12 : i32
    } -> tensor<65x24xi32>
    %3 = tensor.empty() : tensor<65x1xi32>
    %4 = linalg.fill ins(%c0_i32 : i32) outs(%3 : tensor<65x1xi32>) -> tensor<65x1xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<65x1x13xi8>) outs(%4 : tensor<65x1xi32>) {
    ^bb0(%in: i8, %out: i32):
      %11 = arith.extsi %in : i8 to i32
      %12 = arith.addi %11, %out : i32
      linalg.yield %12 : i32
    } -> tensor<65x1xi32>
    %6 = tensor.empty() : tensor<65x1x24xi32>
    %7 = tensor.empty() : tensor<65x1x24xi32>
    %8 = linalg.fill ins(%c0_i32 : i32) outs(%6 : tensor<65x1x24xi32>) -> tensor<65x1x24xi32>
    %9 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<65x1x13xi8>, tensor<65x13x24xi8>) outs(%8 : tensor<65x1x24xi32>) -> tensor<65x1x24xi32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %2, %5 : tensor<65x1x24xi32>, tensor<65x24xi32>, tensor<65x1xi32>) outs(%7 : tensor<65x1x24xi32>) {
    ^bb0(%in: i32, %in_0: i32, %in_1: i32, %out: i32):
      %11 = arith.muli %in_0, %c-4_i32 : i32
      %12 = arith.subi %in, %11 : i32
      %13 = arith.muli %in_1, %c-2_i32 : i32
      %14 = arith.subi %12, %13 : i32
      %15 = arith.addi %14, %c104_i32 : i32
      linalg.yield %15 : i32
    } -> tensor<65x1x24xi32>
    %collapsed = tensor.collapse_shape %10 [[0, 1], [2]] : tensor<65x1x24xi32> into tensor<65x24xi32>
    return %collapsed : tensor<65x24xi32>
  }
}

