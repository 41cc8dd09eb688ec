// Columns that fill no panel are read from the argument itself, which therefore
// stands behind the panels in the buffer.
// RUN: sched-opt --sched-outline-packing %s | FileCheck %s

// CHECK-LABEL: func.func @f_pack_arg0
// CHECK-SAME: (%[[B:.*]]: tensor<4x9xf32>) -> tensor<68xf32>
// CHECK: %[[PANEL:.*]] = scf.for
// CHECK-DAG: %[[FIRST:.*]] = tensor.collapse_shape %[[PANEL]]
// CHECK-DAG: %[[SECOND:.*]] = tensor.collapse_shape %[[B]]
// CHECK: tensor.insert_slice %[[FIRST]] into %{{.*}}[0] [32] [1]
// CHECK: tensor.insert_slice %[[SECOND]] into %{{.*}}[32] [36] [1]

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[BUFFER:.*]]: tensor<68xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[BUFFER]][32] [36] [1]
// CHECK: %[[RAW:.*]] = tensor.expand_shape %[[SLICE]]
// CHECK: vector.transfer_read %[[RAW]][%{{.*}}, %{{.*}}]
func.func @f(%b: tensor<4x9xf32> {schedule.layout_free}, %i: index, %a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %packed = scf.for %j = %c0 to %c4 step %c1 iter_args(%to = %empty) -> (tensor<4x8xf32>) {
    %row = vector.transfer_read %b[%j, %c0], %zero {in_bounds = [true]} : tensor<4x9xf32>, vector<8xf32>
    %next = vector.transfer_write %row, %to[%j, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  %panel = vector.transfer_read %packed[%i, %c0], %zero {in_bounds = [true]} : tensor<4x8xf32>, vector<8xf32>
  %last = vector.transfer_read %b[%i, %c8], %zero {in_bounds = [true]} : tensor<4x9xf32>, vector<1xf32>
  %wide = vector.broadcast %last : vector<1xf32> to vector<8xf32>
  %sum = arith.addf %panel, %wide : vector<8xf32>
  %r = vector.transfer_write %sum, %a[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}
