// Channels that are innermost are taken one by one where neighbouring results
// read every second to fourth element (TakePlanes.cpp).
// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/taken.mlir --schedule-outline-tasks | FileCheck %t/taken.mlir
// RUN: sched-opt %t/left.mlir --schedule-outline-tasks | FileCheck %t/left.mlir
// RUN: sched-opt %t/taken.mlir --schedule-outline-tasks=gpu=true | FileCheck %t/taken.mlir --check-prefix=GPU

// Each computes what it did.
// RUN: sched-opt %t/taken.mlir --auto-schedule="trials=2 batch=2 threads=2 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/tuned.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/work/records.jsonl
// RUN: sched-run %t/taken.mlir --entry=gray --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=computed --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=distances --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=chain --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=colours --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=behind --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=outwards --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RECORD-NOT: "error":"{{[a-z]}}
// RIGHT: check: right

//--- taken.mlir
#image = affine_map<(h, w, c) -> (h, w, c)>
#channel = affine_map<(h, w, c) -> (c)>
#pixel = affine_map<(h, w, c) -> (h, w)>

// In the order of the sum, which begins where it did.
// CHECK-LABEL: func.func @gray(
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 0] [5, 33, 1] [1, 1, 1] : tensor<5x33x3xf32> to tensor<5x33xf32>
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 1] [5, 33, 1] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 2] [5, 33, 1] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %arg1[2] [1] [1] : tensor<3xf32> to tensor<f32>
// CHECK: call @gray_0(
// CHECK-LABEL: func.func private @gray_0(
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: ^bb0(%[[R:.*]]: f32, %[[G:.*]]: f32, %[[B:.*]]: f32, %[[P:.*]]: f32, %[[Q:.*]]: f32, %[[S:.*]]: f32, %[[START:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[A0:.*]] = arith.mulf %[[R]], %[[P]]
// CHECK: %[[S0:.*]] = arith.addf %[[START]], %[[A0]]
// CHECK: %[[A1:.*]] = arith.mulf %[[G]], %[[Q]]
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %[[A1]]
// CHECK: %[[A2:.*]] = arith.mulf %[[B]], %[[S]]
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %[[A2]]
// CHECK: linalg.yield %[[S2]]
// GPU-LABEL: func.func @gray(
// GPU-NOT: extract_slice
// GPU: "reduction"
func.func @gray(%x: tensor<5x33x3xf32>, %k: tensor<3xf32>, %start: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %r = linalg.generic {indexing_maps = [#image, #channel, #pixel], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %k : tensor<5x33x3xf32>, tensor<3xf32>) outs(%start : tensor<5x33xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %p = arith.mulf %a, %m : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x33xf32>
  return %r : tensor<5x33xf32>
}

// What is computed for the sum alone is computed slice by slice, in its task.
// CHECK-LABEL: func.func @computed(
// CHECK-NOT: tensor<7x40x4xf32>
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 3] [7, 40, 1] [1, 1, 1] : tensor<7x40x4xi8> to tensor<7x40xi8>
// CHECK: call @computed_0(
// CHECK-NOT: call
// CHECK-LABEL: func.func private @computed_0(
// CHECK-NOT: tensor<7x40x4xf32>
// CHECK: return
func.func @computed(%x: tensor<7x40x4xi8>, %mean: tensor<4xf32>) -> tensor<7x40xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e4 = tensor.empty() : tensor<7x40x4xf32>
  %n = linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %mean : tensor<7x40x4xi8>, tensor<4xf32>) outs(%e4 : tensor<7x40x4xf32>) {
  ^bb0(%a: i8, %m: f32, %o: f32):
    %f = arith.uitofp %a : i8 to f32
    %d = arith.subf %f, %m : f32
    linalg.yield %d : f32
  } -> tensor<7x40x4xf32>
  %e = tensor.empty() : tensor<7x40xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<7x40xf32>) -> tensor<7x40xf32>
  %r = linalg.reduce {arith.maximumf} ins(%n : tensor<7x40x4xf32>) outs(%i : tensor<7x40xf32>) dimensions = [2]
  return %r : tensor<7x40xf32>
}

