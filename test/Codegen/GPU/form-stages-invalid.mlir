// RUN: sched-opt %s --sched-form-kernels --split-input-file -verify-diagnostics

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @too_few_numbers(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt: threads has 1 numbers; expected 2, one for each loop of the op}}
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%o : tensor<16xf32>) attrs = {sched.simt = {threads = [16], vector = 1}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @too_many_threads(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt asks for 2048 threads; a block has 1024 at most}}
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%o : tensor<16xf32>) attrs = {sched.simt = {threads = [32, 64], vector = 1}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @shared_order(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt: 4 threads share loop 1, over which the op reduces in order; expected 1}}
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%o : tensor<16xf32>) attrs = {sched.simt = {threads = [16, 4], vector = 1}} {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      %c = arith.addf %a, %s : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @along_no_loop(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt: along is 2; expected a loop of the op, less than 2}}
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%o : tensor<16xf32>) attrs = {sched.simt = {threads = [16, 4], vector = 1, along = 2}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

func.func @no_bound(%x: tensor<64xf32>, %n: tensor<1xindex>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.empty() : tensor<64xf32>
  %size = tensor.extract %n[%c0] : tensor<1xindex>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<64xf32>) {
    %xs = tensor.extract_slice %x[0] [%size] [1] : tensor<64xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      // expected-error @below {{the size of dimension 0 of a block's tile has no constant bound; expected tiles of constant size, or of the least of one and what is left}}
      tensor.parallel_insert_slice %xs into %o[0] [%size] [1] : tensor<?xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xf32>
}
