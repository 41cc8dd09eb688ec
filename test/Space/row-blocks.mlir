// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// Once more changes nothing, and putting the tasks back gives the ops again.
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-drop-script --split-input-file | FileCheck %s --check-prefix=BACK

// Attention of 2 x 3 heads with a mask: 599 queries, a prime, in blocks of 120
// rows and one of 119. A block reads its head's keys and values, and the rows
// of the mask; no tensor has all scores.

// CHECK-LABEL: func.func @attention(
// CHECK-NOT: 3x599x512
// CHECK: %[[MAIN:.*]] = scf.forall (%[[B:.*]], %[[H:.*]], %[[ROW:.*]]) = (0, 0, 0) to (2, 3, 480) step (1, 1, 120) shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK-DAG: %[[Q:.*]] = tensor.extract_slice %arg0[%[[B]], %[[H]], %[[ROW]], 0] [1, 1, 120, 64]
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %arg1[%[[B]], %[[H]], 0, 0] [1, 1, 512, 64]
// CHECK-DAG: %[[M:.*]] = tensor.extract_slice %arg3[%[[ROW]], 0] [120, 512]
// CHECK-DAG: %[[V:.*]] = tensor.extract_slice %arg2[%[[B]], %[[H]], 0, 0] [1, 1, 512, 64]
// CHECK: %[[R:.*]] = func.call @attention_rows(%[[Q]], %[[K]], %[[M]], %[[V]])
// CHECK: tensor.parallel_insert_slice %[[R]] into %[[OUT]][%[[B]], %[[H]], %[[ROW]], 0] [1, 1, 120, 64]
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 480) to (2, 3, 599) step (1, 1, 119) shared_outs(%{{.*}} = %[[MAIN]])
// CHECK: call @[[TAIL:attention_rows_[0-9_]*]](
// CHECK: func.func private @[[TAIL]](
// CHECK: func.func private @attention_rows(
// CHECK-SAME: attributes {schedule.in_parallel, schedule.outlined}
// CHECK-COUNT-3: call @attention_rows_
// CHECK: return
// CHECK: func.func private @attention_rows_0
// CHECK-SAME: attributes {schedule.in_parallel, schedule.outlined}
// CHECK: linalg.contract
// BACK-LABEL: func.func @attention(
// BACK: scf.forall
// BACK-COUNT-2: linalg.contract
// BACK: scf.forall
// BACK-COUNT-2: linalg.contract
// BACK-NOT: func.func private
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#mask = affine_map<(b, h, m, n) -> (m, n)>
func.func @attention(%q: tensor<2x3x599x64xf32>, %k: tensor<2x3x512x64xf32>, %v: tensor<2x3x512x64xf32>,
                     %mask: tensor<599x512xf32>) -> tensor<2x3x599x64xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<2x3x599x512xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x599x512xf32>) -> tensor<2x3x599x512xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x3x599x64xf32>, tensor<2x3x512x64xf32>)
                       outs(%i : tensor<2x3x599x512xf32>) -> tensor<2x3x599x512xf32>
  %masked = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x3x599x512xf32>, tensor<599x512xf32>) outs(%e : tensor<2x3x599x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %scale : f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x599x512xf32>
  %w = linalg.softmax dimension(3) ins(%masked : tensor<2x3x599x512xf32>) outs(%e : tensor<2x3x599x512xf32>) -> tensor<2x3x599x512xf32>
  %e2 = tensor.empty() : tensor<2x3x599x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x3x599x64xf32>) -> tensor<2x3x599x64xf32>
  %r = linalg.contract indexing_maps = [#q, #v, #s] ins(%w, %v : tensor<2x3x599x512xf32>, tensor<2x3x512x64xf32>)
                       outs(%i2 : tensor<2x3x599x64xf32>) -> tensor<2x3x599x64xf32>
  return %r : tensor<2x3x599x64xf32>
}

// -----

// Scores that fit in the cache stay whole.

// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.forall (
func.func @small(%q: tensor<2x128x32xf32>, %k: tensor<2x32x128xf32>, %v: tensor<2x128x32xf32>) -> tensor<2x128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x128x128xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x128x32xf32>, tensor<2x32x128xf32>) outs(%i : tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<2x128x128xf32>) outs(%e : tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
  %e2 = tensor.empty() : tensor<2x128x32xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x128x32xf32>) -> tensor<2x128x32xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x128x128xf32>, tensor<2x128x32xf32>) outs(%i2 : tensor<2x128x32xf32>) -> tensor<2x128x32xf32>
  return %r : tensor<2x128x32xf32>
}

// -----

// Two products without a reduction of rows between them share weights, which
// are read anew for each block: they stay apart.

