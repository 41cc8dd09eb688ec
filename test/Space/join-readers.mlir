// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// A product that is read at several places before they meet: all between is
// one op, which reads it once. What follows stays an op of its own, for which
// the script that schedules them has a fusion.

// CHECK-LABEL: func.func @gelu(
// CHECK: call @gelu_0(
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @gelu_0(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[P]], %arg2
// CHECK: arith.addf
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<64x96xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[IN]], %[[IN]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SQUARE]], %[[IN]]
// CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[SUM]]
// CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[TANH]], %[[TANH]]
// CHECK-NEXT: arith.mulf %[[TWICE]], %[[IN]]
// CHECK: linalg.add ins(%[[Y]], %arg3
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @gelu(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %bias: tensor<96xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x96xf32>) outs(%i : tensor<64x96xf32>) -> tensor<64x96xf32>
  %x = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<64x96xf32>, tensor<96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %0 = arith.addf %u, %v : f32
    linalg.yield %0 : f32
  } -> tensor<64x96xf32>
  %square = linalg.mul ins(%x, %x : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %sum = linalg.add ins(%square, %x : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %tanh = linalg.tanh ins(%sum : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %twice = linalg.add ins(%tanh, %tanh : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %y = linalg.mul ins(%twice, %x : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %r = linalg.add ins(%y, %c : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// -----

// The product itself is a result, and so is what the sigmoid would go into:
// no op is behind all readers.

// CHECK-LABEL: func.func @apart(
// CHECK: call @apart_0(
// CHECK-SAME: -> tensor<64x96xf32>
// CHECK: call @apart_1(
// CHECK: linalg.matmul
// CHECK: linalg.exp
// CHECK: linalg.mul
func.func @apart(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) -> (tensor<64x96xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x96xf32>) outs(%i : tensor<64x96xf32>) -> tensor<64x96xf32>
  %x = linalg.exp ins(%p : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %y = linalg.mul ins(%x, %p : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %p, %y : tensor<64x96xf32>, tensor<64x96xf32>
}

// -----

// A reader that is no elementwise op: as in a residual block, both are tasks.

// CHECK-LABEL: func.func @residual(
// CHECK-COUNT-2: call @residual_
// CHECK-NOT: call
// CHECK: return
func.func @residual(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = linalg.matmul ins(%p, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = linalg.add ins(%p, %q : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %x : tensor<64x64xf32>
}

// -----

// What begins with the elements of its output is no part of another op: its own
// readers stay apart as well.

// CHECK-LABEL: func.func @accumulated(
// CHECK: call @accumulated_0(
// CHECK: %[[Y:.*]] = call @accumulated_1(
// CHECK: return %[[Y]]
// CHECK-LABEL: func.func private @accumulated_1(
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %out
// CHECK: %[[Z:.*]] = linalg.generic
// CHECK: arith.mulf
// CHECK: return %[[Z]]
#id = affine_map<(i, j) -> (i, j)>
func.func @accumulated(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = linalg.exp ins(%p : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
  ^bb0(%u: f32, %out: f32):
    %0 = arith.addf %u, %out : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x64xf32>, tensor<64x64xf32>) outs(%p : tensor<64x64xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %0 = arith.mulf %u, %v : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
