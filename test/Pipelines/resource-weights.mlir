// Weights whose bytes come behind the module are constants as any: tasks are
// measured with them, and what is measured can be read again.

// RUN: rm -rf %t
// RUN: sched-opt %s --auto-schedule="trials=2 batch=2 threads=1 jobs=1 min-repeat-ms=1 repeats=1 quiet work-dir=%t" --emit=transform -o %t-script.mlir
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records.jsonl
// RECORD: "verified":true
// RUN: cat %t/workloads/*.mlir | FileCheck %s
// CHECK: dense_resource<weights> : tensor<4x8xf32>
// CHECK: dialect_resources
// CHECK: weights: "0x04000000
// RUN: sched-run %s --transform=%t-script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

func.func @f(%a: tensor<16x4xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %w = arith.constant dense_resource<weights> : tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %w : tensor<16x4xf32>, tensor<4x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000C0BF0000803E0000A0BF0000003F000080BF0000403F000040BF0000803F000000BF0000A03F000080BE0000C03F000000000000C0BF0000803E0000A0BF0000003F000080BF0000403F000040BF0000803F000000BF0000A03F000080BE0000C03F000000000000C0BF0000803E0000A0BF0000003F000080BF0000403F"
    }
  }
#-}
