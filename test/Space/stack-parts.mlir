// Elementwise ops whose results are put side by side, every few elements from
// one, become one op (StackParts.cpp).
// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/taken.mlir --schedule-outline-tasks | FileCheck %t/taken.mlir
// RUN: sched-opt %t/left.mlir --schedule-outline-tasks | FileCheck %t/left.mlir
// RUN: sched-opt %t/taken.mlir --schedule-outline-tasks=gpu=true | FileCheck %t/taken.mlir --check-prefix=GPU

// Each computes what it did.
// RUN: sched-opt %t/taken.mlir --auto-schedule="trials=2 batch=2 threads=2 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/tuned.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/work/records.jsonl
// RUN: sched-run %t/taken.mlir --entry=rotate --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=product --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=three --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/taken.mlir --entry=strided --work-dir=%t/work --threads=2 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT

// Vectors are shuffled into their places.
// RUN: sched-opt %t/taken.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu quiet=true" --emit=asm | FileCheck %t/taken.mlir --check-prefix=ASM
// RECORD-NOT: "error":"{{[a-z]}}
// RIGHT: check: right

//--- taken.mlir
#all = affine_map<(s, d) -> (s, d)>
#angle = affine_map<(s, d) -> (d)>

// Pairs that are rotated: one op reads each element once.
// CHECK-LABEL: func.func @rotate(
// CHECK-NOT: tensor.concat
// CHECK: call @rotate_0(
// CHECK-NOT: call
// CHECK-LABEL: func.func private @rotate_0(
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK-SAME: ins(%arg0, %arg1, %arg2, %arg3 :
// CHECK: linalg.index 2
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: arith.select %[[FIRST]]
// CHECK-NOT: linalg.generic
// GPU-LABEL: func.func @rotate(
// GPU: tensor.concat
// ASM-LABEL: rotate:
// ASM: vpermt2ps {{.*}}%zmm
// ASM-NOT: vextractps
// ASM: retq
func.func @rotate(%x: tensor<24x32x2xf32>, %cos: tensor<32xf32>, %sin: tensor<32xf32>) -> tensor<24x32x2xf32> {
  %x0 = tensor.extract_slice %x[0, 0, 0] [24, 32, 1] [1, 1, 1] : tensor<24x32x2xf32> to tensor<24x32xf32>
  %x1 = tensor.extract_slice %x[0, 0, 1] [24, 32, 1] [1, 1, 1] : tensor<24x32x2xf32> to tensor<24x32xf32>
  %e = tensor.empty() : tensor<24x32xf32>
  %a = linalg.generic {indexing_maps = [#all, #angle, #all], iterator_types = ["parallel", "parallel"]} ins(%x0, %cos : tensor<24x32xf32>, tensor<32xf32>) outs(%e : tensor<24x32xf32>) {
  ^bb0(%p: f32, %c: f32, %o: f32):
    %m = arith.mulf %p, %c : f32
    linalg.yield %m : f32
  } -> tensor<24x32xf32>
  %b = linalg.generic {indexing_maps = [#all, #all, #angle, #all], iterator_types = ["parallel", "parallel"]} ins(%a, %x1, %sin : tensor<24x32xf32>, tensor<24x32xf32>, tensor<32xf32>) outs(%e : tensor<24x32xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %m = arith.mulf %q, %s : f32
    %d = arith.subf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<24x32xf32>
  %c = linalg.generic {indexing_maps = [#all, #all, #angle, #all], iterator_types = ["parallel", "parallel"]} ins(%a, %x1, %cos : tensor<24x32xf32>, tensor<24x32xf32>, tensor<32xf32>) outs(%e : tensor<24x32xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %m = arith.mulf %q, %s : f32
    %d = arith.addf %p, %m : f32
    linalg.yield %d : f32
  } -> tensor<24x32xf32>
  %b1 = tensor.expand_shape %b [[0], [1, 2]] output_shape [24, 32, 1] : tensor<24x32xf32> into tensor<24x32x1xf32>
  %c1 = tensor.expand_shape %c [[0], [1, 2]] output_shape [24, 32, 1] : tensor<24x32xf32> into tensor<24x32x1xf32>
  %r = tensor.concat dim(2) %b1, %c1 : (tensor<24x32x1xf32>, tensor<24x32x1xf32>) -> tensor<24x32x2xf32>
  return %r : tensor<24x32x2xf32>
}

// An op with both parts as its results.
// CHECK-LABEL: func.func @product(
// CHECK: call @product_0(
// CHECK-LABEL: func.func private @product_0(
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-NOT: linalg.generic
// ASM-LABEL: product:
// ASM: vpermt2ps {{.*}}%zmm
func.func @product(%a: tensor<1003xf32>, %b: tensor<1003xf32>, %u: tensor<1003xf32>, %v: tensor<1003xf32>) -> tensor<1003x2xf32> {
  %e = tensor.empty() : tensor<1003xf32>
  %o:2 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
    ins(%a, %b, %u, %v : tensor<1003xf32>, tensor<1003xf32>, tensor<1003xf32>, tensor<1003xf32>) outs(%e, %e : tensor<1003xf32>, tensor<1003xf32>) {
  ^bb0(%x: f32, %y: f32, %p: f32, %q: f32, %s: f32, %t: f32):
    %xp = arith.mulf %x, %p : f32
    %yq = arith.mulf %y, %q : f32
    %xq = arith.mulf %x, %q : f32
    %yp = arith.mulf %y, %p : f32
    %re = arith.subf %xp, %yq : f32
    %im = arith.addf %xq, %yp : f32
    linalg.yield %re, %im : f32, f32
  } -> (tensor<1003xf32>, tensor<1003xf32>)
  %re = tensor.expand_shape %o#0 [[0, 1]] output_shape [1003, 1] : tensor<1003xf32> into tensor<1003x1xf32>
  %im = tensor.expand_shape %o#1 [[0, 1]] output_shape [1003, 1] : tensor<1003xf32> into tensor<1003x1xf32>
  %c = tensor.concat dim(1) %re, %im : (tensor<1003x1xf32>, tensor<1003x1xf32>) -> tensor<1003x2xf32>
  return %c : tensor<1003x2xf32>
}

// Parts that are inserted, in any order, one as it was given, one with a
// dimension of one element.
// CHECK-LABEL: func.func @three(
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.collapse_shape %arg1
// CHECK: call @three_0(
func.func @three(%x: tensor<5x40xi32>, %y: tensor<5x40x1xi32>, %s: tensor<5xi32>) -> tensor<5x40x3xi32> {
  %e = tensor.empty() : tensor<5x40xi32>
  %m = linalg.generic {indexing_maps = [#all, affine_map<(s, d) -> (s)>, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x40xi32>, tensor<5xi32>) outs(%e : tensor<5x40xi32>) {
  ^bb0(%p: i32, %c: i32, %o: i32):
    %q = arith.muli %p, %c : i32
    linalg.yield %q : i32
  } -> tensor<5x40xi32>
  %w = tensor.empty() : tensor<5x40x3xi32>
  %i = tensor.insert_slice %x into %w[0, 0, 2] [5, 40, 1] [1, 1, 1] : tensor<5x40xi32> into tensor<5x40x3xi32>
  %j = tensor.insert_slice %m into %i[0, 0, 0] [5, 40, 1] [1, 1, 1] : tensor<5x40xi32> into tensor<5x40x3xi32>
  %k = tensor.insert_slice %y into %j[0, 0, 1] [5, 40, 1] [1, 1, 1] : tensor<5x40x1xi32> into tensor<5x40x3xi32>
  return %k : tensor<5x40x3xi32>
}

// At a stride.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT: tensor.insert_slice
// CHECK: call @strided_0(
// CHECK: tensor.collapse_shape
func.func @strided(%x: tensor<3x17xf64>, %y: tensor<3x17xf64>) -> tensor<3x34xf64> {
  %e = tensor.empty() : tensor<3x17xf64>
  %n = linalg.negf ins(%y : tensor<3x17xf64>) outs(%e : tensor<3x17xf64>) -> tensor<3x17xf64>
  %s = linalg.add ins(%n, %x : tensor<3x17xf64>, tensor<3x17xf64>) outs(%e : tensor<3x17xf64>) -> tensor<3x17xf64>
  %w = tensor.empty() : tensor<3x34xf64>
  %i = tensor.insert_slice %s into %w[0, 0] [3, 17] [1, 2] : tensor<3x17xf64> into tensor<3x34xf64>
  %j = tensor.insert_slice %x into %i[0, 1] [3, 17] [1, 2] : tensor<3x17xf64> into tensor<3x34xf64>
  return %j : tensor<3x34xf64>
}

//--- left.mlir
// What others read, too; halves, which are side by side as they are; few beside
// each other; what was there before is kept; nothing is computed.
// CHECK-NOT: linalg.index
func.func @others(%x: tensor<64xf32>) -> (tensor<64x2xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %n = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %a = tensor.expand_shape %n [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  return %c, %n : tensor<64x2xf32>, tensor<64xf32>
}
func.func @halves(%x: tensor<8x32xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %n = linalg.exp ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %w = tensor.empty() : tensor<8x64xf32>
  %i = tensor.insert_slice %n into %w[0, 0] [8, 32] [1, 1] : tensor<8x32xf32> into tensor<8x64xf32>
  %j = tensor.insert_slice %x into %i[0, 32] [8, 32] [1, 1] : tensor<8x32xf32> into tensor<8x64xf32>
  return %j : tensor<8x64xf32>
}
func.func @few(%x: tensor<64x8xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x8xf32>
  %n = linalg.exp ins(%x : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %i = tensor.insert_slice %n into %w[0, 0] [64, 8] [1, 2] : tensor<64x8xf32> into tensor<64x16xf32>
  %j = tensor.insert_slice %x into %i[0, 1] [64, 8] [1, 2] : tensor<64x8xf32> into tensor<64x16xf32>
  return %j : tensor<64x16xf32>
}
func.func @kept(%x: tensor<8x32xf32>, %w: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %n = linalg.exp ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %i = tensor.insert_slice %n into %w[0, 0] [8, 32] [1, 2] : tensor<8x32xf32> into tensor<8x64xf32>
  return %i : tensor<8x64xf32>
}
func.func @given(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64x2xf32> {
  %a = tensor.expand_shape %y [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %e = tensor.empty() : tensor<64x2xf32>
  %n = linalg.exp ins(%c : tensor<64x2xf32>) outs(%e : tensor<64x2xf32>) -> tensor<64x2xf32>
  return %n : tensor<64x2xf32>
}

// Others read a part through its reshape; a concatenation with a part of no
// elements.
func.func @reshaped(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64x2xf32>, tensor<64x1xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %n = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %a = tensor.expand_shape %n [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %b = tensor.expand_shape %y [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  return %c, %a : tensor<64x2xf32>, tensor<64x1xf32>
}
func.func @none(%x: tensor<64xf32>, %z: tensor<64x0xf32>, %w: tensor<64x9xf32>) -> tensor<64x10xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %n = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %a = tensor.expand_shape %n [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %c = tensor.concat dim(1) %a, %z, %w : (tensor<64x1xf32>, tensor<64x0xf32>, tensor<64x9xf32>) -> tensor<64x10xf32>
  return %c : tensor<64x10xf32>
}
