// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=ragged --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=surplus --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=registers --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=single --target=nvvm:sm_90a --emulate | FileCheck %s
// RUN: sched-run %s --entry=rolled --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=widened --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=one_vector --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sed 's/tile = .4, 4., stages = 3}/tile = [4, 4], stages = 3, async = 0}/' %s > %t.mlir
// RUN: sched-run %t.mlir --entry=ragged --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-opt %t.mlir --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=NEAREST

// Kernels of contractions, emulated: each access is checked, and the results are
// compared with the same function's on the CPU.

// CHECK: check: right

// Through registers, what is outside is the nearest element inside: its place has
// no guard, and only what is outside of the reduction becomes zero.

// NEAREST-LABEL: gpu.func @ragged_kernel_0
// NEAREST: scf.for
// NEAREST: scf.if
// NEAREST-NOT: arith.select
// NEAREST: arith.minsi
// NEAREST-NOT: arith.select
// NEAREST: memref.load %{{.*}} : memref<2590xf32>
// NEAREST-NEXT: %[[INSIDE:.*]] = arith.cmpi slt
// NEAREST-NEXT: arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : f32

func.func @ragged(%A: tensor<70x37xf32>, %B: tensor<37x45xf32>, %bias: tensor<45xf32>) -> tensor<70x45xf32> {
  %init = tensor.empty() : tensor<70x45xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 37 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (3, 2) shared_outs(%o = %init) -> (tensor<70x45xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (32, 45 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x45xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 37 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<70x37xf32> to tensor<?x?xf32>
      %b = tensor.extract_slice %B[%k, %n] [%ks, %ns] [1, 1] : tensor<37x45xf32> to tensor<?x?xf32>
      %p = linalg.matmul {sched.simt = {threads = [8, 8], tile = [4, 4], stages = 3}} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.yield %p : tensor<?x?xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [%ns] [1] : tensor<45xf32> to tensor<?xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<?x?xf32>, tensor<?xf32>) outs(%os : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<70x45xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<70x45xf32>
}

func.func @surplus(%A: tensor<70x36xf32>, %B: tensor<36x44xf32>, %bias: tensor<44xf32>) -> tensor<70x44xf32> {
  %init = tensor.empty() : tensor<70x44xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 36 : index
  %cBK = arith.constant 8 : index
  %r = scf.forall (%by, %bx) in (2, 3) shared_outs(%o = %init) -> (tensor<70x44xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 48)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 20)>(%bx)
    %ms = affine.min affine_map<(d0) -> (48, 70 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (20, 44 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<70x44xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (8, 36 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<70x36xf32> to tensor<?x?xf32>
      %b = tensor.extract_slice %B[%k, %n] [%ks, %ns] [1, 1] : tensor<36x44xf32> to tensor<?x?xf32>
      %p = linalg.matmul {sched.simt = {threads = [16, 5], vthreads = [1, 1], tile = [4, 8], stages = 2, transpose = [1, 0], pad = [4, 0]}} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
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

func.func @registers(%A: tensor<64x48xf32>, %B: tensor<48x64xf32>, %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %init = tensor.empty() : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 48 : index
  %cBK = arith.constant 8 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<64x64xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (32, 64 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<32x32xf32>) -> tensor<32x32xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<32x32xf32>) {
      %ks = affine.min affine_map<(d0) -> (8, 48 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [32, 8] [1, 1] : tensor<64x48xf32> to tensor<32x8xf32>
      %b = tensor.extract_slice %B[%k, %n] [8, 32] [1, 1] : tensor<48x64xf32> to tensor<8x32xf32>
      %p = linalg.matmul {sched.simt = {threads = [8, 4], vthreads = [2, 2], tile = [2, 4], stages = 3, async = 0, transpose = [0, 1], pad = [1, 3], unroll = 4}} ins(%a, %b : tensor<32x8xf32>, tensor<8x32xf32>) outs(%a0 : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %p : tensor<32x32xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<32x32xf32>, tensor<32xf32>) outs(%os : tensor<32x32xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}

func.func @single(%A: tensor<64x48xf32>, %B: tensor<48x45xf32>, %bias: tensor<45xf32>) -> tensor<64x45xf32> {
  %init = tensor.empty() : tensor<64x45xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 48 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %init) -> (tensor<64x45xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 45)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (45, 45 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 45] [1, 1] : tensor<64x45xf32> to tensor<64x45xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x45xf32>) -> tensor<64x45xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x45xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 48 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<64x48xf32> to tensor<64x16xf32>
      %b = tensor.extract_slice %B[%k, %n] [16, 45] [1, 1] : tensor<48x45xf32> to tensor<16x45xf32>
      %p = linalg.matmul {sched.simt = {stages = 1}} ins(%a, %b : tensor<64x16xf32>, tensor<16x45xf32>) outs(%a0 : tensor<64x45xf32>) -> tensor<64x45xf32>
      scf.yield %p : tensor<64x45xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [45] [1] : tensor<45xf32> to tensor<45xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<64x45xf32>, tensor<45xf32>) outs(%os : tensor<64x45xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x45xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [64, 45] [1, 1] : tensor<64x45xf32> into tensor<64x45xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x45xf32>
}

func.func @rolled(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %init = tensor.empty() : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %init) -> (tensor<64x64xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 64 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<64x64xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
      %b = tensor.extract_slice %B[%k, %n] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
      %p = linalg.matmul {sched.simt = {threads = [4, 8], vthreads = [2, 2], tile = [8, 4], stages = 2, fetch = [1, 4]}} ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [64] [1] : tensor<64xf32> to tensor<64xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<64x64xf32>, tensor<64xf32>) outs(%os : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}

func.func @widened(%A: tensor<64x32xf16>, %B: tensor<32x40xf16>, %bias: tensor<40xf32>) -> tensor<64x40xf32> {
  %init = tensor.empty() : tensor<64x40xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 32 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (2, 1) shared_outs(%o = %init) -> (tensor<64x40xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 40)>(%bx)
    %ms = affine.min affine_map<(d0) -> (32, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (40, 40 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [32, 40] [1, 1] : tensor<64x40xf32> to tensor<32x40xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<32x40xf32>) -> tensor<32x40xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<32x40xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 32 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [32, 16] [1, 1] : tensor<64x32xf16> to tensor<32x16xf16>
      %b = tensor.extract_slice %B[%k, %n] [16, 40] [1, 1] : tensor<32x40xf16> to tensor<16x40xf16>
      %p = linalg.matmul {sched.simt = {threads = [8, 10], tile = [4, 4], stages = 2}} ins(%a, %b : tensor<32x16xf16>, tensor<16x40xf16>) outs(%a0 : tensor<32x40xf32>) -> tensor<32x40xf32>
      scf.yield %p : tensor<32x40xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [40] [1] : tensor<40xf32> to tensor<40xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<32x40xf32>, tensor<40xf32>) outs(%os : tensor<32x40xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<32x40xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [32, 40] [1, 1] : tensor<32x40xf32> into tensor<64x40xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x40xf32>
}

// A step of 4 is one vector: the row that a thread copies has the thread's
// number, up to 19, of 32 of which 30 store results.
func.func @one_vector(%A: tensor<40x8xf32>, %B: tensor<8x24xf32>) -> tensor<40x24xf32> {
  %init = tensor.empty() : tensor<40x24xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 8 : index
  %cBK = arith.constant 4 : index
  %r = scf.forall (%by) in (2) shared_outs(%o = %init) -> (tensor<40x24xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 20)>(%by)
    %os = tensor.extract_slice %o[%m, 0] [20, 24] [1, 1] : tensor<40x24xf32> to tensor<20x24xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<20x24xf32>) -> tensor<20x24xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<20x24xf32>) {
      %a = tensor.extract_slice %A[%m, %k] [20, 4] [1, 1] : tensor<40x8xf32> to tensor<20x4xf32>
      %b = tensor.extract_slice %B[%k, 0] [4, 24] [1, 1] : tensor<8x24xf32> to tensor<4x24xf32>
      %p = linalg.matmul {sched.simt = {threads = [5, 6], vthreads = [1, 1], tile = [4, 4], stages = 2}} ins(%a, %b : tensor<20x4xf32>, tensor<4x24xf32>) outs(%a0 : tensor<20x24xf32>) -> tensor<20x24xf32>
      scf.yield %p : tensor<20x24xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %o[%m, 0] [20, 24] [1, 1] : tensor<20x24xf32> into tensor<40x24xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<40x24xf32>
}
