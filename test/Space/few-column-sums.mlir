// Sums of columns that do not fill vectors are those of several rows side by
// side, and then of these (FewColumnSums.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/sums.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/sums.mlir --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=GPU
// RUN: sched-opt %t/sums.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver5,triple=x86_64-linux-gnu quiet=true" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=ASM
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=4 threads=2 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/out.mlir
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sched-run %t/run.mlir --work-dir=%t/work --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=CHECKED

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: "the whole of @run"
// RIGHT-NOT: "error":"{{[^"]+}}"
// CHECKED: check: right

//--- sums.mlir
#all = affine_map<(n, c) -> (n, c)>
#column = affine_map<(n, c) -> (c)>

// Sixteen rows of three columns are three vectors; nine are left, which come
// first. The sum starts from what it is given.
// CHECK-LABEL: func.func @rest(
// CHECK: %[[LAST:.*]] = tensor.extract_slice %arg0[1600, 0] [9, 3] [1, 1]
// CHECK: %[[START:.*]] = call @[[REST:rest_[0-9]+]](%[[LAST]], %arg1)
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %arg0[0, 0] [1600, 3] [1, 1]
// CHECK: %[[GROUPS:.*]] = tensor.expand_shape %[[FIRST]] {{\[}}[0, 1], [2]] output_shape [100, 16, 3]
// CHECK: %[[WIDE:.*]] = tensor.collapse_shape %[[GROUPS]] {{\[}}[0], [1, 2]]
// CHECK: %[[PARTS:.*]] = call @[[SUM:rest_[0-9]+]](%[[WIDE]]) : (tensor<100x48xf32>) -> tensor<48xf32>
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[PARTS]] {{\[}}[0, 1]] output_shape [16, 3]
// CHECK: call @[[WHOLE:rest_[0-9]+]](%[[ROWS]], %[[START]]) : (tensor<16x3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: func.func private @[[SUM]](
// CHECK: linalg.fill ins(%cst : f32) outs(%{{.*}} : tensor<48xf32>)
// CHECK: iterator_types = ["reduction", "parallel"]
// GPU-LABEL: func.func @rest(
// GPU-NOT: tensor.expand_shape
// GPU: return
// ASM-LABEL: rest:
// ASM: vaddps {{.*}}%zmm
func.func @rest(%x: tensor<1609x3xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %sum = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<1609x3xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

// A variance: the centred values, which others read as well, are computed
// again, and means are repeated for the rows that are side by side.
// CHECK-LABEL: func.func @variance(
// CHECK: %[[MEANS:.*]] = call @{{.*}}(%arg1) : (tensor<5xf32>) -> tensor<16x5xf32>
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %[[MEANS]] {{\[}}[0, 1]]
// CHECK: call @[[SQUARES:variance_[0-9]+]](%{{.*}}, %[[LINE]]) : (tensor<50x80xf32>, tensor<80xf32>) -> tensor<80xf32>
// CHECK: func.func private @[[SQUARES]](
// CHECK: linalg.generic
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @variance(%x: tensor<800x5xf32>, %mean: tensor<5xf32>) -> (tensor<5xf32>, tensor<800x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<800x5xf32>
  %centred = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<800x5xf32>, tensor<5xf32>) outs(%all : tensor<800x5xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %s = arith.subf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<800x5xf32>
  %empty = tensor.empty() : tensor<5xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%centred : tensor<800x5xf32>) outs(%fill : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %double = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%centred : tensor<800x5xf32>) outs(%all : tensor<800x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<800x5xf32>
  return %sum, %double : tensor<5xf32>, tensor<800x5xf32>
}

// The largest byte of each colour of each picture: lines and pixels are rows.
// Loops are in another order.
// CHECK-LABEL: func.func @pictures(
// CHECK: tensor.collapse_shape %arg0 {{\[}}[0], [1, 2], [3]] : tensor<2x40x50x3xi8> into tensor<2x2000x3xi8>
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 31, 64, 3]
// CHECK: call @[[MOST:pictures_[0-9]+]](%{{.*}}) : (tensor<2x31x192xi8>) -> tensor<2x192xi8>
// CHECK: func.func private @[[MOST]](
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: arith.maxui
func.func @pictures(%x: tensor<2x40x50x3xi8>, %start: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %most = linalg.generic {indexing_maps = [affine_map<(b, c, h, w) -> (b, h, w, c)>, affine_map<(b, c, h, w) -> (b, c)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<2x40x50x3xi8>) outs(%start : tensor<2x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    %s = arith.maxui %a, %o : i8
    linalg.yield %s : i8
  } -> tensor<2x3xi8>
  return %most : tensor<2x3xi8>
}

// What is subtracted has no rows, and comes first.
// CHECK-LABEL: func.func @batches(
// CHECK: call @[[DIFFERENCES:batches_[0-9]+]](%{{.*}}) : (tensor<4x48xf32>, tensor<50x48xf32>) -> tensor<4x48xf32>
// CHECK: func.func private @[[DIFFERENCES]](
func.func @batches(%w: tensor<4x3xf32>, %x: tensor<800x3xf32>, %start: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, n, c) -> (b, c)>, affine_map<(b, n, c) -> (n, c)>, affine_map<(b, n, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%w, %x : tensor<4x3xf32>, tensor<800x3xf32>) outs(%start : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %b, %a : f32
    %q = math.absf %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The centred values are read twice by the sum, and by another op.
// CHECK-LABEL: func.func @twice(
// CHECK: call @{{.*}}(%{{.*}}) : (tensor<50x48xf32>, tensor<50x48xf32>) -> tensor<48xf32>
func.func @twice(%x: tensor<800x3xf32>, %m: tensor<3xf32>, %start: tensor<3xf32>) -> (tensor<3xf32>, tensor<800x3xf32>) {
  %e = tensor.empty() : tensor<800x3xf32>
  %p = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<800x3xf32>, tensor<3xf32>) outs(%e : tensor<800x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<800x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #column], iterator_types = ["reduction", "parallel"]} ins(%p, %p : tensor<800x3xf32>, tensor<800x3xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<800x3xf32>) outs(%e : tensor<800x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<800x3xf32>
  return %r, %y : tensor<3xf32>, tensor<800x3xf32>
}

// An op outside of a loop is not computed in each of its iterations.
// CHECK-LABEL: func.func @loop(
// CHECK: call @{{.*}} : (tensor<2400xf32>) -> tensor<2400xf32>
// CHECK: scf.for
// CHECK: call @[[SUMS:loop_[0-9]+]](
// CHECK: func.func private @[[SUMS]](
// CHECK-NOT: math.exp
// CHECK: return
func.func @loop(%x: tensor<800x3xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<800x3xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<800x3xf32>) outs(%e : tensor<800x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<800x3xf32>
  %q = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %start) -> tensor<3xf32> {
    %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%p : tensor<800x3xf32>) outs(%t : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    scf.yield %r : tensor<3xf32>
  }
  return %q : tensor<3xf32>
}

//--- stays.mlir
#all = affine_map<(n, c) -> (n, c)>
#row = affine_map<(n, c) -> (n)>
#column = affine_map<(n, c) -> (c)>

// Columns that fill vectors.
// STAYS-LABEL: func.func @wide(
// STAYS-NOT: tensor.expand_shape
// STAYS: return
func.func @wide(%x: tensor<800x16xf32>, %start: tensor<16xf32>) -> tensor<16xf32> {
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<800x16xf32>) outs(%start : tensor<16xf32>) dimensions = [0]
  return %sum : tensor<16xf32>
}

