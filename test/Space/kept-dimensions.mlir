// Reductions that keep the dimensions they reduce, as sizes of one element that
// are indexed by zero: these go, with the loops of one iteration over them, and
// what follows is one task with the reduction.

// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/norm.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/norm.script.mlir
// RUN: sched-run %t/norm.mlir --transform=%t/norm.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RUN: sched-opt %t/pool.mlir --auto-schedule="trials=0 threads=1 quiet=true" --emit=transform -o %t/pool.script.mlir
// RUN: sched-run %t/pool.mlir --transform=%t/pool.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT

// RIGHT: "verified": true

//--- norm.mlir
// The scale is an op over the kept dimension itself, and then broadcast.
// CHECK-LABEL: func.func @norm(
// CHECK: call @norm_0(
// CHECK-NOT: call
// CHECK: return
// CHECK-LABEL: func.func private @norm_0(
// CHECK-NOT: x1xf32
// CHECK: linalg.fill {{.*}} -> tensor<4x64xf32>
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: x1xf32
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK-NOT: x1xf32
// CHECK: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-NOT: x1xf32
// CHECK: return
#all = affine_map<(b, m, n) -> (b, m, n)>
#kept = affine_map<(b, m, n) -> (b, m, 0)>
func.func @norm(%x: tensor<4x64x300xf32>) -> tensor<4x64x300xf32> {
  %z = arith.constant 0.0 : f32
  %count = arith.constant 300.0 : f32
  %e = tensor.empty() : tensor<4x64x300xf32>
  %k = tensor.empty() : tensor<4x64x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%k : tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
  %sum = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x64x300xf32>) outs(%i : tensor<4x64x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x64x1xf32>
  %mean = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<4x64x1xf32>) outs(%k : tensor<4x64x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %d = arith.divf %v, %count : f32
    linalg.yield %d : f32
  } -> tensor<4x64x1xf32>
  %r = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean : tensor<4x64x300xf32>, tensor<4x64x1xf32>) outs(%e : tensor<4x64x300xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.divf %v, %m : f32
    linalg.yield %d : f32
  } -> tensor<4x64x300xf32>
  return %r : tensor<4x64x300xf32>
}

// -----

//--- pool.mlir
// A global pooling: the batch of one stays, and the result has its dimensions.
// CHECK-LABEL: func.func @pool(
// CHECK: %[[R:.*]] = call @pool_0(%{{.*}}) : (tensor<1x512x49xf32>) -> tensor<1x512xf32>
// CHECK: tensor.expand_shape %[[R]] {{.*}} into tensor<1x512x1x1xf32>
#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#point = affine_map<(n, c, h, w) -> (n, c, 0, 0)>
func.func @pool(%x: tensor<1x512x7x7xf32>) -> tensor<1x512x1x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512x1x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x512x1x1xf32>) -> tensor<1x512x1x1xf32>
  %r = linalg.generic {indexing_maps = [#image, #point], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<1x512x7x7xf32>) outs(%i : tensor<1x512x1x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x512x1x1xf32>
  return %r : tensor<1x512x1x1xf32>
}

// -----

//--- expanded.mlir
// The reshape that added a dimension is passed over.
// CHECK-LABEL: func.func private @expanded_0(
// CHECK-SAME: tensor<4x300xf32>) -> tensor<4x300xf32>
// CHECK-NOT: expand_shape
// CHECK-NOT: extract_slice
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#kept = affine_map<(m, n) -> (m, 0)>
func.func @expanded(%x: tensor<4x300xf32>) -> tensor<4x300xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x300xf32>
  %k = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%z : f32) outs(%k : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x300xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %sums = tensor.expand_shape %sum [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %r = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<4x300xf32>, tensor<4x1xf32>) outs(%e : tensor<4x300xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.divf %v, %m : f32
    linalg.yield %d : f32
  } -> tensor<4x300xf32>
  return %r : tensor<4x300xf32>
}

// -----

//--- batch.mlir
// Sizes of one element that no reduction left stay.
// CHECK-LABEL: func.func @batch(
// CHECK-NOT: expand_shape
// CHECK: return
func.func @batch(%x: tensor<1x64x32xf32>, %bias: tensor<32xf32>) -> tensor<1x64x32xf32> {
  %e = tensor.empty() : tensor<1x64x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>,
                                        affine_map<(b, m, n) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %bias : tensor<1x64x32xf32>, tensor<32xf32>) outs(%e : tensor<1x64x32xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.addf %v, %m : f32
    linalg.yield %d : f32
  } -> tensor<1x64x32xf32>
  return %r : tensor<1x64x32xf32>
}
