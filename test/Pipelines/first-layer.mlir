// A convolution of three channels reads its image without a padded copy.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 winograd=off quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 winograd=off quiet=true" \
// RUN:   | sched-opt --sched-read-unpadded | FileCheck %s
// RUN: sched-run %s --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @f
// CHECK-NOT: tensor.pad
// CHECK: return
// RAN: "verified": true
func.func @f(%x: tensor<2x23x29x3xf32>, %w: tensor<3x3x3x37xf32>) -> tensor<2x12x15x37xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x23x29x3xf32> to tensor<2x25x31x3xf32>
  %e = tensor.empty() : tensor<2x12x15x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x12x15x37xf32>) -> tensor<2x12x15x37xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<2x25x31x3xf32>, tensor<3x3x3x37xf32>) outs(%f : tensor<2x12x15x37xf32>) -> tensor<2x12x15x37xf32>
  return %r : tensor<2x12x15x37xf32>
}
