// Parallel loops of the user's own have no side effects: what is in them can be
// a task.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1" 2>&1 | FileCheck %s

// CHECK-NOT: error:
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall
// CHECK: vector.contract
func.func @rows(%a: tensor<4x8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%out = %c) -> (tensor<4x8x32xf32>) {
    %row = tensor.extract_slice %a[%i, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<4x8x16xf32> to tensor<8x16xf32>
    %to = tensor.extract_slice %out[%i, 0, 0] [1, 8, 32] [1, 1, 1] : tensor<4x8x32xf32> to tensor<8x32xf32>
    %p = linalg.matmul ins(%row, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%to : tensor<8x32xf32>) -> tensor<8x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %out[%i, 0, 0] [1, 8, 32] [1, 1, 1] : tensor<8x32xf32> into tensor<4x8x32xf32>
    }
  }
  return %r : tensor<4x8x32xf32>
}
