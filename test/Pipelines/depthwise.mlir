// A depthwise convolution with a stride: vectors of channels, each lane with a
// window of its own.
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
// CHECK: arith.mulf %{{.*}} : vector<
// CHECK: arith.addf %{{.*}} : vector<
// CHECK-NOT: linalg.
// RAN: "verified": true
func.func @f(%x: tensor<1x35x29x37xf32>, %w: tensor<3x3x37xf32>, %b: tensor<37xf32>) -> tensor<1x17x14x37xf32> {
  %e = tensor.empty() : tensor<1x17x14x37xf32>
  %i = linalg.broadcast ins(%b : tensor<37xf32>) outs(%e : tensor<1x17x14x37xf32>) dimensions = [0, 1, 2]
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<1x35x29x37xf32>, tensor<3x3x37xf32>)
    outs(%i : tensor<1x17x14x37xf32>) -> tensor<1x17x14x37xf32>
  return %r : tensor<1x17x14x37xf32>
}
