// The model's choice for N x K weights: for one row, vectors along the
// reduction, eight rows at a time; for 64 rows, vectors of the result.
// RUN: split-file %s %t
// RUN: sched-opt %t/one.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu work-dir=%t.one" --emit=transform 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: sched-opt %t/many.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu work-dir=%t.many" --emit=transform 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=MANY

// RUN: sched-opt %t/batched.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu work-dir=%t.batched" --emit=transform 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=BATCHED

// ONE: structured.fuse {{.*}} tile_sizes [0, 8, 0]
// ONE: tile_reduction_using_for {{.*}} by tile_sizes = [0, 0, 8]

// Batches are taken one by one.
// BATCHED: structured.fuse {{.*}} tile_sizes [1, 0, 0, 0]
// BATCHED: structured.fuse {{.*}} tile_sizes [0, 0, 8, 0]
// BATCHED: tile_reduction_using_for {{.*}} by tile_sizes = [0, 0, 0, 8]

// MANY-NOT: tile_reduction_using_for
// MANY: transform.structured.vectorize
// MANY-NOT: tile_reduction_using_for

// In the code, a vector of the row is multiplied with vectors of eight rows of
// the weights, in memory, and the lanes are added up after the loop.
// RUN: sched-opt %t/one.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3,triple=x86_64-linux-gnu work-dir=%t.one" --emit=asm 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=CODE
// CODE: vmovups {{.*}}(%rdi,%[[K:r[0-9a-z]+]],4), %[[A:ymm[0-9]+]]
// CODE-COUNT-8: vfmadd231ps {{.*}}(%rsi,%[[K]],4), %[[A]], %ymm
// CODE: jb
// CODE-NOT: vfmadd
// CODE: vunpcklps
// CODE-COUNT-8: vaddps

//--- one.mlir
func.func @f(%a: tensor<1x784xf32>, %b: tensor<128x784xf32>) -> tensor<1x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<1x784xf32>, tensor<128x784xf32>) outs(%i : tensor<1x128xf32>) -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

//--- many.mlir
func.func @f(%a: tensor<64x784xf32>, %b: tensor<128x784xf32>) -> tensor<64x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<64x784xf32>, tensor<128x784xf32>) outs(%i : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

//--- batched.mlir
func.func @f(%q: tensor<12x1x64xf32>, %k: tensor<12x512x64xf32>) -> tensor<12x1x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x1x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<12x1x512xf32>) -> tensor<12x1x512xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %k : tensor<12x1x64xf32>, tensor<12x512x64xf32>) outs(%i : tensor<12x1x512xf32>) -> tensor<12x1x512xf32>
  return %r : tensor<12x1x512xf32>
}