// Few rows.
// STAYS-LABEL: func.func @short(
// STAYS-NOT: tensor.expand_shape
// STAYS: return
func.func @short(%x: tensor<40x3xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<40x3xf32>) outs(%start : tensor<3xf32>) dimensions = [0]
  return %sum : tensor<3xf32>
}

// A weight for each row.
// STAYS-LABEL: func.func @weighted(
// STAYS-NOT: tensor.expand_shape
// STAYS: return
func.func @weighted(%x: tensor<800x3xf32>, %w: tensor<800xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %sum = linalg.generic {indexing_maps = [#all, #row, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %w : tensor<800x3xf32>, tensor<800xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %e = math.absf %a : f32
    %q = arith.mulf %e, %b : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

// Parts of rows that are not side by side.
// STAYS-LABEL: func.func @slice(
// STAYS-NOT: tensor.expand_shape
// STAYS: return
func.func @slice(%x: tensor<800x5xf32>, %start: tensor<3xf32>) -> tensor<3xf32> {
  %part = tensor.extract_slice %x[0, 1] [800, 3] [1, 1] : tensor<800x5xf32> to tensor<800x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%part : tensor<800x3xf32>) outs(%start : tensor<3xf32>) dimensions = [0]
  return %sum : tensor<3xf32>
}

//--- run.mlir
#all = affine_map<(n, c) -> (n, c)>
#column = affine_map<(n, c) -> (c)>
func.func @run(%x: tensor<1001x3xf32>, %y: tensor<3x257x6xf64>, %b: tensor<999x5xi8>, %h: tensor<700x7xf16>) -> (tensor<3xf32>, tensor<3x6xf64>, tensor<5xi32>, tensor<7xf16>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<1001x3xf32>) outs(%fill : tensor<3xf32>) dimensions = [0]
  %all = tensor.empty() : tensor<1001x3xf32>
  %centred = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<1001x3xf32>, tensor<3xf32>) outs(%all : tensor<1001x3xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %n = arith.constant 9.99e-4 : f32
    %e = arith.mulf %m, %n : f32
    %s = arith.subf %a, %e : f32
    linalg.yield %s : f32
  } -> tensor<1001x3xf32>
  %variance = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%centred : tensor<1001x3xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %low = arith.constant 0x7FF0000000000000 : f64
  %e64 = tensor.empty() : tensor<3x6xf64>
  %f64 = linalg.fill ins(%low : f64) outs(%e64 : tensor<3x6xf64>) -> tensor<3x6xf64>
  %least = linalg.reduce {arith.minimumf} ins(%y : tensor<3x257x6xf64>) outs(%f64 : tensor<3x6xf64>) dimensions = [1]
  %c7 = arith.constant 7 : i32
  %e32 = tensor.empty() : tensor<5xi32>
  %f32 = linalg.fill ins(%c7 : i32) outs(%e32 : tensor<5xi32>) -> tensor<5xi32>
  %count = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<999x5xi8>) outs(%f32 : tensor<5xi32>) {
  ^bb0(%a: i8, %o: i32):
    %w = arith.extsi %a : i8 to i32
    %s = arith.addi %w, %o : i32
    linalg.yield %s : i32
  } -> tensor<5xi32>
  %low16 = arith.constant 0xFC00 : f16
  %e16 = tensor.empty() : tensor<7xf16>
  %f16 = linalg.fill ins(%low16 : f16) outs(%e16 : tensor<7xf16>) -> tensor<7xf16>
  %most = linalg.reduce {arith.maximumf} ins(%h : tensor<700x7xf16>) outs(%f16 : tensor<7xf16>) dimensions = [0]
  return %variance, %least, %count, %most : tensor<3xf32>, tensor<3x6xf64>, tensor<5xi32>, tensor<7xf16>
}
