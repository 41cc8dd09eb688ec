// Epilogues whose other inputs are projected: a bias of the columns, one of the
// rows, a scalar, several tensors, and an init that is a bias.

// RUN: split-file %s %t
// RUN: rm -rf %t.d
// RUN: sched-opt %t/all.mlir --auto-schedule="trials=12 batch=12 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RUN: rm -rf %t.d
// RUN: sched-opt %t/init.mlir --auto-schedule="trials=12 batch=12 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

// All candidates were checked and right, those with panels among them.
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @packed
// RECORD-NOT: "error":"{{[a-z]}}

// All that is done to the product is one op, which the sketches fuse.
// RUN: sched-opt %t/all.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" | FileCheck %t/all.mlir
// RUN: sched-opt %t/init.mlir --schedule-generate-space="target=cpu:mcpu=znver3 threads=2" | FileCheck %t/init.mlir

// The script for the unchanged input.
// RUN: sched-opt %t/all.mlir --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script
// RUN: mlir-opt-22 %t/all.mlir --transform-preload-library='transform-library-paths=%t.script' --transform-interpreter | FileCheck %t/all.mlir --check-prefix=STOCK

//--- all.mlir
// CHECK: schedule.sketch @packed(
// CHECK: schedule.fuse_elementwise %{{.*}} ["linalg.broadcast", "linalg.add", "linalg.mul", "linalg.max"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["init", "anchor", "epilogue"]
// CHECK: schedule.pack_rhs
// STOCK-LABEL: func.func @all(
// STOCK-NOT: linalg.
// STOCK: vector.contract
// STOCK: arith.maximumf {{.*}} : vector<
func.func @all(%a: tensor<35x40xf32>, %b: tensor<40x50xf32>, %columns: tensor<50xf32>,
               %rows: tensor<35xf32>, %c: tensor<35x50xf32>, %d: tensor<35x50xf32>) -> tensor<35x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<35x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<35x50xf32>) -> tensor<35x50xf32>
  %bc = linalg.broadcast ins(%columns : tensor<50xf32>) outs(%e : tensor<35x50xf32>) dimensions = [0]
  %1 = linalg.add ins(%0, %bc : tensor<35x50xf32>, tensor<35x50xf32>) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %br = linalg.broadcast ins(%rows : tensor<35xf32>) outs(%e : tensor<35x50xf32>) dimensions = [1]
  %2 = linalg.mul ins(%1, %br : tensor<35x50xf32>, tensor<35x50xf32>) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %3 = linalg.add ins(%2, %c : tensor<35x50xf32>, tensor<35x50xf32>) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %4 = linalg.mul ins(%d, %3 : tensor<35x50xf32>, tensor<35x50xf32>) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %5 = linalg.max ins(%4, %i : tensor<35x50xf32>, tensor<35x50xf32>) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  return %5 : tensor<35x50xf32>
}

//--- init.mlir
// CHECK: schedule.sketch @packed(
// CHECK: schedule.fuse_elementwise %{{.*}} ["linalg.broadcast"]
// CHECK-NEXT: schedule.name_blocks %{{.*}} ["init", "anchor"]
// CHECK: schedule.pack_rhs %{{.*}} "anchor" init "init"
func.func @init(%a: tensor<35x40xf32>, %b: tensor<40x50xf32>, %columns: tensor<50xf32>) -> tensor<35x50xf32> {
  %e = tensor.empty() : tensor<35x50xf32>
  %i = linalg.broadcast ins(%columns : tensor<50xf32>) outs(%e : tensor<35x50xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<35x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<35x50xf32>) -> tensor<35x50xf32>
  return %0 : tensor<35x50xf32>
}
