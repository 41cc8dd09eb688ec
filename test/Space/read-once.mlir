// A row times a matrix that an elementwise op computes is a reduction that computes
// it on the way.
// RUN: split-file %s %t
// RUN: sched-opt %t/fused.mlir --schedule-outline-tasks --mlir-print-local-scope | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/fused.mlir --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=GPU

// Of weights of eight bits, a scale for each column.
// CHECK-LABEL: func.func private @columns_0(
// CHECK-SAME: %{{.*}}: tensor<64xf32>, %{{.*}}: tensor<64x48xi8>, %{{.*}}: tensor<48xf32>) -> tensor<48xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic

// One for each group of steps, which is a dimension of its own.
// CHECK-LABEL: func.func private @groups_0(
// CHECK-SAME: %{{.*}}: tensor<4x16xf32>, %{{.*}}: tensor<48x4x16xi8>, %{{.*}}: tensor<48x4xf32>) -> tensor<48xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]

// Several ops, of which one transposes; each batch has its row.
// CHECK-LABEL: func.func private @batches_0(
// CHECK-SAME: %{{.*}}: tensor<3x64xf32>, %{{.*}}: tensor<3x48x64xf32>) -> tensor<3x48xf32>
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: arith.mulf

// Weights less a start for each column, times a scale: three ops.
// CHECK-LABEL: func.func private @shifted_0(
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf32>, tensor<64x48xi8>, tensor<48xf32>, tensor<48xf32>)
// CHECK: arith.sitofp
// CHECK: arith.subf
// CHECK: arith.mulf

// A matrix times a column.
// CHECK-LABEL: func.func private @column_0(
// CHECK-SAME: %{{.*}}: tensor<48x64xi8>, %{{.*}}: tensor<64xf32>, %{{.*}}: tensor<64xf32>) -> tensor<48xf32>
// CHECK: arith.sitofp

// Two rows, a matrix that another op reads, too, weights that are computed
// beforehand, or before a loop, and what reductions have no sketch for: masks,
// places of elements, indices, and sums of what no tensor is as large as.
// STAYS-LABEL: func.func @two_rows(
// STAYS: linalg.abs
// STAYS: linalg.matmul
// STAYS-LABEL: func.func private @read_twice_0(
// STAYS: linalg.abs
// STAYS-LABEL: func.func private @read_twice_1(
// STAYS: linalg.matmul
// STAYS-LABEL: func.func @beforehand(
// STAYS: linalg.abs
// STAYS: linalg.matmul

// STAYS-LABEL: func.func private @loop_0(
// STAYS: linalg.exp
// STAYS-LABEL: func.func @mask(
// STAYS: linalg.matmul
// STAYS-LABEL: func.func @place(
// STAYS: linalg.matmul
// STAYS-LABEL: func.func @indices(
// STAYS: call @read_twice_1(
// STAYS-LABEL: func.func @outer(
// STAYS: linalg.matmul

// GPU: linalg.matmul

// Every candidate is right.
// RUN: rm -rf %t.d
// RUN: sched-opt %t/fused.mlir --auto-schedule="trials=24 batch=12 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of
// RECORD-NOT: "error":"{{[a-z]}}

