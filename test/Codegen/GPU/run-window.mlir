// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=conv --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=line --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-opt %s --sched-form-kernels | FileCheck %s --check-prefix=FORM
// RUN: sched-opt %s --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=SHARED

// CHECK: check: right

// All of a filter's windows are in a tile: eight channels of 3 x 3 elements are
// 72 without a gap, and are fetched four at a time. Neighbours of the image are
// at other places of it, some of them padding.

// FORM-LABEL: gpu.func @conv_kernel_0
// FORM-NOT: , 4, %
// FORM: nvgpu.device_async_copy {{.*}}, 1, %{{.*}} : memref<784xf32>
// FORM: nvgpu.device_async_copy {{.*}}, 4 {bypassL1} : memref<9216xf32>
// FORM: llvm.intr.fma

#map = affine_map<(d0) -> (d0 * 32)>
func.func @conv(%x: tensor<1x16x7x7xf32>, %w: tensor<64x16x3x3xf32>, %b: tensor<64xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c512 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %px = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x7x7xf32> to tensor<1x16x9x9xf32>
  %init = tensor.empty() : tensor<1x64x7x7xf32>
  %r = scf.forall (%bf) in (2) shared_outs(%o = %init) -> (tensor<1x64x7x7xf32>) {
    %f = affine.apply #map(%bf)
    %os = tensor.extract_slice %o[0, %f, 0, 0] [1, 32, 7, 7] [1, 1, 1, 1] : tensor<1x64x7x7xf32> to tensor<1x32x7x7xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<1x32x7x7xf32>) -> tensor<1x32x7x7xf32>
    %acc = scf.for %c = %c0 to %c512 step %c8 iter_args(%a0 = %fill) -> (tensor<1x32x7x7xf32>) {
      %img = tensor.extract_slice %px[0, %c, 0, 0] [1, 8, 9, 9] [1, 1, 1, 1] : tensor<1x16x9x9xf32> to tensor<1x8x9x9xf32>
      %wgt = tensor.extract_slice %w[%f, %c, 0, 0] [32, 8, 3, 3] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<32x8x3x3xf32>
      %p = linalg.conv_2d_nchw_fchw {sched.simt = {threads = [8, 16], vthreads = [1, 1], tile = [4, 4], stages = 2}} ins(%img, %wgt : tensor<1x8x9x9xf32>, tensor<32x8x3x3xf32>) outs(%a0 : tensor<1x32x7x7xf32>) -> tensor<1x32x7x7xf32>
      scf.yield %p : tensor<1x32x7x7xf32>
    }
    %bs = tensor.extract_slice %b[%f] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(n, f, y, x) -> (n, f, y, x)>, affine_map<(n, f, y, x) -> (f)>, affine_map<(n, f, y, x) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%acc, %bs : tensor<1x32x7x7xf32>, tensor<32xf32>) outs(%os : tensor<1x32x7x7xf32>) {
    ^bb0(%p: f32, %q: f32, %z: f32):
      %s = arith.addf %p, %q : f32
      %t = arith.maximumf %s, %zero : f32
      linalg.yield %t : f32
    } -> tensor<1x32x7x7xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[0, %f, 0, 0] [1, 32, 7, 7] [1, 1, 1, 1] : tensor<1x32x7x7xf32> into tensor<1x64x7x7xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<1x64x7x7xf32>
}

// Of 128 threads, 126 copy 18 rows of 7 neighbours of the image in a round: two
// channels of 3 x 3. So all rounds have the guard of the first one, and places a
// constant apart. Rows of the filter are dealt out by 7, of which the last round
// has 4: all that it checks besides is whether there is one.

// SHARED-LABEL: gpu.func @line_kernel_0
// SHARED: %[[DEALT:.*]] = arith.cmpi slt, %{{.*}}, %c126
// SHARED: scf.for
// SHARED: scf.if
// SHARED-NOT: arith.remui
// SHARED-NOT: arith.divui
// SHARED: scf.if %[[DEALT]] {
// SHARED: %[[COUNT:.*]] = arith.select %{{.*}}, %c1, %c0 : index
// SHARED-NOT: arith.select
// SHARED: nvgpu.device_async_copy {{.*}}, 1, %[[COUNT]] : memref<784xf32>
// SHARED-NOT: arith.select
// SHARED: nvgpu.device_async_copy {{.*}}, 1, %[[COUNT]] : memref<784xf32>
// SHARED-NOT: arith.select
// SHARED: nvgpu.device_async_copy {{.*}}, 1, %[[COUNT]] : memref<784xf32>
// SHARED-NOT: arith.select
// SHARED: nvgpu.device_async_copy {{.*}}, 1, %[[COUNT]] : memref<784xf32>
// SHARED-NEXT: }
// SHARED: scf.if %[[DEALT]] {
// SHARED-COUNT-4: nvgpu.device_async_copy {{.*}}, 4 {bypassL1} : memref<9216xf32>
// SHARED-NEXT: }
// SHARED: scf.if
// SHARED-NOT: arith.select
// SHARED: nvgpu.device_async_copy {{.*}}, 4 {bypassL1} : memref<9216xf32>
// SHARED-NEXT: }
// SHARED: nvvm.cp.async.commit.group
// SHARED: llvm.intr.fma
func.func @line(%x: tensor<1x16x7x7xf32>, %w: tensor<64x16x3x3xf32>) -> tensor<1x64x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %px = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x7x7xf32> to tensor<1x16x9x9xf32>
  %init = tensor.empty() : tensor<1x64x7x7xf32>
  %r = scf.forall (%bf, %y) in (2, 7) shared_outs(%o = %init) -> (tensor<1x64x7x7xf32>) {
    %f = affine.apply #map(%bf)
    %os = tensor.extract_slice %o[0, %f, %y, 0] [1, 32, 1, 7] [1, 1, 1, 1] : tensor<1x64x7x7xf32> to tensor<1x32x1x7xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<1x32x1x7xf32>) -> tensor<1x32x1x7xf32>
    %acc = scf.for %c = %c0 to %c16 step %c8 iter_args(%a0 = %fill) -> (tensor<1x32x1x7xf32>) {
      %img = tensor.extract_slice %px[0, %c, %y, 0] [1, 8, 3, 9] [1, 1, 1, 1] : tensor<1x16x9x9xf32> to tensor<1x8x3x9xf32>
      %wgt = tensor.extract_slice %w[%f, %c, 0, 0] [32, 8, 3, 3] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<32x8x3x3xf32>
      %p = linalg.conv_2d_nchw_fchw {sched.simt = {threads = [16, 7], tile = [2, 1], stages = 2}} ins(%img, %wgt : tensor<1x8x3x9xf32>, tensor<32x8x3x3xf32>) outs(%a0 : tensor<1x32x1x7xf32>) -> tensor<1x32x1x7xf32>
      scf.yield %p : tensor<1x32x1x7xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc into %o[0, %f, %y, 0] [1, 32, 1, 7] [1, 1, 1, 1] : tensor<1x32x1x7xf32> into tensor<1x64x7x7xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<1x64x7x7xf32>
}
