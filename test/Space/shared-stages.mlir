// Threads share the reductions of few rows, and what is computed of them: where
// that applies, and that the numbers are right.

// RUN: split-file %s %t
// RUN: sched-opt %t/rules.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" --split-input-file \
// RUN:   | FileCheck %t/rules.mlir --implicit-check-not='schedule.sketch @shared'

// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 cost-model=analytic target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t/script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script.mlir
// SCRIPT-COUNT-6: transform.structured.tile_reduction_using_forall
// RUN: sched-run %t/run.mlir --entry=mean --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=scalar --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=softmax --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=layer_norm --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- rules.mlir
// What has an element a row follows the join as it is.
// CHECK-LABEL: func.func @norms(
// CHECK: schedule.sketch @rows(
// CHECK: schedule.sketch @shared_rows(
// CHECK: schedule.share_reduction %[[F:.*]] "stage0" rank 2 dim 1 extent 50001 threads
// CHECK: schedule.tile %[[F]] "stage0" fuse [] rank 2 dims [0]
// CHECK: schedule.split_reduction %[[F]] "stage0" rank 2 dim 1 extent 50001 of
// CHECK: schedule.tile %[[F]] "left_stage0" fuse []
// CHECK: schedule.tile %[[F]] "join_stage0" fuse []
// CHECK-NOT: schedule.tile_parallel
// CHECK: schedule.vectorize %[[F]]
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @norms(%x: tensor<3x50001xf32>) -> tensor<3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x50001xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %r = linalg.sqrt ins(%s : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Each stage of a row is shared.
// CHECK-LABEL: func.func @softmax(
// CHECK: schedule.space
// CHECK-NEXT: schedule.sketch @shared_rows(
// CHECK: schedule.share_reduction %[[F:.*]] "stage0" rank 2 dim 1 extent 90001 threads %[[T:.*]]
// CHECK: schedule.tile_parallel %[[F]] "stage1" fuse [] rank 2 dims [1] extents(%{{.*}}) units(%{{.*}}) which %{{.*}} threads %[[T]]
// CHECK: schedule.share_reduction %[[F]] "stage2" rank 2 dim 1 extent 90001 threads %[[T]]
// CHECK: schedule.tile_parallel %[[F]] "root" fuse [] rank 2 dims [1]
// CHECK: schedule.sketch @rows(
func.func @softmax(%x: tensor<1x90001xf32>) -> tensor<1x90001xf32> {
  %e = tensor.empty() : tensor<1x90001xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<1x90001xf32>) outs(%e : tensor<1x90001xf32>) -> tensor<1x90001xf32>
  return %r : tensor<1x90001xf32>
}

// -----

// Threads have rows of their own; too little work.
// CHECK-LABEL: func.func @many_rows(
// CHECK: schedule.sketch @rows(
func.func @many_rows(%x: tensor<8x90001xf32>) -> tensor<8x90001xf32> {
  %e = tensor.empty() : tensor<8x90001xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x90001xf32>) outs(%e : tensor<8x90001xf32>) -> tensor<8x90001xf32>
  return %r : tensor<8x90001xf32>
}

// -----

// CHECK-LABEL: func.func @short(
// CHECK: schedule.sketch @rows(
func.func @short(%x: tensor<1x9001xf32>) -> tensor<1x9001xf32> {
  %e = tensor.empty() : tensor<1x9001xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<1x9001xf32>) outs(%e : tensor<1x9001xf32>) -> tensor<1x9001xf32>
  return %r : tensor<1x9001xf32>
}

//--- run.mlir
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#rows = affine_map<(m) -> (m)>
func.func @mean(%x: tensor<1x1000003xf32>) -> tensor<1xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 1000003.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1x1000003xf32>) outs(%i : tensor<1xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<1xf32>) outs(%e : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.divf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

func.func @scalar(%x: tensor<1030x1003xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1030x1003xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  %r = linalg.sqrt ins(%s : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @softmax(%x: tensor<1x90001xf32>) -> tensor<1x90001xf32> {
  %e = tensor.empty() : tensor<1x90001xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<1x90001xf32>) outs(%e : tensor<1x90001xf32>) -> tensor<1x90001xf32>
  return %r : tensor<1x90001xf32>
}

func.func @layer_norm(%x: tensor<1x70001xf32>) -> tensor<1x70001xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 70001.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<1xf32>
  %f = tensor.empty() : tensor<1x70001xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1x70001xf32>) outs(%i : tensor<1xf32>) dimensions = [1]
  %mean = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<1xf32>) outs(%e : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.divf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<1xf32>
  %q = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : tensor<1x70001xf32>, tensor<1xf32>) outs(%i : tensor<1xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<1xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %q : tensor<1x70001xf32>, tensor<1xf32>, tensor<1xf32>) outs(%f : tensor<1x70001xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.divf %v, %c : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.mulf %0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x70001xf32>
  return %r : tensor<1x70001xf32>
}
