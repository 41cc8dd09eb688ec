// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s

// What is added to becomes an input; what only names a shape goes away.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func private @f_0(
// CHECK-SAME: %[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16x24xf32>, %[[C:.*]]: tensor<8x24xf32>
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[C]], %[[P]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32)
// CHECK-NEXT: arith.addf %[[Y]], %[[X]]
// CHECK: linalg.generic {{.*}} ins(%[[S]] : {{.*}} outs(%{{[0-9]+}} :
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x24xf32>, %c: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x24xf32>) outs(%i : tensor<8x24xf32>) -> tensor<8x24xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x24xf32>) outs(%p : tensor<8x24xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %o, %x : f32
    linalg.yield %v : f32
  } -> tensor<8x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x24xf32>) outs(%p : tensor<8x24xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.maximumf %x, %zero : f32
    linalg.yield %v : f32
  } -> tensor<8x24xf32>
  return %r : tensor<8x24xf32>
}

// -----

// An argument is added to where it is.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @argument(
// CHECK: linalg.generic {{.*}} outs(%arg1 :
func.func @argument(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%b : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %o, %x : f32
    linalg.yield %v : f32
  } -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}
