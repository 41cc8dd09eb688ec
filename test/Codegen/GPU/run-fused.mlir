// REQUIRES: nvptx-registered-target
// RUN: sched-run %s --entry=f --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=conv --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-opt %s --sched-form-kernels | FileCheck %s --check-prefix=FORM

// CHECK: check: right

// A softmax reads rows of a product: they are put into shared memory, where the
// tiles were.

// FORM-LABEL: gpu.func @f_kernel_0
// FORM: llvm.intr.fma
// FORM: gpu.barrier
// FORM: vector.store {{.*}} : memref<768xf32, #gpu.address_space<workgroup>>
// FORM: gpu.barrier
// FORM: math.exp

// A convolution as a product of matrices: two loops over the reduction are one,
// and the padding is what copies fill.

// FORM-LABEL: gpu.func @conv_kernel_0
// FORM: nvgpu.device_async_copy {{.*}}, 1, %{{.*}} : memref<784xf32>
// FORM: nvgpu.device_async_copy {{.*}}, 1 : memref<9216xf32>
// FORM: scf.for %{{.*}} = %c0{{.*}} to %c6

#map = affine_map<(d0) -> (d0 * 32)>
func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %init = tensor.empty() : tensor<64x48xf32>
  %r = scf.forall (%m) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64x48xf32>) {
    %os = tensor.empty() : tensor<16x48xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%os : tensor<16x48xf32>) -> tensor<16x48xf32>
    %acc = scf.for %k = %c0 to %c32 step %c8 iter_args(%a0 = %fill) -> (tensor<16x48xf32>) {
      %a = tensor.extract_slice %A[%m, %k] [16, 8] [1, 1] : tensor<64x32xf32> to tensor<16x8xf32>
      %b = tensor.extract_slice %B[%k, 0] [8, 48] [1, 1] : tensor<32x48xf32> to tensor<8x48xf32>
      %p = linalg.matmul {sched.simt = {threads = [8, 12], tile = [2, 4], vthreads = [1, 1], stages = 2}} ins(%a, %b : tensor<16x8xf32>, tensor<8x48xf32>) outs(%a0 : tensor<16x48xf32>) -> tensor<16x48xf32>
      scf.yield %p : tensor<16x48xf32>
    }
    %e1 = tensor.empty() : tensor<16xf32>
    %mi = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %mx = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%acc : tensor<16x48xf32>) outs(%mi : tensor<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.maximumf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<16xf32>
    %e2 = tensor.empty() : tensor<16x48xf32>
    %ex = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc, %mx : tensor<16x48xf32>, tensor<16xf32>) outs(%e2 : tensor<16x48xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.subf %x, %y : f32
      %t = math.exp %s : f32
      linalg.yield %t : f32
    } -> tensor<16x48xf32>
    %si = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<16x48xf32>) outs(%si : tensor<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<16xf32>
    %dv = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ex, %sum : tensor<16x48xf32>, tensor<16xf32>) outs(%e2 : tensor<16x48xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.divf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<16x48xf32>

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %dv into %o[%m, 0] [16, 48] [1, 1] : tensor<16x48xf32> into tensor<64x48xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x48xf32>
}

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
     %acc1 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%a1 = %a0) -> (tensor<1x32x7x7xf32>) {
      %img = tensor.extract_slice %px[0, %c, %kh, 0] [1, 8, 7, 9] [1, 1, 1, 1] : tensor<1x16x9x9xf32> to tensor<1x8x7x9xf32>
      %wgt = tensor.extract_slice %w[%f, %c, %kh, 0] [32, 8, 1, 3] [1, 1, 1, 1] : tensor<64x16x3x3xf32> to tensor<32x8x1x3xf32>
      %p = linalg.conv_2d_nchw_fchw {sched.simt = {threads = [8, 16], vthreads = [1, 1], tile = [4, 4], stages = 2}} ins(%img, %wgt : tensor<1x8x7x9xf32>, tensor<32x8x1x3xf32>) outs(%a1 : tensor<1x32x7x7xf32>) -> tensor<1x32x7x7xf32>
      scf.yield %p : tensor<1x32x7x7xf32>
     }
     scf.yield %acc1 : tensor<1x32x7x7xf32>
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
