// What alone reads a concatenation is computed part by part, each written where
// it ends up (ComputeParts.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/parts.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/parts.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %t/parts.mlir --entry=rotary --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/parts.mlir --entry=inserted --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/parts.mlir --entry=own_producer --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/parts.mlir --entry=twice --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/parts.mlir --entry=rows --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: sched-run %t/parts.mlir --entry=halves --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: "verified": true

//--- parts.mlir

// The halves of a rotary embedding: the negation is in the task of the first.
// CHECK-LABEL: func.func @rotary(
// CHECK: %[[A:.*]] = call @[[FIRST:[a-z_0-9]+]](
// CHECK: %[[B:.*]] = call @[[SECOND:[a-z_0-9]+]](
// CHECK: %[[R:.*]] = tensor.concat dim(2) %[[A]], %[[B]]
// CHECK: return %[[R]]
// CHECK: func.func private @[[FIRST]](
// CHECK: arith.negf
// CHECK: arith.addf
// CHECK: func.func private @[[SECOND]](
// CHECK-NOT: arith.negf
// CHECK: arith.addf
func.func @rotary(%x: tensor<6x5x64xf32>, %cos: tensor<6x64xf32>, %sin: tensor<6x64xf32>) -> tensor<6x5x64xf32> {
  %low = tensor.extract_slice %x[0, 0, 0] [6, 5, 32] [1, 1, 1] : tensor<6x5x64xf32> to tensor<6x5x32xf32>
  %high = tensor.extract_slice %x[0, 0, 32] [6, 5, 32] [1, 1, 1] : tensor<6x5x64xf32> to tensor<6x5x32xf32>
  %half = tensor.empty() : tensor<6x5x32xf32>
  %minus = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%high : tensor<6x5x32xf32>) outs(%half : tensor<6x5x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<6x5x32xf32>
  %turned = tensor.concat dim(2) %minus, %low : (tensor<6x5x32xf32>, tensor<6x5x32xf32>) -> tensor<6x5x64xf32>
  %e = tensor.empty() : tensor<6x5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>,
                                        affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, k)>,
                                        affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %turned, %cos, %sin : tensor<6x5x64xf32>, tensor<6x5x64xf32>, tensor<6x64xf32>, tensor<6x64xf32>)
      outs(%e : tensor<6x5x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %c : f32
    %1 = arith.mulf %b, %s : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x5x64xf32>
  return %r : tensor<6x5x64xf32>
}

// TOSA's concatenation is lowered to slices that are inserted.
// CHECK-LABEL: func.func @inserted(
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<4x24xf32>, tensor<9x24xf32>) -> tensor<13x24xf32>
func.func @inserted(%x: tensor<4x24xf32>, %y: tensor<9x24xf32>) -> tensor<13x24xf32> {
  %e = tensor.empty() : tensor<13x24xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [4, 24] [1, 1] : tensor<4x24xf32> into tensor<13x24xf32>
  %1 = tensor.insert_slice %y into %0[4, 0] [9, 24] [1, 1] : tensor<9x24xf32> into tensor<13x24xf32>
  %r = linalg.exp ins(%1 : tensor<13x24xf32>) outs(%e : tensor<13x24xf32>) -> tensor<13x24xf32>
  return %r : tensor<13x24xf32>
}

