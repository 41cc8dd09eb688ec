// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=sliced --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=uneven --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=batched --target=nvvm:sm_90a --emulate | FileCheck %s
// RUN: sched-run %s --entry=rows --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=square --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=turns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=short --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=surplus --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/keep = "shared", stages/stages/' %s | sched-run --entry=surplus --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/slices = 2, stages = 4/slices = 2, stages = 3/' %s | sched-run --entry=turns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/slices = 2, stages = 4/slices = 1, stages = 2/' %s | sched-run --entry=turns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/slices = 2, stages = 4/slices = 2, stages = 4, async = 0/' %s | sched-run --entry=turns --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/slices = 2, stages = 4/slices = 4, stages = 1/' %s | not sched-run --entry=turns --target=nvvm:sm_80 --emulate 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: sched-opt %s --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=FORM

// Warps that share the steps of each tile, emulated: what they have added up
// meets in shared memory, where each adds up some of the squares.

// CHECK: check: right
// MANY: error: {{.*}}sched.simt: mma needs tiles of the reduction that are multiples of 64 with 4 slices; found 32

// Two slices of one warp: each has sums of 32 x 32, of which it stores 32 x 16.
// FORM-LABEL: gpu.func @sliced_kernel_0
// FORM-SAME: known_block_size = array<i32: 64, 1, 1>
// FORM: scf.for
// FORM-COUNT-8: nvvm.mma.sync
// FORM-NOT: nvvm.mma.sync
// FORM: gpu.barrier
// FORM-COUNT-8: vector.store {{.*}} : memref<2048xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// FORM: gpu.barrier
// FORM-COUNT-8: vector.load {{.*}} : memref<2048xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// FORM-NOT: vector.load {{.*}} memref<2048xf32, #gpu.address_space<workgroup>>
// FORM-LABEL: gpu.func @uneven_kernel_0
func.func @sliced(%A: tensor<70x90xf16>, %B: tensor<90x44xf16>, %bias: tensor<44xf32>) -> tensor<70x44xf32> {
  %init = tensor.empty() : tensor<70x44xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 90 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (3, 2) shared_outs(%o = %init) -> (tensor<70x44xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (32, 44 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x44xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 90 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<70x90xf16> to tensor<?x?xf16>
      %b = tensor.extract_slice %B[%k, %n] [%ks, %ns] [1, 1] : tensor<90x44xf16> to tensor<?x?xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 1], slices = 2, stages = 2}} ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.yield %p : tensor<?x?xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [%ns] [1] : tensor<44xf32> to tensor<?xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<?x?xf32>, tensor<?xf32>) outs(%os : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<70x44xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<70x44xf32>
}

// Four slices of warps that have three squares each: one slice has none of the
// result. Sums of f16, from a value and on what is there.
func.func @uneven(%A: tensor<16x128xf16>, %B: tensor<128x48xf16>, %C: tensor<16x48xf16>) -> tensor<16x48xf16> {
  %init = tensor.empty() : tensor<16x48xf16>
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %C) -> (tensor<16x48xf16>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 16)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 48)>(%bx)
    %os = tensor.extract_slice %o[%m, %n] [16, 48] [1, 1] : tensor<16x48xf16> to tensor<16x48xf16>
    %a = tensor.extract_slice %A[%m, 0] [16, 128] [1, 1] : tensor<16x128xf16> to tensor<16x128xf16>
    %b = tensor.extract_slice %B[0, %n] [128, 48] [1, 1] : tensor<128x48xf16> to tensor<128x48xf16>
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 2], slices = 4, stages = 1}} ins(%a, %b : tensor<16x128xf16>, tensor<128x48xf16>) outs(%os : tensor<16x48xf16>) -> tensor<16x48xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%m, %n] [16, 48] [1, 1] : tensor<16x48xf16> into tensor<16x48xf16>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<16x48xf16>
}

// Batches of bf16; the last columns of all blocks are none of the tile's.
func.func @batched(%A: tensor<3x33x64xbf16>, %B: tensor<3x64x21xbf16>) -> tensor<3x33x21xbf16> {
  %init = tensor.empty() : tensor<3x33x21xbf16>
  %one = arith.constant 1.0 : bf16
  %r = scf.forall (%i, %by) in (3, 2) shared_outs(%o = %init) -> (tensor<3x33x21xbf16>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %ms = affine.min affine_map<(d0) -> (32, 33 - d0)>(%m)
    %os = tensor.extract_slice %o[%i, %m, 0] [1, %ms, 21] [1, 1, 1] : tensor<3x33x21xbf16> to tensor<1x?x21xbf16>
    %fill = linalg.fill ins(%one : bf16) outs(%os : tensor<1x?x21xbf16>) -> tensor<1x?x21xbf16>
    %a = tensor.extract_slice %A[%i, %m, 0] [1, %ms, 64] [1, 1, 1] : tensor<3x33x64xbf16> to tensor<1x?x64xbf16>
    %b = tensor.extract_slice %B[%i, 0, 0] [1, 64, 21] [1, 1, 1] : tensor<3x64x21xbf16> to tensor<1x64x21xbf16>
    %p = linalg.batch_matmul {sched.simt = {mma = 1, warps = [2, 1], slices = 2, stages = 1, transpose = [1, 0]}} ins(%a, %b : tensor<1x?x64xbf16>, tensor<1x64x21xbf16>) outs(%fill : tensor<1x?x21xbf16>) -> tensor<1x?x21xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %m, 0] [1, %ms, 21] [1, 1, 1] : tensor<1x?x21xbf16> into tensor<3x33x21xbf16>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<3x33x21xbf16>
}

