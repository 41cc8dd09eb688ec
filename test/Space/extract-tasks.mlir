// RUN: sched-opt %s --schedule-extract-tasks --split-input-file -verify-diagnostics | FileCheck %s
// RUN: sched-opt %s --schedule-extract-tasks=remarks=false --split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: remark: left

// A function that is one task keeps its name.

// CHECK-LABEL: module @task0
// CHECK-SAME: schedule.bytes = 38912 : i64
// CHECK-SAME: schedule.flops = 1.996800e+05 : f64
// CHECK-SAME: schedule.occurrences = [{function = @matmul_add, ops = array<i64: 0, 1, 2>}]
// CHECK-SAME: schedule.roles = ["init", "anchor", "epilogue"]
// CHECK-SAME: schedule.weight = 1.000000e+00 : f64
// CHECK-SAME: schedule.workload = "matmul_64x48x32_f32+add(layout-free rhs)"
// CHECK-SAME: schedule.workload_hash = "{{[0-9a-f]+}}"
// CHECK-NEXT: func.func @matmul_add(%{{.*}}: tensor<64x32xf32>, %{{.*}}: tensor<32x48xf32> {schedule.layout_free}, %{{.*}}: tensor<64x48xf32>)
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.add
func.func @matmul_add(%a: tensor<64x32xf32>,
                      %b: tensor<32x48xf32> {schedule.layout_free},
                      %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%i : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.add ins(%r, %c : tensor<64x48xf32>, tensor<64x48xf32>)
                  outs(%r : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %s : tensor<64x48xf32>
}

// -----

// The example of the pass.

// CHECK-LABEL: module @task0
// CHECK-SAME: schedule.workload = "matmul_64x48x32_f32(accumulate, layout-free rhs)"
func.func @f(%a: tensor<64x32xf32>,
             %b: tensor<32x48xf32> {schedule.layout_free},
             %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// -----

// Two layers share a fill, which is copied, and have the same workload; what
// comes after them is left.

// CHECK-LABEL: func.func @two_layers
// CHECK-COUNT-2: linalg.fill
// CHECK: module @task0
// CHECK-SAME: schedule.occurrences = [{function = @two_layers, ops = array<i64: 1, 2>}, {function = @two_layers, ops = array<i64: 0, 3>}]
// CHECK-SAME: schedule.weight = 2.000000e+00 : f64
// CHECK: func.func @two_layers_0(
// CHECK-NOT: module @
func.func @two_layers(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>)
    -> tensor<16xi32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>)
                     outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.matmul ins(%r, %w : tensor<16x16xf32>, tensor<16x16xf32>)
                     outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e1 = tensor.empty() : tensor<16xi32>
  // The last position of the largest value: no sum, maximum or product.
  // expected-remark @below {{compiled by the default schedule, without a search: 'linalg.generic' op uses linalg.index in a reduction}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<16x16xf32>) outs(%e1 : tensor<16xi32>) {
  ^bb0(%v: f32, %o: i32):
    %j = linalg.index 1 : index
    %p = arith.index_cast %j : index to i32
    %q = arith.cmpf ogt, %v, %z : f32
    %t = arith.select %q, %p, %o : i32
    linalg.yield %t : i32
  } -> tensor<16xi32>
  return %y : tensor<16xi32>
}

// -----

// expected-remark @below {{compiled by the default schedule, without a search: no op to schedule found in @fill}}
func.func @fill() -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// A symbol of this name is there: another is taken.

// CHECK-LABEL: func.func @task0
// CHECK: module @task0_0
// CHECK-SAME: schedule.workload = "matmul_8x8x8_f32(accumulate)"
func.func @task0(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