// What only the one op reads is computed in parts, too, also transposed.
// CHECK-LABEL: func.func @own_producer(
// CHECK: tensor.extract_slice %arg2[0, 0] [16, 24] [1, 1]
// CHECK: tensor.extract_slice %arg2[16, 0] [32, 24] [1, 1]
// CHECK: tensor.concat dim(1)
// CHECK-COUNT-2: linalg.tanh
func.func @own_producer(%x: tensor<24x16xf32>, %y: tensor<24x32xf32>, %z: tensor<48x24xf32>) -> tensor<24x48xf32> {
  %whole = tensor.concat dim(1) %x, %y : (tensor<24x16xf32>, tensor<24x32xf32>) -> tensor<24x48xf32>
  %f = tensor.empty() : tensor<48x24xf32>
  %t = linalg.tanh ins(%z : tensor<48x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %e = tensor.empty() : tensor<24x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%whole, %t : tensor<24x48xf32>, tensor<48x24xf32>) outs(%e : tensor<24x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<24x48xf32>
  return %r : tensor<24x48xf32>
}

// What is computed in parts is a concatenation for what reads it.
// CHECK-LABEL: func.func @twice(
// CHECK: call @[[X:[a-z_0-9]+]](%arg0)
// CHECK: call @[[Y:[a-z_0-9]+]](%arg1)
// CHECK: tensor.concat dim(1)
// CHECK-NEXT: return
// CHECK: func.func private @[[X]](
// CHECK: linalg.exp
// CHECK: linalg.tanh
func.func @twice(%x: tensor<12x16xf32>, %y: tensor<12x32xf32>) -> tensor<12x48xf32> {
  %whole = tensor.concat dim(1) %x, %y : (tensor<12x16xf32>, tensor<12x32xf32>) -> tensor<12x48xf32>
  %e = tensor.empty() : tensor<12x48xf32>
  %0 = linalg.exp ins(%whole : tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  %r = linalg.tanh ins(%0 : tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %r : tensor<12x48xf32>
}

// Rows are joined, each of which has one number of another tensor.
// CHECK-LABEL: func.func @rows(
// CHECK: tensor.extract_slice %arg2[0] [3] [1]
// CHECK: tensor.extract_slice %arg2[3] [5] [1]
// CHECK: tensor.concat dim(0)
func.func @rows(%x: tensor<3x24xf32>, %y: tensor<5x24xf32>, %z: tensor<8xf32>) -> tensor<8x24xf32> {
  %whole = tensor.concat dim(0) %x, %y : (tensor<3x24xf32>, tensor<5x24xf32>) -> tensor<8x24xf32>
  %e = tensor.empty() : tensor<8x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%whole, %z : tensor<8x24xf32>, tensor<8xf32>) outs(%e : tensor<8x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x24xf32>
  return %r : tensor<8x24xf32>
}

// Weights are halves of bytes: a product for each, which decodes them.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: tensor.concat
// CHECK: %[[LOW:.*]] = call @[[LOW_HALF:[a-z_0-9]+]](
// CHECK: call @[[HIGH_HALF:[a-z_0-9]+]]({{.*}}%[[LOW]]
// CHECK: func.func private @[[LOW_HALF]](
// CHECK: arith.andi
// CHECK: arith.mulf
// CHECK: func.func private @[[HIGH_HALF]](
// CHECK: arith.shrui
// CHECK: arith.mulf
func.func @halves(%x: tensor<6x3x32xf32>, %w: tensor<40x3x16xi8>, %scales: tensor<40x3xf32>) -> tensor<6x40xf32> {
  %bytes = tensor.empty() : tensor<40x3x16xi8>
  %low = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g, k)>],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<40x3x16xi8>) outs(%bytes : tensor<40x3x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<40x3x16xi8>
  %high = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g, k)>],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<40x3x16xi8>) outs(%bytes : tensor<40x3x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %c4 = arith.constant 4 : i8
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<40x3x16xi8>
  %whole = tensor.concat dim(2) %low, %high : (tensor<40x3x16xi8>, tensor<40x3x16xi8>) -> tensor<40x3x32xi8>
  %f = tensor.empty() : tensor<40x3x32xf32>
  %decoded = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%whole, %scales : tensor<40x3x32xi8>, tensor<40x3xf32>) outs(%f : tensor<40x3x32xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %c8 = arith.constant 8 : i8
    %0 = arith.subi %a, %c8 : i8
    %1 = arith.sitofp %0 : i8 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<40x3x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                        affine_map<(m, n, g, k) -> (m, n)>]
      ins(%x, %decoded : tensor<6x3x32xf32>, tensor<40x3x32xf32>) outs(%i : tensor<6x40xf32>) -> tensor<6x40xf32>
  return %r : tensor<6x40xf32>
}

