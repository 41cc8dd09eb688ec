// RUN: sched-opt %s --sched-decompose --cse --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-decompose=threads=2 --cse --split-input-file \
// RUN:   | FileCheck %s --check-prefix=SHARED

// A line is what is contiguous: all channels of the pixels between two borders.
// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x5x7x3xf32>
// CHECK: scf.for %[[N:[^ ]+]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<2x7x9x3xf32>)
// CHECK: scf.for %[[H:[^ ]+]] =
// CHECK: %[[LINE:.*]] = tensor.extract_slice %[[X]][%[[N]], %[[H]], 0, 0] [1, 1, 7, 3] {{.*}} to tensor<7x3xf32>
// CHECK: tensor.insert_slice %[[LINE]] into %{{.*}}[%[[N]], %{{.*}}, 1, 0] [1, 1, 7, 3]
// CHECK-COUNT-2: linalg.fill {{.*}} -> tensor<1x3xf32>
// CHECK-COUNT-2: linalg.fill {{.*}} -> tensor<1x9x3xf32>
// CHECK-NOT: tensor.pad
// Too little for two threads.
// SHARED-LABEL: func.func @pad(
// SHARED-NOT: scf.forall
// SHARED: return
func.func @pad(%x: tensor<2x5x7x3xf32>) -> tensor<2x7x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x5x7x3xf32> to tensor<2x7x9x3xf32>
  return %p : tensor<2x7x9x3xf32>
}

// -----

// Threads share the outermost dimension that has something for each of them.
// SHARED-LABEL: func.func @large_pad(
// SHARED: scf.forall (%[[H:.*]]) in (224) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<1x226x226x64xf32>)
// SHARED: %[[ROW:.*]] = affine.apply {{.*}}(%[[H]])
// SHARED: tensor.extract_slice %[[OUT]][0, %[[ROW]], 0, 0] [1, 1, 226, 64]
// SHARED-NOT: scf.for %
// SHARED: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][0, %[[ROW]], 0, 0] [1, 1, 226, 64]
// SHARED-COUNT-2: linalg.fill {{.*}} -> tensor<1x226x64xf32>
// CHECK-LABEL: func.func @large_pad(
// CHECK-NOT: scf.forall
func.func @large_pad(%x: tensor<1x224x224x64xf32>) -> tensor<1x226x226x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x224x224x64xf32> to tensor<1x226x226x64xf32>
  return %p : tensor<1x226x226x64xf32>
}

// -----

// A padding that is not the same everywhere is a loop over elements.
// CHECK-LABEL: func.func @computed_padding(
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
func.func @computed_padding(%x: tensor<5xindex>) -> tensor<7xindex> {
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %a : index
  } : tensor<5xindex> to tensor<7xindex>
  return %p : tensor<7xindex>
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[X:[^:]*]]: tensor<6x5xf32>, %[[Y:[^:]*]]: tensor<6x3xf32>
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[A:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 5]
// CHECK: tensor.insert_slice %[[A]] into %{{.*}}[%[[I]], 0] [1, 5]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [1, 3]
// CHECK: tensor.insert_slice %[[B]] into %{{.*}}[%[[I]], 5] [1, 3]
// CHECK-NOT: tensor.concat
func.func @concat(%x: tensor<6x5xf32>, %y: tensor<6x3xf32>) -> tensor<6x8xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<6x5xf32>, tensor<6x3xf32>) -> tensor<6x8xf32>
  return %c : tensor<6x8xf32>
}

// -----

// Along the outermost dimension each source is one line, which threads share;
// the last element is left over.
// SHARED-LABEL: func.func @concat_rows(
// SHARED-SAME: %[[X:[^:]*]]: tensor<100001xf32>
// SHARED: scf.forall (%[[T:.*]]) in (2)
// SHARED: tensor.extract_slice %[[X]][%{{.*}}] [50000] [1]
// SHARED: %[[LAST:.*]] = tensor.extract_slice %[[X]][100000] [1] [1]
// SHARED: tensor.insert_slice %[[LAST]] into %{{.*}}[100000] [1] [1]
// SHARED: return
func.func @concat_rows(%x: tensor<100001xf32>, %y: tensor<7xf32>) -> tensor<100008xf32> {
  %c = tensor.concat dim(0) %x, %y : (tensor<100001xf32>, tensor<7xf32>) -> tensor<100008xf32>
  return %c : tensor<100008xf32>
}

// -----

