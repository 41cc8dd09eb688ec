// Attention in blocks of 35 rows and one of 29 a batch, on two threads.

// RUN: rm -rf %t && sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true work-dir=%t" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: sched-opt %s --schedule-outline-tasks -o %t.outlined.mlir
// RUN: mlir-opt-22 %t.outlined.mlir --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %s
// RUN: sched-run %s --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN
// RUN: sched-run %s --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN

// SCRIPT: sched-opt --schedule-outline-tasks{{(=.*)?}} INPUT
// SCRIPT-NOT: {{^ *(%.* = )?schedule\.}}
// The threads are those of the loop over blocks.
// SCRIPT-NOT: forall

// CHECK-LABEL: func.func @f(
// CHECK: scf.forall
// CHECK: call @f_rows(
// CHECK: scf.forall
// CHECK: call @f_rows_{{[0-9]+}}(
// CHECK-NOT: scf.forall (
// CHECK: vector.

// RAN: "verified": true
func.func @f(%q: tensor<2x239x24xf32>, %k: tensor<2x24x301xf32>, %v: tensor<2x301x24xf32>) -> tensor<2x239x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x239x301xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x239x24xf32>, tensor<2x24x301xf32>) outs(%i : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<2x239x301xf32>) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %e2 = tensor.empty() : tensor<2x239x24xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x239x301xf32>, tensor<2x301x24xf32>) outs(%i2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  return %r : tensor<2x239x24xf32>
}
