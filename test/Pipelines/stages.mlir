// A softmax by upstream's script alone, on the input as it is.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %s
// RUN: sched-run %s --entry=f --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN

// SCRIPT-NOT: {{^ *(%.* = )?schedule\.}}
// SCRIPT: transform.structured.decompose_interface
// SCRIPT: transform.structured.tile_reduction_using_for

// Rows over threads, four loops a row, and no tensor as large as the result
// between them.
// CHECK-LABEL: func.func @f
// CHECK-NOT: linalg.
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: arith.maxnumf %{{.*}} : vector<
// CHECK: vector.multi_reduction <maxnumf>
// CHECK: math.exp %{{.*}} : vector<
// CHECK: vector.multi_reduction <add>
// CHECK: arith.divf %{{.*}} : vector<
// CHECK-NOT: linalg.

// RAN: "verified": true
func.func @f(%a: tensor<127x1003xf32>) -> tensor<127x1003xf32> {
  %e = tensor.empty() : tensor<127x1003xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<127x1003xf32>) outs(%e : tensor<127x1003xf32>) -> tensor<127x1003xf32>
  return %r : tensor<127x1003xf32>
}
