// Elements a few apart are read by loads of whole vectors and shuffles
// (StridedReads.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/reads.mlir --sched-lower-vectors=vector-bytes=32 | FileCheck %s
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=4 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" --emit=asm -o %t/run.s
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sched-run %t/run.mlir --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=CHECKED
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver5,triple=x86_64-linux-gnu quiet=true" --emit=asm | FileCheck %s --check-prefix=ASM

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: "verified":true
// CHECKED: check: right
// ASM-LABEL: run:
// ASM: vpermt2ps
// ASM-NOT: {{vinsertps|vgather}}
// ASM: ret

//--- reads.mlir
!half = memref<8x32xf32, strided<[512, 2], offset: 7>>

// The last load ends with the last element.
// CHECK-LABEL: func.func @two(
// CHECK: %[[LINE:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [15], strides: [1]
// CHECK: %[[A:.*]] = vector.load %[[LINE]][%c0] : {{.*}} vector<8xf32>
// CHECK: %[[B:.*]] = vector.load %[[LINE]][%c7] : {{.*}} vector<8xf32>
// CHECK: vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK-NOT: memref.load
// CHECK: return
func.func @two(%m: !half, %i: index, %j: index) -> vector<8xf32> {
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %j], %z {in_bounds = [true]} : !half, vector<8xf32>
  return %v : vector<8xf32>
}

// CHECK-LABEL: func.func @three(
// CHECK: %[[LINE:.*]] = memref.reinterpret_cast %{{.*}} sizes: [10], strides: [1]
// CHECK: %[[A:.*]] = vector.load %[[LINE]][%c0]
// CHECK: %[[B:.*]] = vector.load %[[LINE]][%c4]
// CHECK: %[[C:.*]] = vector.load %[[LINE]][%c6]
// CHECK: %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 7]
// CHECK: vector.shuffle %[[AB]], %[[C]] [0, 1, 2, 7]
func.func @three(%m: memref<40xi16, strided<[3]>>, %i: index) -> vector<4xi16> {
  %z = arith.constant 0 : i16
  %v = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<40xi16, strided<[3]>>, vector<4xi16>
  return %v : vector<4xi16>
}

// Slices of one tensor share the loads of each line, from the first element of
// all to the last, whichever is read first.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[LINE:.*]] = memref.reinterpret_cast %{{.*}} sizes: [11], strides: [1]
// CHECK: %[[A:.*]] = vector.load %[[LINE]][%c0]
// CHECK: %[[B:.*]] = vector.load %[[LINE]][%c4]
// CHECK: %[[C:.*]] = vector.load %[[LINE]][%c7]
// CHECK: %[[S0:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 7]
// CHECK: vector.shuffle %[[S0]], %[[C]] [0, 1, 2, 6]
// CHECK: %[[S1:.*]] = vector.shuffle %[[A]], %[[B]] [1, 4, 7, 7]
// CHECK: vector.shuffle %[[S1]], %[[C]] [0, 1, 2, 7]
// CHECK: memref.reinterpret_cast %{{.*}} sizes: [11], strides: [1]
// CHECK-COUNT-3: vector.load
// CHECK-NOT: vector.load
// CHECK: return
func.func @shared(%m: memref<8x40x3xi16>, %i: index, %j: index) -> (vector<2x4xi16>, vector<2x4xi16>) {
  %z = arith.constant 0 : i16
  %b = memref.subview %m[0, 0, 2] [8, 40, 1] [1, 1, 1] : memref<8x40x3xi16> to memref<8x40xi16, strided<[120, 3], offset: 2>>
  %a = memref.subview %m[0, 0, 1] [8, 40, 1] [1, 1, 1] : memref<8x40x3xi16> to memref<8x40xi16, strided<[120, 3], offset: 1>>
  %v = vector.transfer_read %b[%i, %j], %z {in_bounds = [true, true]} : memref<8x40xi16, strided<[120, 3], offset: 2>>, vector<2x4xi16>
  %w = vector.transfer_read %a[%i, %j], %z {in_bounds = [true, true]} : memref<8x40xi16, strided<[120, 3], offset: 1>>, vector<2x4xi16>
  return %v, %w : vector<2x4xi16>, vector<2x4xi16>
}

