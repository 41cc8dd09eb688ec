// Sketches for GPUs, applied by stock mlir-opt with no plugin of ours: the tiles
// of the last blocks are smaller, the parameters are on the ops, and nothing of
// the dialect is left.

// RUN: sched-opt %s --schedule-generate-space="target=nvvm:sm_90a" --split-input-file -o %t.space 2>/dev/null
// RUN: sed -e '/\/\/ -----/,$d' -e 's/"bm" from [^ ].*\] default/"bm" from [128] default/' \
// RUN:   -e 's/"bn" from [^ ].*\] default 64/"bn" from [64] default 64/' -e 's/"bk" from [^ ].*\] default/"bk" from [16] default/' %t.space \
// RUN:   | sched-opt --schedule-sample=seed=7 --convert-schedule-to-transform=sketch=thread_tiles \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefix=TILES
// RUN: sed -e '1,/\/\/ -----/d' %t.space \
// RUN:   | sched-opt --schedule-sample=seed=7 --convert-schedule-to-transform=sketch=thread_rows \
// RUN:   | mlir-opt-22 --transform-interpreter | FileCheck %s --check-prefix=ROWS

// TILES-LABEL: func.func @product(
// TILES: scf.forall (%[[Y:.*]], %[[X:.*]]) in (8, 13)
// TILES: %[[MS:.*]] = affine.min #{{.*}}(%[[Y]])
// TILES: %[[NS:.*]] = affine.min #{{.*}}(%[[X]])
// TILES: linalg.fill
// TILES: scf.for
// TILES: %[[KS:.*]] = affine.min
// TILES: linalg.matmul {sched.simt = {async = {{[01]}} : i64, fetch = [{{.*}}], max_registers = {{.*}} : i64, pad = [{{.*}}], stages = {{.*}} : i64, threads = [{{.*}}], tile = [{{.*}}], transpose = [{{.*}}], unroll = {{.*}} : i64, vthreads = [{{.*}}]}, schedule.block = "anchor"}
// TILES: scf.yield
// TILES: linalg.generic
// TILES: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] [%[[MS]], %[[NS]]]
// TILES: {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
// TILES-NOT: schedule.{{[a-z_]+}} %
func.func @product(%a: tensor<1000x515xf32>, %b: tensor<515x777xf32>, %c: tensor<777xf32>) -> tensor<1000x777xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000x777xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1000x515xf32>, tensor<515x777xf32>) outs(%i : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  %d = linalg.broadcast ins(%c : tensor<777xf32>) outs(%e : tensor<1000x777xf32>) dimensions = [0]
  %r = linalg.add ins(%p, %d : tensor<1000x777xf32>, tensor<1000x777xf32>) outs(%e : tensor<1000x777xf32>) -> tensor<1000x777xf32>
  return %r : tensor<1000x777xf32>
}

// -----

// All of a row's stages are in the block, each once.
// ROWS-LABEL: func.func @softmax(
// ROWS: scf.forall
// ROWS-COUNT-4: sched.simt = {along = 1 : i64,
// ROWS-NOT: sched.simt
// ROWS: tensor.parallel_insert_slice
// ROWS: {mapping = [#gpu.block<linear_dim_0>]}
func.func @softmax(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %e = tensor.empty() : tensor<64x1000xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %r : tensor<64x1000xf32>
}
