// RUN: sched-opt %s --sched-lower-vectors | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Two steps of the reduction: for each row and step, an element of A is
// broadcast and multiplied with a row of B. No dot products.
// CHECK-LABEL: func.func @contract(
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction}}
// CHECK-COUNT-4: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.fma}}
// CHECK: return
func.func @contract(%a: vector<2x2xf32>, %b: vector<2x8xf32>, %c: vector<2x8xf32>) -> vector<2x8xf32> {
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>}
    %a, %b, %c : vector<2x2xf32>, vector<2x8xf32> into vector<2x8xf32>
  return %r : vector<2x8xf32>
}

// The same with the columns first: rows of B, not of A.
// CHECK-LABEL: func.func @columns_first(
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.shuffle}}
// CHECK-COUNT-4: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.shuffle|vector.fma}}
// CHECK: return
func.func @columns_first(%b: vector<2x8xf32>, %a: vector<2x2xf32>, %c: vector<2x8xf32>) -> vector<2x8xf32> {
  %r = vector.contract {indexing_maps = [#b, #a, #c], iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>}
    %b, %a, %c : vector<2x8xf32>, vector<2x2xf32> into vector<2x8xf32>
  return %r : vector<2x8xf32>
}

// Steps outside of rows, and inside of columns, which are transposed once.
// CHECK-LABEL: func.func @transposed_columns_first(
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction}}
// CHECK-COUNT-4: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.fma}}
// CHECK: return
func.func @transposed_columns_first(%b: vector<8x2xf32>, %a: vector<2x2xf32>, %c: vector<2x8xf32>) -> vector<2x8xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (k, m)>, #c],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %b, %a, %c : vector<8x2xf32>, vector<2x2xf32> into vector<2x8xf32>
  return %r : vector<2x8xf32>
}

// Rows are loaded and stored one by one.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME: %[[A:.*]]: memref<2x8xf32>, %[[B:.*]]: memref<2x8xf32>)
// CHECK-NOT: vector.transfer
// CHECK: vector.load %[[A]]{{.*}} : memref<2x8xf32>, vector<8xf32>
// CHECK: vector.load %[[A]]{{.*}} : memref<2x8xf32>, vector<8xf32>
// CHECK: vector.store %{{.*}}, %[[B]]{{.*}} : memref<2x8xf32>, vector<8xf32>
// CHECK: vector.store %{{.*}}, %[[B]]{{.*}} : memref<2x8xf32>, vector<8xf32>
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @copy(%a: memref<2x8xf32>, %b: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<2x8xf32>, vector<2x8xf32>
  vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, memref<2x8xf32>
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK-NOT: vector.transpose
// CHECK: vector.shuffle
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @transpose(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %t = vector.transpose %v, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  return %t : vector<4x4xf32>
}

// A sum over rows adds whole rows.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: {{vector.multi_reduction|vector.reduction}}
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT: {{vector.multi_reduction|vector.reduction|arith.addf}}
// CHECK: return
func.func @sum(%v: vector<4x8xf32>, %start: vector<8xf32>) -> vector<8xf32> {
  %s = vector.multi_reduction <add>, %v, %start [0] : vector<4x8xf32> to vector<8xf32>
  return %s : vector<8xf32>
}

// A copy of few elements is a vector; a larger one is left to loops, as is one
// whose rows are not contiguous.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[A:[^:]*]]: memref<1x64xf32>, %[[B:[^:]*]]: memref<1x64xf32,
// CHECK: %[[ROW:.*]] = vector.load %[[A]]{{.*}}, vector<64xf32>
// CHECK: vector.store %[[ROW]], %[[B]]{{.*}}, vector<64xf32>
// CHECK: linalg.copy ins(%{{.*}} : memref<2x65xf32>)
// CHECK: linalg.copy ins(%{{.*}} : memref<8x8xf32, strided<[1, 8]>>)
func.func @copies(%a: memref<1x64xf32>, %b: memref<1x64xf32, strided<[512, 1], offset: ?>>,
                  %c: memref<2x65xf32>, %d: memref<2x65xf32>,
                  %e: memref<8x8xf32, strided<[1, 8]>>, %f: memref<8x8xf32>) {
  linalg.copy ins(%a : memref<1x64xf32>) outs(%b : memref<1x64xf32, strided<[512, 1], offset: ?>>)
  linalg.copy ins(%c : memref<2x65xf32>) outs(%d : memref<2x65xf32>)
  linalg.copy ins(%e : memref<8x8xf32, strided<[1, 8]>>) outs(%f : memref<8x8xf32>)
  return
}

// A vector without dimensions is an element, wherever its neighbours are.
// CHECK-LABEL: func.func @element(
// CHECK-NOT: vector.transfer
// CHECK: %[[E:.*]] = memref.load %{{.*}} : memref<8xf32, strided<[2]>>
// CHECK: memref.store %[[E]], %{{.*}} : memref<8xf32, strided<[2]>>
// CHECK: return
func.func @element(%a: memref<8xf32, strided<[2]>>, %i: index, %j: index) {
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%i], %p : memref<8xf32, strided<[2]>>, vector<f32>
  vector.transfer_write %v, %a[%j] : vector<f32>, memref<8xf32, strided<[2]>>
  return
}

