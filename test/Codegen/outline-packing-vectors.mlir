// Packing hands over tensors. A vector that is read of them outside of any loop
// depends on the argument alone too, and is read where it is used.
// RUN: sched-opt --sched-outline-packing %s | FileCheck %s

// CHECK-LABEL: func.func @f_pack_arg0
// CHECK-SAME: (%{{.*}}: tensor<4x8xf32>) -> tensor<32xf32>
// CHECK: scf.for
// CHECK-NOT: vector.extract

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[B:.*]]: tensor<32xf32>
// CHECK: %[[PART:.*]] = tensor.expand_shape %[[B]]
// CHECK: vector.transfer_read %[[PART]]
func.func @f(%b: tensor<4x8xf32> {schedule.layout_free}, %a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %packed = scf.for %i = %c0 to %c4 step %c1 iter_args(%to = %empty) -> (tensor<4x8xf32>) {
    %row = vector.transfer_read %b[%i, %c0], %zero {in_bounds = [true]} : tensor<4x8xf32>, vector<8xf32>
    %next = vector.transfer_write %row, %to[%i, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  %rows = vector.transfer_read %packed[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %first = vector.extract %rows[0] : vector<8xf32> from vector<4x8xf32>
  %old = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %sum = arith.addf %first, %old : vector<8xf32>
  %r = vector.transfer_write %sum, %a[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %r : tensor<8xf32>
}