// So do columns of the tensor itself, in pieces of registers.
// CHECK-LABEL: func.func @columns(
// CHECK: memref.reinterpret_cast %{{.*}} sizes: [48], strides: [1]
// CHECK-COUNT-6: vector.load {{.*}} vector<8xf32>
// CHECK-NOT: memref.load
// CHECK: return
func.func @columns(%m: memref<40x3xf32>, %i: index) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %c0], %z {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<40x3xf32>, vector<16xf32>
  %w = vector.transfer_read %m[%i, %c2], %z {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<40x3xf32>, vector<16xf32>
  return %v, %w : vector<16xf32>, vector<16xf32>
}

// Not over a write, nor the elements of other lines.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: vector.load
// CHECK: memref.store
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK: return
func.func @apart(%m: memref<40x2xf32>, %i: index, %s: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = memref.subview %m[0, 0] [38, 1] [1, 1] : memref<40x2xf32> to memref<38xf32, strided<[2]>>
  %b = memref.subview %m[0, 1] [38, 1] [1, 1] : memref<40x2xf32> to memref<38xf32, strided<[2], offset: 1>>
  %c = memref.subview %m[2, 0] [38, 1] [1, 1] : memref<40x2xf32> to memref<38xf32, strided<[2], offset: 4>>
  %u = vector.transfer_read %a[%i], %z {in_bounds = [true]} : memref<38xf32, strided<[2]>>, vector<4xf32>
  memref.store %s, %m[%c0, %c0] : memref<40x2xf32>
  %v = vector.transfer_read %b[%i], %z {in_bounds = [true]} : memref<38xf32, strided<[2], offset: 1>>, vector<4xf32>
  %w = vector.transfer_read %c[%i], %z {in_bounds = [true]} : memref<38xf32, strided<[2], offset: 4>>, vector<4xf32>
  return %u, %v, %w : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Further apart, or at the end of what there is, they are read one by one; below.
// So are fewer elements than they are apart: a vector in between would end behind them.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: vector.load
// CHECK: return
func.func @few(%m: memref<2xf64, strided<[4]>>) -> vector<2xf64> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %v = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<2xf64, strided<[4]>>, vector<2xf64>
  return %v : vector<2xf64>
}

// So are bits and indices, whose width is not that of memory.
// CHECK-LABEL: func.func @far(
// CHECK-NOT: vector.load
// CHECK-LABEL: func.func @indices(
// CHECK-NOT: vector.load
// CHECK: return
func.func @far(%m: memref<40xf32, strided<[5]>>, %n: memref<41xf32, strided<[2]>>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<40xf32, strided<[5]>>, vector<4xf32>
  %w = vector.transfer_read %n[%i], %z : memref<41xf32, strided<[2]>>, vector<4xf32>
  return %v, %w : vector<4xf32>, vector<4xf32>
}

func.func @indices(%m: memref<40xindex, strided<[2]>>, %n: memref<40xi1, strided<[2]>>, %i: index) -> (vector<4xindex>, vector<4xi1>) {
  %z = arith.constant 0 : index
  %false = arith.constant false
  %v = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<40xindex, strided<[2]>>, vector<4xindex>
  %w = vector.transfer_read %n[%i], %false {in_bounds = [true]} : memref<40xi1, strided<[2]>>, vector<4xi1>
  return %v, %w : vector<4xindex>, vector<4xi1>
}

//--- run.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @run(%a: tensor<64x160xf32>) -> tensor<32x80xf32> {
  %x = tensor.extract_slice %a[0, 0] [32, 80] [2, 2] : tensor<64x160xf32> to tensor<32x80xf32>
  %y = tensor.extract_slice %a[1, 1] [32, 80] [2, 2] : tensor<64x160xf32> to tensor<32x80xf32>
  %e = tensor.empty() : tensor<32x80xf32>
  %r = linalg.add ins(%x, %y : tensor<32x80xf32>, tensor<32x80xf32>) outs(%e : tensor<32x80xf32>) -> tensor<32x80xf32>
  return %r : tensor<32x80xf32>
}
