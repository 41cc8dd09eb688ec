// RUN: sched-opt %s --sched-share-rest="threads=3 min-points=1000" --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-share-rest=min-points=1000 --split-input-file | FileCheck %s --check-prefix=ALONE

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// The first loop has but two iterations. Each thread gets at most 334 of the
// second one, and a slice of each result.
// CHECK-LABEL: func.func @both(
// CHECK: scf.forall (%[[T:.*]]) in (3) shared_outs(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [2, %[[SIZE]]]
// CHECK: linalg.generic
// CHECK: scf.forall.in_parallel
// CHECK-COUNT-2: tensor.parallel_insert_slice
// ALONE-LABEL: func.func @both(
// ALONE-NOT: scf.forall
func.func @both(%a: tensor<2x1001xf32>) -> (tensor<2x1001xf32>, tensor<2x1001xf32>) {
  %e = tensor.empty() : tensor<2x1001xf32>
  %f = tensor.empty() : tensor<2x1001xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x1001xf32>) outs(%e, %f : tensor<2x1001xf32>, tensor<2x1001xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %n = arith.negf %x : f32
    %s = arith.mulf %x, %x : f32
    linalg.yield %n, %s : f32, f32
  } -> (tensor<2x1001xf32>, tensor<2x1001xf32>)
  return %r#0, %r#1 : tensor<2x1001xf32>, tensor<2x1001xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// Not what has few iterations, adds up, fills, or is in a loop.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @whole(%a: tensor<9x100xf32>, %b: tensor<12x100xf32>, %c: f32)
    -> (tensor<9x100xf32>, tensor<12xf32>, tensor<12x100xf32>, tensor<12x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<9x100xf32>
  %few = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<9x100xf32>) outs(%e : tensor<9x100xf32>) {
  ^bb0(%x: f32, %o: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<9x100xf32>
  %s = tensor.empty() : tensor<12xf32>
  %sums = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<12x100xf32>) outs(%s : tensor<12xf32>) {
  ^bb0(%x: f32, %o: f32):
    %n = arith.addf %x, %o : f32
    linalg.yield %n : f32
  } -> tensor<12xf32>
  %f = tensor.empty() : tensor<12x100xf32>
  %filled = linalg.fill ins(%c : f32) outs(%f : tensor<12x100xf32>) -> tensor<12x100xf32>
  %looped = scf.for %i = %c0 to %c4 step %c1 iter_args(%l = %b) -> (tensor<12x100xf32>) {
    %n = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
        outs(%l : tensor<12x100xf32>) {
    ^bb0(%o: f32):
      %m = arith.negf %o : f32
      linalg.yield %m : f32
    } -> tensor<12x100xf32>
    scf.yield %n : tensor<12x100xf32>
  }
  return %few, %sums, %filled, %looped : tensor<9x100xf32>, tensor<12xf32>, tensor<12x100xf32>, tensor<12x100xf32>
}
