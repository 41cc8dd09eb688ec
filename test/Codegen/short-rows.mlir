// Vectors whose rows are shorter than a register are computed as registers of
// the line that they are in memory (ShortRows.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/rows.mlir --sched-lower-vectors=vector-bytes=32 | FileCheck %t/rows.mlir
// RUN: sched-opt %t/rows.mlir --sched-lower-vectors | FileCheck %t/rows.mlir --check-prefix=NONE
// RUN: sched-opt %t/left.mlir --sched-lower-vectors=vector-bytes=32 | FileCheck %t/left.mlir
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=4 batch=4 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/tuned.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/work/records.jsonl
// RUN: sched-run %t/run.mlir --entry=over --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/run.mlir --entry=planes --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %t/run.mlir --entry=matrix --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=skylake-avx512,triple=x86_64-linux-gnu quiet=true" --emit=asm | FileCheck %t/run.mlir --check-prefix=ASM
// RECORD-NOT: "error":"{{[a-z]}}
// RIGHT: check: right

//--- rows.mlir
// Eight pixels are three registers of eight; the opacity of a pixel goes to
// three lanes, a number of each channel to every third.
// CHECK-LABEL: func.func @pixels(
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 2.000000e+00]>
// CHECK-DAG: arith.constant dense<[3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]>
// CHECK-COUNT-3: vector.load %{{.*}} : memref<24xf32{{.*}}, vector<8xf32>
// CHECK: %[[OPACITY:.*]] = vector.load %arg1{{.*}} : memref<8xf32>, vector<8xf32>
// CHECK-DAG: vector.shuffle %[[OPACITY]], %[[OPACITY]] [0, 0, 0, 1, 1, 1, 2, 2]
// CHECK-DAG: vector.shuffle %[[OPACITY]], %[[OPACITY]] [2, 3, 3, 3, 4, 4, 4, 5]
// CHECK-DAG: vector.shuffle %[[OPACITY]], %[[OPACITY]] [5, 5, 6, 6, 6, 7, 7, 7]
// CHECK-COUNT-3: vector.store %{{.*}}, %{{.*}} : memref<24xf32{{.*}}, vector<8xf32>
// CHECK-NOT: vector.store
// NONE-LABEL: func.func @pixels(
// NONE-NOT: vector.shuffle
// NONE: return
func.func @pixels(%x: memref<8x3xf32>, %a: memref<8xf32>, %y: memref<8x3xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %means = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x3xf32>, vector<8x3xf32>
  %as = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
  %b = vector.broadcast %as : vector<8xf32> to vector<3x8xf32>
  %t = vector.transpose %b, [1, 0] : vector<3x8xf32> to vector<8x3xf32>
  %m = vector.broadcast %means : vector<3xf32> to vector<8x3xf32>
  %p = arith.mulf %xs, %t : vector<8x3xf32>
  %s = arith.addf %p, %m : vector<8x3xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x3xf32>, memref<8x3xf32>
  return
}

// The last register of a line ends where that does. Of pixels that are four
// elements apart, all are loaded.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-3: vector.load %{{.*}} : memref<19xf32{{.*}}, vector<8xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 4, 5, 6, 8, 9]
// CHECK: %[[C0:.*]], vector<8xf32>
// CHECK: vector.store %{{.*}}[%c7] : memref<15xf32{{.*}}, vector<8xf32>
func.func @apart(%x: memref<5x4xf32>, %y: memref<5x3xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<5x4xf32>, vector<5x3xf32>
  %s = arith.addf %xs, %xs : vector<5x3xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<5x3xf32>, memref<5x3xf32>
  return
}

