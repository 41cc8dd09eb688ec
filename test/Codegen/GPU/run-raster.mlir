// REQUIRES: nvptx-registered-target
// RUN: sched-opt %s --sched-form-kernels | FileCheck %s --check-prefix=FORM
// RUN: sched-run %s --entry=ragged --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=beyond --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/raster = .2, 3./raster = [2, 4]/' %s | not sched-run --entry=ragged --target=nvvm:sm_80 --emulate 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: sed 's/raster = .2, 3./raster = [0, 3]/' %s | not sched-run --entry=ragged --target=nvvm:sm_80 --emulate 2>&1 | FileCheck %s --check-prefix=ZERO

// Several ops may say the order, if it is the same.
// RUN: sed 's/linalg.fill ins/linalg.fill {sched.simt = {raster = [1, 3]}} ins/' %s | not sched-opt --sched-form-kernels 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: sed 's/linalg.fill ins/linalg.fill {sched.simt = {raster = [2, 3]}} ins/' %s | sched-run --entry=ragged --target=nvvm:sm_80 --emulate | FileCheck %s
// TWO: :[[#@LINE+34]]:10: error: {{.*}}sched.simt: raster is [2, 3], and another op of the block has [1, 3]; expected one order of the blocks
// TWO: :[[#@LINE+30]]:13: note: the other op

// RUN: sed 's/max_registers = 64/max_registers = 8/' %s | not sched-run --entry=beyond --target=nvvm:sm_80 --emulate 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: {{.*}}sched.simt: max_registers is 8 : i64; expected a number from 16 to 255

// Blocks in groups of two rows, column by column; of five rows the last is a
// group of its own. Every tile is computed once.

// FORM-LABEL: gpu.func @ragged_kernel_0
// FORM-NOT: maxnreg
// FORM: %[[B:.*]] = gpu.block_id x
// FORM: %[[IN:.*]] = arith.remui %[[B]], %c6
// FORM: arith.remui %[[IN]], %c2
// FORM: arith.divui %[[IN]], %c2
// FORM: arith.cmpi slt, %[[B]], %c12
// FORM-LABEL: gpu.func @beyond_kernel_0
// FORM-SAME: nvvm.maxnreg = 64 : i32
// CHECK: check: right
// ODD: error: {{.*}}sched.simt: raster is of rows of 4 blocks, and the grid has 15; expected a number that divides it
// ZERO: error: {{.*}}sched.simt: raster is [0, 3]; expected 2 numbers from 1 to 2147483647

func.func @ragged(%A: tensor<70x50xf32>, %B: tensor<50x44xf32>) -> tensor<70x44xf32> {
  %init = tensor.empty() : tensor<70x44xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%by, %bx) in (5, 3) shared_outs(%o = %init) -> (tensor<70x44xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 16)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 16)>(%bx)
    %ms = affine.min affine_map<(d0) -> (16, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (16, 44 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x44xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %a = tensor.extract_slice %A[%m, 0] [%ms, 50] [1, 1] : tensor<70x50xf32> to tensor<?x50xf32>
    %b = tensor.extract_slice %B[0, %n] [50, %ns] [1, 1] : tensor<50x44xf32> to tensor<50x?xf32>
    %p = linalg.matmul {sched.simt = {threads = [8, 8], tile = [2, 2], raster = [2, 3], max_registers = 0}} ins(%a, %b : tensor<?x50xf32>, tensor<50x?xf32>) outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<70x44xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<70x44xf32>
}

// More rows are asked for than there are.
func.func @beyond(%A: tensor<70x50xf32>, %B: tensor<50x44xf32>) -> tensor<70x44xf32> {
  %init = tensor.empty() : tensor<70x44xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%by, %bx) in (5, 3) shared_outs(%o = %init) -> (tensor<70x44xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 16)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 16)>(%bx)
    %ms = affine.min affine_map<(d0) -> (16, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (16, 44 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x44xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %a = tensor.extract_slice %A[%m, 0] [%ms, 50] [1, 1] : tensor<70x50xf32> to tensor<?x50xf32>
    %b = tensor.extract_slice %B[0, %n] [50, %ns] [1, 1] : tensor<50x44xf32> to tensor<50x?xf32>
    %p = linalg.matmul {sched.simt = {threads = [8, 8], tile = [2, 2], raster = [8, 3], max_registers = 64}} ins(%a, %b : tensor<?x50xf32>, tensor<50x?xf32>) outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<70x44xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<70x44xf32>
}
