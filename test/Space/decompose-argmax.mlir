// Ops that find the place of the largest element become reductions with one
// result each, where their meaning stays: with NaNs, with equal elements, and
// where nothing exceeds the start.

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks | FileCheck %t/forms.mlir
// RUN: sched-opt %t/left.mlir --schedule-outline-tasks --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" 2>&1 | FileCheck %t/left.mlir

// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script.mlir
// SCRIPT: sched-opt --schedule-outline-tasks{{(=.*)?}} INPUT
// RUN: sched-run %t/run.mlir --entry=passes_over --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=takes_nan --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=least --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=integers --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=columns --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %t/run.mlir --entry=used --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- forms.mlir
// CHECK-LABEL: func.func private @passes_over_0(
// CHECK-DAG: arith.constant dense<[0, 1, 2, 3,
// CHECK-DAG: arith.constant 2147483647 : i32
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK: arith.maxnumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %[[MAX]], %{{.*}} : tensor<4x96xf32>, tensor<4xf32>, tensor<96xi32>)
// CHECK: %[[IS:.*]] = arith.cmpf oeq
// CHECK: arith.select %[[IS]], %{{.*}}, %{{.*}} : i32
// CHECK: arith.minsi
// CHECK: arith.cmpf ogt
func.func @passes_over(%a: tensor<4x96xf32>) -> tensor<4xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<4xi32>
  %ve = tensor.empty() : tensor<4xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  return %r#0 : tensor<4xi32>
}

// CHECK-LABEL: func.func private @takes_nan_0(
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf uno
// CHECK: arith.ori
// CHECK: arith.minsi
// CHECK: arith.cmpf ugt
// CHECK: arith.extsi {{.*}} : i32 to i64
func.func @takes_nan(%a: tensor<4x96xf32>) -> tensor<4xi64> {
  %ps = arith.constant 7 : i64
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<4xi64>
  %ve = tensor.empty() : tensor<4xf32>
  %pi = linalg.fill ins(%ps : i64) outs(%pe : tensor<4xi64>) -> tensor<4xi64>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi64>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i64, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %u = arith.cmpf ugt, %x, %v : f32
    %o = arith.cmpf ord, %v, %v : f32
    %c = arith.andi %u, %o : i1
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i64
    linalg.yield %q, %w : i64, f32
  } -> (tensor<4xi64>, tensor<4xf32>)
  return %r#0 : tensor<4xi64>
}

// The value is used: it is read from its place, as the maximum may be a zero of
// the other sign. All elements are zeros here, of which the first counts; the
// quotient tells their signs apart.
// CHECK-LABEL: func.func @used(
// CHECK: %[[LARGEST:.*]] = call @used_0(%arg0)
// CHECK: %[[PLACE:.*]] = call @used_1(%arg0, %[[LARGEST]])
// CHECK: call @used_3(%arg0, %[[PLACE]], %[[LARGEST]])
// CHECK-LABEL: func.func private @used_3(
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[WANTED:.*]]: i32, %[[THIS:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[WANTED]], %[[THIS]]
// CHECK: %[[FOUND:.*]] = arith.select %[[IS]], %[[IN]],
// CHECK: arith.maxnumf %[[FOUND]],
// CHECK: arith.cmpf ogt
// CHECK: arith.select
func.func @used(%a: tensor<4x96xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ze = tensor.empty() : tensor<4x96xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<4x96xf32>) outs(%ze : tensor<4x96xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.mulf %x, %none : f32
    linalg.yield %0 : f32
  } -> tensor<4x96xf32>
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<4xi32>
  %ve = tensor.empty() : tensor<4xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%z : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%r#1 : tensor<4xf32>) outs(%ve : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.divf %one, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r#0, %q : tensor<4xi32>, tensor<4xf32>
}

//--- left.mlir
// The start is no constant.
// CHECK: [[#@LINE+1]]:1: remark: compiled by the default schedule, without a search: no op to schedule found in @{{.*}}: 'linalg.generic' op has 2 results; expected one
func.func @unknown(%a: tensor<4x96xf32>, %vi: tensor<4xf32>) -> tensor<4xi32> {
  %ps = arith.constant 7 : i32
  %pe = tensor.empty() : tensor<4xi32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  return %r#0 : tensor<4xi32>
}

// A later one of equal elements wins.
// CHECK: [[#@LINE+1]]:1: remark: compiled by the default schedule, without a search: no op to schedule found in @{{.*}}: 'linalg.generic' op has 2 results; expected one
func.func @last(%a: tensor<4x96xf32>) -> tensor<4xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<4xi32>
  %ve = tensor.empty() : tensor<4xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf oge, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  return %r#0 : tensor<4xi32>
}

