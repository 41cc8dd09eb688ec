// RUN: sched-opt %s --sched-read-gathered --cse --split-input-file | FileCheck %s

// Each row of a vector is read where it is, and looked up once for the row.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[T:[^:]*]]: tensor<31x64xf32>, %[[P:[^:]*]]: tensor<12x1xi32>
// CHECK-NOT: tensor.gather
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[FIRST:.*]] = tensor.extract %[[P]][%[[I]], %c0]
// CHECK: %[[AT0:.*]] = arith.index_cast %[[FIRST]]
// CHECK: %[[NEXT:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK: %[[SECOND:.*]] = tensor.extract %[[P]][%[[NEXT]], %c0]
// CHECK: %[[AT1:.*]] = arith.index_cast %[[SECOND]]
// CHECK: scf.for %[[J:[^ ]+]] =
// CHECK: %[[ROW0:.*]] = vector.transfer_read %[[T]][%[[AT0]], %[[J]]]{{.*}}in_bounds = [true]{{.*}} vector<16xf32>
// CHECK: %[[ONE:.*]] = vector.insert %[[ROW0]], %{{.*}} [0]
// CHECK: %[[ROW1:.*]] = vector.transfer_read %[[T]][%[[AT1]], %[[J]]]{{.*}}in_bounds = [true]{{.*}} vector<16xf32>
// CHECK: %[[BOTH:.*]] = vector.insert %[[ROW1]], %[[ONE]] [1]
// CHECK: arith.negf %[[BOTH]]
func.func @rows(%t: tensor<31x64xf32>, %p: tensor<12x1xi32>, %o: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = ub.poison : f32
  %g = tensor.gather %t[%p] gather_dims([0]) : (tensor<31x64xf32>, tensor<12x1xi32>) -> tensor<12x64xf32>
  %r = scf.for %i = %c0 to %c12 step %c2 iter_args(%a = %o) -> (tensor<12x64xf32>) {
    %s = scf.for %j = %c0 to %c64 step %c16 iter_args(%b = %a) -> (tensor<12x64xf32>) {
      %v = vector.transfer_read %g[%i, %j], %pad {in_bounds = [true, true]} : tensor<12x64xf32>, vector<2x16xf32>
      %n = arith.negf %v : vector<2x16xf32>
      %w = vector.transfer_write %n, %b[%i, %j] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<12x64xf32>
      scf.yield %w : tensor<12x64xf32>
    }
    scf.yield %s : tensor<12x64xf32>
  }
  return %r : tensor<12x64xf32>
}

// -----

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// One element of each of three rows, and a line whose end is out of bounds.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[T:[^:]*]]: tensor<31x7x5xf32>, %[[P:[^:]*]]: tensor<3xindex>
// CHECK-NOT: linalg.generic
// CHECK: tensor.extract %[[P]][%c0]
// CHECK: vector.transfer_read %[[T]][%{{.*}}, %c3, %c4]{{.*}} vector<f32>
// CHECK: tensor.extract %[[P]][%c1]
// CHECK: vector.transfer_read %[[T]][%{{.*}}, %c3, %c4]{{.*}} vector<f32>
// CHECK: tensor.extract %[[P]][%c2]
// CHECK: vector.transfer_read %[[T]][%{{.*}}, %c3, %c4]{{.*}} vector<f32>
// CHECK: vector.insert %{{.*}} [2] : f32 into vector<3xf32>
// CHECK: vector.transfer_read %[[T]][%{{.*}}, %c3, %c0], %{{[^{]*}} : tensor<31x7x5xf32>, vector<8xf32>
func.func @columns(%t: tensor<31x7x5xf32>, %p: tensor<3xindex>) -> (vector<3xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x5xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p : tensor<3xindex>) outs(%e : tensor<3x7x5xf32>) {
  ^bb0(%i: index, %o: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %v = tensor.extract %t[%i, %j, %k] : tensor<31x7x5xf32>
    linalg.yield %v : f32
  } -> tensor<3x7x5xf32>
  %column = vector.transfer_read %g[%c0, %c3, %c4], %pad
    {in_bounds = [true], permutation_map = affine_map<(i, j, k) -> (i)>} : tensor<3x7x5xf32>, vector<3xf32>
  %line = vector.transfer_read %g[%c2, %c3, %c0], %pad : tensor<3x7x5xf32>, vector<8xf32>
  return %column, %line : vector<3xf32>, vector<8xf32>
}

// -----

// Not before the place is known.
// CHECK-LABEL: func.func @inside(
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[P:.*]] = tensor.from_elements %[[I]]
// CHECK: %[[AT:.*]] = tensor.extract %[[P]][%c0]
// CHECK: vector.transfer_read %{{.*}}[%[[AT]], %c0]
func.func @inside(%t: tensor<31x64xf32>, %o: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<1x64xf32>
  %r = scf.for %i = %c0 to %c12 step %c1 iter_args(%a = %o) -> (tensor<12x64xf32>) {
    %p = tensor.from_elements %i : tensor<1xindex>
    %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1xindex>) outs(%e : tensor<1x64xf32>) {
    ^bb0(%place: index, %old: f32):
      %j = linalg.index 1 : index
      %v = tensor.extract %t[%place, %j] : tensor<31x64xf32>
      linalg.yield %v : f32
    } -> tensor<1x64xf32>
    %row = vector.transfer_read %g[%c0, %c0], %pad {in_bounds = [true]} : tensor<1x64xf32>, vector<64xf32>
    %n = arith.negf %row : vector<64xf32>
    %w = vector.transfer_write %n, %a[%i, %c0] {in_bounds = [true]} : vector<64xf32>, tensor<12x64xf32>
    scf.yield %w : tensor<12x64xf32>
  }
  return %r : tensor<12x64xf32>
}