// What is computed for it is written where it belongs, in the order in which it
// is computed.
// CHECK-LABEL: func.func @concat_computed(
// CHECK-SAME: %[[X:[^:]*]]: tensor<6x5xf32>
// CHECK: %[[WITH_X:.*]] = tensor.insert_slice %[[X]] into %{{.*}}[0, 3] [6, 5]
// CHECK: %[[B:.*]] = linalg.exp
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %[[B]] into %[[WITH_X]][0, 0] [6, 3]
// CHECK: return %[[BOTH]]
func.func @concat_computed(%x: tensor<6x5xf32>, %y: tensor<6x3xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x3xf32>
  %b = linalg.exp ins(%y : tensor<6x3xf32>) outs(%e : tensor<6x3xf32>) -> tensor<6x3xf32>
  %c = tensor.concat dim(1) %b, %x : (tensor<6x3xf32>, tensor<6x5xf32>) -> tensor<6x8xf32>
  return %c : tensor<6x8xf32>
}

// -----

// Rows of a table: the place is computed once a row.
#index = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<30x64xf32>, %[[PLACES:[^:]*]]: tensor<11xi32>
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[PLACE:.*]] = tensor.extract %[[PLACES]][%[[I]]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[LINE:.*]] = tensor.extract_slice %[[TABLE]][%[[ROW]], 0] [1, 64]
// CHECK: tensor.insert_slice %[[LINE]] into %{{.*}}[%[[I]], 0] [1, 64]
// CHECK-NOT: linalg.generic
func.func @rows(%t: tensor<30x64xf32>, %p: tensor<11xi32>) -> tensor<11x64xf32> {
  %e = tensor.empty() : tensor<11x64xf32>
  %r = linalg.generic {indexing_maps = [#index, #both], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<11xi32>) outs(%e : tensor<11x64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %row = arith.index_cast %a : i32 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%row, %column] : tensor<30x64xf32>
    linalg.yield %v : f32
  } -> tensor<11x64xf32>
  return %r : tensor<11x64xf32>
}

// -----

// Elements of several lines are left to loops over elements, as are slices of
// rows, and rows whose elements are computed with.
#both = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @no_rows(
// CHECK-COUNT-3: linalg.generic
func.func @no_rows(%t: tensor<30x64xf32>, %p: tensor<11x64xi32>)
    -> (tensor<11x64xf32>, tensor<11x32xf32>, tensor<11x64xf32>) {
  %e = tensor.empty() : tensor<11x64xf32>
  %r = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<11x64xi32>) outs(%e : tensor<11x64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %row = arith.index_cast %a : i32 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%row, %column] : tensor<30x64xf32>
    linalg.yield %v : f32
  } -> tensor<11x64xf32>
  %f = tensor.empty() : tensor<11x32xf32>
  %s = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]}
      outs(%f : tensor<11x32xf32>) {
  ^bb0(%o: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%row, %column] : tensor<30x64xf32>
    linalg.yield %v : f32
  } -> tensor<11x32xf32>
  %g = tensor.empty() : tensor<11x64xf32>
  %d = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]}
      outs(%g : tensor<11x64xf32>) {
  ^bb0(%o: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%row, %column] : tensor<30x64xf32>
    %w = math.exp %v : f32
    linalg.yield %w : f32
  } -> tensor<11x64xf32>
  return %r, %s, %d : tensor<11x64xf32>, tensor<11x32xf32>, tensor<11x64xf32>
}

// -----

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<30x9x64xf32>, %[[PLACES:[^:]*]]: tensor<11x2xindex>
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: %[[A:.*]] = tensor.extract %[[PLACES]][%[[I]], %{{.*}}]
// CHECK: %[[B:.*]] = tensor.extract %[[PLACES]][%[[I]], %{{.*}}]
// CHECK: tensor.extract_slice %[[TABLE]][%[[A]], %[[B]], 0] [1, 1, 64]
// CHECK-NOT: tensor.gather
func.func @gather(%t: tensor<30x9x64xf32>, %p: tensor<11x2xindex>) -> tensor<11x64xf32> {
  %r = tensor.gather %t[%p] gather_dims([0, 1]) unique
    : (tensor<30x9x64xf32>, tensor<11x2xindex>) -> tensor<11x64xf32>
  return %r : tensor<11x64xf32>
}

// -----

