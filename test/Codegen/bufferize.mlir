// RUN: sched-opt %s --sched-bufferize | FileCheck %s

// A private function gets buffers of plain layout, whatever its callers pass.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: %{{.*}}: memref<4xf32>) -> memref<4xf32>
func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A slice that is passed on is copied into such a buffer.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>
// CHECK: %[[SLICE:.*]] = memref.subview %[[A]][4] [4] [1]
// CHECK: %[[PLAIN:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: linalg.copy ins(%[[SLICE]] : {{.*}}) outs(%[[PLAIN]] : memref<4xf32>)
// CHECK: call @callee(%[[PLAIN]])
func.func @caller(%a: tensor<8xf32>) -> tensor<4xf32> {
  %s = tensor.extract_slice %a[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = call @callee(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Copies are loops, which vectorize, and not calls. What is inserted at the end
// is computed where it goes.
// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[D:.*]]: memref<8xf32>
// CHECK-NOT: memref.copy
// CHECK: %[[PLACE:.*]] = memref.subview %[[D]][0] [4] [1]
// CHECK: linalg.exp ins(%[[A]] {{.*}} outs(%[[PLACE]]
// CHECK: %[[REST:.*]] = memref.subview %[[D]][4] [4] [1]
// CHECK: linalg.copy ins(%[[A]] : {{.*}}) outs(%[[REST]]
func.func @insert(%a: tensor<4xf32>, %d: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %x into %d[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %a into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
