// Both layers of a network are scheduled, each in a function of its own, and the
// network computes what it did.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=8 batch=4 threads=2 work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o --emit-header=%t.h
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: sched-opt %s --apply-history-best="threads=2 work-dir=%t.d" | FileCheck %s
// RUN: sched-run %s --work-dir=%t.d --threads=2 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RESULT

// Every candidate of both was right.
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD-DAG: "text":"matmul_33x64x24_f32+add+max
// RECORD-DAG: "text":"matmul_33x40x64_f32+add
// RECORD-NOT: "error":"{{[a-z]}}

// RESULT: "verified": true

// HEADER: void mlp(const float *arg0, const float *arg1, const float *arg2, const float *arg3, const float *arg4, float *result0);

// The functions of the tasks are gone again, and nothing is left unscheduled.
// CHECK-LABEL: func.func @mlp(
// CHECK-NOT: linalg.
// CHECK-NOT: call
// CHECK: vector.contract
// CHECK: return
// CHECK-NOT: func.func private

// The script for stock mlir-opt goes with the outlined input.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=HEAD --input-file=%t.script.mlir
// HEAD: // For tasks, not for the input itself: apply to the output of
// HEAD-NEXT: //   sched-opt --schedule-outline-tasks{{.*}} INPUT
// RUN: sched-opt %s --schedule-outline-tasks -o %t.tasks.mlir
// RUN: mlir-opt-22 %t.tasks.mlir --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=STOCK
// STOCK-LABEL: func.func @mlp(
// STOCK-COUNT-2: call
// STOCK-LABEL: func.func private @mlp_0(
// STOCK-NOT: linalg.
// STOCK: vector.contract
// STOCK-LABEL: func.func private @mlp_1(
// STOCK-NOT: linalg.
// STOCK: vector.contract
func.func @mlp(%x: tensor<33x24xf32>, %w1: tensor<24x64xf32>, %b1: tensor<64xf32>,
               %w2: tensor<64x40xf32>, %b2: tensor<40xf32>) -> tensor<33x40xf32> {
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<33x64xf32>
  %i1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<33x64xf32>) -> tensor<33x64xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<33x24xf32>, tensor<24x64xf32>)
                      outs(%i1 : tensor<33x64xf32>) -> tensor<33x64xf32>
  %c1 = linalg.broadcast ins(%b1 : tensor<64xf32>) outs(%e1 : tensor<33x64xf32>) dimensions = [0]
  %s1 = linalg.add ins(%p1, %c1 : tensor<33x64xf32>, tensor<33x64xf32>)
                   outs(%e1 : tensor<33x64xf32>) -> tensor<33x64xf32>
  %h = linalg.max ins(%s1, %i1 : tensor<33x64xf32>, tensor<33x64xf32>)
                  outs(%e1 : tensor<33x64xf32>) -> tensor<33x64xf32>
  %e2 = tensor.empty() : tensor<33x40xf32>
  %i2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<33x64xf32>, tensor<64x40xf32>)
                      outs(%i2 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %c2 = linalg.broadcast ins(%b2 : tensor<40xf32>) outs(%e2 : tensor<33x40xf32>) dimensions = [0]
  %y = linalg.add ins(%p2, %c2 : tensor<33x40xf32>, tensor<33x40xf32>)
                  outs(%e2 : tensor<33x40xf32>) -> tensor<33x40xf32>
  return %y : tensor<33x40xf32>
}
