// What a result may be off, where products of f32 may be rounded to tf32: those
// of operands of f16 are not, and what a product captures has no loops.
//
// RUN: sched-run %s --entry=narrow --target=nvvm:sm_90a --emulate --json | FileCheck %s --check-prefix=NARROW
// RUN: sched-run %s --entry=narrow --target=nvvm:sm_90a --emulate --allow-tf32 --json | FileCheck %s --check-prefix=NARROW
// NARROW-DAG: "tolerance": {{[0-9.]+}}e-05
// NARROW-DAG: "verified": true
// RUN: sched-run %s --entry=captured --target=nvvm:sm_90a --emulate --allow-tf32 --json | FileCheck %s --check-prefix=CAPTURED
// CAPTURED-DAG: "verified": true
func.func @narrow(%a: tensor<70x50xf16>, %b: tensor<50x45xf16>) -> tensor<70x45xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x45xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<70x45xf32>) -> tensor<70x45xf32>
  %p = linalg.matmul ins(%a, %b : tensor<70x50xf16>, tensor<50x45xf16>) outs(%i : tensor<70x45xf32>) -> tensor<70x45xf32>
  return %p : tensor<70x45xf32>
}

func.func @captured(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r:5 = scf.for %k = %c0 to %c1 step %c1 iter_args(%x = %i, %q1 = %one, %q2 = %one, %q3 = %one, %s = %one) -> (tensor<64x48xf32>, f32, f32, f32, f32) {
    %p = linalg.generic {indexing_maps = [affine_map<(d0,d1,d2) -> (d0,d2)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%x : tensor<64x48xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %m = arith.mulf %u, %s : f32
      %n = arith.mulf %m, %v : f32
      %w = arith.addf %o, %n : f32
      linalg.yield %w : f32
    } -> tensor<64x48xf32>
    scf.yield %p, %s, %s, %s, %s : tensor<64x48xf32>, f32, f32, f32, f32
  }
  return %r#0 : tensor<64x48xf32>
}