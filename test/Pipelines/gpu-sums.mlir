// REQUIRES: nvptx-registered-target
// A large sum has as many blocks as where nothing is scheduled: its parts are
// one kernel, their sum another one.

// RUN: sched-opt %s --auto-schedule="target=nvvm:sm_90a trials=0 quiet" --emit=llvm -o %t.ll --emit-launch=%t.json
// RUN: FileCheck %s --input-file=%t.json
// RUN: sched-run %s --entry=total --target=nvvm:sm_90a --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=lengths --target=nvvm:sm_90a --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=prime --target=nvvm:sm_90a --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=prime --target=nvvm:sm_90a --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=product --target=nvvm:sm_90a --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s --check-prefix=RIGHT
// RIGHT: check: right

// CHECK: "grid": [
// CHECK-NEXT: {{[0-9][0-9]+}},
// CHECK: "kernel": "total_kernel_0"
// CHECK: "grid": [
// CHECK-NEXT: 1,
// CHECK: "kernel": "total_kernel_1"
// CHECK: "name": "total"
func.func @total(%x: tensor<640x1000xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<640x1000xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// CHECK: "grid": [
// CHECK-NEXT: 80,
// CHECK: "kernel": "lengths_kernel_0"
// CHECK: "kernel": "lengths_kernel_1"
// CHECK-NOT: "kernel": "lengths_kernel_2"
// CHECK: "name": "lengths"
func.func @lengths(%x: tensor<4x100000xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %t = tensor.empty() : tensor<4x100000xf32>
  %q = linalg.mul ins(%x, %x : tensor<4x100000xf32>, tensor<4x100000xf32>) outs(%t : tensor<4x100000xf32>) -> tensor<4x100000xf32>
  %s = linalg.reduce {arith.addf} ins(%q : tensor<4x100000xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  %r = linalg.sqrt ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Rows of a matrix with few of them, times a vector.
// CHECK: "grid": [
// CHECK-NEXT: {{[0-9][0-9]+}},
// CHECK: "kernel": "product_kernel_0"
// CHECK: "kernel": "product_kernel_1"
// CHECK: "name": "product"
func.func @product(%a: tensor<8x40000xf32>, %x: tensor<40000xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.matvec ins(%a, %x : tensor<8x40000xf32>, tensor<40000xf32>) outs(%i : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// No number divides the rows: 24 parts of each, and a little that is left.
// CHECK: "grid": [
// CHECK-NEXT: 3,
// CHECK: "kernel": "prime_kernel_0"
// CHECK: "grid": [
// CHECK-NEXT: 72,
// CHECK: "kernel": "prime_kernel_1"
// CHECK: "kernel": "prime_kernel_2"
// CHECK: "name": "prime"
func.func @prime(%x: tensor<3x100003xf32>, %s: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<3x100003xf32>) outs(%s : tensor<3xf32>) dimensions = [1]
  return %r : tensor<3xf32>
}
