// Trials that ended before the second task's turn: its default schedule is used,
// and a warning says so.
// RUN: rm -rf %t
// RUN: sched-opt %s --auto-schedule="trials=1 batch=1 threads=1 work-dir=%t min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: FileCheck %s --input-file=%t.mlir

// WARN: warning: there is no record of matmul_16x24x32_f32(accumulate) in '{{.*}}'; its default schedule is used: tune with more trials
// CHECK-LABEL: func.func @first
// CHECK: vector.contract
func.func @first(%a: tensor<96x128xf32>, %b: tensor<128x160xf32>, %c: tensor<96x160xf32>) -> tensor<96x160xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<96x128xf32>, tensor<128x160xf32>)
                     outs(%c : tensor<96x160xf32>) -> tensor<96x160xf32>
  return %r : tensor<96x160xf32>
}

// CHECK-LABEL: func.func @second
// CHECK: vector.contract
func.func @second(%a: tensor<16x32xf32>, %b: tensor<32x24xf32>, %c: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x24xf32>)
                     outs(%c : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %r : tensor<16x24xf32>
}
