// RUN: sched-opt %s --sched-form-kernels --split-input-file -verify-diagnostics

func.func @one_tile(%x: tensor<64xf32>, %y: tensor<16xf32>) -> tensor<64xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %x) -> (tensor<64xf32>) {
    scf.forall.in_parallel {
      // expected-error @below {{a loop over blocks must write all of its result, of 'tensor<64xf32>'; found tiles that leave some of it as it was: insert tiles that cover it, and copy what stays as it was by a linalg op}}
      tensor.parallel_insert_slice %y into %o[8] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xf32>
}

// -----

// A gap between tiles.
func.func @gap(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %x) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %y[%i] [15] [1] : tensor<64xf32> to tensor<15xf32>
    scf.forall.in_parallel {
      // expected-error @below {{found tiles that leave some of it as it was}}
      tensor.parallel_insert_slice %s into %o[%i] [15] [1] : tensor<15xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xf32>
}

// -----

// Only the tiles of a diagonal.
func.func @diagonal(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %x) -> (tensor<64x64xf32>) {
    %s = tensor.extract_slice %y[%i, %i] [16, 16] [1, 1] : tensor<64x64xf32> to tensor<16x16xf32>
    scf.forall.in_parallel {
      // expected-error @below {{found tiles that leave some of it as it was}}
      tensor.parallel_insert_slice %s into %o[%i, %i] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}

// -----

// One loop of blocks for two dimensions, with ragged tiles; two tiles a block;
// what was not there before may stay so.
func.func @covered(%x: tensor<60x45xf32>, %y: tensor<60x45xf32>, %z: tensor<32xf32>) -> (tensor<60x45xf32>, tensor<64xf32>, tensor<64xf32>) {
  %a = scf.forall (%i) in (12) shared_outs(%o = %x) -> (tensor<60x45xf32>) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 16)>(%i)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 16)>(%i)
    %ms = affine.min affine_map<(d0) -> (16, 60 - d0)>(%m)
    %ns = affine.min affine_map<(d0) -> (16, 45 - d0)>(%n)
    %s = tensor.extract_slice %y[%m, %n] [%ms, %ns] [1, 1] : tensor<60x45xf32> to tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%m, %n] [%ms, %ns] [1, 1] : tensor<?x?xf32> into tensor<60x45xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  %e = tensor.empty() : tensor<64xf32>
  %f = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<64xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[0] [32] [1] : tensor<32xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  %d = arith.constant dense<1.0> : tensor<64xf32>
  %g = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<64xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[0] [32] [1] : tensor<32xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %z into %o[32] [32] [1] : tensor<32xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %a, %f, %g : tensor<60x45xf32>, tensor<64xf32>, tensor<64xf32>
}
