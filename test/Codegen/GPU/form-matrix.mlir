// RUN: sched-opt %s --sched-form-kernels --split-input-file | FileCheck %s

// Warps of 32 x 32 sums: two squares of 16 rows, four of 8 columns. The
// right-hand side, whose rows are along N, is transposed by ldmatrix. Rows of
// shared memory are 16 bytes longer than the tile.

// CHECK-LABEL: gpu.func @half_kernel_0
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: memref.view {{.*}} to memref<4608xf16, #gpu.address_space<workgroup>>
// CHECK: memref.view {{.*}} to memref<5120xf16, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-2: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} : memref<5120xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-COUNT-2: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} : memref<4608xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-COUNT-8: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK: nvgpu.ldmatrix
// CHECK: scf.yield
// CHECK: vector.from_elements {{.*}} : vector<2xf32>
// CHECK: arith.maximumf {{.*}} : vector<2xf32>
// CHECK: vector.store {{.*}} {alignment = 8 : i64}
func.func @half(%A: tensor<128x64xf16>, %B: tensor<64x128xf16>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %init = tensor.empty() : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 128 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 128 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 32] [1, 1] : tensor<128x64xf16> to tensor<64x32xf16>
      %b = tensor.extract_slice %B[%k, %n] [32, 64] [1, 1] : tensor<64x128xf16> to tensor<32x64xf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2], stages = 2}} ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [64] [1] : tensor<128xf32> to tensor<64xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<64x64xf32>, tensor<64xf32>) outs(%os : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

// Transposed tiles: K is the outer dimension of the left-hand side, and the
// inner one of the right-hand side.

// CHECK-LABEL: gpu.func @bfloat_kernel_0
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
// CHECK: llvm.bitcast {{.*}} : vector<2xbf16> to i32
// CHECK: nvvm.mma.sync {{.*}} multiplicandAPtxType = #nvvm.mma_type<bf16>
func.func @bfloat(%A: tensor<128x64xbf16>, %B: tensor<64x128xbf16>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %init = tensor.empty() : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 32 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 128 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 128 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (32, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 32] [1, 1] : tensor<128x64xbf16> to tensor<64x32xbf16>
      %b = tensor.extract_slice %B[%k, %n] [32, 64] [1, 1] : tensor<64x128xbf16> to tensor<32x64xbf16>
      %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2], stages = 2, transpose = [1, 1]}} ins(%a, %b : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [64] [1] : tensor<128xf32> to tensor<64xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<64x64xf32>, tensor<64xf32>) outs(%os : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

// tf32 only on request; words are not transposed by ldmatrix.

// CHECK-LABEL: gpu.func @tf32_kernel_0
// CHECK: nvgpu.ldmatrix {{.*}} -> vector<4x1xf32>
// CHECK: nvvm.convert.float.to.tf32
// CHECK: memref.load {{.*}} #gpu.address_space<workgroup>
// CHECK: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 8>
func.func @tf32(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %init = tensor.empty() : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (1, 1) shared_outs(%o = %init) -> (tensor<64x64xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 64 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 64 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<64x64xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<64x64xf32> to tensor<64x16xf32>
      %b = tensor.extract_slice %B[%k, %n] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
      %p = linalg.matmul {sched.simt = {mma = 2, warps = [2, 2], stages = 2}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
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