// One square of columns: slices have rows of the result.
func.func @rows(%A: tensor<64x32xf16>, %B: tensor<32x8xf16>) -> tensor<64x8xf32> {
  %init = tensor.empty() : tensor<64x8xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%by) in (2) shared_outs(%o = %init) -> (tensor<64x8xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %os = tensor.extract_slice %o[%m, 0] [32, 8] [1, 1] : tensor<64x8xf32> to tensor<32x8xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<32x8xf32>) -> tensor<32x8xf32>
    %a = tensor.extract_slice %A[%m, 0] [32, 32] [1, 1] : tensor<64x32xf16> to tensor<32x32xf16>
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 1], slices = 2, stages = 1}} ins(%a, %B : tensor<32x32xf16>, tensor<32x8xf16>) outs(%fill : tensor<32x8xf32>) -> tensor<32x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%m, 0] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<64x8xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x8xf32>
}

// One square in all: the second slice has none of the result.
func.func @square(%A: tensor<32x32xf16>, %B: tensor<32x16xf16>) -> tensor<32x16xf32> {
  %init = tensor.empty() : tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%o = %init) -> (tensor<32x16xf32>) {
    %fill = linalg.fill ins(%zero : f32) outs(%o : tensor<32x16xf32>) -> tensor<32x16xf32>
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2], slices = 2, stages = 1}} ins(%A, %B : tensor<32x32xf16>, tensor<32x16xf16>) outs(%fill : tensor<32x16xf32>) -> tensor<32x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [32, 16] [1, 1] : tensor<32x16xf32> into tensor<32x16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x16xf32>
}

// Eight short steps: four of them, or two, are a turn of the loop. Threads copy
// rows that are next to each other.
// FORM-LABEL: gpu.func @turns_kernel_0
// FORM: scf.for %{{.*}} = %c0 to %c8 step %c4
// FORM-COUNT-8: nvvm.mma.sync
// FORM: gpu.barrier
// FORM-COUNT-8: nvvm.mma.sync
// FORM: gpu.barrier
// FORM-COUNT-8: nvvm.mma.sync
// FORM: gpu.barrier
// FORM-COUNT-8: nvvm.mma.sync
// FORM: scf.yield
func.func @turns(%A: tensor<32x256xf16>, %B: tensor<256x128xf16>) -> tensor<32x128xf32> {
  %init = tensor.empty() : tensor<32x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 256 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%bx) in (2) shared_outs(%o = %init) -> (tensor<32x128xf32>) {
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %os = tensor.extract_slice %o[0, %n] [32, 64] [1, 1] : tensor<32x128xf32> to tensor<32x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<32x64xf32>) -> tensor<32x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<32x64xf32>) {
      %a = tensor.extract_slice %A[0, %k] [32, 32] [1, 1] : tensor<32x256xf16> to tensor<32x32xf16>
      %b = tensor.extract_slice %B[%k, %n] [32, 64] [1, 1] : tensor<256x128xf16> to tensor<32x64xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 2], slices = 2, stages = 4}} ins(%a, %b : tensor<32x32xf16>, tensor<32x64xf16>) outs(%a0 : tensor<32x64xf32>) -> tensor<32x64xf32>
      scf.yield %p : tensor<32x64xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %o[0, %n] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<32x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x128xf32>
}

// A product with fewer threads than its block: what the others compute is
// nobody's. Its result goes through shared memory, or stays in registers.
func.func @surplus(%A: tensor<32x64xf16>, %B: tensor<64x32xf16>, %C: tensor<32x64xf16>, %D: tensor<64x32xf16>) -> tensor<32x32xf32> {
  %init = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%bx) in (1) shared_outs(%o = %init) -> (tensor<32x32xf32>) {
    %t = tensor.empty() : tensor<32x32xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%t : tensor<32x32xf32>) -> tensor<32x32xf32>
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 1], slices = 2, keep = "shared", stages = 1}} ins(%A, %B : tensor<32x64xf16>, tensor<64x32xf16>) outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
    %q = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2], slices = 2, stages = 1}} ins(%C, %D : tensor<32x64xf16>, tensor<64x32xf16>) outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n = linalg.sub ins(%p, %q : tensor<32x32xf32>, tensor<32x32xf32>) outs(%t : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[0, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x32xf32>
}

// One step, and no loop.
func.func @short(%A: tensor<32x64xf16>, %B: tensor<64x32xf16>) -> tensor<32x32xf32> {
  %init = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%bx) in (1) shared_outs(%o = %init) -> (tensor<32x32xf32>) {
    %fill = linalg.fill ins(%zero : f32) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    %p = linalg.matmul {sched.simt = {mma = 1, slices = 4}} ins(%A, %B : tensor<32x64xf16>, tensor<64x32xf16>) outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x32xf32>
}
