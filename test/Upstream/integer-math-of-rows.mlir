// Upstream converts these functions of integers to the LLVM dialect for vectors
// of one dimension alone. When this test fails because nothing of math is left,
// RowByRow in lib/Codegen/VectorArithmetic.cpp can go, and so can this test.

// RUN: mlir-opt-22 %s --convert-math-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: math.absi
// CHECK: math.ctlz
// CHECK: math.cttz
func.func @f(%a: vector<2x4xi32>) -> (vector<2x4xi32>, vector<2x4xi32>, vector<2x4xi32>) {
  %0 = math.absi %a : vector<2x4xi32>
  %1 = math.ctlz %a : vector<2x4xi32>
  %2 = math.cttz %a : vector<2x4xi32>
  return %0, %1, %2 : vector<2x4xi32>, vector<2x4xi32>, vector<2x4xi32>
}
