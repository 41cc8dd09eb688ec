// Threads share a reduction where its result has too little for them: where that
// applies, where it does not, and that the numbers are right.

// RUN: split-file %s %t
// RUN: sched-opt %t/rules.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file \
// RUN:   | FileCheck %t/rules.mlir --implicit-check-not='schedule.sketch @shared'
// RUN: sched-opt %t/rules.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not='schedule.sketch @shared'
// ONE: schedule.space

// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 cost-model=analytic target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t/script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script.mlir
// SCRIPT-COUNT-3: transform.structured.tile_reduction_using_forall
// RUN: sched-run %t/run.mlir --entry=rows --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=columns --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=product --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- rules.mlir
// One row: the guess.
// CHECK-LABEL: func.func @dot(
// CHECK: schedule.space
// CHECK-NEXT: schedule.sketch @shared_rows(
// CHECK: %[[T:.*]] = schedule.sample_categorical "t" from [2] default 2
// CHECK: schedule.share_reduction %[[F:.*]] "root" rank 1 dim 0 extent 100001 threads %[[T]]
// CHECK-NEXT: schedule.split_reduction %[[F]] "root" rank 1 dim 0 extent 100001 of %[[T]] width
// CHECK-NOT: "left_root"
// CHECK: schedule.sketch @rows(
func.func @dot(%a: tensor<100001xf32>, %b: tensor<100001xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%a, %b : tensor<100001xf32>, tensor<100001xf32>) outs(%i : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Parts of the outermost dimension, of which one line is left over.
// CHECK-LABEL: func.func @sum(
// CHECK: schedule.sketch @shared_rows(
// CHECK: schedule.share_reduction %[[F:.*]] "root" rank 2 dim 0 extent 101 threads
// CHECK-NEXT: schedule.split_reduction %[[F]] "root" rank 2 dim 1 extent 1000 around [0] width
// CHECK-NEXT: schedule.split_reduction %[[F]] "left_root" rank 2 dim 1 extent 1000 around [0] width
func.func @sum(%a: tensor<101x1000xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<101x1000xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// -----

// Some rows: a candidate, but not the first.
// CHECK-LABEL: func.func @rows(
// CHECK: schedule.sketch @rows(
// CHECK: schedule.sketch @shared_rows(
// CHECK: schedule.tile %[[F:.*]] "start_root" fuse [] rank 2 dims [0]
// CHECK: schedule.tile %[[F]] "join_root" fuse [] rank 2 dims [0]
func.func @rows(%a: tensor<4x40000xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%a : tensor<4x40000xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

// Too many rows; too few elements.
// CHECK-LABEL: func.func @many_rows(
// CHECK: schedule.sketch @rows(
func.func @many_rows(%a: tensor<8x40000xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<8x40000xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @short(
// CHECK: schedule.sketch @rows(
func.func @short(%a: tensor<40000xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<40000xf32>) outs(%i : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// Few columns: each thread adds up a part of the rows. Many: they share those.
// CHECK-LABEL: func.func @few_columns(
// CHECK: schedule.sketch @shared_columns(
// CHECK: schedule.share_reduction %[[F:.*]] "root" rank 2 dim 0 extent 10000 buffered threads
// CHECK: schedule.tile %[[F]] "root" fuse [] rank 2 dims [0, 1]
// CHECK: schedule.sketch @columns(
func.func @few_columns(%a: tensor<10000x20xf32>, %i: tensor<20xf32>) -> tensor<20xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<10000x20xf32>) outs(%i : tensor<20xf32>) dimensions = [0]
  return %r : tensor<20xf32>
}

// -----

// CHECK-LABEL: func.func @many_columns(
// CHECK: schedule.sketch @columns(
func.func @many_columns(%a: tensor<31x20000xf32>, %i: tensor<20000xf32>) -> tensor<20000xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<31x20000xf32>) outs(%i : tensor<20000xf32>) dimensions = [0]
  return %r : tensor<20000xf32>
}

// -----

// One register tile: threads share its steps. Many tiles: they share those.
// CHECK-LABEL: func.func @tile(
// CHECK: schedule.space
// CHECK-NEXT: schedule.sketch @shared(
// CHECK: schedule.share_reduction %[[F:.*]] "anchor" rank 3 dim 2 extent 8000 threads
// CHECK: schedule.tile %[[F]] "anchor" fuse [] rank 3 dims [0, 1]
// CHECK: schedule.sketch @plain(
func.func @tile(%a: tensor<4x8000xf32>, %b: tensor<8000x16xf32>, %i: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8000xf32>, tensor<8000x16xf32>) outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func.func @tiles(
// CHECK: schedule.sketch @plain(
func.func @tiles(%a: tensor<64x8000xf32>, %b: tensor<8000x64xf32>, %i: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x8000xf32>, tensor<8000x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

//--- run.mlir
func.func @rows(%a: tensor<1030x1003xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<1030x1003xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

func.func @columns(%a: tensor<9001x17xf64>) -> tensor<17xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<17xf64>
  %i = linalg.fill ins(%z : f64) outs(%e : tensor<17xf64>) -> tensor<17xf64>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<9001x17xf64>) outs(%i : tensor<17xf64>) dimensions = [0]
  return %r : tensor<17xf64>
}

func.func @product(%a: tensor<5x8001xf32>, %b: tensor<8001x16xf32>, %c: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<5x8001xf32>, tensor<8001x16xf32>) outs(%i : tensor<5x16xf32>) -> tensor<5x16xf32>
  %s = linalg.add ins(%r, %c : tensor<5x16xf32>, tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  return %s : tensor<5x16xf32>
}