//--- run.mlir
func.func @passes_over(%a: tensor<7x37xf32>) -> tensor<7xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %t = arith.constant dense<[[-0.0, -2.0, 0.0, 1.0, 0.0, 3.0, 3.0, 3.0, 3.0, -0.0, 0.0, 3.0, 0.0, 3.0, 3.0, -2.0, 0.0, 3.0, 1.0, -0.0, -2.0, 0.0, 1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 3.0, -0.0, 3.0, 0.0, -2.0, -0.0, 3.0, 3.0, -2.0],
    [-0.0, 1.0, -0.0, -0.0, 3.0, 1.0, 0x7FC00000, 3.0, -2.0, 0.0, -0.0, 1.0, 0.0, 1.0, -2.0, 3.0, -2.0, -0.0, 1.0, 1.0, -2.0, 3.0, -2.0, 3.0, -2.0, 0.0, 3.0, -0.0, 3.0, 3.0, 0x7FC00000, 1.0, -2.0, 1.0, 0.0, 3.0, -2.0],
    [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
    [-0.0, 0.0, -0.0, 0.0, 0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, 0.0, -0.0, 0.0, 0.0, 0.0],
    [0x7FC00000, -2.0, 3.0, -2.0, -0.0, -2.0, 3.0, -0.0, -2.0, 0.0, 3.0, -2.0, 1.0, 3.0, 0.0, 1.0, -0.0, -0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, -0.0, 3.0, -2.0, 1.0, -0.0, 0.0, -2.0, 0.0, -2.0, -0.0, -2.0, 3.0, -0.0],
    [-2.0, -2.0, 0.0, 3.0, -0.0, 1.0, 0.0, -0.0, -2.0, 3.0, -2.0, -0.0, 3.0, 0.0, 3.0, 1.0, -2.0, 3.0, 0.0, 1.0, -2.0, 3.0, 1.0, 0.0, -0.0, -0.0, 1.0, -2.0, -0.0, 1.0, 3.0, -0.0, 1.0, 0.0, 3.0, -2.0, 1.0],
    [-2.0, 3.0, -2.0, -0.0, 0.0, 0.0, 0x7FC00000, -0.0, -0.0, -0.0, -2.0, -0.0, 1.0, 1.0, -2.0, -2.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, -0.0, -2.0, 3.0, -0.0, -2.0, -2.0, 0.0, 1.0, 0x7FC00000, 3.0, 0.0, 3.0, -0.0, -0.0, 1.0]]> : tensor<7x37xf32>
  %z = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<7x37xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %t : tensor<7x37xf32>, tensor<7x37xf32>) outs(%te : tensor<7x37xf32>) {
  ^bb0(%x: f32, %k: f32, %o: f32):
    %m = arith.mulf %x, %z : f32
    %s = arith.addf %m, %k : f32
    linalg.yield %s : f32
  } -> tensor<7x37xf32>
  %pe = tensor.empty() : tensor<7xi32>
  %ve = tensor.empty() : tensor<7xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<7xi32>) -> tensor<7xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<7xf32>) -> tensor<7xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%y : tensor<7x37xf32>) outs(%pi, %vi : tensor<7xi32>, tensor<7xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<7xi32>, tensor<7xf32>)
  return %r#0 : tensor<7xi32>
}