// The activation stays with the product that it follows: a part of its result
// is read.
// CHECK-LABEL: func.func @activated(
// CHECK: %[[X:.*]] = call @activated_0(
// CHECK: tensor.extract_slice %[[X]][0, 0] [6, 16]
// CHECK: tensor.extract_slice %[[X]][0, 16] [6, 16]
// CHECK: func.func private @activated_0(
// CHECK: linalg.matmul
// CHECK: linalg.tanh
// CHECK: return
func.func @activated(%q: tensor<6x20xf32>, %u: tensor<20x32xf32>, %w: tensor<40x16xi8>) -> tensor<6x40xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<6x32xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<6x32xf32>) -> tensor<6x32xf32>
  %p = linalg.matmul ins(%q, %u : tensor<6x20xf32>, tensor<20x32xf32>) outs(%j : tensor<6x32xf32>) -> tensor<6x32xf32>
  %x = linalg.tanh ins(%p : tensor<6x32xf32>) outs(%f : tensor<6x32xf32>) -> tensor<6x32xf32>
  %half = tensor.empty() : tensor<40x16xf32>
  %low = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<40x16xi8>) outs(%half : tensor<40x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %c15 = arith.constant 15 : i8
    %0 = arith.andi %a, %c15 : i8
    %1 = arith.sitofp %0 : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<40x16xf32>
  %high = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<40x16xi8>) outs(%half : tensor<40x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %0 = arith.shrui %a, %c4 : i8
    %1 = arith.sitofp %0 : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<40x16xf32>
  %whole = tensor.concat dim(1) %low, %high : (tensor<40x16xf32>, tensor<40x16xf32>) -> tensor<40x32xf32>
  %e = tensor.empty() : tensor<6x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %whole : tensor<6x32xf32>, tensor<40x32xf32>) outs(%i : tensor<6x40xf32>) -> tensor<6x40xf32>
  return %r : tensor<6x40xf32>
}

//--- stays.mlir

