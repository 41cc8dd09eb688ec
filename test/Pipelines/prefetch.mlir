// Windows over an image that is large for the target's caches fetch it ahead,
// also over threads, and compute the same.

// RUN: sched-opt %s --auto-schedule="target=native:l2=4096,l3=65536 trials=0 threads=2 quiet=true" --emit=llvm | FileCheck %s
// RUN: sched-opt %s --auto-schedule="target=native:l2=4096,l3=4294967296 trials=0 threads=2 quiet=true" --emit=llvm | FileCheck %s --check-prefix=NONE
// RUN: sched-opt %s --auto-schedule="target=native:l2=4096,l3=65536 trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --transform=%t.script.mlir --target=native:l2=4096,l3=65536 --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

// CHECK: call void @llvm.prefetch
// NONE-NOT: @llvm.prefetch

func.func @f(%x: tensor<2x33x35x48xf32>, %w: tensor<3x3x48xf32>) -> tensor<2x31x33x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x31x33x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x31x33x48xf32>) -> tensor<2x31x33x48xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x33x35x48xf32>, tensor<3x3x48xf32>) outs(%i : tensor<2x31x33x48xf32>) -> tensor<2x31x33x48xf32>
  return %r : tensor<2x31x33x48xf32>
}
