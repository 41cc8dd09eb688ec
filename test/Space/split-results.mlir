// Reductions with several results become one for each (SplitResults.cpp) where
// rules know all of them, and stay what they are elsewhere.

// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s

// Sums and sums of squares are a task each.
#x = affine_map<(n, c, w) -> (n, c, w)>
#c = affine_map<(n, c, w) -> (c)>
// CHECK-LABEL: func.func @statistics(
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func private @statistics_0(
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "reduction"]{{.*}} ins(%{{.*}} : tensor<2x8x96xf32>)
// CHECK-NEXT: ^bb0(%[[V:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[S]], %[[V]]
// CHECK-NEXT: linalg.yield %[[A]] : f32
// CHECK-LABEL: func.func private @statistics_1(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8x96xf32>)
// CHECK-NEXT: ^bb0(%[[V:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[S]], %[[M]]
// CHECK-NEXT: linalg.yield %[[A]] : f32
func.func @statistics(%x: tensor<2x8x96xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #c, #c], iterator_types = ["reduction", "parallel", "reduction"]}
    ins(%x : tensor<2x8x96xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %m = arith.mulf %v, %v : f32
    %b = arith.addf %q, %m : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is summed is kept as well: its loops are parallel, and of the two inputs
// it reads one.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func private @kept_0(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%{{.*}} : tensor<8x96xf32>)
// CHECK-NEXT: ^bb0(%[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[V]]
// CHECK-NEXT: linalg.yield %[[E]]
// CHECK-LABEL: func.func private @kept_1(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x96xf32>, tensor<8x96xf32>)
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @kept(%x: tensor<8x96xf32>, %y: tensor<8x96xf32>) -> (tensor<8x96xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x96xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #x, #x, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x, %y : tensor<8x96xf32>, tensor<8x96xf32>) outs(%e0, %f : tensor<8x96xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32, %s: f32):
    %p = math.exp %v : f32
    %t = arith.mulf %p, %w : f32
    %a = arith.addf %s, %t : f32
    linalg.yield %p, %a : f32, f32
  } -> (tensor<8x96xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8x96xf32>, tensor<8xf32>
}

// -----

// An input that is not read says how long a loop is: a count stays what it is.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @counted(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i32
func.func @counted(%x: tensor<8x96xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<8xi32>
  %h = linalg.fill ins(%none : i32) outs(%g : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %h : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%v: f32, %s: f32, %n: i32):
    %a = arith.addf %s, %v : f32
    %b = arith.addi %n, %one : i32
    linalg.yield %a, %b : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi32>
}

// -----

// A result that is not used is not computed.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func private @unused_0(
// CHECK: ^bb0(%[[V:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[S]], %[[V]]
// CHECK-NEXT: linalg.yield %[[A]] : f32
func.func @unused(%x: tensor<8x96xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %m = arith.mulf %v, %v : f32
    %b = arith.addf %q, %m : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0 : tensor<8xf32>
}

// -----

// The second result depends on the first: they stay together.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @dependent(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @dependent(%x: tensor<8x96xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %b = arith.addf %q, %s : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// No rule knows sums that count loops: they would take as long alone.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @indexed(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, index
func.func @indexed(%x: tensor<8x96xf32>) -> (tensor<8xf32>, tensor<8xindex>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<8xindex>
  %h = linalg.fill ins(%none : index) outs(%g : tensor<8xindex>) -> tensor<8xindex>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %h : tensor<8xf32>, tensor<8xindex>) {
  ^bb0(%v: f32, %s: f32, %q: index):
    %a = arith.addf %s, %v : f32
    %i = linalg.index 1 : index
    %b = arith.addi %q, %i : index
    linalg.yield %a, %b : f32, index
  } -> (tensor<8xf32>, tensor<8xindex>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xindex>
}

// -----

// Neither does any know results that are indexed by sums of loops.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#d = affine_map<(m, n) -> (m + n)>
// CHECK-LABEL: func.func @diagonal(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @diagonal(%x: tensor<8x96xf32>, %o: tensor<103xf32>) -> (tensor<8xf32>, tensor<103xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #d], iterator_types = ["reduction", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %o : tensor<8xf32>, tensor<103xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %b = arith.addf %q, %v : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<103xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<103xf32>
}

// -----

// Nor running averages, which have no neutral element.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @averages(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @averages(%x: tensor<8x96xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %h = arith.mulf %q, %half : f32
    %b = arith.addf %h, %v : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Nor whether any or all of some bits are set.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @bits(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : i1, i1
func.func @bits(%x: tensor<8x96xi1>, %f: tensor<8xi1>, %t: tensor<8xi1>) -> (tensor<8xi1>, tensor<8xi1>) {
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x96xi1>) outs(%f, %t : tensor<8xi1>, tensor<8xi1>) {
  ^bb0(%v: i1, %s: i1, %q: i1):
    %a = arith.ori %s, %v : i1
    %b = arith.andi %q, %v : i1
    linalg.yield %a, %b : i1, i1
  } -> (tensor<8xi1>, tensor<8xi1>)
  return %r#0, %r#1 : tensor<8xi1>, tensor<8xi1>
}

// -----

// The other output alone says how long a loop is.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @lengths(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @lengths(%x: tensor<8xf32>, %o: tensor<8x96xf32>, %f: tensor<8xf32>) -> (tensor<8x96xf32>, tensor<8xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#m, #x, #m], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8xf32>) outs(%o, %f : tensor<8x96xf32>, tensor<8xf32>) {
  ^bb0(%v: f32, %p: f32, %s: f32):
    %a = arith.addf %p, %v : f32
    %b = arith.addf %s, %v : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8x96xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8x96xf32>, tensor<8xf32>
}

// -----

// Sums of rows and of columns: a loop is of a result or reduced for it.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func private @both_0(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK-LABEL: func.func private @both_1(
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]
func.func @both(%x: tensor<8x96xf32>) -> (tensor<8xf32>, tensor<96xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<96xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<96xf32>) -> tensor<96xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #m, #n], iterator_types = ["reduction", "reduction"]}
    ins(%x : tensor<8x96xf32>) outs(%f, %h : tensor<8xf32>, tensor<96xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = arith.addf %s, %v : f32
    %d = arith.mulf %v, %two : f32
    %b = arith.addf %q, %d : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8xf32>, tensor<96xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<96xf32>
}

// -----

// Without a reduction, one pass over the elements is best.
#x = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @elementwise(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @elementwise(%x: tensor<8x96xf32>) -> (tensor<8x96xf32>, tensor<8x96xf32>) {
  %e = tensor.empty() : tensor<8x96xf32>
  %r:2 = linalg.generic {indexing_maps = [#x, #x, #x], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<8x96xf32>) outs(%e, %e : tensor<8x96xf32>, tensor<8x96xf32>) {
  ^bb0(%v: f32, %s: f32, %q: f32):
    %a = math.exp %v : f32
    %b = math.sqrt %v : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<8x96xf32>, tensor<8x96xf32>)
  return %r#0, %r#1 : tensor<8x96xf32>, tensor<8x96xf32>
}
