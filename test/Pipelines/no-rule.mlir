// What no rule has a sketch for is left as it was, and the remark is at its op.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1" 2>%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.log

// CHECK-LABEL: func.func @f
// CHECK: linalg.matmul
func.func @f(%a: tensor<1x1xf32>, %b: tensor<1x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %x = linalg.exp ins(%a : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  // REMARK: no-rule.mlir:[[#@LINE+1]]:8: remark: left to the default schedule: no rule applies to exp+matmul_1x8x1_f32(accumulate)
  %r = linalg.matmul ins(%x, %b : tensor<1x1xf32>, tensor<1x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