// A part of a few elements is no vector.
// STAYS-LABEL: func.func @narrow(
// STAYS: tensor.concat
// STAYS: call
func.func @narrow(%x: tensor<12x8xf32>, %y: tensor<12x32xf32>) -> tensor<12x40xf32> {
  %whole = tensor.concat dim(1) %x, %y : (tensor<12x8xf32>, tensor<12x32xf32>) -> tensor<12x40xf32>
  %e = tensor.empty() : tensor<12x40xf32>
  %r = linalg.exp ins(%whole : tensor<12x40xf32>) outs(%e : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %r : tensor<12x40xf32>
}

// It is needed as a whole.
// STAYS-LABEL: func.func @read_twice(
// STAYS: tensor.concat
// STAYS: call
func.func @read_twice(%x: tensor<12x16xf32>, %y: tensor<12x32xf32>) -> (tensor<12x48xf32>, tensor<12x48xf32>) {
  %whole = tensor.concat dim(1) %x, %y : (tensor<12x16xf32>, tensor<12x32xf32>) -> tensor<12x48xf32>
  %e = tensor.empty() : tensor<12x48xf32>
  %r = linalg.exp ins(%whole : tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %whole, %r : tensor<12x48xf32>, tensor<12x48xf32>
}

// The addition is an epilogue of the product.
// STAYS-LABEL: func.func @epilogue(
// STAYS: tensor.concat
// STAYS: call
func.func @epilogue(%x: tensor<12x16xf32>, %y: tensor<12x32xf32>, %a: tensor<12x20xf32>, %b: tensor<20x48xf32>) -> tensor<12x48xf32> {
  %whole = tensor.concat dim(1) %x, %y : (tensor<12x16xf32>, tensor<12x32xf32>) -> tensor<12x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  %p = linalg.matmul ins(%a, %b : tensor<12x20xf32>, tensor<20x48xf32>) outs(%i : tensor<12x48xf32>) -> tensor<12x48xf32>
  %r = linalg.add ins(%p, %whole : tensor<12x48xf32>, tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %r : tensor<12x48xf32>
}

// Slices that overlap are no concatenation.
// STAYS-LABEL: func.func @overlapping(
// STAYS-COUNT-2: tensor.insert_slice
// STAYS: call
func.func @overlapping(%x: tensor<4x24xf32>, %y: tensor<9x24xf32>) -> tensor<13x24xf32> {
  %e = tensor.empty() : tensor<13x24xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [4, 24] [1, 1] : tensor<4x24xf32> into tensor<13x24xf32>
  %1 = tensor.insert_slice %y into %0[3, 0] [9, 24] [1, 1] : tensor<9x24xf32> into tensor<13x24xf32>
  %r = linalg.exp ins(%1 : tensor<13x24xf32>) outs(%e : tensor<13x24xf32>) -> tensor<13x24xf32>
  return %r : tensor<13x24xf32>
}

// Parts that are there already are copied: the product reads them more often.
// STAYS-LABEL: func.func @there(
// STAYS: tensor.concat
// STAYS: call
// STAYS-NOT: call
func.func @there(%x: tensor<6x48xf32>, %a: tensor<40x16xf32>, %b: tensor<40x32xf32>) -> tensor<6x40xf32> {
  %whole = tensor.concat dim(1) %a, %b : (tensor<40x16xf32>, tensor<40x32xf32>) -> tensor<40x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %whole : tensor<6x48xf32>, tensor<40x48xf32>) outs(%i : tensor<6x40xf32>) -> tensor<6x40xf32>
  return %r : tensor<6x40xf32>
}

// What is computed once before a loop is not computed in each iteration.
// STAYS-LABEL: func.func @invariant(
// STAYS: call
// STAYS: scf.for
// STAYS: tensor.extract_slice {{.*}} [12, 16]
func.func @invariant(%x: tensor<12x16xf32>, %y: tensor<12x32xf32>, %z: tensor<12x48xf32>) -> tensor<12x48xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<12x48xf32>
  %before = linalg.exp ins(%z : tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %x) -> tensor<12x16xf32> {
    %whole = tensor.concat dim(1) %t, %y : (tensor<12x16xf32>, tensor<12x32xf32>) -> tensor<12x48xf32>
    %sum = linalg.add ins(%whole, %before : tensor<12x48xf32>, tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) -> tensor<12x48xf32>
    %next = tensor.extract_slice %sum[0, 0] [12, 16] [1, 1] : tensor<12x48xf32> to tensor<12x16xf32>
    scf.yield %next : tensor<12x16xf32>
  }
  %all = tensor.concat dim(1) %r, %y : (tensor<12x16xf32>, tensor<12x32xf32>) -> tensor<12x48xf32>
  return %all : tensor<12x48xf32>
}

// A product decodes the cache on the way: numbers of four times as many bytes
// would be written and read.
// STAYS-LABEL: func.func @widened(
// STAYS: tensor.concat {{.*}} tensor<3x24xi8>
// STAYS: call
// STAYS-NOT: call
func.func @widened(%q: tensor<6x24xf32>, %cache: tensor<37x24xi8>, %row: tensor<3x24xi8>) -> tensor<6x40xf32> {
  %whole = tensor.concat dim(0) %cache, %row : (tensor<37x24xi8>, tensor<3x24xi8>) -> tensor<40x24xi8>
  %f = tensor.empty() : tensor<40x24xf32>
  %decoded = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%whole : tensor<40x24xi8>) outs(%f : tensor<40x24xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<40x24xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %decoded : tensor<6x24xf32>, tensor<40x24xf32>) outs(%i : tensor<6x40xf32>) -> tensor<6x40xf32>
  return %r : tensor<6x40xf32>
}

