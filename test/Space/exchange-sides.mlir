// Columns that come first are put second where they could be panels
// (ExchangeSides.cpp).

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks --split-input-file | FileCheck %t/forms.mlir
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/script.mlir
// RUN: sched-run %t/run.mlir --entry=f --transform=%t/script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=bytes --transform=%t/script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- forms.mlir
// The weights of an einsum, k x n, and rows m x k.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @weights_first(
// CHECK: call @weights_first_0(%arg1, %arg0, %arg2)
// CHECK-LABEL: func.func private @weights_first_0(
// CHECK-SAME: %[[A:.*]]: tensor<20x65xf32>, %[[B:.*]]: tensor<65x48xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$COLUMNS]], #[[$OUT]]],
// CHECK-SAME: ins(%[[A]], %[[B]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.mulf %[[Y]], %[[X]]
func.func @weights_first(%b: tensor<65x48xf32>, %a: tensor<20x65xf32>, %i: tensor<20x48xf32>) -> tensor<20x48xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b, %a : tensor<65x48xf32>, tensor<20x65xf32>) outs(%i : tensor<20x48xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x48xf32>
  return %r : tensor<20x48xf32>
}

// -----

// Types that differ go with their operands.
// CHECK-LABEL: func.func @wide_first(
// CHECK-LABEL: func.func private @wide_first_0(
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT: arith.extf %[[X]] : f32 to f64
func.func @wide_first(%b: tensor<65x48xf64>, %a: tensor<20x65xf32>, %i: tensor<20x48xf64>) -> tensor<20x48xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b, %a : tensor<65x48xf64>, tensor<20x65xf32>) outs(%i : tensor<20x48xf64>) {
  ^bb0(%x: f64, %y: f32, %o: f64):
    %w = arith.extf %y : f32 to f64
    %p = arith.mulf %x, %w : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<20x48xf64>
  return %r : tensor<20x48xf64>
}

// -----

// Rows come first already; the function stays what it was.
// CHECK-LABEL: func.func @rows_first(
// CHECK-NOT: call
// CHECK: linalg.contract
// CHECK-SAME: ins(%arg0, %arg1 :
func.func @rows_first(%a: tensor<20x65xf32>, %b: tensor<65x48xf32>, %i: tensor<20x48xf32>) -> tensor<20x48xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<20x65xf32>, tensor<65x48xf32>) outs(%i : tensor<20x48xf32>) -> tensor<20x48xf32>
  return %r : tensor<20x48xf32>
}

// -----

// The columns are pixels of an image with windows, which no panel has.
// CHECK-LABEL: func.func @image(
// CHECK-NOT: call
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: ins(%arg0, %arg1 :
func.func @image(%x: tensor<1x8x82x82xf32>, %w: tensor<16x8x3x3xf32>, %i: tensor<1x16x80x80xf32>) -> tensor<1x16x80x80xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x82x82xf32>, tensor<16x8x3x3xf32>) outs(%i : tensor<1x16x80x80xf32>) -> tensor<1x16x80x80xf32>
  return %r : tensor<1x16x80x80xf32>
}

//--- run.mlir
// Not the same number of rows and columns, and steps with a rest.
func.func @f(%b: tensor<65x48xf32>, %a: tensor<20x65xf32>, %i: tensor<20x48xf32>) -> tensor<20x48xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%b, %a : tensor<65x48xf32>, tensor<20x65xf32>) outs(%i : tensor<20x48xf32>) -> tensor<20x48xf32>
  return %r : tensor<20x48xf32>
}

// Batches, and types that differ: which is signed must be exchanged with the
// operands.
func.func @bytes(%b: tensor<3x64x48xi8>, %a: tensor<3x20x64xi8>, %i: tensor<3x20x48xi32>) -> tensor<3x20x48xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(g, m, n, k) -> (g, k, n)>, affine_map<(g, m, n, k) -> (g, m, k)>, affine_map<(g, m, n, k) -> (g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%b, %a : tensor<3x64x48xi8>, tensor<3x20x64xi8>) outs(%i : tensor<3x20x48xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %p = arith.muli %0, %1 : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<3x20x48xi32>
  return %r : tensor<3x20x48xi32>
}