func.func @takes_nan(%a: tensor<7x37xf32>) -> tensor<7xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %t = arith.constant dense<[[-2.0, -2.0, 3.0, 0.0, -2.0, -2.0, -0.0, -2.0, 0.0, 1.0, 1.0, 1.0, -2.0, -2.0, 0.0, 3.0, 1.0, 0.0, 0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 3.0, 0.0, 0.0, -0.0, -0.0, -2.0, 3.0, -0.0, 0.0, 3.0, -0.0, -0.0, -0.0],
    [0.0, 3.0, 3.0, -2.0, 1.0, -2.0, 1.0, 3.0, 0x7FC00000, 0.0, -0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -2.0, 1.0, 3.0, 3.0, 1.0, 3.0, 0.0, 0.0, 1.0, -2.0, 3.0, 0.0, 1.0, -0.0, 0x7FC00000, -2.0, 3.0, 1.0, 1.0, -0.0, -2.0],
    [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
    [0.0, 0.0, -0.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, -0.0, -0.0, 0.0, -0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0, 0.0, 0.0, -0.0, -0.0, 0.0, 0.0],
    [0x7FC00000, 3.0, 3.0, -0.0, 3.0, 1.0, -2.0, -2.0, 1.0, -0.0, 0.0, 0.0, -2.0, 1.0, -0.0, -2.0, -0.0, 1.0, 1.0, 1.0, -2.0, 1.0, -0.0, 3.0, -2.0, 0.0, 0.0, -2.0, -2.0, -2.0, 3.0, -0.0, -0.0, 1.0, 3.0, -0.0, -2.0],
    [0.0, 3.0, 3.0, 1.0, 3.0, -2.0, -0.0, -2.0, 0.0, -2.0, 0.0, 1.0, 0.0, 1.0, 0.0, -0.0, -2.0, 0.0, 3.0, -0.0, 3.0, 3.0, 3.0, -0.0, 1.0, 3.0, -0.0, -2.0, 3.0, -0.0, 0.0, 3.0, -2.0, -2.0, 3.0, 0.0, 1.0],
    [1.0, -0.0, 3.0, -2.0, 0.0, -0.0, -2.0, 3.0, -2.0, 0.0, 0.0, -2.0, -0.0, 1.0, -0.0, -0.0, 1.0, -0.0, -2.0, 0x7FC00000, 1.0, 1.0, -2.0, 1.0, 3.0, -0.0, -2.0, 1.0, 3.0, 3.0, 0x7FC00000, -0.0, -2.0, 3.0, -0.0, 1.0, 0.0]]> : tensor<7x37xf32>
  %z = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<7x37xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %t : tensor<7x37xf32>, tensor<7x37xf32>) outs(%te : tensor<7x37xf32>) {
  ^bb0(%x: f32, %k: f32, %o: f32):
    %m = arith.mulf %x, %z : f32
    %s = arith.addf %m, %k : f32
    linalg.yield %s : f32
  } -> tensor<7x37xf32>
  %pe = tensor.empty() : tensor<7xi32>
  %ve = tensor.empty() : tensor<7xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<7xi32>) -> tensor<7xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<7xf32>) -> tensor<7xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%y : tensor<7x37xf32>) outs(%pi, %vi : tensor<7xi32>, tensor<7xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %u = arith.cmpf ugt, %x, %v : f32
    %o = arith.cmpf ord, %v, %v : f32
    %c = arith.andi %u, %o : i1
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<7xi32>, tensor<7xf32>)
  return %r#0 : tensor<7xi32>
}

func.func @least(%a: tensor<7x37xf32>) -> tensor<7xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0.0 : f32
  %t = arith.constant dense<[[0.0, 0.0, -2.0, 0.0, -2.0, 1.0, -0.0, 0.0, -2.0, 1.0, -2.0, 1.0, 3.0, -2.0, 1.0, -2.0, 1.0, 0.0, 0.0, 3.0, 3.0, 1.0, 1.0, -2.0, 3.0, 1.0, -2.0, 3.0, 0.0, 3.0, 3.0, -0.0, -2.0, 0.0, 1.0, -2.0, -2.0],
    [-0.0, 3.0, -2.0, -2.0, 3.0, 1.0, -0.0, 3.0, -2.0, -2.0, -0.0, 1.0, -2.0, 0.0, 3.0, -2.0, 3.0, 3.0, 0x7FC00000, -2.0, -2.0, 0.0, 3.0, -0.0, 1.0, 0.0, 3.0, -0.0, 3.0, 1.0, 0x7FC00000, 0.0, -2.0, 0.0, 1.0, 1.0, 3.0],
    [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
    [0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, -0.0, 0.0],
    [0x7FC00000, 3.0, 3.0, -0.0, -0.0, -0.0, 1.0, 3.0, -2.0, -2.0, 3.0, -0.0, 3.0, 1.0, 1.0, 3.0, -2.0, 0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 1.0, 3.0, -2.0, 1.0, -0.0, 3.0, -0.0, -0.0, 0.0, 0.0, 3.0, -0.0, -2.0],
    [0.0, -2.0, 3.0, 1.0, -0.0, 0.0, 3.0, 1.0, 0.0, 0.0, -2.0, 0.0, -2.0, -0.0, 0.0, 1.0, 0.0, 3.0, 0.0, -0.0, 0.0, 3.0, -0.0, 1.0, -0.0, 3.0, 3.0, 1.0, 1.0, 1.0, -0.0, -0.0, 0.0, -2.0, -2.0, -0.0, 1.0],
    [3.0, -2.0, -2.0, -2.0, 0.0, 1.0, -2.0, 3.0, -2.0, -0.0, -2.0, 3.0, 0.0, 1.0, -2.0, 0x7FC00000, 1.0, -0.0, 0.0, -0.0, 0.0, -0.0, 3.0, 0.0, 0.0, 0.0, -2.0, 3.0, -2.0, 1.0, 0x7FC00000, 1.0, 0.0, -0.0, -2.0, 0.0, 3.0]]> : tensor<7x37xf32>
  %z = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<7x37xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %t : tensor<7x37xf32>, tensor<7x37xf32>) outs(%te : tensor<7x37xf32>) {
  ^bb0(%x: f32, %k: f32, %o: f32):
    %m = arith.mulf %x, %z : f32
    %s = arith.addf %m, %k : f32
    linalg.yield %s : f32
  } -> tensor<7x37xf32>
  %pe = tensor.empty() : tensor<7xi32>
  %ve = tensor.empty() : tensor<7xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<7xi32>) -> tensor<7xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<7xf32>) -> tensor<7xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%y : tensor<7x37xf32>) outs(%pi, %vi : tensor<7xi32>, tensor<7xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf olt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<7xi32>, tensor<7xf32>)
  return %r#0 : tensor<7xi32>
}

