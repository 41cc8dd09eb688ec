// Upstream expands casts between bf16 and f32 alone. When this test fails because
// no cast is left, WidenThroughF32 and NarrowThroughF32 in
// lib/Codegen/LowerBFloat.cpp can go (if it rounds once), and so can this test.

// RUN: mlir-opt-22 %s --arith-expand=include-bf16=true | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: arith.extf %{{.*}} : bf16 to f64
// CHECK: arith.truncf %{{.*}} : f64 to bf16
func.func @f(%a: bf16, %b: f64) -> (f64, bf16) {
  %0 = arith.extf %a : bf16 to f64
  %1 = arith.truncf %b : f64 to bf16
  return %0, %1 : f64, bf16
}
