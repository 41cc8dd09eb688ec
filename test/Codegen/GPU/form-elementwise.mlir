// RUN: sched-opt %s --sched-form-kernels --split-input-file | FileCheck %s

// Each thread computes elements of its block's tile; edges are guarded, and the
// last dimension has no vectors, since rows of 777 elements are not aligned.

func.func @ew(%a: tensor<1000x777xf32>, %b: tensor<777xf32>) -> tensor<1000x777xf32> {
  %e = tensor.empty() : tensor<1000x777xf32>
  %cst = arith.constant 0.0 : f32
  %r = scf.forall (%y, %x) in (16, 13) shared_outs(%o = %e) -> (tensor<1000x777xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%y)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%x)
    %ms = affine.min affine_map<(d0) -> (64, 1000 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (64, 777 - d0)>(%n)
    %as = tensor.extract_slice %a[%m, %n] [%ms, %ns] [1, 1] : tensor<1000x777xf32> to tensor<?x?xf32>
    %bs = tensor.extract_slice %b[%n] [%ns] [1] : tensor<777xf32> to tensor<?xf32>
    %os = tensor.extract_slice %o[%m, %n] [%ms, %ns] [1, 1] : tensor<1000x777xf32> to tensor<?x?xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%as, %bs : tensor<?x?xf32>, tensor<?xf32>) outs(%os : tensor<?x?xf32>) {
    ^bb0(%p: f32, %q: f32, %z: f32):
      %s = arith.addf %p, %q : f32
      %t = arith.maximumf %s, %cst : f32
      linalg.yield %t : f32
    } -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %g into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<1000x777xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<1000x777xf32>
}

// CHECK-LABEL: gpu.func @ew_kernel_0
// CHECK-SAME: memref<1000x777xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: memref<777xf32>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 208, 1, 1>
// CHECK: gpu.block_id
// CHECK: memref.load
// CHECK: memref.load
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.return
// CHECK-LABEL: func.func @ew(
// CHECK: gpu.launch_func @kernels::@ew_kernel_0
// CHECK-SAME: args(%arg0 : memref<1000x777xf32>, %arg1 : memref<777xf32>, %arg2 : memref<1000x777xf32>)