//--- fused.mlir
#kn = affine_map<(k, n) -> (k, n)>
func.func @columns(%x: tensor<1x64xf32>, %w: tensor<64x48xi8>, %s: tensor<48xf32>) -> tensor<1x48xf32> {
  %de = tensor.empty() : tensor<64x48xf32>
  %d = linalg.generic {indexing_maps = [#kn, affine_map<(k, n) -> (n)>, #kn], iterator_types = ["parallel", "parallel"]}
    ins(%w, %s : tensor<64x48xi8>, tensor<48xf32>) outs(%de : tensor<64x48xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %n = arith.sitofp %b : i8 to f32
    %p = arith.mulf %n, %c : f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %d : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

#ngk = affine_map<(n, g, k) -> (n, g, k)>
func.func @groups(%x: tensor<1x64xf32>, %w: tensor<48x4x16xi8>, %s: tensor<48x4xf32>) -> tensor<1x48xf32> {
  %de = tensor.empty() : tensor<48x4x16xf32>
  %d = linalg.generic {indexing_maps = [#ngk, affine_map<(n, g, k) -> (n, g)>, #ngk], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%w, %s : tensor<48x4x16xi8>, tensor<48x4xf32>) outs(%de : tensor<48x4x16xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %n = arith.sitofp %b : i8 to f32
    %p = arith.mulf %n, %c : f32
    linalg.yield %p : f32
  } -> tensor<48x4x16xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<48x4x16xf32> into tensor<48x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %c : tensor<1x64xf32>, tensor<48x64xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @batches(%x: tensor<3x1x64xf32>, %w: tensor<3x48x64xf32>) -> tensor<3x1x48xf32> {
  %te = tensor.empty() : tensor<3x64x48xf32>
  %t = linalg.transpose ins(%w : tensor<3x48x64xf32>) outs(%te : tensor<3x64x48xf32>) permutation = [0, 2, 1]
  %a = linalg.abs ins(%t : tensor<3x64x48xf32>) outs(%te : tensor<3x64x48xf32>) -> tensor<3x64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3x1x48xf32>) -> tensor<3x1x48xf32>
  %r = linalg.batch_matmul ins(%x, %a : tensor<3x1x64xf32>, tensor<3x64x48xf32>) outs(%i : tensor<3x1x48xf32>) -> tensor<3x1x48xf32>
  return %r : tensor<3x1x48xf32>
}

func.func @shifted(%x: tensor<1x64xf32>, %w: tensor<64x48xi8>, %z: tensor<48xf32>, %s: tensor<48xf32>) -> tensor<1x48xf32> {
  %de = tensor.empty() : tensor<64x48xf32>
  %f = linalg.generic {indexing_maps = [#kn, #kn], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x48xi8>) outs(%de : tensor<64x48xf32>) {
  ^bb0(%b: i8, %o: f32):
    %n = arith.sitofp %b : i8 to f32
    linalg.yield %n : f32
  } -> tensor<64x48xf32>
  %zs = linalg.broadcast ins(%z : tensor<48xf32>) outs(%de : tensor<64x48xf32>) dimensions = [0]
  %ss = linalg.broadcast ins(%s : tensor<48xf32>) outs(%de : tensor<64x48xf32>) dimensions = [0]
  %g = linalg.sub ins(%f, %zs : tensor<64x48xf32>, tensor<64x48xf32>) outs(%de : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = linalg.mul ins(%g, %ss : tensor<64x48xf32>, tensor<64x48xf32>) outs(%de : tensor<64x48xf32>) -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %d : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @column(%x: tensor<64x1xf32>, %w: tensor<48x64xi8>, %s: tensor<64xf32>) -> tensor<48x1xf32> {
  %de = tensor.empty() : tensor<48x64xf32>
  %d = linalg.generic {indexing_maps = [#kn, affine_map<(k, n) -> (n)>, #kn], iterator_types = ["parallel", "parallel"]}
    ins(%w, %s : tensor<48x64xi8>, tensor<64xf32>) outs(%de : tensor<48x64xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %n = arith.sitofp %b : i8 to f32
    %p = arith.mulf %n, %c : f32
    linalg.yield %p : f32
  } -> tensor<48x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<48x1xf32>) -> tensor<48x1xf32>
  %r = linalg.matmul ins(%d, %x : tensor<48x64xf32>, tensor<64x1xf32>) outs(%i : tensor<48x1xf32>) -> tensor<48x1xf32>
  return %r : tensor<48x1xf32>
}

//--- stays.mlir
func.func @two_rows(%x: tensor<2x64xf32>, %w: tensor<64x48xf32>) -> tensor<2x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.abs ins(%w : tensor<64x48xf32>) outs(%ae : tensor<64x48xf32>) -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x48xf32>) -> tensor<2x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<2x64xf32>, tensor<64x48xf32>) outs(%i : tensor<2x48xf32>) -> tensor<2x48xf32>
  return %r : tensor<2x48xf32>
}

func.func @read_twice(%x: tensor<1x64xf32>, %w: tensor<64x48xf32>) -> (tensor<1x48xf32>, tensor<64x48xf32>) {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.abs ins(%w : tensor<64x48xf32>) outs(%ae : tensor<64x48xf32>) -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r, %a : tensor<1x48xf32>, tensor<64x48xf32>
}

func.func @beforehand(%x: tensor<1x64xf32>, %w: tensor<64x48xf32> {schedule.layout_free}) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.abs ins(%w : tensor<64x48xf32>) outs(%ae : tensor<64x48xf32>) -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @loop(%x: tensor<1x64xf32>, %w: tensor<64x48xf32>, %i: tensor<1x48xf32>) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.exp ins(%w : tensor<64x48xf32>) outs(%ae : tensor<64x48xf32>) -> tensor<64x48xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %j = %c0 to %c10 step %c1 iter_args(%s = %i) -> (tensor<1x48xf32>) {
    %t = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%s : tensor<1x48xf32>) -> tensor<1x48xf32>
    scf.yield %t : tensor<1x48xf32>
  }
  return %r : tensor<1x48xf32>
}

func.func @mask(%x: tensor<1x64xf32>, %w: tensor<64x48xf32>, %m: tensor<64x48xi1>) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%w, %m : tensor<64x48xf32>, tensor<64x48xi1>) outs(%ae : tensor<64x48xf32>) {
  ^bb0(%b: f32, %c: i1, %o: f32):
    %z = arith.constant 0.0 : f32
    %p = arith.select %c, %b, %z : f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @place(%x: tensor<1x64xf32>, %w: tensor<64x48xf32>) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<64x48xf32>) outs(%ae : tensor<64x48xf32>) {
  ^bb0(%b: f32, %o: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi ult, %k, %n : index
    %z = arith.constant 0.0 : f32
    %p = arith.select %c, %b, %z : f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @indices(%x: tensor<1x64xf32>, %w: tensor<64x48xindex>) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<64x48xindex>) outs(%ae : tensor<64x48xf32>) {
  ^bb0(%b: index, %o: f32):
    %k = arith.index_cast %b : index to i32
    %p = arith.sitofp %k : i32 to f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

func.func @outer(%x: tensor<1x64xf32>, %v: tensor<64xf32>, %w: tensor<48xf32>) -> tensor<1x48xf32> {
  %ae = tensor.empty() : tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%v, %w : tensor<64xf32>, tensor<48xf32>) outs(%ae : tensor<64x48xf32>) {
  ^bb0(%b: f32, %c: f32, %o: f32):
    %p = arith.addf %b, %c : f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48xf32>) -> tensor<1x48xf32>
  %r = linalg.matmul ins(%x, %a : tensor<1x64xf32>, tensor<64x48xf32>) outs(%i : tensor<1x48xf32>) -> tensor<1x48xf32>
  return %r : tensor<1x48xf32>
}

// A single pixel has loops of one element that only the weights have alone: op
// and product stay two.
// STAYS-LABEL: func.func private @pixel_1(
// STAYS: math.absf
// STAYS: linalg.generic
// STAYS: return
func.func @pixel(%x: tensor<1x77x1xf16>, %w: tensor<71x77x1xf16>) -> tensor<1x71x1xf16> {
  %ae = tensor.empty() : tensor<71x77x1xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(f, c, k) -> (f, c, k)>, affine_map<(f, c, k) -> (f, c, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%w : tensor<71x77x1xf16>) outs(%ae : tensor<71x77x1xf16>) {
  ^bb0(%b: f16, %o: f16):
    %p = math.absf %b : f16
    linalg.yield %p : f16
  } -> tensor<71x77x1xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x71x1xf16>
  %i = linalg.fill ins(%zero : f16) outs(%e : tensor<1x71x1xf16>) -> tensor<1x71x1xf16>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %a : tensor<1x77x1xf16>, tensor<71x77x1xf16>) outs(%i : tensor<1x71x1xf16>) -> tensor<1x71x1xf16>
  return %r : tensor<1x71x1xf16>
}
