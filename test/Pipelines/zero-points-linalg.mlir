// Quantised products of linalg: constant zero points leave them as those of TOSA
// do (zero-points.mlir). What is scheduled computes what the op says.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/in.mlir --schedule-outline-tasks | FileCheck %t/in.mlir
// RUN: sched-opt %t/in.mlir --schedule-outline-tasks=gpu | FileCheck %t/in.mlir --check-prefix=GPU
// RUN: sched-opt %t/in.mlir --auto-schedule="trials=0 threads=2 quiet" --emit=transform -o %t/script.mlir
// RUN: sched-run %t/in.mlir --entry=product --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/in.mlir --entry=filters --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/in.mlir --entry=groups --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/in.mlir --entry=channels --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// RUN: sched-opt %t/left.mlir --schedule-outline-tasks | FileCheck %t/left.mlir

//--- in.mlir
// CHECK-LABEL: func.func private @product_{{[0-9]}}(
// CHECK: linalg.matmul ins(%{{.*}} : tensor<13x24xi8>, tensor<24x19xi8>)
// CHECK: arith.muli %{{.*}}, %c5_i32
// CHECK: arith.muli %{{.*}}, %c-7_i32
// CHECK-NOT: linalg.{{.*}}_q
// CHECK-NOT: quantized
// GPU-NOT: linalg.{{.*}}_q
// GPU-NOT: quantized
// GPU: return
func.func @product(%a: tensor<13x24xi8>, %b: tensor<24x19xi8>, %init: tensor<13x19xi32>) -> tensor<13x19xi32> {
  %za = arith.constant 5 : i32
  %zb = arith.constant -7 : i32
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<13x24xi8>, tensor<24x19xi8>, i32, i32) outs(%init : tensor<13x19xi32>) -> tensor<13x19xi32>
  return %r : tensor<13x19xi32>
}

func.func @filters(%a: tensor<1x8x8x16xi8>, %b: tensor<16x3x3x16xi8>, %init: tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  %za = arith.constant 3 : i32
  %zb = arith.constant 0 : i32
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, i32, i32) outs(%init : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  return %r : tensor<1x6x6x16xi32>
}

func.func @groups(%a: tensor<1x2x8x8x8xi8>, %b: tensor<2x4x8x3x3xi8>, %init: tensor<1x2x4x6x6xi32>) -> tensor<1x2x4x6x6xi32> {
  %za = arith.constant -9 : i32
  %zb = arith.constant 0 : i32
  %r = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x2x8x8x8xi8>, tensor<2x4x8x3x3xi8>, i32, i32) outs(%init : tensor<1x2x4x6x6xi32>) -> tensor<1x2x4x6x6xi32>
  return %r : tensor<1x2x4x6x6xi32>
}

func.func @channels(%a: tensor<1x8x8x16xi8>, %b: tensor<3x3x16xi8>, %init: tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  %za = arith.constant 11 : i32
  %zb = arith.constant 0 : i32
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x8x8x16xi8>, tensor<3x3x16xi8>, i32, i32) outs(%init : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  return %r : tensor<1x6x6x16xi32>
}

//--- left.mlir
// The zero point is no constant.
// CHECK-LABEL: func.func @given(
// CHECK: linalg.quantized_matmul
func.func @given(%a: tensor<13x24xi8>, %b: tensor<24x19xi8>, %z: tensor<i32>, %init: tensor<13x19xi32>) -> tensor<13x19xi32> {
  %za = tensor.extract %z[] : tensor<i32>
  %zb = arith.constant -7 : i32
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<13x24xi8>, tensor<24x19xi8>, i32, i32) outs(%init : tensor<13x19xi32>) -> tensor<13x19xi32>
  return %r : tensor<13x19xi32>
}

// One of the weights would take sums over windows.
// CHECK-LABEL: func.func @weights(
// CHECK: linalg.conv_2d_nhwc_fhwc_q
func.func @weights(%a: tensor<1x8x8x16xi8>, %b: tensor<16x3x3x16xi8>, %init: tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  %za = arith.constant 3 : i32
  %zb = arith.constant 2 : i32
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, i32, i32) outs(%init : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  return %r : tensor<1x6x6x16xi32>
}
