// Branches in bodies become selects where both sides may be computed. What has
// another region in its body is left to the default.

// RUN: split-file %s %t
// RUN: sched-opt %t/forms.mlir --schedule-outline-tasks | FileCheck %t/forms.mlir
// RUN: sched-opt %t/forms.mlir --schedule-extract-tasks -o /dev/null 2>&1 | FileCheck %t/forms.mlir --check-prefix=REMARK
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/script.mlir 2>&1 | count 0
// RUN: sched-run %t/run.mlir --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

//--- forms.mlir
// CHECK-LABEL: func.func private @nested_0(
// CHECK: linalg.generic
// CHECK-NOT: scf.if
// CHECK: %[[TWICE:.*]] = arith.addf %[[X:.*]], %[[X]]
// CHECK: %[[LESS:.*]] = arith.subf
// CHECK: %[[INNER:.*]] = arith.select %{{.*}}, %[[TWICE]], %[[LESS]]
// CHECK: %[[OUTER:.*]] = arith.select %{{.*}}, %[[INNER]], %[[X]]
// CHECK: linalg.yield %[[OUTER]]
func.func @nested(%a: tensor<20x33xf32>) -> tensor<20x33xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<20x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<20x33xf32>) outs(%e : tensor<20x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %positive = arith.cmpf ogt, %x, %z : f32
    %v = scf.if %positive -> (f32) {
      %large = arith.cmpf ogt, %x, %one : f32
      %w = scf.if %large -> (f32) {
        %twice = arith.addf %x, %x : f32
        scf.yield %twice : f32
      } else {
        %less = arith.subf %x, %one : f32
        scf.yield %less : f32
      }
      scf.yield %w : f32
    } else {
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<20x33xf32>
  return %r : tensor<20x33xf32>
}

// A division by zero must not be computed.
// CHECK-LABEL: func.func @guarded(
// CHECK: linalg.generic
// CHECK: scf.if
// REMARK: forms.mlir:[[#@LINE+1]]:1: remark: compiled by the default schedule, without a search: no op to schedule found in @guarded: 'linalg.generic' op has 'scf.if' in its body; expected ops without regions, as arith.select
func.func @guarded(%a: tensor<20x33xi32>, %b: tensor<20x33xi32>) -> tensor<20x33xi32> {
  %e = tensor.empty() : tensor<20x33xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<20x33xi32>, tensor<20x33xi32>) outs(%e : tensor<20x33xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %zero = arith.constant 0 : i32
    %some = arith.cmpi ne, %y, %zero : i32
    %v = scf.if %some -> (i32) {
      %q = arith.divsi %x, %y : i32
      scf.yield %q : i32
    } else {
      scf.yield %zero : i32
    }
    linalg.yield %v : i32
  } -> tensor<20x33xi32>
  return %r : tensor<20x33xi32>
}

//--- run.mlir
func.func @f(%a: tensor<20x40xf32>, %b: tensor<40x33xf32>) -> tensor<20x33xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x33xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20x33xf32>) -> tensor<20x33xf32>
  %p = linalg.matmul ins(%a, %b : tensor<20x40xf32>, tensor<40x33xf32>) outs(%i : tensor<20x33xf32>) -> tensor<20x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<20x33xf32>) outs(%e : tensor<20x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %positive = arith.cmpf ogt, %x, %z : f32
    %v = scf.if %positive -> (f32) {
      %q = arith.mulf %x, %x : f32
      scf.yield %q : f32
    } else {
      scf.yield %x : f32
    }
    linalg.yield %v : f32
  } -> tensor<20x33xf32>
  return %r : tensor<20x33xf32>
}
