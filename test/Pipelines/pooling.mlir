// A pooling, which reads one of its operands alone: the other one is only the
// window's shape.
// By upstream's script alone, on the input as it is.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %s
// RUN: sched-run %s --entry=f --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN

// SCRIPT-NOT: {{^ *(%.* = )?schedule\.}}

// CHECK-LABEL: func.func @f
// CHECK-NOT: linalg.
// CHECK: scf.forall
// CHECK: arith.maximumf %{{.*}} : vector<
// CHECK-NOT: linalg.
// RAN: "verified": true
func.func @f(%x: tensor<4x67x61x48xf32>) -> tensor<4x33x30x48xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<4x33x30x48xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<4x33x30x48xf32>) -> tensor<4x33x30x48xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<4x67x61x48xf32>, tensor<3x3xf32>)
    outs(%i : tensor<4x33x30x48xf32>) -> tensor<4x33x30x48xf32>
  return %r : tensor<4x33x30x48xf32>
}
