// What computes on complex numbers or indices before or after a product is no part
// of its task; the product is one.
// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks | sched-opt --schedule-generate-space="threads=1" | FileCheck %s --check-prefix=SPACE

// CHECK-LABEL: func.func @complex(
// CHECK: complex.re
// CHECK: call @complex_0
// CHECK: func.func private @complex_0(%{{.*}}: tensor<4x64xf32>, %{{.*}}: tensor<64x48xf32>) -> tensor<4x48xf32>

// CHECK-LABEL: func.func @indices(
// CHECK: call @indices_0
// CHECK: arith.index_cast
// CHECK: func.func private @indices_0(%{{.*}}: tensor<4x64xi32>, %{{.*}}: tensor<64x48xi32>) -> tensor<4x48xi32>

// SPACE: schedule.space @complex_0_0
// SPACE: schedule.space @indices_0_0

#same = affine_map<(i, j) -> (i, j)>
func.func @complex(%x: tensor<4x64xf32>, %w: tensor<64x48xcomplex<f32>>) -> tensor<4x48xf32> {
  %re = tensor.empty() : tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<64x48xcomplex<f32>>) outs(%re : tensor<64x48xf32>) {
  ^bb0(%b: complex<f32>, %o: f32):
    %p = complex.re %b : complex<f32>
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x48xf32>) -> tensor<4x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<4x64xf32>, tensor<64x48xf32>) outs(%i : tensor<4x48xf32>) -> tensor<4x48xf32>
  return %r : tensor<4x48xf32>
}

func.func @indices(%x: tensor<4x64xi32>, %w: tensor<64x48xi32>) -> tensor<4x48xindex> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x48xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<4x48xi32>) -> tensor<4x48xi32>
  %r = linalg.matmul ins(%x, %w : tensor<4x64xi32>, tensor<64x48xi32>) outs(%i : tensor<4x48xi32>) -> tensor<4x48xi32>
  %ie = tensor.empty() : tensor<4x48xindex>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<4x48xi32>) outs(%ie : tensor<4x48xindex>) {
  ^bb0(%b: i32, %o: index):
    %p = arith.index_cast %b : i32 to index
    linalg.yield %p : index
  } -> tensor<4x48xindex>
  return %y : tensor<4x48xindex>
}