// CHECK-LABEL: func.func @layers(
// CHECK-NOT: scf.forall (
func.func @layers(%x: tensor<1024x64xf32>, %u: tensor<64x512xf32>, %v: tensor<512x64xf32>) -> tensor<1024x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x512xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %h = linalg.matmul ins(%x, %u : tensor<1024x64xf32>, tensor<64x512xf32>) outs(%i : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %a = linalg.exp ins(%h : tensor<1024x512xf32>) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %e2 = tensor.empty() : tensor<1024x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %r = linalg.matmul ins(%a, %v : tensor<1024x512xf32>, tensor<512x64xf32>) outs(%i2 : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %r : tensor<1024x64xf32>
}

// -----

// The weights are a result, too: they are in memory in any case.

// CHECK-LABEL: func.func @kept(
// CHECK-NOT: scf.forall (
func.func @kept(%q: tensor<2x256x32xf32>, %k: tensor<2x32x256xf32>, %v: tensor<2x256x32xf32>)
    -> (tensor<2x256x32xf32>, tensor<2x256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x256x32xf32>, tensor<2x32x256xf32>) outs(%i : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<2x256x256xf32>) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x32xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x256x256xf32>, tensor<2x256x32xf32>) outs(%i2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  return %r, %w : tensor<2x256x32xf32>, tensor<2x256x256xf32>
}

// -----

// Normalised over the queries: a row needs all others.

// CHECK-LABEL: func.func @columns(
// CHECK-NOT: scf.forall (
func.func @columns(%q: tensor<2x256x32xf32>, %k: tensor<2x32x256xf32>, %v: tensor<2x256x32xf32>) -> tensor<2x256x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x256x32xf32>, tensor<2x32x256xf32>) outs(%i : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<2x256x256xf32>) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x32xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x256x256xf32>, tensor<2x256x32xf32>) outs(%i2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  return %r : tensor<2x256x32xf32>
}

// -----

// Causal: a block reads the places of its rows, and those of batches, from
// constants; the places of keys are its own.

// CHECK-LABEL: func.func @causal(
// CHECK-NOT: 2x256x256
// CHECK-DAG: %[[ROWS:.*]] = arith.constant dense<{{.*}}> : tensor<256xi32>
// CHECK-DAG: %[[BATCHES:.*]] = arith.constant dense<[0, 1]> : tensor<2xi32>
// CHECK: scf.forall (%[[B:.*]], %[[ROW:.*]]) = (0, 0) to (2, 256) step (1, 32)
// CHECK-DAG: tensor.extract_slice %[[ROWS]][%[[ROW]]] [32] [1]
// CHECK-DAG: tensor.extract_slice %[[BATCHES]][%[[B]]] [1] [1]
// CHECK: func.func private @causal_rows(
// CHECK: func.func private @causal_rows_0(
// CHECK-SAME: tensor<32xi32>
// CHECK: linalg.generic
// CHECK: ^bb0(%{{.*}}: f32, %[[PLACE:.*]]: i32, %{{.*}}: i32, %{{.*}}: f32):
// CHECK: %[[I:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[J:.*]] = linalg.index 2
// CHECK: arith.cmpi ule, %[[J]], %[[I]] : index
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @causal(%q: tensor<2x256x32xf32>, %k: tensor<2x32x256xf32>, %v: tensor<2x256x32xf32>) -> tensor<2x256x32xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x256x32xf32>, tensor<2x32x256xf32>) outs(%i : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x256x256xf32>) outs(%e : tensor<2x256x256xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %b = linalg.index 0 : index
    %is = arith.cmpi ule, %n, %m : index
    %batch = arith.index_cast %b : index to i32
    %scale = arith.sitofp %batch : i32 to f32
    %scaled = arith.mulf %a, %scale : f32
    %0 = arith.select %is, %scaled, %lowest : f32
    linalg.yield %0 : f32
  } -> tensor<2x256x256xf32>
  %w = linalg.softmax dimension(2) ins(%c : tensor<2x256x256xf32>) outs(%e : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %e2 = tensor.empty() : tensor<2x256x32xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x256x256xf32>, tensor<2x256x32xf32>) outs(%i2 : tensor<2x256x32xf32>) -> tensor<2x256x32xf32>
  return %r : tensor<2x256x32xf32>
}

// -----

// A constant that a region inside of an op's body uses belongs to the block's
// function, too.

