// REQUIRES: nvptx-registered-target
// RUN: sched-opt %s --sched-form-kernels | FileCheck %s --check-prefix=FORM
// RUN: sched-run %s --entry=ahead --target=nvvm:sm_90a --emulate | FileCheck %s
// RUN: sed 's/4], stages = 3/4], stages = 3, slices = 3/' %s | sched-opt --sched-form-kernels | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/stages = 3/stages = 2/' %s | sched-opt --sched-form-kernels | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/stages = 3/stages = 2/' %s | sched-run --entry=ahead --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/stages = 3/stages = 4/' %s | sched-run --entry=ahead --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/4], stages = 3/4], stages = 3, slices = 3/' %s | sched-run --entry=ahead --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=rest --target=nvvm:sm_90a --emulate | FileCheck %s
// RUN: sched-run %s --entry=twice --target=nvvm:sm_90a --emulate | FileCheck %s
// RUN: sed 's/slices = 2, stages = 3/slices = 2, stages = 4/' %s | sched-run --entry=twice --target=nvvm:sm_80 --emulate | FileCheck %s

// Operands of matrix instructions are loaded one part of a tile ahead, of the
// next tile after the barrier, which comes before the last part.

// CHECK: check: right

// Of one part a step, or two stages, they are not.
// PLAIN-LABEL: gpu.func @ahead_kernel_0
// PLAIN-NOT: nvgpu.ldmatrix
// PLAIN: scf.for
// PLAIN-NOT: nvgpu.ldmatrix
// PLAIN: scf.if
// PLAIN-LABEL: gpu.func @rest_kernel_0

// Steps of three parts, of one warp with 32 x 32 sums. Copies go with the first
// two, without a branch.
// FORM-LABEL: gpu.func @ahead_kernel_0
// FORM: nvvm.cp.async.wait.group 1
// FORM-NEXT: gpu.barrier
// FORM-COUNT-4: nvgpu.ldmatrix
// FORM-NOT: nvgpu.ldmatrix
// FORM: scf.for
// FORM-NOT: scf.if
// FORM-COUNT-4: nvgpu.ldmatrix
// FORM-COUNT-12: nvgpu.device_async_copy
// FORM-NOT: nvgpu.ldmatrix
// FORM-COUNT-8: nvvm.mma.sync
// FORM-COUNT-4: nvgpu.ldmatrix
// FORM-COUNT-12: nvgpu.device_async_copy
// FORM-COUNT-8: nvvm.mma.sync
// FORM: nvvm.cp.async.commit.group
// FORM-NEXT: nvvm.cp.async.wait.group 1
// FORM-NEXT: gpu.barrier
// FORM-COUNT-4: nvgpu.ldmatrix
// FORM-COUNT-8: nvvm.mma.sync
// FORM-NOT: {{nvvm.mma.sync|nvgpu.ldmatrix|scf.if}}
// FORM: scf.yield
// FORM: loop_annotation = #{{.*}}
// FORM: nvvm.cp.async.wait.group 0
func.func @ahead(%A: tensor<32x336xf16>, %B: tensor<336x32xf16>) -> tensor<32x32xf32> {
  %init = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 336 : index
  %cBK = arith.constant 48 : index
  %r = scf.forall (%by) in (1) shared_outs(%o = %init) -> (tensor<32x32xf32>) {
    %fill = linalg.fill ins(%zero : f32) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<32x32xf32>) {
      %a = tensor.extract_slice %A[0, %k] [32, 48] [1, 1] : tensor<32x336xf16> to tensor<32x48xf16>
      %b = tensor.extract_slice %B[%k, 0] [48, 32] [1, 1] : tensor<336x32xf16> to tensor<48x32xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 1], fetch = [4, 4], stages = 3}} ins(%a, %b : tensor<32x48xf16>, tensor<48x32xf16>) outs(%a0 : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %p : tensor<32x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %o[0, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x32xf32>
}

// The last tile of K is a part of one, tiles of rows and columns are, too.
func.func @rest(%A: tensor<70x184xf16>, %B: tensor<184x40xf16>) -> tensor<70x40xf32> {
  %init = tensor.empty() : tensor<70x40xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 184 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by) in (3) shared_outs(%o = %init) -> (tensor<70x40xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %ms = affine.min affine_map<(d0) -> (32, 70 - d0)>(%m)
    %os = tensor.extract_slice %o[%m, 0] [%ms, 40] [1, 1] : tensor<70x40xf32> to tensor<?x40xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x40xf32>) -> tensor<?x40xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x40xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 184 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<70x184xf16> to tensor<?x?xf16>
      %b = tensor.extract_slice %B[%k, 0] [%ks, 40] [1, 1] : tensor<184x40xf16> to tensor<?x40xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 1], stages = 3}} ins(%a, %b : tensor<?x?xf16>, tensor<?x40xf16>) outs(%a0 : tensor<?x40xf32>) -> tensor<?x40xf32>
      scf.yield %p : tensor<?x40xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %o[%m, 0] [%ms, 40] [1, 1] : tensor<?x40xf32> into tensor<70x40xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<70x40xf32>
}

// Sums of slices meet where the tiles were: no copy of theirs may be on its way
// then. So do tiles of the second product.
func.func @twice(%A: tensor<16x160xf16>, %B: tensor<160x64xf16>, %C: tensor<16x160xf16>, %D: tensor<160x64xf16>) -> tensor<16x64xf32> {
  %init = tensor.empty() : tensor<16x64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 160 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by) in (1) shared_outs(%o = %init) -> (tensor<16x64xf32>) {
    %fill = linalg.fill ins(%zero : f32) outs(%o : tensor<16x64xf32>) -> tensor<16x64xf32>
    %first = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<16x64xf32>) {
      %a = tensor.extract_slice %A[0, %k] [16, 32] [1, 1] : tensor<16x160xf16> to tensor<16x32xf16>
      %b = tensor.extract_slice %B[%k, 0] [32, 64] [1, 1] : tensor<160x64xf16> to tensor<32x64xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 2], slices = 2, stages = 3}} ins(%a, %b : tensor<16x32xf16>, tensor<32x64xf16>) outs(%a0 : tensor<16x64xf32>) -> tensor<16x64xf32>
      scf.yield %p : tensor<16x64xf32>
    }
    %second = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %first) -> (tensor<16x64xf32>) {
      %a = tensor.extract_slice %C[0, %k] [16, 32] [1, 1] : tensor<16x160xf16> to tensor<16x32xf16>
      %b = tensor.extract_slice %D[%k, 0] [32, 64] [1, 1] : tensor<160x64xf16> to tensor<32x64xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 2], slices = 2, stages = 3}} ins(%a, %b : tensor<16x32xf16>, tensor<32x64xf16>) outs(%a0 : tensor<16x64xf32>) -> tensor<16x64xf32>
      scf.yield %p : tensor<16x64xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %second into %o[0, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<16x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16x64xf32>
}
