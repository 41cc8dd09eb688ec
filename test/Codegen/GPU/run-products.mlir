// Two products that are added up in one block: one goes through shared memory,
// where the other one's threads read it; by default, or the other way round if
// told so. What no schedule has tied is two kernels.
// RUN: sed "s/FIRST/stages = 2/; s/SECOND/stages = 2/" %s > %t.default.mlir
// RUN: sched-run %t.default.mlir --entry=both --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/FIRST/keep = \"shared\"/; s/SECOND/stages = 2/" %s > %t.first.mlir
// RUN: sched-run %t.first.mlir --entry=both --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/FIRST/stages = 2/; s/SECOND/keep = \"shared\"/" %s > %t.second.mlir
// RUN: sched-run %t.second.mlir --entry=both --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed "s/FIRST/keep = \"shared\"/; s/SECOND/keep = \"shared\"/" %s > %t.two.mlir
// RUN: sched-run %t.two.mlir --entry=both --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %t.default.mlir --entry=untied --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: check: right

// The first product of 32 x 24 is stored and read where the second one's sums
// are.
// RUN: sched-opt %t.default.mlir --sched-bind-blocks --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=FORM
// RUN: sed "s/FIRST/keep = \"registers\"/; s/SECOND/stages = 2/" %s > %t.registers.mlir
// RUN: not sched-opt %t.registers.mlir --sched-bind-blocks --sched-form-kernels 2>&1 | FileCheck %s --check-prefix=ADVICE
// FORM-LABEL: gpu.func @both_kernel_0
// FORM: %[[TILE:.*]] = memref.view {{.*}} to memref<768xf32, #gpu.address_space<workgroup>>
// FORM: store {{.*}}, %[[TILE]]
// FORM: gpu.barrier
// FORM: load %[[TILE]]
// FORM-LABEL: gpu.func @untied_kernel_1
// ADVICE: error: this tensor is in registers, and an op of the block reads another element than the one that it computes; give the op that computes it `sched.simt = {keep = "shared"}`

func.func @both(%a: tensor<64x33xf32>, %b: tensor<33x48xf32>, %c: tensor<64x40xf32>, %d: tensor<40x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (64, 48) step (32, 24) shared_outs(%o = %e) -> (tensor<64x48xf32>) {
    %t = tensor.empty() : tensor<32x24xf32>
    %f = linalg.fill ins(%z : f32) outs(%t : tensor<32x24xf32>) -> tensor<32x24xf32>
    %as = tensor.extract_slice %a[%i, 0] [32, 33] [1, 1] : tensor<64x33xf32> to tensor<32x33xf32>
    %bs = tensor.extract_slice %b[0, %j] [33, 24] [1, 1] : tensor<33x48xf32> to tensor<33x24xf32>
    %cs = tensor.extract_slice %c[%i, 0] [32, 40] [1, 1] : tensor<64x40xf32> to tensor<32x40xf32>
    %ds = tensor.extract_slice %d[0, %j] [40, 24] [1, 1] : tensor<40x48xf32> to tensor<40x24xf32>
    %p = linalg.matmul {sched.simt = {FIRST, threads = [16, 8]}}
      ins(%as, %bs : tensor<32x33xf32>, tensor<33x24xf32>) outs(%f : tensor<32x24xf32>) -> tensor<32x24xf32>
    %q = linalg.matmul {sched.simt = {SECOND, threads = [8, 12]}}
      ins(%cs, %ds : tensor<32x40xf32>, tensor<40x24xf32>) outs(%f : tensor<32x24xf32>) -> tensor<32x24xf32>
    %n = linalg.sub ins(%p, %q : tensor<32x24xf32>, tensor<32x24xf32>) outs(%t : tensor<32x24xf32>) -> tensor<32x24xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, %j] [32, 24] [1, 1] : tensor<32x24xf32> into tensor<64x48xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x48xf32>
}

func.func @untied(%a: tensor<64x33xf32>, %b: tensor<33x48xf32>, %c: tensor<64x40xf32>, %d: tensor<40x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x33xf32>, tensor<33x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%c, %d : tensor<64x40xf32>, tensor<40x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %n = linalg.sub ins(%p, %q : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %n : tensor<64x48xf32>
}