// -----

// What something else reads is copied, and so is what is read many times, or
// where rows may not be there.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-3: linalg.generic
// CHECK: vector.transfer_read
func.func @stays(%t: tensor<31x64xf32>, %p: tensor<12x1xi32>, %q: tensor<13x1xi32>, %r: tensor<14x1xi32>,
                 %b: vector<4x16xf32>, %n: index)
    -> (tensor<12x64xf32>, vector<4xf32>, vector<2x16xf32>, vector<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<2x4xf32>
  %g = tensor.gather %t[%p] gather_dims([0]) : (tensor<31x64xf32>, tensor<12x1xi32>) -> tensor<12x64xf32>
  %h = tensor.gather %t[%q] gather_dims([0]) : (tensor<31x64xf32>, tensor<13x1xi32>) -> tensor<13x64xf32>
  %k = tensor.gather %t[%r] gather_dims([0]) : (tensor<31x64xf32>, tensor<14x1xi32>) -> tensor<14x64xf32>
  %v = vector.transfer_read %g[%c0, %c0], %pad {in_bounds = [true]} : tensor<12x64xf32>, vector<4xf32>
  %w = vector.transfer_read %h[%n, %c0], %pad {in_bounds = [false, true]} : tensor<13x64xf32>, vector<2x16xf32>
  %x = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<14x64xf32>, vector<4x16xf32>
  %s = arith.constant dense<0.0> : vector<4x4xf32>
  %y = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                                         affine_map<(i, j, k) -> (i, j)>],
                        iterator_types = ["parallel", "parallel", "reduction"]}
    %x, %b, %s : vector<4x16xf32>, vector<4x16xf32> into vector<4x4xf32>
  return %g, %v, %w, %y : tensor<12x64xf32>, vector<4xf32>, vector<2x16xf32>, vector<4x4xf32>
}

// -----

// Single elements (GatherElements.cpp), at places that are computed as vectors
// (GatherPlaces.cpp); what does not depend
// on the innermost loop is computed once.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[T:[^:]*]]: tensor<31x64xf32>, %[[P:[^:]*]]: tensor<64xi32>, %[[Q:[^:]*]]: tensor<12xi32>
// CHECK-NOT: linalg.generic
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[A:.*]] = tensor.extract %[[Q]][%[[I]]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: %[[P0:.*]] = vector.transfer_read %[[P]][%[[J:.*]]], %{{.*}} {in_bounds = [true]} : tensor<64xi32>, vector<16xi32>
// CHECK: %[[B:.*]] = vector.broadcast %[[A]] : i32 to vector<16xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[P0]], %[[B]] : vector<16xi32>
// CHECK: %[[V0:.*]] = vector.gather %[[T]][%[[ROW]], %c0] [%[[SUM]]], %[[ALL]]
// CHECK: vector.insert %[[V0]], %{{.*}} [0] : vector<16xf32> into vector<2x16xf32>
// CHECK: vector.gather %[[T]]
// CHECK: vector.insert %{{.*}} [1] : vector<16xf32> into vector<2x16xf32>
// What is read along another dimension stays.
// CHECK-LABEL: func.func @down(
// CHECK: linalg.generic
func.func @elements(%t: tensor<31x64xf32>, %p: tensor<64xi32>, %q: tensor<12xi32>, %o: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<12x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%p, %q : tensor<64xi32>, tensor<12xi32>) outs(%e : tensor<12x64xf32>) {
  ^bb0(%a: i32, %b: i32, %old: f32):
    %row = arith.index_cast %b : i32 to index
    %sum = arith.addi %a, %b : i32
    %column = arith.index_cast %sum : i32 to index
    %v = tensor.extract %t[%row, %column] : tensor<31x64xf32>
    linalg.yield %v : f32
  } -> tensor<12x64xf32>
  %r = scf.for %i = %c0 to %c12 step %c2 iter_args(%a = %o) -> (tensor<12x64xf32>) {
    %s = scf.for %j = %c0 to %c64 step %c16 iter_args(%b = %a) -> (tensor<12x64xf32>) {
      %v = vector.transfer_read %g[%i, %j], %pad {in_bounds = [true, true]} : tensor<12x64xf32>, vector<2x16xf32>
      %n = arith.negf %v : vector<2x16xf32>
      %w = vector.transfer_write %n, %b[%i, %j] {in_bounds = [true, true]} : vector<2x16xf32>, tensor<12x64xf32>
      scf.yield %w : tensor<12x64xf32>
    }
    scf.yield %s : tensor<12x64xf32>
  }
  return %r : tensor<12x64xf32>
}

func.func @down(%t: tensor<64xf32>, %p: tensor<8x4xindex>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<8x4xindex>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: index, %old: f32):
    %v = tensor.extract %t[%a] : tensor<64xf32>
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  %v = vector.transfer_read %g[%c0, %c0], %pad {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : tensor<8x4xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
