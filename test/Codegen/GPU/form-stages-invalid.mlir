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

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @other_threads(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %d = tensor.empty() : tensor<16x64xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<16x64xf32>) {
    // expected-error @below {{sched.simt: keep is "registers", but other threads read it than compute it; expected "shared"}}
    %q = linalg.reduce {arith.addf} ins(%x : tensor<16x64xf32>) outs(%e : tensor<16xf32>) dimensions = [1]
      {sched.simt = {threads = [16, 4], keep = "registers"}}
    %n = linalg.generic {indexing_maps = [#row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<16xf32>) outs(%o : tensor<16x64xf32>) attrs = {sched.simt = {threads = [4, 16]}} {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<16x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[0, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<16x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16x64xf32>
}

// -----

func.func @reduced_again(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt: keep is "recompute", but ops of its block read this reduction; expected "registers" or "shared"}}
    %q = linalg.reduce {arith.addf} ins(%x : tensor<16x64xf32>) outs(%e : tensor<16xf32>) dimensions = [1]
      {sched.simt = {threads = [16, 4], keep = "recompute"}}
    %n = linalg.exp ins(%q : tensor<16xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

func.func @in_memory(%x: tensor<16x64xf32>, %e: tensor<16xf32>) -> tensor<16xf32> {
  %t = tensor.empty() : tensor<16x64xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xf32>) {
    // expected-error @below {{sched.simt: keep is "memory", but ops of its block read this result; expected "registers", "shared" or "recompute"}}
    %p = linalg.exp {sched.simt = {keep = "memory"}} ins(%x : tensor<16x64xf32>) outs(%t : tensor<16x64xf32>) -> tensor<16x64xf32>
    %q = linalg.reduce {arith.addf} ins(%p : tensor<16x64xf32>) outs(%o : tensor<16xf32>) dimensions = [1]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<16xf32>
}

// -----

func.func @too_many_registers(%x: tensor<1x16384xf32>) -> tensor<1x16384xf32> {
  %t = tensor.empty() : tensor<1x16384xf32>
  %e = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<1x16384xf32>) {
    // expected-error @below {{sched.simt: keep is "registers", but a thread has 512 elements of it and 255 registers at most; expected "shared" or "recompute", or more threads}}
    %p = linalg.exp {sched.simt = {keep = "registers"}} ins(%x : tensor<1x16384xf32>) outs(%t : tensor<1x16384xf32>) -> tensor<1x16384xf32>
    %q = linalg.reduce {arith.addf} ins(%p : tensor<1x16384xf32>) outs(%e : tensor<1xf32>) dimensions = [1]
      {sched.simt = {threads = [1, 32], vector = 4}}
    %n = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<1x16384xf32>, tensor<1xf32>) outs(%o : tensor<1x16384xf32>) attrs = {sched.simt = {threads = [1, 32], vector = 4}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.divf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<1x16384xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[0, 0] [1, 16384] [1, 1] : tensor<1x16384xf32> into tensor<1x16384xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<1x16384xf32>
}

// -----

func.func @product_elsewhere(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %e: tensor<32xf32>) -> tensor<32xf32> {
  %t = tensor.empty() : tensor<32x32xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<32xf32>) {
    // expected-error @below {{sched.simt: keep is "registers", but an op of the block reads other elements of this product than those of its own place; expected "shared"}}
    %p = linalg.matmul {sched.simt = {keep = "registers"}} ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%t : tensor<32x32xf32>) -> tensor<32x32xf32>
    %q = linalg.reduce {arith.addf} ins(%p : tensor<32x32xf32>) outs(%o : tensor<32xf32>) dimensions = [1]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0] [32] [1] : tensor<32xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32xf32>
}

// -----

func.func @product_again(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %e: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %t = tensor.empty() : tensor<32x32xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<32x32xf32>) {
    // expected-error @below {{sched.simt: keep is "recompute", but ops of its block read this product; expected "registers" or "shared"}}
    %p = linalg.matmul {sched.simt = {keep = "recompute"}} ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%t : tensor<32x32xf32>) -> tensor<32x32xf32>
    %q = linalg.exp ins(%p : tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[0, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<32x32xf32>
}
