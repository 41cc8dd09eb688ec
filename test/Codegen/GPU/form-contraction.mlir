// RUN: sched-opt %s --sched-form-kernels --split-input-file | FileCheck %s

// Three stages: two tiles are fetched ahead, by copies of 16 bytes without
// registers; one barrier a step. Sums are carried by the loop.

// CHECK-LABEL: gpu.func @async_kernel_0
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2
// CHECK-COUNT-2: nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: %{{.*}}:6 = scf.for {{.*}} iter_args({{.*}}, %[[SLOT:[^ ]*]] = %c0{{[_0-9]*}}, %{{.*}} = %c2{{[_0-9]*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, index, index)
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-2: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: scf.for
// CHECK-NOT: barrier
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<3072xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: llvm.intr.fma
// The slot that was read is the next one to be filled.
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[SLOT]], %c2
// CHECK: %[[NEXT:.*]] = arith.select %[[LAST]], %c0{{.*}} : index
// CHECK: scf.yield {{.*}}, %[[NEXT]], %[[SLOT]] :
// The bias and the result, by vectors, from registers.
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<128xf32>, vector<4xf32>
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
// CHECK-NOT: barrier
// CHECK: gpu.return
// Slots of both operands; the last number of threads and bytes.
// CHECK-LABEL: func.func @async(
// CHECK: arith.constant 24576 : i32
func.func @async(%A: tensor<128x64xf32>, %B: tensor<64x128xf32>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %init = tensor.empty() : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 128 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 128 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<128x64xf32> to tensor<64x16xf32>
      %b = tensor.extract_slice %B[%k, %n] [16, 64] [1, 1] : tensor<64x128xf32> to tensor<16x64xf32>
      %p = linalg.matmul {sched.simt = {threads = [16, 16], tile = [4, 4], stages = 3, fetch = [4, 4]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
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

// Rows of 77 and 51 elements: single elements, of which those outside are zero;
// stores are guarded.

// CHECK-LABEL: gpu.func @ragged_kernel_0
// Nothing is read where the count is 0: places are not guarded as well.
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %c1{{.*}}, %c0{{.*}} : index
// CHECK-NOT: arith.select
// CHECK: nvgpu.device_async_copy {{.*}}, 1, %[[COUNT]] : memref<5100xf32>
// CHECK: nvgpu.device_async_copy {{.*}}, 1, %{{.*}} : memref<3927xf32>
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: scf.if
// CHECK: memref.store {{.*}} : memref<7700xf32>
func.func @ragged(%A: tensor<100x51xf32>, %B: tensor<51x77xf32>, %bias: tensor<77xf32>) -> tensor<100x77xf32> {
  %init = tensor.empty() : tensor<100x77xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 51 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<100x77xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 100 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 77 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<100x77xf32> to tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<?x?xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 51 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [%ms, %ks] [1, 1] : tensor<100x51xf32> to tensor<?x?xf32>
      %b = tensor.extract_slice %B[%k, %n] [%ks, %ns] [1, 1] : tensor<51x77xf32> to tensor<?x?xf32>
      %p = linalg.matmul {sched.simt = {threads = [8, 8], vthreads = [2, 2], tile = [4, 4], stages = 2}} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a0 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.yield %p : tensor<?x?xf32>
    }
    %bs = tensor.extract_slice %bias[%n] [%ns] [1] : tensor<77xf32> to tensor<?xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %bs : tensor<?x?xf32>, tensor<?xf32>) outs(%os : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<100x77xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<100x77xf32>
}

// -----

// Through registers: the next tile is loaded before the products of this one,
// and stored after them. Transposed elements are stored one by one.

// CHECK-LABEL: gpu.func @registers_kernel_0
// CHECK-NOT: async
// Of two slots the other one is filled.
// CHECK: scf.for {{.*}}, %[[SLOT:[^ ]*]] = %c0{{[_0-9]*}}) ->
// CHECK-NEXT: %[[FREE:.*]] = arith.subi %c1{{[_0-9]*}}, %[[SLOT]]
// CHECK: gpu.barrier
// CHECK: %[[NEXT:.*]]:2 = scf.if {{.*}} -> (vector<4xf32>, vector<4xf32>)
// CHECK: llvm.intr.fma
// CHECK: scf.if
// CHECK: %[[ELEMENT:.*]] = vector.extract %[[NEXT]]#0[0]
// CHECK: memref.store %[[ELEMENT]]
// CHECK: vector.store %[[NEXT]]#1
// CHECK: scf.yield {{.*}}, %[[FREE]] :
// CHECK-NOT: barrier
// CHECK: gpu.return
func.func @registers(%A: tensor<128x64xf32>, %B: tensor<64x128xf32>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %init = tensor.empty() : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 128 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 128 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<128x64xf32> to tensor<64x16xf32>
      %b = tensor.extract_slice %B[%k, %n] [16, 64] [1, 1] : tensor<64x128xf32> to tensor<16x64xf32>
      %p = linalg.matmul {sched.simt = {threads = [16, 16], tile = [4, 4], stages = 2, async = 0, transpose = [1, 0], pad = [4, 0]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
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

// One stage: two barriers a step. Four steps of the reduction are written out.

// CHECK-LABEL: gpu.func @single_kernel_0
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: scf.for %{{.*}} = %{{.*}} to %c16{{.*}} step %c4
// CHECK-COUNT-16: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: scf.yield
// CHECK: gpu.barrier
// CHECK-NEXT: scf.yield
func.func @single(%A: tensor<128x64xf32>, %B: tensor<64x128xf32>, %bias: tensor<128xf32>) -> tensor<128x128xf32> {
  %init = tensor.empty() : tensor<128x128xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %cK = arith.constant 64 : index
  %cBK = arith.constant 16 : index
  %r = scf.forall (%by, %bx) in (2, 2) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %ms = affine.min affine_map<(d0) -> (64, 128 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 128 - d0)>(%n)
    %os = tensor.extract_slice %o[%m, %n] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<64x64xf32>) -> tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cK step %cBK iter_args(%a0 = %fill) -> (tensor<64x64xf32>) {
      %ks = affine.min affine_map<(d0) -> (16, 64 - d0)>(%k)
      %a = tensor.extract_slice %A[%m, %k] [64, 16] [1, 1] : tensor<128x64xf32> to tensor<64x16xf32>
      %b = tensor.extract_slice %B[%k, %n] [16, 64] [1, 1] : tensor<64x128xf32> to tensor<16x64xf32>
      %p = linalg.matmul {sched.simt = {threads = [16, 16], tile = [4, 4], stages = 1, unroll = 4}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
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

// 64 rounds of the left-hand side's single elements are a loop; 16 of the
// right-hand side's vectors are not.

// CHECK-LABEL: gpu.func @rolled_kernel_0
// CHECK: scf.for %[[ROUND:.*]] = %c0{{.*}} to %c64{{.*}} step %c1
// CHECK-NOT: scf.for
// CHECK: nvgpu.device_async_copy {{.*}}, 1 :
// CHECK-NEXT: }
// CHECK-COUNT-16: nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// CHECK-NOT: async_copy
// CHECK: nvvm.cp.async.commit.group
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
