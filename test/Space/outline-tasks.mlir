// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// Once more changes nothing, and putting the tasks back gives the ops again.
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-drop-script --split-input-file | FileCheck %s --check-prefix=BACK

// Equal tasks share a function, which keeps the free layout of its argument.

// CHECK-LABEL: func.func @chain(
// CHECK: %[[H:.*]] = call @chain_0(%arg0, %arg1)
// CHECK-NEXT: %[[R:.*]] = call @chain_0(%[[H]], %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK-LABEL: func.func private @chain_0(
// CHECK-SAME: %{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16x16xf32> {schedule.layout_free})
// CHECK-SAME: attributes {schedule.outlined}
// CHECK: linalg.fill
// CHECK-NEXT: linalg.matmul
// CHECK-NOT: func.func
// BACK-LABEL: func.func @chain(
// BACK-COUNT-2: linalg.matmul
// BACK-NOT: func.func private
func.func @chain(%x: tensor<8x16xf32>, %u: tensor<16x16xf32> {schedule.layout_free},
                 %v: tensor<16x16xf32> {schedule.layout_free}) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %h = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x16xf32>)
                     outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%h, %v : tensor<8x16xf32>, tensor<16x16xf32>)
                     outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// A function that is one task stays as it is.

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: linalg.matmul
// CHECK-NOT: func.func
func.func @whole(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// What is in no task stays; a taken name is not taken again; the layout of an
// argument that something else reads too is not free.

// CHECK-LABEL: func.func @rest(
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK: %[[C:.*]] = call @[[NAME:rest_0_.*]](%arg0, %arg1)
// CHECK: return %[[C]], %[[SUM]]
// CHECK-LABEL: func.func private @rest_0_
// CHECK-NOT: schedule.layout_free
// CHECK: linalg.matmul
// CHECK-NEXT: linalg.exp
// CHECK-LABEL: func.func private @rest_0(
// BACK-LABEL: func.func @rest(
// BACK: linalg.reduce
// BACK: linalg.matmul
// BACK: func.func private @rest_0(
func.func @rest(%a: tensor<8x4xf32>, %b: tensor<4x8xf32> {schedule.layout_free}) -> (tensor<8x8xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %s = tensor.empty() : tensor<f32>
  %t = linalg.fill ins(%z : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%b : tensor<4x8xf32>) outs(%t : tensor<f32>) dimensions = [0, 1]
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>)
                     outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.exp ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x, %sum : tensor<8x8xf32>, tensor<f32>
}
func.func private @rest_0(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}

// -----

// In a loop: the call stands where the task stood.

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: func.call @loop_0(
// CHECK: scf.yield
func.func @loop(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%c = %a) -> (tensor<8x8xf32>) {
    %d = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                       outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %d : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// What only passes its operand on is no op of the task.

// CHECK-LABEL: func.func @passed(
// CHECK: call @passed_0(%arg0, %arg1, %arg2)
// CHECK: func.func private @passed_0(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @passed(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%b : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) permutation = [0, 1]
  %r = linalg.matmul ins(%a, %t : tensor<8x4xf32>, tensor<4x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// Nor where the function returns it.

// CHECK-LABEL: func.func @passed_last(
// CHECK: %[[R:.*]] = call @passed_last_0(
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: linalg.transpose
func.func @passed_last(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [0, 1]
  return %t : tensor<8x8xf32>
}

// -----

// Nor a maximum of equals, where what multiplies them is computed.

// CHECK-LABEL: func.func @equals(
// CHECK: call @equals_0(
// CHECK-NOT: linalg.max
func.func @equals(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %g = tensor.empty() : tensor<4x8xf32>
  %s = linalg.add ins(%b, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %s : tensor<8x4xf32>, tensor<4x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.max ins(%r, %r : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}

// -----

// An argument is copied where the function returns it.

// CHECK-LABEL: func.func @copied(
// CHECK: linalg.transpose
func.func @copied(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) permutation = [0, 1]
  return %t : tensor<8x16xf32>
}