// CHECK-LABEL: func.func @nested(
// CHECK: scf.forall (
// CHECK: func.func private @nested_rows(
#id = affine_map<(b,i,j)->(b,i,j)>
#row = affine_map<(b,i,j)->(b,i)>
func.func @nested(%q: tensor<4x300x64xf32>, %k: tensor<4x64x300xf32>, %vv: tensor<4x300x64xf32>) -> tensor<4x300x64xf32> {
  %c = arith.constant 0.0 : f32
  %c2 = arith.constant 0.125 : f32
  %es = tensor.empty() : tensor<4x300x300xf32>
  %zs = linalg.fill ins(%c : f32) outs(%es : tensor<4x300x300xf32>) -> tensor<4x300x300xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x300x64xf32>, tensor<4x64x300xf32>) outs(%zs : tensor<4x300x300xf32>) -> tensor<4x300x300xf32>
  %e1 = tensor.empty() : tensor<4x300x300xf32>
  %t = linalg.generic {indexing_maps=[#id,#id], iterator_types=["parallel","parallel","parallel"]} ins(%s : tensor<4x300x300xf32>) outs(%e1 : tensor<4x300x300xf32>) {
  ^bb0(%i: f32, %o: f32):
    %nz = arith.cmpf ogt, %i, %c : f32
    %v = scf.if %nz -> (f32) {
      scf.yield %i : f32
    } else {
      scf.yield %c2 : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x300x300xf32>
  %e2 = tensor.empty() : tensor<4x300x300xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x300x300xf32>) outs(%e2 : tensor<4x300x300xf32>) -> tensor<4x300x300xf32>
  %er = tensor.empty() : tensor<4x300x64xf32>
  %zr = linalg.fill ins(%c : f32) outs(%er : tensor<4x300x64xf32>) -> tensor<4x300x64xf32>
  %r = linalg.batch_matmul ins(%p, %vv : tensor<4x300x300xf32>, tensor<4x300x64xf32>) outs(%zr : tensor<4x300x64xf32>) -> tensor<4x300x64xf32>
  return %r : tensor<4x300x64xf32>
}

// -----

// Grouped-query attention: four heads of queries share a head of keys and
// values. A block reads the one of its group; the heads' rows, which read the
// same, are not merged before.

// CHECK-LABEL: func.func @grouped(
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %{{.*}}) = (0, 0, 0) to (2, 4, 256) step (1, 1, 128)
// CHECK: tensor.extract_slice %arg1[%[[B]], 0, 0] [1, 256, 64]
// CHECK: func.call @grouped_rows(
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, k, n)>
func.func @grouped(%q: tensor<2x4x256x64xf32>, %k: tensor<2x256x64xf32>, %v: tensor<2x256x64xf32>) -> tensor<2x4x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x256x256xf32>) -> tensor<2x4x256x256xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x256x64xf32>, tensor<2x256x64xf32>)
                       outs(%i : tensor<2x4x256x256xf32>) -> tensor<2x4x256x256xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x4x256x256xf32>) outs(%e : tensor<2x4x256x256xf32>) -> tensor<2x4x256x256xf32>
  %e2 = tensor.empty() : tensor<2x4x256x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x4x256x64xf32>) -> tensor<2x4x256x64xf32>
  %r = linalg.contract indexing_maps = [#q, #v, #s] ins(%w, %v : tensor<2x4x256x256xf32>, tensor<2x256x64xf32>)
                       outs(%i2 : tensor<2x4x256x64xf32>) -> tensor<2x4x256x64xf32>
  return %r : tensor<2x4x256x64xf32>
}

// -----

// Wide layers with a reduction of rows in between: every block would read both
// matrices again, which are far larger than what it has of the rows.

// CHECK-LABEL: func.func @wide(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @narrow(
// CHECK: scf.forall
// CHECK: func.func private @narrow_rows(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @wide(%x: tensor<512x768xf32>, %u: tensor<768x768xf32>, %v: tensor<768x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x768xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %s = linalg.matmul ins(%x, %u : tensor<512x768xf32>, tensor<768x768xf32>) outs(%i : tensor<512x768xf32>) -> tensor<512x768xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<512x768xf32>) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %e2 = tensor.empty() : tensor<512x512xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.matmul ins(%w, %v : tensor<512x768xf32>, tensor<768x512xf32>) outs(%i2 : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
func.func @narrow(%x: tensor<512x64xf32>, %u: tensor<64x768xf32>, %v: tensor<768x64xf32>) -> tensor<512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x768xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %s = linalg.matmul ins(%x, %u : tensor<512x64xf32>, tensor<64x768xf32>) outs(%i : tensor<512x768xf32>) -> tensor<512x768xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<512x768xf32>) outs(%e : tensor<512x768xf32>) -> tensor<512x768xf32>
  %e2 = tensor.empty() : tensor<512x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.matmul ins(%w, %v : tensor<512x768xf32>, tensor<768x64xf32>) outs(%i2 : tensor<512x64xf32>) -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}
