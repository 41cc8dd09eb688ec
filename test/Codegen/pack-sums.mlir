// What products of signed bytes add too much is summed up where the weights are
// packed, and read behind them (SumsTable.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/product.mlir --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=llvm -o %t/one.ll
// RUN: FileCheck %s --input-file=%t/one.ll
// RUN: sched-opt %t/product.mlir --auto-schedule="trials=0 threads=2 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=llvm -o %t/two.ll
// RUN: FileCheck %s --input-file=%t/two.ll
// Without bytes that are taken as unsigned ones, nothing is summed up.
// RUN: sched-opt %t/product.mlir --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=cortex-a76,triple=aarch64-linux-gnu" --emit=llvm | FileCheck %s --check-prefix=SIGNED
// RUN: sched-opt %t/product.mlir --auto-schedule="trials=12 batch=12 seed=1 threads=1 cost-model=random work-dir=%t/work min-repeat-ms=1 quiet=true" --emit=obj -o %t/f.o
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sched-opt %t/nests.mlir --sched-pack-sums --split-input-file | FileCheck %s --check-prefix=NEST

// CHECK-LABEL: define void @f_pack_arg1(
// CHECK: vpdpbusd.512({{.*}} splat (i
// CHECK-LABEL: define void @f(
// CHECK-NOT: {{vpdpbusd.512\(.* splat \(i|aligned_alloc\(i64 [0-9]+, i64 [0-9]{1,3}\)}}
// CHECK: vpdpbusd.512(
// CHECK-NOT: {{vpdpbusd.512\(.* splat \(i|aligned_alloc\(i64 [0-9]+, i64 [0-9]{1,3}\)}}
// CHECK: declare

// SIGNED-NOT: vpdpbusd
// SIGNED: sdot

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: schedule.trace
// RIGHT-NOT: "error":"{{[^"]+}}"

//--- product.mlir
func.func @f(%a: tensor<64x256xi8>, %b: tensor<256x128xi8> {schedule.layout_free}, %c: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x256xi8>, tensor<256x128xi8>)
                     outs(%c : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}

//--- nests.mlir
// Two panels of four columns, and room for their sums behind 64 bytes.
// NEST-LABEL: func.func @f_pack_arg0(
// NEST: memref.store
// NEST: %[[TABLE:.*]] = memref.view %arg1[%c64{{.*}}] : memref<96xi8> to memref<2x1x4xi32>
// NEST: scf.for %[[PANEL:.*]] = %c0{{.*}} to %c2
// NEST: %[[SUM:.*]] = scf.for
// NEST: vector.load %subview
// NEST: vector.store %[[SUM]], %[[TABLE]][%[[PANEL]],
// NEST-LABEL: func.func @f(
// NEST: %[[PACKED:.*]] = memref.view %arg0[%c64{{.*}}] : memref<96xi8> to memref<2x1x4xi32>
// NEST-NOT: iter_args
// NEST: vector.load %[[PACKED]]
// NEST-NOT: iter_args
// NEST: return
func.func @f_pack_arg0(%x: memref<64xi8>, %packed: memref<96xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<64xi8>
  memref.store %v, %packed[%c0] : memref<96xi8>
  return
}
func.func @f(%packed: memref<96xi8>, %y: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zeros = arith.constant dense<0> : vector<4xi32>
  %part = memref.subview %packed[0] [64] [1] : memref<96xi8> to memref<64xi8, strided<[1]>>
  scf.for %panel = %c0 to %c2 step %c1 {
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %zeros) -> (vector<4xi32>) {
      %at = affine.apply affine_map<(p, k) -> (p * 32 + k * 4)>(%panel, %k)
      %b = vector.load %part[%at] : memref<64xi8, strided<[1]>>, vector<4xi8>
      %w = arith.extsi %b : vector<4xi8> to vector<4xi32>
      %n = arith.addi %s, %w : vector<4xi32>
      scf.yield %n : vector<4xi32>
    } {sched.sums}
    vector.store %sum, %y[%panel, %c0] : memref<2x4xi32>, vector<4xi32>
  }
  return
}

// -----

// No room is left, or it depends on something else; what has no body is left.
// NEST-LABEL: func.func @f_pack_arg0(
// NEST-NOT: memref.view
// NEST-LABEL: func.func @f(
// NEST: iter_args
// NEST: iter_args
// NEST: return
func.func private @elsewhere(memref<80xi8>)
func.func @f_pack_arg0(%x: memref<64xi8>, %packed: memref<80xi8>) {
  return
}
func.func @f(%packed: memref<80xi8>, %start: memref<4xi32>, %y: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zeros = arith.constant dense<0> : vector<4xi32>
  %part = memref.subview %packed[0] [64] [1] : memref<80xi8> to memref<64xi8, strided<[1]>>
  scf.for %panel = %c0 to %c2 step %c1 {
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %zeros) -> (vector<4xi32>) {
      %at = affine.apply affine_map<(p, k) -> (p * 32 + k * 4)>(%panel, %k)
      %b = vector.load %part[%at] : memref<64xi8, strided<[1]>>, vector<4xi8>
      %w = arith.extsi %b : vector<4xi8> to vector<4xi32>
      %n = arith.addi %s, %w : vector<4xi32>
      scf.yield %n : vector<4xi32>
    } {sched.sums}
    vector.store %sum, %y[%panel, %c0] : memref<2x4xi32>, vector<4xi32>
  }
  %other = scf.for %k = %c0 to %c2 step %c1 iter_args(%s = %zeros) -> (vector<4xi32>) {
    %b = vector.load %part[%k] : memref<64xi8, strided<[1]>>, vector<4xi8>
    %w = arith.extsi %b : vector<4xi8> to vector<4xi32>
    %t = vector.load %start[%c0] : memref<4xi32>, vector<4xi32>
    %u = arith.addi %t, %w : vector<4xi32>
    %n = arith.addi %s, %u : vector<4xi32>
    scf.yield %n : vector<4xi32>
  } {sched.sums}
  vector.store %other, %y[%c0, %c0] : memref<2x4xi32>, vector<4xi32>
  return
}
