// RUN: sched-opt %s --sched-form-kernels --split-input-file -verify-diagnostics

func.func @cover(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: 8 threads of 1 vthreads with tiles of 4 cover 32 of the block's 64 rows; expected at least as many}}
    %p = linalg.matmul {sched.simt = {threads = [8, 16], tile = [4, 4], vthreads = [1, 1]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @threads(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt asks for 2048 threads; a block has 1024 at most}}
    %p = linalg.matmul {sched.simt = {threads = [64, 32], tile = [1, 2]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @dictionary(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt is 3 : i64; expected a dictionary such as {threads = [16, 16]}}}
    %p = linalg.matmul {sched.simt = 3} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @key(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt has the unknown key `stagse`; known: along, async, fetch, keep, max_registers, mma, pad, raster, slices, stages, threads, tile, transpose, unroll, vector, vthreads, warps}}
    %p = linalg.matmul {sched.simt = {stagse = 3}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @stages(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: stages is 9 : i64; expected a number from 1 to 8}}
    %p = linalg.matmul {sched.simt = {stages = 9}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @fetch(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: fetch is [4, 3]; expected 2 powers of two from 1 to 16}}
    %p = linalg.matmul {sched.simt = {fetch = [4, 3]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @count(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: tile is [4]; expected 2 numbers from 1 to 64}}
    %p = linalg.matmul {sched.simt = {tile = [4]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @keep(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: keep is "cache"; expected "registers", "shared", "recompute" or "memory"}}
    %p = linalg.matmul {sched.simt = {keep = "cache"}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @element(%lhs: tensor<128x16xf32>, %rhs: tensor<16x128xf32>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf32> to tensor<64x16xf32>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf32> to tensor<16x64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: mma = 1 multiplies operands of f16 or bf16, both the same, to sums of f32 or of that type; found 'f32', 'f32' and 'f32'}}
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2]}} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @steps(%lhs: tensor<128x8xf16>, %rhs: tensor<8x128xf16>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 8] [1, 1] : tensor<128x8xf16> to tensor<64x8xf16>
    %b = tensor.extract_slice %rhs[0, %j] [8, 64] [1, 1] : tensor<8x128xf16> to tensor<8x64xf16>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: mma needs tiles of the reduction that are multiples of 16; found 8}}
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2]}} ins(%a, %b : tensor<64x8xf16>, tensor<8x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @pad(%lhs: tensor<128x16xf16>, %rhs: tensor<16x128xf16>, %init: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %init) -> (tensor<128x128xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [64, 16] [1, 1] : tensor<128x16xf16> to tensor<64x16xf16>
    %b = tensor.extract_slice %rhs[0, %j] [16, 64] [1, 1] : tensor<16x128xf16> to tensor<16x64xf16>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    // expected-error @below {{sched.simt: mma needs rows of shared memory that are multiples of 16 bytes: expected pad to be a multiple of 8, found 1}}
    %p = linalg.matmul {sched.simt = {mma = 1, warps = [2, 2], pad = [1, 0]}} ins(%a, %b : tensor<64x16xf16>, tensor<16x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<128x128xf32>
}

// -----

func.func @shared(%lhs: tensor<256x256xf32>, %rhs: tensor<256x256xf32>, %init: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // expected-error @below {{a block needs 262144 bytes of shared memory; sm_80 has at most 166912: use smaller tiles or fewer stages}}
  %r = scf.forall (%i, %j) = (0, 0) to (256, 256) step (128, 128) shared_outs(%o = %init) -> (tensor<256x256xf32>) {
    %a = tensor.extract_slice %lhs[%i, 0] [128, 256] [1, 1] : tensor<256x256xf32> to tensor<128x256xf32>
    %b = tensor.extract_slice %rhs[0, %j] [256, 128] [1, 1] : tensor<256x256xf32> to tensor<256x128xf32>
    %c = tensor.extract_slice %o[%i, %j] [128, 128] [1, 1] : tensor<256x256xf32> to tensor<128x128xf32>
    %p = linalg.matmul {sched.simt = {threads = [16, 16]}} ins(%a, %b : tensor<128x256xf32>, tensor<256x128xf32>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [128, 128] [1, 1] : tensor<128x128xf32> into tensor<256x256xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<256x256xf32>
}

// -----

// expected-error @below {{a function for a GPU takes and returns dense tensors of static shape with at least one element; found 'tensor<?xf32>'}}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

// expected-error @below {{at least one element; found 'tensor<0x16xf32>'}}
func.func @empty(%a: tensor<0x16xf32>, %b: tensor<16x8xf32>, %c: tensor<0x8xf32>) -> tensor<0x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<0x16xf32>, tensor<16x8xf32>) outs(%c : tensor<0x8xf32>) -> tensor<0x8xf32>
  return %r : tensor<0x8xf32>
}

// -----

func.func @unbound(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{result 0 is not computed by a loop over blocks of its own; run sched-bind-blocks before}}
  return %a : tensor<8xf32>
}

// -----

func.func @mapping(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  // expected-error @below {{a kernel's loop is mapped to blocks; found #gpu.thread<x>}}
  %r = scf.forall (%i) = (0) to (64) step (8) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %r : tensor<64xf32>
}

// -----

func.func @threads_of_product(%lhs: tensor<64x16xf32>, %rhs: tensor<16x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %init) -> (tensor<64x64xf32>) {
    // expected-error @below {{sched.simt: threads has 1 numbers; a product of matrices takes 2, of threads along the rows and along the columns}}
    %p = linalg.matmul {sched.simt = {threads = [16], tile = [4, 4]}} ins(%lhs, %rhs : tensor<64x16xf32>, tensor<16x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}