// Elements of a line, by vectors of 16: the last one overlaps the one before.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<30x64xf32>, %[[PLACES:[^:]*]]: tensor<30x35xi32>
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK: scf.for %[[J:[^ ]+]] = %c0 to %c2 step %c1
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[J]])
// CHECK: %[[P:.*]] = vector.transfer_read %[[PLACES]][%[[I]], %[[AT]]]{{.*}} vector<16xi32>
// CHECK: %[[V:.*]] = vector.gather %[[TABLE]][%[[I]], %c0] [%[[P]]]
// CHECK: vector.transfer_write %[[V]], %{{.*}}[%[[I]], %[[AT]]]
// CHECK: %[[LAST:.*]] = vector.transfer_read %[[PLACES]][%[[I]], %c19]
// CHECK: vector.gather %[[TABLE]][%[[I]], %c0] [%[[LAST]]]
// CHECK-NOT: linalg.generic
// A table of one dimension.
// CHECK-LABEL: func.func @take(
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<30xf64>, %[[PLACES:[^:]*]]: tensor<8x1xi64>
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %[[PLACES]]
// CHECK: %[[P:.*]] = vector.transfer_read %[[LINE]][%c0]{{.*}} vector<8xi64>
// CHECK: vector.gather %[[TABLE]][%c0] [%[[P]]]
func.func @elements(%t: tensor<30x64xf32>, %p: tensor<30x35xi32>) -> tensor<30x35xf32> {
  %e = tensor.empty() : tensor<30x35xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<30x35xi32>) outs(%e : tensor<30x35xf32>) {
  ^bb0(%a: i32, %o: f32):
    %row = linalg.index 0 : index
    %column = arith.index_cast %a : i32 to index
    %v = tensor.extract %t[%row, %column] : tensor<30x64xf32>
    linalg.yield %v : f32
  } -> tensor<30x35xf32>
  return %r : tensor<30x35xf32>
}

func.func @take(%t: tensor<30xf64>, %p: tensor<8x1xi64>) -> tensor<8xf64> {
  %r = tensor.gather %t[%p] gather_dims([0]) : (tensor<30xf64>, tensor<8x1xi64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Not elements whose vectors lie otherwise in memory, of few lanes, or at places
// that no operand tells.
// CHECK-LABEL: func.func @no_vectors(
// CHECK-NOT: vector.gather
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: vector.gather
// CHECK: return
func.func @no_vectors(%a: tensor<30xi24>, %b: tensor<30xf32>, %p: tensor<16xi32>, %q: tensor<16xi4>, %r: tensor<3xi32>)
    -> (tensor<16xi24>, tensor<16xf32>, tensor<3xf32>, tensor<15xf32>) {
  %e0 = tensor.empty() : tensor<16xi24>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%p : tensor<16xi32>) outs(%e0 : tensor<16xi24>) {
  ^bb0(%x: i32, %o: i24):
    %k = arith.index_cast %x : i32 to index
    %v = tensor.extract %a[%k] : tensor<30xi24>
    linalg.yield %v : i24
  } -> tensor<16xi24>
  %e1 = tensor.empty() : tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%q : tensor<16xi4>) outs(%e1 : tensor<16xf32>) {
  ^bb0(%x: i4, %o: f32):
    %k = arith.index_castui %x : i4 to index
    %v = tensor.extract %b[%k] : tensor<30xf32>
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%r : tensor<3xi32>) outs(%e2 : tensor<3xf32>) {
  ^bb0(%x: i32, %o: f32):
    %k = arith.index_cast %x : i32 to index
    %v = tensor.extract %b[%k] : tensor<30xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  %e3 = tensor.empty() : tensor<15xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e3 : tensor<15xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %k = arith.addi %i, %i : index
    %v = tensor.extract %b[%k] : tensor<30xf32>
    linalg.yield %v : f32
  } -> tensor<15xf32>
  return %0, %1, %2, %3 : tensor<16xi24>, tensor<16xf32>, tensor<3xf32>, tensor<15xf32>
}

// Two results of one op, and one value twice, are inserted one behind the other.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[O:.*]]:2 = linalg.generic
// CHECK: %[[A:.*]] = tensor.insert_slice %[[O]]#0 into %{{.*}}[0] [64] [1]
// CHECK: %[[B:.*]] = tensor.insert_slice %[[O]]#1 into %[[A]][64] [64] [1]
// CHECK: %[[C:.*]] = tensor.insert_slice %[[O]]#0 into %[[B]][128] [64] [1]
// CHECK: return %[[C]]
func.func @twice(%a: tensor<64xf32>) -> tensor<192xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %o:2 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
    ins(%a : tensor<64xf32>) outs(%e, %e : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%x: f32, %s: f32, %t: f32):
    %p = arith.addf %x, %x : f32
    %m = arith.mulf %x, %x : f32
    linalg.yield %p, %m : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  %c = tensor.concat dim(0) %o#0, %o#1, %o#0 : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<192xf32>
  return %c : tensor<192xf32>
}