// CHECK-LABEL: func.func @distances(
// CHECK-DAG: tensor.extract_slice %arg0[0, 1] [9, 1] [1, 1] : tensor<9x2xf32> to tensor<9xf32>
// CHECK-DAG: tensor.extract_slice %arg1[0, 1] [17, 1] [1, 1] : tensor<17x2xf32> to tensor<17xf32>
// CHECK: call @distances_0(
func.func @distances(%x: tensor<9x2xf32>, %y: tensor<17x2xf32>) -> tensor<9x17xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x17xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, c) -> (i, c)>, affine_map<(i, j, c) -> (j, c)>, affine_map<(i, j, c) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<9x2xf32>, tensor<17x2xf32>) outs(%i : tensor<9x17xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<9x17xf32>
  return %r : tensor<9x17xf32>
}

// Two sums of one image, and one that reads their difference, which is
// computed for it alone.
// CHECK-LABEL: func.func @chain(
// CHECK-NOT: "reduction"
func.func @chain(%x: tensor<6x32x2x4xf32>, %i: tensor<6x32x2xf32>, %j: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %y = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<6x32x2x4xf32> into tensor<6x64x4xf32>
  %s = tensor.collapse_shape %i [[0], [1, 2]] : tensor<6x32x2xf32> into tensor<6x64xf32>
  %a = linalg.reduce {arith.maximumf} ins(%y : tensor<6x64x4xf32>) outs(%s : tensor<6x64xf32>) dimensions = [2]
  %b = linalg.reduce {arith.addf} ins(%y : tensor<6x64x4xf32>) outs(%s : tensor<6x64xf32>) dimensions = [2]
  %e = tensor.empty() : tensor<6x64xf32>
  %d = linalg.sub ins(%a, %b : tensor<6x64xf32>, tensor<6x64xf32>) outs(%e : tensor<6x64xf32>) -> tensor<6x64xf32>
  %p = tensor.expand_shape %d [[0], [1, 2]] output_shape [6, 32, 2] : tensor<6x64xf32> into tensor<6x32x2xf32>
  %r = linalg.reduce {arith.addf} ins(%p : tensor<6x32x2xf32>) outs(%j : tensor<6x32xf32>) dimensions = [2]
  return %r : tensor<6x32xf32>
}

// Images of a batch with their channels moved outwards.
// CHECK-LABEL: func.func @outwards(
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [2, 6, 50, 1] [1, 1, 1, 1] : tensor<2x6x50x3xi8> to tensor<2x6x50xi8>
// CHECK: %[[C:.*]] = call @[[F:outwards_[0-9]+]](
// CHECK: tensor.insert_slice %[[C]] into %{{.*}}[0, 0, 0, 0] [2, 1, 6, 50] [1, 1, 1, 1] : tensor<2x6x50xf32> into tensor<2x3x6x50xf32>
// CHECK: call @[[F]](
// CHECK: call @[[F]](
// GPU-LABEL: func.func @outwards(
// GPU-NOT: extract_slice
func.func @outwards(%x: tensor<2x6x50x3xi8>, %std: tensor<3xf32>) -> tensor<2x3x6x50xf32> {
  %e = tensor.empty() : tensor<2x3x6x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %std : tensor<2x6x50x3xi8>, tensor<3xf32>) outs(%e : tensor<2x3x6x50xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %f = arith.uitofp %a : i8 to f32
    %d = arith.mulf %f, %s : f32
    linalg.yield %d : f32
  } -> tensor<2x3x6x50xf32>
  return %r : tensor<2x3x6x50xf32>
}

// A small matrix: each channel is read once for a row of results.
// CHECK-LABEL: func.func @colours(
// CHECK-DAG: tensor.extract_slice %arg0[0, 0] [21, 1] [1, 1] : tensor<21x2xi32> to tensor<21xi32>
// CHECK-DAG: tensor.extract_slice %arg0[0, 1] [21, 1] [1, 1]
// CHECK-DAG: tensor.extract_slice %arg1[0, 1] [7, 1] [1, 1] : tensor<7x2xi32> to tensor<7xi32>
// CHECK-LABEL: func.func private @colours_0(
// CHECK: iterator_types = ["parallel", "parallel"]
func.func @colours(%x: tensor<21x2xi32>, %k: tensor<7x2xi32>, %i: tensor<21x7xi32>) -> tensor<21x7xi32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %k : tensor<21x2xi32>, tensor<7x2xi32>) outs(%i : tensor<21x7xi32>) -> tensor<21x7xi32>
  return %r : tensor<21x7xi32>
}

