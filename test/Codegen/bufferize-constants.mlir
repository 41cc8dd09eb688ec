// A start value that was just written is a constant where it is read: it does
// not pass through the result's buffer, which every thread would have to copy.
// RUN: sched-opt --sched-drop-fills --sched-bufferize %s | FileCheck %s

// CHECK-LABEL: @start
// CHECK-SAME: (%[[OUT:.*]]: memref<6x16xf32>)
// CHECK-NOT: memref.alloc
// CHECK: %[[SPLAT:.*]] = arith.constant dense<2.000000e+00> : vector<6x16xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write %[[SPLAT]], %[[OUT]]
func.func @start(%out: memref<6x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : vector<6x1x16xf32>
  %empty = tensor.empty() : tensor<6x1x16xf32>
  %init = vector.transfer_write %two, %empty[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<6x1x16xf32>, tensor<6x1x16xf32>
  %slice = tensor.extract_slice %init[0, 0, 0] [6, 1, 16] [1, 1, 1] : tensor<6x1x16xf32> to tensor<6x16xf32>
  %start = vector.transfer_read %slice[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<6x16xf32>, vector<6x16xf32>
  %result = tensor.empty() : tensor<6x16xf32>
  %written = vector.transfer_write %start, %result[%c0, %c0] {in_bounds = [true, true]} : vector<6x16xf32>, tensor<6x16xf32>
  bufferization.materialize_in_destination %written in restrict writable %out : (tensor<6x16xf32>, memref<6x16xf32>) -> ()
  return
}

// Only part of the tensor is written: what is read is not known.
// CHECK-LABEL: @part
// CHECK: vector.transfer_read
func.func @part(%in: tensor<8x16xf32>, %out: memref<6x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : vector<2x16xf32>
  %init = vector.transfer_write %two, %in[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<8x16xf32>
  %slice = tensor.extract_slice %init[0, 0] [6, 16] [1, 1] : tensor<8x16xf32> to tensor<6x16xf32>
  %start = vector.transfer_read %slice[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<6x16xf32>, vector<6x16xf32>
  %result = tensor.empty() : tensor<6x16xf32>
  %written = vector.transfer_write %start, %result[%c0, %c0] {in_bounds = [true, true]} : vector<6x16xf32>, tensor<6x16xf32>
  bufferization.materialize_in_destination %written in restrict writable %out : (tensor<6x16xf32>, memref<6x16xf32>) -> ()
  return
}
