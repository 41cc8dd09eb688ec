// A layout-free left-hand side is packed where the product keeps its name: it
// is transposed by that. A transposition that is fused with it makes it generic.
// RUN: sched-opt %s --schedule-generate-space="threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu" | FileCheck %s

// CHECK-LABEL: schedule.space @plain
// CHECK: schedule.pack_lhs
// CHECK-LABEL: schedule.space @fused
// CHECK: schedule.fuse_elementwise {{.*}}"linalg.matmul"
// CHECK-NOT: schedule.pack_lhs
func.func @plain(%a: tensor<81x64xf32> {schedule.layout_free}, %b: tensor<64x16xf32>, %c: tensor<81x16xf32>) -> tensor<81x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<81x64xf32>, tensor<64x16xf32>) outs(%c : tensor<81x16xf32>) -> tensor<81x16xf32>
  return %r : tensor<81x16xf32>
}
func.func @fused(%a: tensor<81x64xf32> {schedule.layout_free}, %b: tensor<16x64xf32>, %c: tensor<81x16xf32>) -> tensor<81x16xf32> {
  %e = tensor.empty() : tensor<64x16xf32>
  %t = linalg.transpose ins(%b : tensor<16x64xf32>) outs(%e : tensor<64x16xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %t : tensor<81x64xf32>, tensor<64x16xf32>) outs(%c : tensor<81x16xf32>) -> tensor<81x16xf32>
  return %r : tensor<81x16xf32>
}