// Behind reshapes of the image, what comes before and after is of its task, and
// what converts the pixels is no image of its own.
// CHECK-LABEL: func.func @behind(
// CHECK-NOT: tensor.collapse_shape
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.*]] = call @behind_0(
// CHECK-NEXT: return %[[R]]
// CHECK-LABEL: func.func private @behind_0(
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
func.func @behind(%x: tensor<6x20x3xi8>, %k: tensor<3x3xf32>) -> tensor<6x20x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x20x3xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<6x20x3xi8>) outs(%e : tensor<6x20x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %u = arith.uitofp %a : i8 to f32
    linalg.yield %u : f32
  } -> tensor<6x20x3xf32>
  %rows = tensor.collapse_shape %f [[0, 1], [2]] : tensor<6x20x3xf32> into tensor<120x3xf32>
  %ep = tensor.empty() : tensor<120x3xf32>
  %i = linalg.fill ins(%z : f32) outs(%ep : tensor<120x3xf32>) -> tensor<120x3xf32>
  %p = linalg.matmul ins(%rows, %k : tensor<120x3xf32>, tensor<3x3xf32>) outs(%i : tensor<120x3xf32>) -> tensor<120x3xf32>
  %image = tensor.expand_shape %p [[0, 1], [2]] output_shape [6, 20, 3] : tensor<120x3xf32> into tensor<6x20x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%image : tensor<6x20x3xf32>) outs(%e : tensor<6x20x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %z : f32
    linalg.yield %m : f32
  } -> tensor<6x20x3xf32>
  return %r : tensor<6x20x3xf32>
}

// An image of eight columns is taken as the rows that it was reshaped to.
// CHECK-LABEL: func.func @narrow(
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [32, 1] [1, 1]
// CHECK-LABEL: func.func private @narrow_0(
// CHECK: iterator_types = ["parallel", "parallel"]
func.func @narrow(%x: tensor<4x8x3xf32>, %k: tensor<3x3xf32>, %i: tensor<32x3xf32>) -> tensor<32x3xf32> {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x3xf32> into tensor<32x3xf32>
  %p = linalg.matmul ins(%rows, %k : tensor<32x3xf32>, tensor<3x3xf32>) outs(%i : tensor<32x3xf32>) -> tensor<32x3xf32>
  return %p : tensor<32x3xf32>
}

//--- left.mlir
// Others need all of a pixel as well.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: extract_slice
// CHECK: "reduction"
// CHECK-LABEL: func.func @five(
func.func @softmax(%x: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %e = tensor.empty() : tensor<64x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x4xf32>) outs(%e : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %r : tensor<64x4xf32>
}

// Further apart, elements are read one by one.
// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @short(
func.func @five(%x: tensor<64x5xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<64x5xf32>) outs(%i : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @product(
func.func @short(%x: tensor<64x15x3xf32>, %i: tensor<64x15xf32>) -> tensor<64x15xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<64x15x3xf32>) outs(%i : tensor<64x15xf32>) dimensions = [2]
  return %r : tensor<64x15xf32>
}

// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @copy(
func.func @product(%x: tensor<64x3xf32>, %y: tensor<32x3xf32>, %i: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(i, j, c) -> (i, c)>, affine_map<(i, j, c) -> (j, c)>, affine_map<(i, j, c) -> (i, j)>]
    ins(%x, %y : tensor<64x3xf32>, tensor<32x3xf32>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @large(
func.func @copy(%x: tensor<6x50x3xf32>) -> tensor<3x6x50xf32> {
  %e = tensor.empty() : tensor<3x6x50xf32>
  %r = linalg.transpose ins(%x : tensor<6x50x3xf32>) outs(%e : tensor<3x6x50xf32>) permutation = [2, 0, 1]
  return %r : tensor<3x6x50xf32>
}

// Each plane would fetch all of the picture again.
// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @loop(
func.func @large(%x: tensor<300x300x3xf32>) -> tensor<3x300x300xf32> {
  %e = tensor.empty() : tensor<3x300x300xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, h, w) -> (h, w, c)>, affine_map<(c, h, w) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<300x300x3xf32>) outs(%e : tensor<3x300x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<3x300x300xf32>
  return %r : tensor<3x300x300xf32>
}

// What is computed before a loop is not computed in each of its iterations.
// CHECK: call @loop_{{[0-9]+}}(
// CHECK: %[[EXP:.*]] = tensor.expand_shape
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[EXP]][0, 0, 0]
// CHECK-LABEL: func.func @bits(
func.func @loop(%x: tensor<16x64x3xf32>, %i: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %e = tensor.empty() : tensor<16x64x3xf32>
  %y = linalg.exp ins(%x : tensor<16x64x3xf32>) outs(%e : tensor<16x64x3xf32>) -> tensor<16x64x3xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %i) -> tensor<16x64xf32> {
    %t = linalg.reduce {arith.addf} ins(%y : tensor<16x64x3xf32>) outs(%s : tensor<16x64xf32>) dimensions = [2]
    scf.yield %t : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// Elements that are no whole bytes are read one by one.
// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @many(
func.func @bits(%x: tensor<64x64x3xi1>, %i: tensor<64x64xi1>) -> tensor<64x64xi1> {
  %r = linalg.reduce {arith.ori} ins(%x : tensor<64x64x3xi1>) outs(%i : tensor<64x64xi1>) dimensions = [2]
  return %r : tensor<64x64xi1>
}

// More than eight slices are more than a loop has registers for.
// CHECK-NOT: extract_slice
// CHECK-LABEL: func.func @weights(
func.func @many(%x: tensor<64x64x3xf32>, %y: tensor<64x64x3xf32>, %z: tensor<64x64x3xf32>, %i: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.reduce ins(%x : tensor<64x64x3xf32>) outs(%i : tensor<64x64xf32>) dimensions = [2]
    (%a: f32, %o: f32) {
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    }
  %q = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y, %z : tensor<64x64x3xf32>, tensor<64x64x3xf32>, tensor<64x64x3xf32>) outs(%r : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %c : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}

// Weights have any layout beforehand.
// CHECK-NOT: extract_slice
func.func @weights(%x: tensor<64x3xf32> {schedule.layout_free}, %k: tensor<3xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.matvec ins(%x, %k : tensor<64x3xf32>, tensor<3xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A matrix of more columns has vectors along them; few rows fill none. What has
// any layout beforehand is packed.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: extract_slice
func.func @wide(%x: tensor<64x3xf32>, %k: tensor<3x8xf32>, %i: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %r = linalg.matmul ins(%x, %k : tensor<64x3xf32>, tensor<3x8xf32>) outs(%i : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}
func.func @low(%x: tensor<15x3xf32>, %k: tensor<3x3xf32>, %i: tensor<15x3xf32>) -> tensor<15x3xf32> {
  %r = linalg.matmul ins(%x, %k : tensor<15x3xf32>, tensor<3x3xf32>) outs(%i : tensor<15x3xf32>) -> tensor<15x3xf32>
  return %r : tensor<15x3xf32>
}
func.func @packed_matrix(%x: tensor<64x3xf32>, %k: tensor<3x3xf32> {schedule.layout_free}, %i: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %r = linalg.matmul ins(%x, %k : tensor<64x3xf32>, tensor<3x3xf32>) outs(%i : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}
func.func @packed(%x: tensor<64x3xf32> {schedule.layout_free}, %k: tensor<3x3xf32>, %i: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %r = linalg.matmul ins(%x, %k : tensor<64x3xf32>, tensor<3x3xf32>) outs(%i : tensor<64x3xf32>) -> tensor<64x3xf32>
  return %r : tensor<64x3xf32>
}
