// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=spread --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=columns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0 quiet" -o /dev/null

// Slices that are inserted with strides leave what is between their elements.

// CHECK: check: right

func.func @spread(%a: tensor<7x5xf32>, %b: tensor<20x19xf32>) -> tensor<20x19xf32> {
  %e = tensor.empty() : tensor<20x19xf32>
  %x = linalg.exp ins(%a : tensor<7x5xf32>) outs(%a : tensor<7x5xf32>) -> tensor<7x5xf32>
  %s = tensor.insert_slice %x into %b[4, 1] [7, 5] [2, 3] : tensor<7x5xf32> into tensor<20x19xf32>
  %r = linalg.add ins(%s, %b : tensor<20x19xf32>, tensor<20x19xf32>) outs(%e : tensor<20x19xf32>) -> tensor<20x19xf32>
  return %r : tensor<20x19xf32>
}

// Every other column, of an operand of a product.
func.func @columns(%a: tensor<32x16xf32>, %b: tensor<32x24xf32>) -> tensor<32x24xf32> {
  %z = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%n : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = tensor.insert_slice %a into %f[0, 1] [32, 16] [1, 2] : tensor<32x16xf32> into tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x24xf32>) -> tensor<32x24xf32>
  %r = linalg.matmul ins(%s, %b : tensor<32x32xf32>, tensor<32x24xf32>) outs(%i : tensor<32x24xf32>) -> tensor<32x24xf32>
  return %r : tensor<32x24xf32>
}
