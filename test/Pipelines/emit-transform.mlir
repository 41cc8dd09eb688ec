// What --emit=transform prints is upstream's alone: stock mlir-opt applies it to
// the unchanged input, with no plugin of ours.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %s

// SCRIPT-NOT: {{^ *(%.* = )?schedule\.}}
// SCRIPT: transform.named_sequence @__transform_main
// SCRIPT-NOT: {{^ *(%.* = )?schedule\.}}
// SCRIPT: transform.structured.vectorize

// CHECK-LABEL: func.func @f
// CHECK-NOT: linalg.
// CHECK: vector.contract
func.func @f(%a: tensor<127x255xf32>, %b: tensor<255x129xf32>, %d: tensor<127x129xf32>) -> tensor<127x129xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<127x129xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<127x129xf32>) -> tensor<127x129xf32>
  %r = linalg.matmul ins(%a, %b : tensor<127x255xf32>, tensor<255x129xf32>)
                     outs(%i : tensor<127x129xf32>) -> tensor<127x129xf32>
  %q = linalg.add ins(%r, %d : tensor<127x129xf32>, tensor<127x129xf32>)
                  outs(%e : tensor<127x129xf32>) -> tensor<127x129xf32>
  return %q : tensor<127x129xf32>
}
