// RUN: sched-opt %s --sched-form-kernels --canonicalize --cse --split-input-file | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The schedule says how threads share an op, and what is kept where: four
// threads a row, and the exponentials in shared memory.

// CHECK-LABEL: gpu.func @told_kernel_0
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[SHARED:.*]] = memref.view {{.*}} to memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK: vector.load {{.*}} vector<2xf32>
// CHECK: math.exp {{.*}} : vector<2xf32>
// CHECK: vector.store %{{.*}}, %[[SHARED]]
// CHECK: gpu.barrier
// CHECK-COUNT-2: gpu.shuffle xor
func.func @told(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %d) -> (tensor<64x64xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %t = tensor.empty() : tensor<16x64xf32>
    %p = linalg.exp {sched.simt = {threads = [16, 4], vector = 2, keep = "shared"}}
      ins(%xs : tensor<16x64xf32>) outs(%t : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e = tensor.empty() : tensor<16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<16x64xf32>) outs(%f : tensor<16xf32>) attrs = {sched.simt = {threads = [16, 4], vector = 2}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    %os = tensor.extract_slice %o[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %n = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<16x64xf32>, tensor<16xf32>) outs(%os : tensor<16x64xf32>)
      attrs = {sched.simt = {threads = [16, 4], vector = 2}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.divf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<16x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Where the reader is shared in another way, a row's result goes through shared
// memory.
// CHECK-LABEL: gpu.func @differs_kernel_0
// CHECK: %[[SUMS:.*]] = memref.view {{.*}} to memref<16xf32, #gpu.address_space<workgroup>>
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %[[SUMS]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SUMS]]
func.func @differs(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %d) -> (tensor<64x64xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %e = tensor.empty() : tensor<16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<16x64xf32>) outs(%f : tensor<16xf32>) attrs = {sched.simt = {threads = [16, 4], vector = 1}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    %os = tensor.extract_slice %o[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %n = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %q : tensor<16x64xf32>, tensor<16xf32>) outs(%os : tensor<16x64xf32>)
      attrs = {sched.simt = {threads = [4, 16], vector = 4}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.divf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<16x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x64xf32>
}

// -----

// A window is written out; its padding is read where the image ends.
// CHECK-LABEL: gpu.func @depthwise_kernel_0
// CHECK-NOT: {{scf.for|gpu.barrier}}
// CHECK-COUNT-9: math.fma {{.*}} : vector<4xf32>
// CHECK-NOT: {{scf.for|math.fma}}
// CHECK: vector.store
func.func @depthwise(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x32xf32> to tensor<1x10x10x32xf32>
  %d = tensor.empty() : tensor<1x8x8x32xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %d) -> (tensor<1x8x8x32xf32>) {
    %xs = tensor.extract_slice %p[0, %i, 0, 0] [1, 3, 10, 32] [1, 1, 1, 1] : tensor<1x10x10x32xf32> to tensor<1x3x10x32xf32>
    %e = tensor.empty() : tensor<1x1x8x32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32>
    %m = linalg.depthwise_conv_2d_nhwc_hwc ins(%xs, %w : tensor<1x3x10x32xf32>, tensor<3x3x32xf32>)
      outs(%f : tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[0, %i, 0, 0] [1, 1, 8, 32] [1, 1, 1, 1] : tensor<1x1x8x32xf32> into tensor<1x8x8x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<1x8x8x32xf32>
}

// -----

// Vectors may be along another loop than the innermost one, which a window is.
// The maximum of the first element and the start is folded.
// CHECK-LABEL: gpu.func @pooling_kernel_0
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>
// CHECK-COUNT-3: arith.maximumf {{.*}} : vector<4xf32>
// CHECK: vector.store
func.func @pooling(%x: tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %d = tensor.empty() : tensor<1x4x4x16xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<1x4x4x16xf32>) {
    %h = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %xs = tensor.extract_slice %x[0, %h, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> to tensor<1x2x8x16xf32>
    %e = tensor.empty() : tensor<1x1x4x16xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
    %m = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>,
        sched.simt = {threads = [1, 1, 4, 4, 1, 1], vector = 4, along = 3}}
      ins(%xs, %w : tensor<1x2x8x16xf32>, tensor<2x2xf32>) outs(%f : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[0, %i, 0, 0] [1, 1, 4, 16] [1, 1, 1, 1] : tensor<1x1x4x16xf32> into tensor<1x4x4x16xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<1x4x4x16xf32>
}

// -----

// A part of a concatenation is chosen where it is read.
// CHECK-LABEL: gpu.func @parts_kernel_0
// CHECK: %[[A:.*]] = vector.load
// CHECK: %[[B:.*]] = vector.load
// CHECK: %[[BOTH:.*]] = arith.select %{{.*}}, %[[B]], %[[A]] : vector<4xf32>
// CHECK: vector.store %[[BOTH]]
func.func @parts(%a: tensor<64xf32>, %b: tensor<192xf32>) -> tensor<256xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<64xf32>, tensor<192xf32>) -> tensor<256xf32>
  %d = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<256xf32>) {
    %m = linalg.copy ins(%c : tensor<256xf32>) outs(%o : tensor<256xf32>) -> tensor<256xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[0] [256] [1] : tensor<256xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<256xf32>
}

// -----

// Vectors lie within a tile: where the last tile has 13 elements, they are read
// one by one.
// CHECK-LABEL: gpu.func @edge_kernel_0
// CHECK-NOT: vector
// CHECK: gpu.return
func.func @edge(%a: tensor<141x4x4xf16>) -> tensor<141x1x1xf16> {
  %c = tensor.extract_slice %a[0, 2, 2] [141, 1, 1] [1, 1, 1] : tensor<141x4x4xf16> to tensor<141x1x1xf16>
  %d = tensor.empty() : tensor<141x1x1xf16>
  %r = scf.forall (%i) = (0) to (141) step (128) shared_outs(%o = %d) -> (tensor<141x1x1xf16>) {
    %n = affine.min affine_map<(d0) -> (-d0 + 141, 128)>(%i)
    %cs = tensor.extract_slice %c[%i, 0, 0] [%n, 1, 1] [1, 1, 1] : tensor<141x1x1xf16> to tensor<?x1x1xf16>
    %os = tensor.extract_slice %o[%i, 0, 0] [%n, 1, 1] [1, 1, 1] : tensor<141x1x1xf16> to tensor<?x1x1xf16>
    %m = linalg.copy ins(%cs : tensor<?x1x1xf16>) outs(%os : tensor<?x1x1xf16>) -> tensor<?x1x1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, 0, 0] [%n, 1, 1] [1, 1, 1] : tensor<?x1x1xf16> into tensor<141x1x1xf16>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<141x1x1xf16>
}
