// The actions for GPUs, with and without their optional parts.

// RUN: sched-opt %s | sched-opt | FileCheck %s
// RUN: sched-opt %s --mlir-print-op-generic | sched-opt | FileCheck %s

// CHECK-LABEL: schedule.sketch @kernels(
// CHECK-SAME: %[[FUNC:.*]]: !transform.any_op)
schedule.sketch @kernels(%func: !transform.any_op) {
  // CHECK: %[[A:.*]] = schedule.sample_categorical "a"
  %a = schedule.sample_categorical "a" from [1, 2] : !transform.param<i64>
  // CHECK: %[[B:.*]] = schedule.sample_categorical "b"
  %b = schedule.sample_categorical "b" from [4, 8] : !transform.param<i64>

  // CHECK-NEXT: schedule.tile_grid %[[FUNC]] "epilogue" fuse ["anchor", "init"] rank 2 dims [0, 1] extents(%[[A]], %[[B]]) sizes(%[[B]], %[[A]]){{$}}
  schedule.tile_grid %func "epilogue" fuse ["anchor", "init"] rank 2 dims [0, 1]
    extents(%a, %b) sizes(%b, %a)
  // CHECK-NEXT: schedule.tile_grid %[[FUNC]] "root" stages fuse ["sum"] rank 2 dims [0] extents(%[[A]]) sizes(%[[B]]){{$}}
  schedule.tile_grid %func "root" stages fuse ["sum"] rank 2 dims [0] extents(%a) sizes(%b)
  // CHECK-NEXT: schedule.tile_steps %[[FUNC]] "anchor" rank 3 dims [2] extents(%[[A]]) sizes(%[[B]]){{$}}
  schedule.tile_steps %func "anchor" rank 3 dims [2] extents(%a) sizes(%b)

  // CHECK-NEXT: schedule.annotate %[[FUNC]] "anchor" "sched.simt" {threads = [%[[A]], %[[B]]], stages = %[[A]]}{{$}}
  schedule.annotate %func "anchor" "sched.simt" {threads = [%a, %b], stages = %a}
  // A word by its number, a word, and a list of one.
  // CHECK-NEXT: schedule.annotate %[[FUNC]] "exp" "sched.simt" {keep = %[[A]] of ["registers", "shared"], vector = %[[B]]}{{$}}
  schedule.annotate %func "exp" "sched.simt" {keep = %a of ["registers", "shared"], vector = %b}
  // CHECK-NEXT: schedule.annotate %[[FUNC]] "bias" "sched.simt" {keep = "recompute", "odd key" = [%[[A]]]}{{$}}
  schedule.annotate %func "bias" "sched.simt" {keep = "recompute", "odd key" = [%a]}
}