// Weights are packed beforehand as a whole, and parts that are products are in
// memory anyway.
// STAYS-LABEL: func.func @packed(
// STAYS: tensor.concat
// STAYS: func.func private @packed_2(
// STAYS-SAME: tensor<48x40xf32> {schedule.layout_free}
// STAYS-LABEL: func.func @products(
// STAYS: tensor.concat
func.func @packed(%x: tensor<36x16xf32>, %y: tensor<36x32xf32>, %w: tensor<48x40xf32> {schedule.layout_free}) -> tensor<36x40xf32> {
  %ex = tensor.empty() : tensor<36x16xf32>
  %ey = tensor.empty() : tensor<36x32xf32>
  %a = linalg.exp ins(%x : tensor<36x16xf32>) outs(%ex : tensor<36x16xf32>) -> tensor<36x16xf32>
  %b = linalg.tanh ins(%y : tensor<36x32xf32>) outs(%ey : tensor<36x32xf32>) -> tensor<36x32xf32>
  %whole = tensor.concat dim(1) %a, %b : (tensor<36x16xf32>, tensor<36x32xf32>) -> tensor<36x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<36x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<36x40xf32>) -> tensor<36x40xf32>
  %r = linalg.matmul ins(%whole, %w : tensor<36x48xf32>, tensor<48x40xf32>) outs(%i : tensor<36x40xf32>) -> tensor<36x40xf32>
  return %r : tensor<36x40xf32>
}
func.func @products(%x: tensor<6x20xf32>, %y: tensor<6x20xf32>, %u: tensor<20x48xf32>, %w: tensor<96x5xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<6x48xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<6x48xf32>) -> tensor<6x48xf32>
  %p = linalg.matmul ins(%x, %u : tensor<6x20xf32>, tensor<20x48xf32>) outs(%j : tensor<6x48xf32>) -> tensor<6x48xf32>
  %q = linalg.matmul ins(%y, %u : tensor<6x20xf32>, tensor<20x48xf32>) outs(%j : tensor<6x48xf32>) -> tensor<6x48xf32>
  %a = linalg.exp ins(%p : tensor<6x48xf32>) outs(%f : tensor<6x48xf32>) -> tensor<6x48xf32>
  %b = linalg.exp ins(%q : tensor<6x48xf32>) outs(%f : tensor<6x48xf32>) -> tensor<6x48xf32>
  %whole = tensor.concat dim(1) %a, %b : (tensor<6x48xf32>, tensor<6x48xf32>) -> tensor<6x96xf32>
  %e = tensor.empty() : tensor<6x5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r = linalg.matmul ins(%whole, %w : tensor<6x96xf32>, tensor<96x5xf32>) outs(%i : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// Slices that are all of what they are inserted into.
// STAYS-LABEL: func.func @whole(
// STAYS-COUNT-2: tensor.insert_slice
func.func @whole(%x: tensor<4x24xf32>, %y: tensor<4x24xf32>) -> tensor<4x24xf32> {
  %e = tensor.empty() : tensor<4x24xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [4, 24] [1, 1] : tensor<4x24xf32> into tensor<4x24xf32>
  %1 = tensor.insert_slice %y into %0[0, 0] [4, 24] [1, 1] : tensor<4x24xf32> into tensor<4x24xf32>
  %r = linalg.exp ins(%1 : tensor<4x24xf32>) outs(%e : tensor<4x24xf32>) -> tensor<4x24xf32>
  return %r : tensor<4x24xf32>
}

// Elements that are no numbers of a known width.
// STAYS-LABEL: func.func @places(
// STAYS: tensor.concat
func.func @places(%x: tensor<8x32xindex>, %y: tensor<8x32xindex>) -> tensor<8xindex> {
  %whole = tensor.concat dim(1) %x, %y : (tensor<8x32xindex>, tensor<8x32xindex>) -> tensor<8x64xindex>
  %e = tensor.empty() : tensor<8x64xindex>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%whole : tensor<8x64xindex>) outs(%e : tensor<8x64xindex>) {
  ^bb0(%u: index, %o: index):
    %0 = arith.addi %u, %u : index
    linalg.yield %0 : index
  } -> tensor<8x64xindex>
  %zero = arith.constant 0 : index
  %f = tensor.empty() : tensor<8xindex>
  %i = linalg.fill ins(%zero : index) outs(%f : tensor<8xindex>) -> tensor<8xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x64xindex>) outs(%i : tensor<8xindex>) {
  ^bb0(%u: index, %o: index):
    %0 = arith.addi %o, %u : index
    linalg.yield %0 : index
  } -> tensor<8xindex>
  return %r : tensor<8xindex>
}
