// Reductions whose result has its dimensions in another order get loops in that
// order, and so do windows of channels and elementwise ops; contractions do not.

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks | FileCheck %t/forms.mlir
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/script.mlir 2>&1 | count 0
// RUN: sched-run %t/run.mlir --entry=columns --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=transposes --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=outside --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=windows --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=f --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- forms.mlir
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$SWAPPED:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[$BIAS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$WHOLE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2 + d4)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func private @sum_0(
// CHECK: linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
func.func @sum(%a: tensor<20x30x65xf32>, %i: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a : tensor<20x30x65xf32>) outs(%i : tensor<30x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}

// A depthwise convolution with its columns outside of its rows.
// CHECK-LABEL: func.func private @windows_0(
// CHECK: linalg.generic {indexing_maps = [#[[$WINDOW]], {{.*}}, #[[$CHANNEL]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
func.func @windows(%a: tensor<8x32x32xf32>, %b: tensor<8x3x3xf32>, %i: tensor<8x30x30xf32>) -> tensor<8x30x30xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(w, c, h, y, x) -> (c, h + y, w + x)>, affine_map<(w, c, h, y, x) -> (c, y, x)>, affine_map<(w, c, h, y, x) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<8x32x32xf32>, tensor<8x3x3xf32>) outs(%i : tensor<8x30x30xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8x30x30xf32>
  return %r : tensor<8x30x30xf32>
}

// A transpose that writes across its loops, and their numbers.
// CHECK-LABEL: func.func private @transposes_0(
// CHECK: linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$BIAS]], #[[$ROW]]]
// CHECK: linalg.index 0
func.func @transposes(%a: tensor<70x40xf32>, %b: tensor<40xf32>) -> tensor<40x70xf32> {
  %e = tensor.empty() : tensor<40x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<70x40xf32>, tensor<40xf32>) outs(%e : tensor<40x70xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %f : f32
    linalg.yield %s : f32
  } -> tensor<40x70xf32>
  return %r : tensor<40x70xf32>
}

// What is reduced is innermost in the input, and not outside of all.
// CHECK-LABEL: func.func private @outside_0(
// CHECK: linalg.generic {indexing_maps = [#[[$WHOLE]], {{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
func.func @outside(%a: tensor<20x30x65xf32>, %i: tensor<20x30xf32>) -> tensor<20x30xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (i, j, k)>, affine_map<(k, i, j) -> (i, j)>], iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a : tensor<20x30x65xf32>) outs(%i : tensor<20x30xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<20x30xf32>
  return %r : tensor<20x30xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK: linalg.generic {indexing_maps = [{{.*}}, {{.*}}, #[[$SWAPPED]]]
func.func @product(%a: tensor<20x65xf32>, %b: tensor<30x65xf32>, %i: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<20x65xf32>, tensor<30x65xf32>) outs(%i : tensor<30x20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}

// Columns are read along their rows, as vectors: it is the result that is
// transposed.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[SUMS:.*]] = call @columns_0(%arg0) : (tensor<33x37x35xf32>) -> tensor<33x35xf32>
// CHECK: call @columns_1(%[[SUMS]]) : (tensor<33x35xf32>) -> tensor<35x33xf32>
func.func @columns(%a: tensor<33x37x35xf32>) -> tensor<35x33xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x33xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<35x33xf32>) -> tensor<35x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a : tensor<33x37x35xf32>) outs(%i : tensor<35x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<35x33xf32>
  return %r : tensor<35x33xf32>
}

//--- run.mlir
func.func @f(%a: tensor<20x30x65xf32>) -> tensor<30x20xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<30x20xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a : tensor<20x30x65xf32>) outs(%i : tensor<30x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
func.func @columns(%a: tensor<33x37x35xf32>) -> tensor<35x33xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x33xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<35x33xf32>) -> tensor<35x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a : tensor<33x37x35xf32>) outs(%i : tensor<35x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<35x33xf32>
  return %r : tensor<35x33xf32>
}

func.func @windows(%a: tensor<8x32x32xf32>, %b: tensor<8x3x3xf32>, %i: tensor<8x30x30xf32>) -> tensor<8x30x30xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(w, c, h, y, x) -> (c, h + y, w + x)>, affine_map<(w, c, h, y, x) -> (c, y, x)>, affine_map<(w, c, h, y, x) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<8x32x32xf32>, tensor<8x3x3xf32>) outs(%i : tensor<8x30x30xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8x30x30xf32>
  return %r : tensor<8x30x30xf32>
}

func.func @transposes(%a: tensor<70x40xf32>, %b: tensor<40xf32>) -> tensor<40x70xf32> {
  %e = tensor.empty() : tensor<40x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<70x40xf32>, tensor<40xf32>) outs(%e : tensor<40x70xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %f : f32
    linalg.yield %s : f32
  } -> tensor<40x70xf32>
  return %r : tensor<40x70xf32>
}

func.func @outside(%a: tensor<20x30x65xf32>, %i: tensor<20x30xf32>) -> tensor<20x30xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (i, j, k)>, affine_map<(k, i, j) -> (i, j)>], iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a : tensor<20x30x65xf32>) outs(%i : tensor<20x30xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<20x30xf32>
  return %r : tensor<20x30xf32>
}
