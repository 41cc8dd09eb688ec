// RUN: sched-opt %s --sched-form-kernels --canonicalize --cse --split-input-file | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A block has a row, each thread four elements next to each other. They are
// read once; exponentials are computed once, and stay in registers. Threads
// exchange their parts of the maximum and of the sum within warps, then through
// shared memory, where the parts of the two are apart.

// CHECK-LABEL: gpu.func @softmax_kernel_0
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: memref.view %{{.*}}[%c1024]
// CHECK: memref.view %{{.*}}[%c0]
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c1000
// CHECK: %[[X:.*]] = vector.load {{.*}} {alignment = 16 : i64} : memref<256000xf32>, vector<4xf32>
// CHECK: arith.select %[[INSIDE]], %[[X]]
// CHECK-NOT: vector.load
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store %[[PART:.*]], %{{.*}}[%{{.*}}] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-8: memref.load {{.*}} : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK: %[[DIFFERENCE:.*]] = arith.subf %[[X]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[DIFFERENCE]] : vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK-NOT: {{math.exp|vector.load}}
// CHECK: arith.divf %[[E]]
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64}
func.func @softmax(%x: tensor<256x1000xf32>) -> tensor<256x1000xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<256x1000xf32>
  %r = scf.forall (%i) in (256) shared_outs(%o = %d) -> (tensor<256x1000xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [1, 1000] [1, 1] : tensor<256x1000xf32> to tensor<1x1000xf32>
    %e = tensor.empty() : tensor<1xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<1x1000xf32>) outs(%f : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<1xf32>
    %t = tensor.empty() : tensor<1x1000xf32>
    %p = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %m : tensor<1x1000xf32>, tensor<1xf32>) outs(%t : tensor<1x1000xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.subf %a, %b : f32
      %u = math.exp %s : f32
      linalg.yield %u : f32
    } -> tensor<1x1000xf32>
    %g = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<1x1000xf32>) outs(%g : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<1xf32>
    %os = tensor.extract_slice %o[%i, 0] [1, 1000] [1, 1] : tensor<256x1000xf32> to tensor<1x1000xf32>
    %n = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<1x1000xf32>, tensor<1xf32>) outs(%os : tensor<1x1000xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.divf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<1x1000xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 1000] [1, 1] : tensor<1x1000xf32> into tensor<256x1000xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<256x1000xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Eight threads a row exchange their parts by shuffles alone; the first of them
// stores the row's result. A product is added to a sum by one instruction.
// CHECK-LABEL: gpu.func @short_rows_kernel_0
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-NOT: gpu.barrier
// CHECK: math.fma %[[X:.*]], %[[X]], %{{.*}} : vector<4xf32>
// CHECK-COUNT-3: gpu.shuffle xor %{{.*}}, %c{{[124]}}_i32
// CHECK-NOT: {{gpu.shuffle|gpu.barrier}}
// CHECK: scf.if
// CHECK-NEXT: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.return
func.func @short_rows(%x: tensor<320x32xf32>) -> tensor<320xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<320xf32>
  %r = scf.forall (%i) = (0) to (320) step (32) shared_outs(%o = %d) -> (tensor<320xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [32, 32] [1, 1] : tensor<320x32xf32> to tensor<32x32xf32>
    %os = tensor.extract_slice %o[%i] [32] [1] : tensor<320xf32> to tensor<32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%os : tensor<32xf32>) -> tensor<32xf32>
    %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<32x32xf32>) outs(%f : tensor<32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      linalg.yield %c : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i] [32] [1] : tensor<32xf32> into tensor<320xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<320xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Sums of columns: neighbouring threads have neighbouring columns. Where many
// rows are left for a thread, they are a loop with several loads on their way.
// CHECK-LABEL: gpu.func @columns_kernel_0
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>) {
// CHECK-COUNT-4: vector.load
// CHECK: scf.yield
// CHECK: gpu.shuffle xor %{{.*}}, %c8_i32
// CHECK: gpu.shuffle xor %{{.*}}, %c16_i32
// CHECK: gpu.barrier
func.func @columns(%x: tensor<4096x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%o = %d) -> (tensor<64xf32>) {
    %xs = tensor.extract_slice %x[0, %i] [4096, 32] [1, 1] : tensor<4096x64xf32> to tensor<4096x32xf32>
    %os = tensor.extract_slice %o[%i] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%os : tensor<32xf32>) -> tensor<32xf32>
    %m = linalg.generic {indexing_maps = [#map, #col], iterator_types = ["reduction", "parallel"]}
      ins(%xs : tensor<4096x32xf32>) outs(%f : tensor<32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      linalg.yield %c : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i] [32] [1] : tensor<32xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What depends on the order of elements, one thread does in order: 64 rows, 64
// threads. Half floats travel between threads as words.
// CHECK-LABEL: gpu.func @in_order_kernel_0
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for
// CHECK-LABEL: gpu.func @half_kernel_0
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: gpu.shuffle xor %[[WORD]]
func.func @in_order(%x: tensor<64x100xf32>) -> tensor<64xf32> {
  %half = arith.constant 0.5 : f32
  %d = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<64xf32>) {
    %f = linalg.fill ins(%half : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      %c = arith.addf %a, %s : f32
      linalg.yield %c : f32
    } -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xf32>
}
func.func @half(%x: tensor<1x256xf16>) -> tensor<1xf16> {
  %low = arith.constant 0xFC00 : f16
  %d = tensor.empty() : tensor<1xf16>
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<1xf16>) {
    %f = linalg.fill ins(%low : f16) outs(%d : tensor<1xf16>) -> tensor<1xf16>
    %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x256xf16>) outs(%f : tensor<1xf16>) {
    ^bb0(%a: f16, %b: f16):
      %c = arith.maximumf %a, %b : f16
      linalg.yield %c : f16
    } -> tensor<1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[0] [1] [1] : tensor<1xf16> into tensor<1xf16>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<1xf16>
}