// Of a vector that reaches beyond the buffer, the part inside is written; a load
// leaves lanes out.
// CHECK-LABEL: func.func @beyond(
// CHECK-SAME: %[[A:.*]]: memref<2x7xf32>, %[[B:.*]]: memref<2x7xf32>)
// CHECK-COUNT-2: vector.transfer_read %[[A]]{{.*}} : memref<2x7xf32>, vector<8xf32>
// CHECK-NOT: vector.transfer_write
// CHECK-COUNT-2: vector.store %{{.*}}, %[[B]]{{.*}} : memref<2x7xf32>, vector<7xf32>
// CHECK: return
func.func @beyond(%a: memref<2x7xf32>, %b: memref<2x7xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, false]} : memref<2x7xf32>, vector<2x8xf32>
  vector.transfer_write %0, %b[%c0, %c0] {in_bounds = [true, false]} : vector<2x8xf32>, memref<2x7xf32>
  return
}

// Places have no bits to shuffle.
// CHECK-LABEL: func.func @places(
// CHECK: return
func.func @places(%a: vector<4x4xindex>) -> vector<4x4xindex> {
  %0 = vector.transpose %a, [1, 0] : vector<4x4xindex> to vector<4x4xindex>
  return %0 : vector<4x4xindex>
}

// Products lane by lane are added row by row, all lanes at once.
// CHECK-LABEL: func.func @lanes(
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.broadcast}}
// CHECK-COUNT-2: arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT: {{vector.contract|vector.outerproduct|vector.reduction|vector.broadcast}}
// CHECK: return
func.func @lanes(%a: vector<2x8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>],
                        iterator_types = ["reduction", "parallel"],
                        kind = #vector.kind<add>} %a, %a, %c : vector<2x8xf32>, vector<2x8xf32> into vector<8xf32>
  return %r : vector<8xf32>
}

// A column has no elements side by side to gather.
// CHECK-LABEL: func.func @gather_apart(
// CHECK-SAME: %[[X:[^:]*]]: memref<64xf32, strided<[3], offset: ?>>, %[[P:[^:]*]]: vector<4xi32>, %[[AT:[^:]*]]: index
// CHECK-NOT: vector.gather
// CHECK: %[[N:.*]] = vector.extract %[[P]][0]
// CHECK: %[[I:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[K:.*]] = arith.addi %[[AT]], %[[I]]
// CHECK: memref.load %[[X]][%[[K]]]
// CHECK-COUNT-3: memref.load
// CHECK-LABEL: func.func @gather(
// CHECK: vector.gather
func.func @gather_apart(%x: memref<64xf32, strided<[3], offset: ?>>, %p: vector<4xi32>, %at: index) -> vector<4xf32> {
  %all = arith.constant dense<true> : vector<4xi1>
  %none = ub.poison : vector<4xf32>
  %v = vector.gather %x[%at] [%p], %all, %none : memref<64xf32, strided<[3], offset: ?>>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}

func.func @gather(%x: memref<64xf32>, %p: vector<4xi32>, %at: index) -> vector<4xf32> {
  %all = arith.constant dense<true> : vector<4xi1>
  %none = ub.poison : vector<4xf32>
  %v = vector.gather %x[%at] [%p], %all, %none : memref<64xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
