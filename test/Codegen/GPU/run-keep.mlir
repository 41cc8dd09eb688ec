// A layer norm computes the same wherever its differences from the mean are kept:
// 96 of them a thread, of four rows of 736; and wherever its sums are.
// RUN: sed "s/WORD/registers/; s/SUMS/registers/" %s > %t.registers.registers.mlir
// RUN: sched-run %t.registers.registers.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/WORD/registers/; s/SUMS/shared/" %s > %t.registers.shared.mlir
// RUN: sched-run %t.registers.shared.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/WORD/shared/; s/SUMS/registers/" %s > %t.shared.registers.mlir
// RUN: sched-run %t.shared.registers.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/WORD/shared/; s/SUMS/shared/" %s > %t.shared.shared.mlir
// RUN: sched-run %t.shared.shared.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/WORD/recompute/; s/SUMS/registers/" %s > %t.recompute.registers.mlir
// RUN: sched-run %t.recompute.registers.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/WORD/recompute/; s/SUMS/shared/" %s > %t.recompute.shared.mlir
// RUN: sched-run %t.recompute.shared.mlir --entry=norm --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: check: right

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @norm(%x: tensor<16x736xf32>, %scale: tensor<736xf32>) -> tensor<16x736xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 736.0 : f32
  %d = tensor.empty() : tensor<16x736xf32>
  %r = scf.forall (%i) = (0) to (16) step (4) shared_outs(%o = %d) -> (tensor<16x736xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [4, 736] [1, 1] : tensor<16x736xf32> to tensor<4x736xf32>
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %s = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<4x736xf32>) outs(%f : tensor<4xf32>) attrs = {sched.simt = {threads = [1, 32], vector = 4, keep = "SUMS"}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<4xf32>
    %t = tensor.empty() : tensor<4x736xf32>
    %c = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %s : tensor<4x736xf32>, tensor<4xf32>) outs(%t : tensor<4x736xf32>)
      attrs = {sched.simt = {threads = [1, 32], vector = 4, keep = "WORD"}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.divf %b, %n : f32
      %u = arith.subf %a, %m : f32
      linalg.yield %u : f32
    } -> tensor<4x736xf32>
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<4x736xf32>) outs(%f : tensor<4xf32>) attrs = {sched.simt = {threads = [1, 32], vector = 4, keep = "SUMS"}} {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %a : f32
      %c2 = arith.addf %p, %b : f32
      linalg.yield %c2 : f32
    } -> tensor<4xf32>
    %os = tensor.extract_slice %o[%i, 0] [4, 736] [1, 1] : tensor<16x736xf32> to tensor<4x736xf32>
    %y = linalg.generic {indexing_maps = [#map, #row, #column, #map], iterator_types = ["parallel", "parallel"]}
      ins(%c, %q, %scale : tensor<4x736xf32>, tensor<4xf32>, tensor<736xf32>) outs(%os : tensor<4x736xf32>)
      attrs = {sched.simt = {threads = [1, 32], vector = 4}} {
    ^bb0(%a: f32, %b: f32, %g: f32, %c3: f32):
      %v = arith.divf %b, %n : f32
      %k = math.rsqrt %v : f32
      %u = arith.mulf %a, %k : f32
      %w = arith.mulf %u, %g : f32
      linalg.yield %w : f32
    } -> tensor<4x736xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [4, 736] [1, 1] : tensor<4x736xf32> into tensor<16x736xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16x736xf32>
}
