// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=half --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=bfloat --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=narrow --target=nvvm:sm_80 --emulate | FileCheck %s

// Matrix instructions, emulated; 40 columns are five squares, of which ldmatrix
// takes the last one alone.

// CHECK: check: right

func.func @half(%A: tensor<70x50xf16>, %B: tensor<50x44xf16>, %bias: tensor<44xf32>) -> tensor<70x44xf32> {
  %init = tensor.empty() : tensor<70x44xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 50 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (3, 2) shared_outs(%o = %init) -> (tensor<70x44xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (32, 44 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x44xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 50 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<70x50xf16> to tensor<?x?xf16>
      %b = tensor.extract_slice %B[%k, %n] [%ks, %ns] [1, 1] : tensor<50x44xf16> to tensor<?x?xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [1, 2], stages = 3}} ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
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

func.func @bfloat(%A: tensor<64x48xbf16>, %B: tensor<48x45xbf16>, %bias: tensor<45xf32>) -> tensor<64x45xf32> {
  %init = tensor.empty() : tensor<64x45xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 48 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %init) -> (tensor<64x45xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 48)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (48, 45 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, %ns] [1, 1] : tensor<64x45xf32> to tensor<64x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x?xf32>) -> tensor<64x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 48 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<64x48xbf16> to tensor<64x16xbf16>
      %b = tensor.extract_slice %B[%k, %n] [16, %ns] [1, 1] : tensor<48x45xbf16> to tensor<16x?xbf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 3], stages = 2, transpose = [1, 1]}} ins(%a, %b : tensor<64x16xbf16>, tensor<16x?xbf16>) outs(%a0 : tensor<64x?xf32>) -> tensor<64x?xf32>
      scf.yield %p : tensor<64x?xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [%ns] [1] : tensor<45xf32> to tensor<?xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<64x?xf32>, tensor<?xf32>) outs(%os : tensor<64x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [64, %ns] [1, 1] : tensor<64x?xf32> into tensor<64x45xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x45xf32>
}

func.func @narrow(%A: tensor<32x64xf16>, %B: tensor<64x40xf16>, %bias: tensor<40xf16>) -> tensor<32x40xf16> {
  %init = tensor.empty() : tensor<32x40xf16>
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %init) -> (tensor<32x40xf16>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 40)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 32 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (40, 40 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [32, 40] [1, 1] : tensor<32x40xf16> to tensor<32x40xf16>
    %fill = linalg.fill ins(%zero : f16) outs(%os : tensor<32x40xf16>) -> tensor<32x40xf16>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<32x40xf16>) {
      %ks = affine.min affine_map<(d0) -> (32, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [32, 32] [1, 1] : tensor<32x64xf16> to tensor<32x32xf16>
      %b = tensor.extract_slice %B[%k, %n] [32, 40] [1, 1] : tensor<64x40xf16> to tensor<32x40xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 1], stages = 2, async = 0}} ins(%a, %b : tensor<32x32xf16>, tensor<32x40xf16>) outs(%a0 : tensor<32x40xf16>) -> tensor<32x40xf16>
      scf.yield %p : tensor<32x40xf16>
    }
    %bs = tensor.extract_slice %bias[%n] [40] [1] : tensor<40xf16> to tensor<40xf16>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<32x40xf16>, tensor<40xf16>) outs(%os : tensor<32x40xf16>) {
    ^bb0(%x: f16, %y: f16, %z: f16):
      %s = arith.addf %x, %y : f16
      %t = arith.maximumf %s, %zero : f16
      linalg.yield %t : f16
    } -> tensor<32x40xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [32, 40] [1, 1] : tensor<32x40xf16> into tensor<32x40xf16>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<32x40xf16>
}