func.func @integers(%a: tensor<33x101xi8>) -> tensor<33xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant -128 : i8
  %pe = tensor.empty() : tensor<33xi32>
  %ve = tensor.empty() : tensor<33xi8>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<33xi32>) -> tensor<33xi32>
  %vi = linalg.fill ins(%vs : i8) outs(%ve : tensor<33xi8>) -> tensor<33xi8>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<33x101xi8>) outs(%pi, %vi : tensor<33xi32>, tensor<33xi8>) {
  ^bb0(%x: i8, %p: i32, %v: i8):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpi sgt, %x, %v : i8
    %w = arith.select %c, %x, %v : i8
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, i8
  } -> (tensor<33xi32>, tensor<33xi8>)
  return %r#0 : tensor<33xi32>
}

func.func @columns(%a: tensor<33x101xf32>) -> tensor<101xi32> {
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<101xi32>
  %ve = tensor.empty() : tensor<101xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<101xi32>) -> tensor<101xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<101xf32>) -> tensor<101xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<33x101xf32>) outs(%pi, %vi : tensor<101xi32>, tensor<101xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %u = arith.cmpf ugt, %x, %v : f32
    %o = arith.cmpf ord, %v, %v : f32
    %c = arith.andi %u, %o : i1
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<101xi32>, tensor<101xf32>)
  return %r#0 : tensor<101xi32>
}

// -----

// Both results start from one fill.

// CHECK-LABEL: func.func @shared_start(
// CHECK-NOT: linalg.index
// CHECK: return
#m = affine_map<(i,j)->(i,j)>
#r = affine_map<(i,j)->(i)>
func.func @shared_start(%x: tensor<8x64xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %z = linalg.fill ins(%c : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel","reduction"]} ins(%x : tensor<8x64xi32>) outs(%z, %z : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32, %p: i32):
    %n = linalg.index 1 : index
    %q = arith.index_cast %n : index to i32
    %g = arith.cmpi ugt, %i, %o : i32
    %s = arith.select %g, %i, %o : i32
    %t = arith.select %g, %q, %p : i32
    linalg.yield %s, %t : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return %r#0, %r#1 : tensor<8xi32>, tensor<8xi32>
}

func.func @used(%a: tensor<4x96xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ze = tensor.empty() : tensor<4x96xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<4x96xf32>) outs(%ze : tensor<4x96xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.mulf %x, %none : f32
    linalg.yield %0 : f32
  } -> tensor<4x96xf32>
  %ps = arith.constant 7 : i32
  %vs = arith.constant 0xFF7FFFFF : f32
  %pe = tensor.empty() : tensor<4xi32>
  %ve = tensor.empty() : tensor<4xf32>
  %pi = linalg.fill ins(%ps : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %vi = linalg.fill ins(%vs : f32) outs(%ve : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%z : tensor<4x96xf32>) outs(%pi, %vi : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%x: f32, %p: i32, %v: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %x, %v : f32
    %w = arith.select %c, %x, %v : f32
    %q = arith.select %c, %j, %p : i32
    linalg.yield %q, %w : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%r#1 : tensor<4xf32>) outs(%ve : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.divf %one, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r#0, %q : tensor<4xi32>, tensor<4xf32>
}
