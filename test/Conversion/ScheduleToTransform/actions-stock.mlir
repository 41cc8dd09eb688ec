// The script of the actions, applied by stock mlir-opt with no plugin of ours:
// a space, decisions at random, and their upstream form, for each sketch.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --schedule-sample=seed=2 -o %t.space
// RUN: FileCheck %s --check-prefix=SPACE --input-file=%t.space
// RUN: sched-opt %t.space --convert-schedule-to-transform=sketch=plain \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sched-opt %t.space --convert-schedule-to-transform=sketch=packed \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,PACKED
// RUN: sched-opt %t.space --convert-schedule-to-transform=sketch=plain_blocked \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sched-opt %t.space --convert-schedule-to-transform=sketch=packed_blocked \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,PACKED

// SPACE-DAG: schedule.sketch @plain(
// SPACE-DAG: schedule.sketch @packed(
// SPACE-DAG: schedule.sketch @plain_blocked(
// SPACE-DAG: schedule.sketch @packed_blocked(

// CHECK-LABEL: func.func @f(
// CHECK-NOT: linalg.
// The panels, [n / tile][k][tile], lie between the input and the product.
// PACKED: tensor<{{[0-9]+}}x100x{{[0-9]+}}xf32>
// PLAIN-NOT: tensor<{{[0-9]+}}x100x{{[0-9]+}}xf32>
// CHECK: scf.for
// CHECK: vector.contract
// CHECK-NOT: linalg.
// CHECK-LABEL: transform.named_sequence @__transform_main
func.func @f(%a: tensor<61x100xf32>, %b: tensor<100x67xf32>, %d: tensor<61x67xf32>) -> tensor<61x67xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x67xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<61x67xf32>) -> tensor<61x67xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x100xf32>, tensor<100x67xf32>)
                     outs(%i : tensor<61x67xf32>) -> tensor<61x67xf32>
  %q = linalg.add ins(%r, %d : tensor<61x67xf32>, tensor<61x67xf32>)
                  outs(%e : tensor<61x67xf32>) -> tensor<61x67xf32>
  return %q : tensor<61x67xf32>
}
