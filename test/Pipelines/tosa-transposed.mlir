// A transposed convolution in TOSA has no zeros between pixels: upstream makes
// phases of it, filters of one convolution whose results are put in order. With
// a stride of one it is a convolution of the padded image.

// RUN: sched-opt %s --schedule-lower-tosa --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=strided --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=dense --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// CHECK-LABEL: func.func @strided(
// CHECK-NOT: tensor.insert_slice
// CHECK: call @{{.*}} -> tensor<1x9x9x128xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @strided(%x: tensor<1x8x8x16xf32>, %w: tensor<32x4x4x16xf32>, %b: tensor<32xf32>) -> tensor<1x16x16x32xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: -1, -1, -1, -1>, stride = array<i64: 2, 2>} : (tensor<1x8x8x16xf32>, tensor<32x4x4x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %r : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: func.func @dense(
// CHECK: tensor.pad
// CHECK: call @{{.*}} -> tensor<1x10x10x32xf32>
// CHECK: return
func.func @dense(%x: tensor<1x8x8x16xf32>, %w: tensor<32x3x3x16xf32>, %b: tensor<32xf32>) -> tensor<1x10x10x32xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x32xf32>
  return %c : tensor<1x10x10x32xf32>
}
