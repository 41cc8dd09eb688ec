// What is in no task is named, with the reason; what is fast without a schedule,
// or computes nothing, is not.

// RUN: sched-opt %s --schedule-extract-tasks --split-input-file -verify-diagnostics | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --split-input-file -o /dev/null

// Rows of a table are copied line by line, beside a task.
// CHECK-LABEL: func.func @rows(
func.func @rows(%t: tensor<100x32xf32>, %i: tensor<8xindex>, %b: tensor<32x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: index, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%x, %j] : tensor<100x32xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %r = linalg.matmul ins(%g, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// expected-remark @below {{nothing to schedule in @only_rows: it only moves elements}}
func.func @only_rows(%t: tensor<100x32xf32>, %i: tensor<8xindex>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: index, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%x, %j] : tensor<100x32xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  return %g : tensor<8x32xf32>
}

// -----

// Single elements, too, by vectors.
// expected-remark @below {{nothing to schedule in @elements: it only moves elements}}
func.func @elements(%t: tensor<100xf32>, %i: tensor<8xindex>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: index, %o: f32):
    %v = tensor.extract %t[%x] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// Not of several lines.
// expected-remark @below {{no op to schedule found in @anywhere: 'linalg.generic' op reads a value of type tensor<100x8xf32> in its body that is no operand; expected operands and constants}}
func.func @anywhere(%t: tensor<100x8xf32>, %i: tensor<8xindex>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: index, %o: f32):
    %j = linalg.index 0 : index
    %v = tensor.extract %t[%x, %j] : tensor<100x8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// What nothing reads goes: the fill, and the sums of it.
// CHECK-LABEL: func.func @unread(
// CHECK-NOT: linalg.fill
// CHECK-NOT: linalg.reduce
// CHECK: linalg.matmul
// CHECK-LABEL: module @task0
// CHECK-NOT: module @task1
func.func @unread(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// A fill that is read stays, and is named where nothing else is with it.
// CHECK-LABEL: func.func @zeros(
// CHECK: linalg.fill
func.func @zeros(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{compiled by the default schedule, without a search: 'linalg.fill' op sets elements and is the start of no op that has a schedule}}
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %f : tensor<8x8xf32>, tensor<8xf32>
}

// -----

// expected-remark @below {{'linalg.generic' op accesses operand #0 by affine_map<(d0) -> (d0 floordiv 2)>; expected sums of loops, with constant strides}}
func.func @halves(%a: tensor<8xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %x, %x : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// expected-remark @below {{'linalg.generic' op has nothing to compute: a dimension has no elements}}
func.func @none(%a: tensor<0x4xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<0x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.addf %x, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-remark @below {{'linalg.generic' op has operand #1 of type f32 that is no constant; expected tensors and constants}}
func.func @scalar(%a: tensor<8xf32>, %s: tensor<f32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %t = tensor.extract %s[] : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %t : tensor<8xf32>, f32) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %v = arith.mulf %x, %y : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// expected-remark @below {{'linalg.generic' op has elements of f8E4M3FN; expected f16, bf16, f32, f64, i1, i8, i16, i32 or i64}}
func.func @small(%a: tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN> {
  %e = tensor.empty() : tensor<8xf8E4M3FN>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf8E4M3FN>) outs(%e : tensor<8xf8E4M3FN>) {
  ^bb0(%x: f8E4M3FN, %o: f8E4M3FN):
    %v = arith.addf %x, %x : f8E4M3FN
    linalg.yield %v : f8E4M3FN
  } -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}

// -----

// expected-remark @below {{'linalg.reduce' op reduces with elements of i1; expected f16, bf16, f32, f64, i8, i16, i32 or i64}}
func.func @masks(%a: tensor<8x9xi1>, %i: tensor<8xi1>) -> tensor<8xi1> {
  %r = linalg.reduce { arith.andi } ins(%a : tensor<8x9xi1>) outs(%i : tensor<8xi1>) dimensions = [1]
  return %r : tensor<8xi1>
}

// -----

// Upstream forgets an input that is not read, and the loop along it.
// expected-remark @below {{no op to schedule found in @unread_length: 'linalg.generic' op is no contraction, reduction or elementwise op of a known form, nor fused with one}}
func.func @unread_length(%x: tensor<64xf32>) -> tensor<48xf32> {
  %v = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<48xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<64xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%i: f32, %w: f32):
    %n = arith.addf %v, %w : f32
    linalg.yield %n : f32
  } -> tensor<48xf32>
  return %r : tensor<48xf32>
}
