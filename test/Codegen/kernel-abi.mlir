// RUN: sched-opt %s --sched-kernel-abi | FileCheck %s --check-prefixes=CHECK,ABI
// RUN: sched-opt %s --sched-kernel-abi --sched-bufferize --canonicalize | FileCheck %s --check-prefixes=CHECK,PLACE

// Inputs, then results, none of which overlap; nothing is returned. What is
// computed into an empty tensor is computed in place.
// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[A:[^:]*]]: memref<8x4xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[S:[^:]*]]: f32,
// CHECK-SAME: %[[R0:[^:]*]]: memref<8x4xf32> {llvm.noalias},
// CHECK-SAME: %[[R1:[^:]*]]: memref<4xf32> {llvm.noalias})
// CHECK-NOT: ->
// ABI: bufferization.to_tensor %[[A]] restrict :
// ABI: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[R0]]
// ABI-NEXT: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[R1]]
// PLACE-NOT: {{memref.alloc|linalg.copy}}
// PLACE: linalg.exp ins(%[[A]] {{.*}} outs(%[[R0]]
// PLACE: linalg.fill ins(%[[S]] {{.*}} outs(%[[R1]]
// CHECK: return{{$}}
func.func @results(%a: tensor<8x4xf32>, %s: f32) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.exp ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %z = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%s : f32) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  return %r, %i : tensor<8x4xf32>, tensor<4xf32>
}

// A result that is looked at in another shape at the end is in place too.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[A:[^:]*]]: memref<2x3x4xf32>
// CHECK-SAME: %[[R:[^:]*]]: memref<6x4xf32>
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[R]] {{.*}} into memref<2x3x4xf32>
// ABI: materialize_in_destination %{{.*}} in restrict writable %[[VIEW]]
// PLACE-NOT: {{memref.alloc|linalg.copy}}
// PLACE: linalg.exp ins(%[[A]] {{.*}} outs(%[[VIEW]]
// CHECK: return{{$}}
func.func @reshaped(%a: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %r = linalg.exp ins(%a : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = tensor.collapse_shape %r [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  return %c : tensor<6x4xf32>
}

// An input is read only: a result that starts from one is its copy at first.
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %{{[^:]*}}: memref<8x8xf32>
// CHECK-SAME: %[[C:[^:]*]]: memref<8x8xf32> {llvm.noalias, llvm.readonly}, %[[R:[^:]*]]: memref<8x8xf32> {llvm.noalias})
// PLACE-NOT: memref.alloc
// PLACE: linalg.copy ins(%[[C]] {{.*}} outs(%[[R]]
// PLACE-NEXT: linalg.matmul {{.*}} outs(%[[R]]
// PLACE-NOT: linalg.copy
// CHECK: return{{$}}
func.func @accumulate(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// The same of one that is updated here and there, also in loops, and read as it
// becomes; of one that is only named, nothing is copied.
// CHECK-LABEL: func.func @updated(
// CHECK-SAME: %{{[^:]*}}: memref<4xf32> {{[^%]*}}, %[[C:[^:]*]]: memref<8x4xf32> {{[^%]*}}, %[[N:[^:]*]]: memref<8x4xf32> {{[^%]*}},
// CHECK-SAME: %[[R0:[^:]*]]: memref<8x4xf32> {{[^%]*}}, %[[R1:[^:]*]]: memref<8x4xf32>
// PLACE-NOT: memref.alloc
// PLACE: linalg.copy ins(%[[C]] {{.*}} outs(%[[R0]]
// PLACE-NOT: linalg.copy ins(%[[N]]
// PLACE: linalg.exp ins(%[[R0]] {{.*}} outs(%[[R1]]
// PLACE-NOT: linalg.copy ins(%[[R0]]
// CHECK: return{{$}}
func.func @updated(%row: tensor<4xf32>, %c: tensor<8x4xf32>, %named: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %c) -> tensor<8x4xf32> {
    %u = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %u : tensor<8x4xf32>
  }
  %e = linalg.exp ins(%r : tensor<8x4xf32>) outs(%named : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r, %e : tensor<8x4xf32>, tensor<8x4xf32>
}

// An input that is returned, and a result that is returned twice, are copied.
// CHECK-LABEL: func.func @again(
// CHECK-SAME: %[[A:[^:]*]]: memref<8xf32> {{.*}}, %[[R0:[^:]*]]: memref<8xf32> {{.*}}, %[[R1:[^:]*]]: memref<8xf32> {{.*}}, %[[R2:[^:]*]]: memref<8xf32>
// PLACE-DAG: linalg.exp ins(%[[A]] {{.*}} outs(%[[R1]]
// PLACE-DAG: linalg.copy ins(%[[A]] {{.*}} outs(%[[R0]]
// PLACE-DAG: linalg.copy ins(%[[R1]] {{.*}} outs(%[[R2]]
// CHECK: return{{$}}
func.func @again(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %r, %r : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Private functions are not part of the interface.
// ABI-LABEL: func.func private @private(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
func.func private @private(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
