// Elementwise producers of the operands: what computes is done before, in a nest
// of its own; what only casts or transposes is done on the way into the product.

// RUN: split-file %s %t
// RUN: rm -rf %t.d
// RUN: sched-opt %t/compute.mlir --auto-schedule="trials=12 batch=12 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RUN: rm -rf %t.d
// RUN: sched-opt %t/move.mlir --auto-schedule="trials=12 batch=12 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl

// All candidates were checked and right, those with panels among them.
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of @packed
// RECORD-NOT: "error":"{{[a-z]}}

// The script for the unchanged input.
// RUN: sched-opt %t/compute.mlir --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.compute
// RUN: mlir-opt-22 %t/compute.mlir --transform-preload-library='transform-library-paths=%t.compute' --transform-interpreter | FileCheck %t/compute.mlir
// RUN: sched-opt %t/move.mlir --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.move
// RUN: mlir-opt-22 %t/move.mlir --transform-preload-library='transform-library-paths=%t.move' --transform-interpreter | FileCheck %t/move.mlir

//--- compute.mlir
// exp(A) and B + D are vectors, computed once: each function is called in one
// place for the main part and one for the tail of each loop.
// CHECK-LABEL: func.func @compute(
// CHECK-NOT: linalg.
// CHECK: math.exp {{.*}} : vector<
// CHECK: vector.contract
// CHECK-NOT: math.exp
func.func @compute(%a: tensor<35x40xf32>, %b: tensor<40x50xf32>, %d: tensor<40x50xf32>) -> tensor<35x50xf32> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<35x40xf32>
  %eb = tensor.empty() : tensor<40x50xf32>
  %e = tensor.empty() : tensor<35x50xf32>
  %x = linalg.exp ins(%a : tensor<35x40xf32>) outs(%ea : tensor<35x40xf32>) -> tensor<35x40xf32>
  %y = linalg.add ins(%b, %d : tensor<40x50xf32>, tensor<40x50xf32>)
                  outs(%eb : tensor<40x50xf32>) -> tensor<40x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %r = linalg.matmul ins(%x, %y : tensor<35x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<35x50xf32>) -> tensor<35x50xf32>
  return %r : tensor<35x50xf32>
}

//--- move.mlir
#id = affine_map<(i, j) -> (i, j)>
// No tensor of the transposed or the extended operand is made.
// CHECK-LABEL: func.func @move(
// CHECK-NOT: linalg.
// CHECK-NOT: tensor.empty() : tensor<35x40xf32>
// CHECK-NOT: tensor.empty() : tensor<40x50xf32>
// CHECK: arith.extf {{.*}} : vector<
// CHECK: vector.contract
func.func @move(%a: tensor<35x40xf16>, %b: tensor<50x40xf32>) -> tensor<35x50xf32> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<35x40xf32>
  %eb = tensor.empty() : tensor<40x50xf32>
  %e = tensor.empty() : tensor<35x50xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<35x40xf16>) outs(%ea : tensor<35x40xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<35x40xf32>
  %y = linalg.transpose ins(%b : tensor<50x40xf32>) outs(%eb : tensor<40x50xf32>) permutation = [1, 0]
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %r = linalg.matmul ins(%x, %y : tensor<35x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<35x50xf32>) -> tensor<35x50xf32>
  return %r : tensor<35x50xf32>
}
