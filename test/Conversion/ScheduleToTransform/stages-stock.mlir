// Both forms of a sum of rows, applied by stock mlir-opt with no plugin of ours:
// partial results that meet at the end of a row, and one result that each step
// adds its elements to.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" -o %t.space
// RUN: sed -e 's/"keep_partials" from \[0, 1\] default 1/"keep_partials" from [1] default 1/' %t.space \
// RUN:   | sched-opt --schedule-sample=seed=7 --convert-schedule-to-transform=sketch=rows \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: sed -e 's/"keep_partials" from \[0, 1\] default 1/"keep_partials" from [0] default 0/' %t.space \
// RUN:   | sched-opt --schedule-sample=seed=7 --convert-schedule-to-transform=sketch=rows \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefixes=CHECK,ATONCE

// CHECK-LABEL: func.func @f(
// CHECK-NOT: linalg.
// CHECK: scf.for
// KEPT: scf.for {{.*}} -> (vector<[[WIDTH:[0-9]+]]xf32>)
// KEPT: arith.addf %{{.*}} : vector<[[WIDTH]]xf32>
// KEPT-NEXT: scf.yield
// KEPT-NOT: scf.for
// KEPT: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<1x[[WIDTH]]xf32> to vector<1xf32>
// ATONCE-NOT: arith.addf
// ATONCE: scf.for {{.*}} -> (vector<f32>)
// ATONCE: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [0] : vector<{{[0-9]+}}xf32> to f32
// ATONCE-NEXT: vector.broadcast
// ATONCE-NEXT: scf.yield
// ATONCE-NOT: arith.addf
// CHECK-NOT: linalg.
// CHECK-LABEL: transform.named_sequence @__transform_main
func.func @f(%a: tensor<16x1024xf32>) -> tensor<16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<16x1024xf32>)
    outs(%i : tensor<16xf32>) dimensions = [1]
  return %r : tensor<16xf32>
}
