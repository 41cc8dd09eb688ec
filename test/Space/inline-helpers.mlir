// Functions that others call take the place of the calls before tasks are cut
// (InlineHelpers.cpp).
// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks=gpu=true | FileCheck %s

// What is tuned is the task of all three layers, and the script applies to it.
// RUN: sched-opt %s --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" --emit=transform -o %t/script.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script.mlir
// RUN: sched-run %s --transform=%t/script.mlir --entry=network --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --work-dir=%t/work --entry=network --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --work-dir=%t/work --entry=left --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// SCRIPT: sym_name = "layer_0"
// RIGHT: check: right

#all = affine_map<(m, n) -> (m, n)>

// Only what a function that is left alone, or a call that stays, needs is left
// of them; calls of calls are replaced, too.
// CHECK-NOT: @once
// CHECK-LABEL: func.func private @relu(
// CHECK-NOT: @once
func.func private @relu(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %z : f32
    linalg.yield %m : f32
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
func.func private @once(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %r = call @relu(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// A public function is there for others as well.
// CHECK-LABEL: func.func @layer(
// CHECK-NEXT: call @[[$LAYER:[a-z_0-9]+]](%arg0, %arg1)
func.func @layer(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>) -> tensor<16x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x32xf32>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r = call @once(%p) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @network(
// CHECK-NEXT: %[[A:.*]] = call @[[$LAYER]](%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = call @[[$LAYER]](%[[A]], %arg2)
// CHECK-NEXT: return %[[B]]
func.func @network(%x: tensor<16x32xf32>, %v: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<16x32xf32> {
  %a = call @layer(%x, %v) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %b = call @layer(%a, %w) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  return %b : tensor<16x32xf32>
}

// A user's marks are kept to.
// CHECK-LABEL: func.func private @apart(
// CHECK-SAME: no_inline
func.func private @apart(%x: tensor<16x32xf32>) -> tensor<16x32xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.exp ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
// CHECK-LABEL: func.func @marked(
// CHECK-DAG: call @apart(
// CHECK-DAG: call @relu(
func.func @marked(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %a = call @apart(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %b = call @relu(%a) {no_inline} : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %b : tensor<16x32xf32>
}
// CHECK-LABEL: func.func @left(
// CHECK: call @relu(
func.func @left(%x: tensor<16x32xf32>) -> tensor<16x32xf32> attributes {schedule.left_to_default} {
  %a = call @relu(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %a : tensor<16x32xf32>
}
