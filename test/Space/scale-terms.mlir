// The mean of columns is one reduction: its terms are multiplied instead of its
// result. Not those of rows, which have what follows in registers, nor sums
// that begin with anything but zero, or that are read elsewhere; not by a factor
// above one, with which terms may be infinite though their sum is not.

// RUN: sched-opt %s --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=mean --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=named_sum --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=double --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#pooled = affine_map<(n, h, w, c) -> (n, c)>
#all = affine_map<(n, c) -> (n, c)>

// CHECK-LABEL: func.func private @mean_0(
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "reduction", "parallel"]
// CHECK: ^bb0(%[[X:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-DAG: %[[TERM:.*]] = arith.mulf %[[X]], %[[FACTOR:.*]] : f32
// CHECK: arith.addf %[[SUM]], %[[TERM]]
// CHECK-NOT: linalg.generic
// CHECK: return
// CHECK-NOT: @mean_1(
func.func @mean(%x: tensor<3x7x5x129xf32>) -> tensor<3x129xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.0285714287 : f32
  %e = tensor.empty() : tensor<3x129xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3x129xf32>) -> tensor<3x129xf32>
  %s = linalg.generic {indexing_maps = [#image, #pooled], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<3x7x5x129xf32>) outs(%i : tensor<3x129xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<3x129xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<3x129xf32>) outs(%e : tensor<3x129xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %factor, %a : f32
    linalg.yield %r : f32
  } -> tensor<3x129xf32>
  return %m : tensor<3x129xf32>
}

// A named op, and a quotient: 1/64.
// CHECK-LABEL: func.func private @named_sum_0(
// CHECK: arith.constant 1.562500e-02 : f32
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @named_sum(%x: tensor<64x300xf32>) -> tensor<300xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x300xf32>) outs(%i : tensor<300xf32>) dimensions = [0]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %count : f32
    linalg.yield %r : f32
  } -> tensor<300xf32>
  return %m : tensor<300xf32>
}

// What is changed would be outlined.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: call @
// CHECK: linalg.reduce
// CHECK: arith.mulf
// CHECK: return
func.func @rows(%x: tensor<64x300xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.01 : f32
  %e = tensor.empty() : tensor<64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x300xf32>) outs(%i : tensor<64xf32>) dimensions = [1]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %factor : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %m : tensor<64xf32>
}

// CHECK-LABEL: func.func @from_one(
// CHECK: call @from_one_1(
func.func @from_one(%x: tensor<64x300xf32>) -> tensor<300xf32> {
  %one = arith.constant 1.0 : f32
  %factor = arith.constant 0.01 : f32
  %e = tensor.empty() : tensor<300xf32>
  %i = linalg.fill ins(%one : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x300xf32>) outs(%i : tensor<300xf32>) dimensions = [0]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %factor : f32
    linalg.yield %r : f32
  } -> tensor<300xf32>
  return %m : tensor<300xf32>
}

// CHECK-LABEL: func.func @read_twice(
// CHECK: call @from_one_1(
func.func @read_twice(%x: tensor<64x300xf32>) -> (tensor<300xf32>, tensor<300xf32>) {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.01 : f32
  %e = tensor.empty() : tensor<300xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x300xf32>) outs(%i : tensor<300xf32>) dimensions = [0]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<300xf32>) outs(%e : tensor<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %factor : f32
    linalg.yield %r : f32
  } -> tensor<300xf32>
  return %s, %m : tensor<300xf32>, tensor<300xf32>
}

// CHECK-LABEL: func.func @doubled(
// CHECK: call @doubled_1(
func.func @doubled(%x: tensor<64x200xf32>) -> tensor<200xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant -2.0 : f32
  %e = tensor.empty() : tensor<200xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<200xf32>) -> tensor<200xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x200xf32>) outs(%i : tensor<200xf32>) dimensions = [0]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<200xf32>) outs(%e : tensor<200xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %factor : f32
    linalg.yield %r : f32
  } -> tensor<200xf32>
  return %m : tensor<200xf32>
}

// Of double precision, by a number that has no reciprocal: it is rounded.
// CHECK-LABEL: func.func private @double_0(
// CHECK: arith.constant 0.14285714285714285 : f64
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @double(%x: tensor<7x300xf64>) -> tensor<300xf64> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 7.0 : f64
  %e = tensor.empty() : tensor<300xf64>
  %i = linalg.fill ins(%zero : f64) outs(%e : tensor<300xf64>) -> tensor<300xf64>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<7x300xf64>) outs(%i : tensor<300xf64>) dimensions = [0]
  %m = linalg.generic {indexing_maps = [affine_map<(c) -> (c)>, affine_map<(c) -> (c)>], iterator_types = ["parallel"]}
      ins(%s : tensor<300xf64>) outs(%e : tensor<300xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = arith.divf %a, %count : f64
    linalg.yield %r : f64
  } -> tensor<300xf64>
  return %m : tensor<300xf64>
}