// One line after the other, of several; bytes as many at a time as the widest
// elements that are computed of them.
// CHECK-LABEL: func.func @lines(
// CHECK-COUNT-6: vector.load %{{.*}} : memref<24xi8{{.*}}, vector<8xi8>
// CHECK-COUNT-6: arith.uitofp %{{.*}} : vector<8xi8> to vector<8xf32>
// CHECK-COUNT-6: vector.store %{{.*}} : memref<24xf32{{.*}}, vector<8xf32>
func.func @lines(%x: memref<2x9x3xi8>, %y: memref<2x8x3xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %xs = vector.transfer_read %x[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<2x9x3xi8>, vector<2x8x3xi8>
  %s = arith.uitofp %xs : vector<2x8x3xi8> to vector<2x8x3xf32>
  vector.transfer_write %s, %y[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x8x3xf32>, memref<2x8x3xf32>
  return
}

// Three planes become pixels: each register takes from three.
// CHECK-LABEL: func.func @interleave(
// CHECK: %[[A:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 8, {{.*}}] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle %[[A]], %{{.*}} [0, 1, 8, 3, 4, 9, 6, 7] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-4: vector.shuffle
// CHECK-NOT: vector.shuffle
func.func @interleave(%x: memref<3x8xf32>, %y: memref<8x3xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<3x8xf32>, vector<3x8xf32>
  %t = vector.transpose %xs, [1, 0] : vector<3x8xf32> to vector<8x3xf32>
  vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x3xf32>, memref<8x3xf32>
  return
}

//--- left.mlir
// Rows that fill a register, rows that others lie between where they are
// written, and results of other ops than elementwise ones.
// CHECK-LABEL: func.func @whole(
// CHECK-COUNT-2: vector.store %{{.*}}, vector<8xf32>
// CHECK-LABEL: func.func @between(
// CHECK-COUNT-8: vector.store %{{.*}}, vector<3xf32>
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: vector.shuffle
// CHECK: return
// CHECK-LABEL: func.func @pairs(
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xi16>, vector<8xi16>
// CHECK: return
func.func @whole(%x: memref<2x8xf32>, %y: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x8xf32>, vector<2x8xf32>
  %s = arith.addf %xs, %xs : vector<2x8xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, memref<2x8xf32>
  return
}
func.func @between(%x: memref<8x3xf32>, %y: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x3xf32>, vector<8x3xf32>
  %s = arith.addf %xs, %xs : vector<8x3xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x3xf32>, memref<8x4xf32>
  return
}
func.func @sums(%x: memref<2x8x3xf32>, %y: memref<8x3xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %acc = arith.constant dense<0.0> : vector<8x3xf32>
  %xs = vector.transfer_read %x[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<2x8x3xf32>, vector<2x8x3xf32>
  %s = vector.multi_reduction <add>, %xs, %acc [0] : vector<2x8x3xf32> to vector<8x3xf32>
  vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x3xf32>, memref<8x3xf32>
  return
}
// Exchanging two rows or four has instructions.
func.func @pairs(%x: memref<2x16xi16>, %y: memref<16x2xi16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i16
  %xs = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x16xi16>, vector<2x16xi16>
  %t = vector.transpose %xs, [1, 0] : vector<2x16xi16> to vector<16x2xi16>
  vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x2xi16>, memref<16x2xi16>
  return
}

//--- run.mlir
// Two pictures by an opacity; channels that come last; colours.
// ASM-LABEL: over:
// ASM: vpermps %zmm
// ASM: vfmadd{{.*}}ps {{.*}}%zmm
// ASM-LABEL: planes:
// ASM: vpermt2ps %zmm
// ASM-LABEL: matrix:
// ASM: vperm{{.*}}ps %zmm
// ASM: vfmadd{{.*}}ps {{.*}}%zmm
func.func @over(%x: tensor<15x67x3xf32>, %y: tensor<15x67x3xf32>, %a: tensor<15x67xf32>) -> tensor<15x67x3xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<15x67x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %y, %a : tensor<15x67x3xf32>, tensor<15x67x3xf32>, tensor<15x67xf32>) outs(%e : tensor<15x67x3xf32>) {
  ^bb0(%u: f32, %v: f32, %m: f32, %o: f32):
    %p = arith.mulf %u, %m : f32
    %n = arith.subf %one, %m : f32
    %q = arith.mulf %v, %n : f32
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<15x67x3xf32>
  return %r : tensor<15x67x3xf32>
}
func.func @planes(%x: tensor<3x31x64xf32>) -> tensor<31x64x3xf32> {
  %e = tensor.empty() : tensor<31x64x3xf32>
  %r = linalg.transpose ins(%x : tensor<3x31x64xf32>) outs(%e : tensor<31x64x3xf32>) permutation = [1, 2, 0]
  return %r : tensor<31x64x3xf32>
}
func.func @matrix(%x: tensor<1003x3xf32>, %m: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<1003x4xf32> {
  %e = tensor.empty() : tensor<1003x4xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1003x4xf32>) dimensions = [0]
  %r = linalg.matmul ins(%x, %m : tensor<1003x3xf32>, tensor<3x4xf32>) outs(%i : tensor<1003x4xf32>) -> tensor<1003x4xf32>
  return %r : tensor<1003x4xf32>
}
