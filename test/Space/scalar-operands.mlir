// Numbers that are known at run time only are operands of rank 0, so that their
// readers are tasks as others are (ScalarOperands.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/taken.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/taken.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %t/taken.mlir --entry=captured --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/taken.mlir --entry=position --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/taken.mlir --entry=operand --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/taken.mlir --entry=marked --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: "verified": true

//--- taken.mlir

// The tensor that it was extracted from.
// CHECK-LABEL: func.func @captured(
// CHECK: call @captured_0(%arg0, %arg1) : (tensor<12x32xf32>, tensor<f32>) -> tensor<12x32xf32>
// CHECK: func.func private @captured_0(
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<12x32xf32>, tensor<f32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[RATE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.mulf %[[X]], %[[RATE]]
func.func @captured(%x: tensor<12x32xf32>, %rate: tensor<f32>) -> tensor<12x32xf32> {
  %s = tensor.extract %rate[] : tensor<f32>
  %e = tensor.empty() : tensor<12x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x32xf32>) outs(%e : tensor<12x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<12x32xf32>
  return %r : tensor<12x32xf32>
}

// An index is the integer that it was cast from.
// CHECK-LABEL: func.func @position(
// CHECK: call @position_0(%arg0, %arg1) : (tensor<12x32xf32>, tensor<i64>) -> tensor<12x32xf32>
// CHECK: func.func private @position_0(
// CHECK: ^bb0(%{{.*}}: f32, %[[AT:.*]]: i64, %{{.*}}: f32):
// CHECK: %[[END:.*]] = arith.index_cast %[[AT]] : i64 to index
// CHECK: arith.cmpi ule, %{{.*}}, %[[END]] : index
func.func @position(%x: tensor<12x32xf32>, %at: tensor<i64>) -> tensor<12x32xf32> {
  %0 = tensor.extract %at[] : tensor<i64>
  %end = arith.index_cast %0 : i64 to index
  %e = tensor.empty() : tensor<12x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x32xf32>) outs(%e : tensor<12x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %least = arith.constant -1.0e+30 : f32
    %j = linalg.index 1 : index
    %1 = arith.cmpi ule, %j, %end : index
    %2 = arith.select %1, %a, %least : f32
    linalg.yield %2 : f32
  } -> tensor<12x32xf32>
  return %r : tensor<12x32xf32>
}

// Also what is computed, and scalar operands.
// CHECK-LABEL: func.func @operand(
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: %[[TENSOR:.*]] = tensor.from_elements %[[SUM]] : tensor<f32>
// CHECK: call @captured_0(%arg0, %[[TENSOR]]) : (tensor<12x32xf32>, tensor<f32>) -> tensor<12x32xf32>
func.func @operand(%x: tensor<12x32xf32>, %y: tensor<2xf32>) -> tensor<12x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %y[%c0] : tensor<2xf32>
  %b = tensor.extract %y[%c1] : tensor<2xf32>
  %sum = arith.addf %a, %b : f32
  %e = tensor.empty() : tensor<12x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<12x32xf32>, f32) outs(%e : tensor<12x32xf32>) {
  ^bb0(%u: f32, %s: f32, %o: f32):
    %0 = arith.mulf %u, %s : f32
    linalg.yield %0 : f32
  } -> tensor<12x32xf32>
  return %r : tensor<12x32xf32>
}

// Marks stay, and an index that is computed goes through an integer.
// CHECK-LABEL: func.func @marked(
// CHECK: %[[NUMBER:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: tensor.from_elements %[[NUMBER]] : tensor<i64>
// CHECK: linalg.generic {{.*}} attrs = {schedule.alone}
func.func @marked(%x: tensor<12x32xf32>) -> tensor<12x32xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %end = %c0 to %c20 step %c3 iter_args(%t = %x) -> tensor<12x32xf32> {
    %e = tensor.empty() : tensor<12x32xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%t : tensor<12x32xf32>) outs(%e : tensor<12x32xf32>) attrs = {schedule.alone} {
    ^bb0(%a: f32, %o: f32):
      %half = arith.constant 0.5 : f32
      %j = linalg.index 1 : index
      %0 = arith.cmpi ule, %j, %end : index
      %1 = arith.mulf %a, %half : f32
      %2 = arith.select %0, %a, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<12x32xf32>
    scf.yield %s : tensor<12x32xf32>
  }
  return %r : tensor<12x32xf32>
}

//--- stays.mlir

// A table is read where it is (GatherElements.cpp), with all that its reader
// has from outside.
// STAYS-LABEL: func.func @table(
// STAYS: linalg.generic {{.*}} ins(%{{.*}} : tensor<20xindex>) outs
// STAYS: tensor.extract %arg1
func.func @table(%places: tensor<20xindex>, %table: tensor<100xf32>, %rate: tensor<f32>) -> tensor<20xf32> {
  %s = tensor.extract %rate[] : tensor<f32>
  %e = tensor.empty() : tensor<20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%places : tensor<20xindex>) outs(%e : tensor<20xf32>) {
  ^bb0(%at: index, %o: f32):
    %0 = tensor.extract %table[%at] : tensor<100xf32>
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  return %r : tensor<20xf32>
}
