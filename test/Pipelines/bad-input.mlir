// Bad input gets one clear error, and nothing is written.

// RUN: split-file %s %t
// RUN: not sched-opt %t/not-mlir.mlir --auto-schedule="trials=0" 2>&1 | FileCheck %t/not-mlir.mlir
// RUN: not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not ls %t/none.o
// RUN: not sched-opt %t/no-linalg.mlir --auto-schedule="trials=0" 2>&1 | FileCheck %t/no-linalg.mlir
// RUN: not sched-opt %t/unknown-op.mlir --auto-schedule="trials=0" 2>&1 | FileCheck %t/unknown-op.mlir
// RUN: not sched-opt %t/effects.mlir --auto-schedule="trials=0" 2>&1 | FileCheck %t/effects.mlir
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=vax" 2>&1 | FileCheck %t/good.mlir --check-prefix=TARGET
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=cpu:mcpu=znver33" 2>&1 | FileCheck %t/good.mlir --check-prefix=MCPU
// RUN: not sched-opt %t/good.mlir --auto-schedule="trails=0" 2>&1 | FileCheck %t/good.mlir --check-prefix=OPTION
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=1 work-dir=/proc/none" 2>&1 | FileCheck %t/good.mlir --check-prefix=WORKDIR
// RUN: rm -rf %t/records && mkdir %t/records && cp %t/other.jsonl %t/records/records.jsonl
// RUN: not sched-opt %t/good.mlir --apply-history-best="threads=1 work-dir=%t/records" 2>&1 | FileCheck %t/good.mlir --check-prefix=MISS
// RUN: cp %t/newer.jsonl %t/records/records.jsonl
// RUN: not sched-opt %t/good.mlir --apply-history-best="threads=1 work-dir=%t/records" 2>&1 | FileCheck %t/good.mlir --check-prefix=NEWER
// RUN: not sched-opt %t/good.mlir --emit=transform 2>&1 | FileCheck %t/good.mlir --check-prefix=SCRIPT

//--- not-mlir.mlir
int main() { return 0; }
// CHECK: error:

//--- dynamic.mlir
func.func @f(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x8xf32>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// CHECK: dynamic.mlir:1:{{.*}}error: {{.*}}static shape
// CHECK-NOT: error:

//--- no-linalg.mlir
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: error:
// CHECK-NOT: error:

//--- unknown-op.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.no_such_op ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: unknown-op.mlir:2:{{.*}}error: {{.*}}linalg.no_such_op

//--- effects.mlir
func.func @f(%a: tensor<8x8xf32>, %m: memref<8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: effects.mlir:1:{{.*}}error: {{.*}}memref<8xf32>
// CHECK-NOT: error:

//--- good.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// TARGET: error: unknown target 'vax'; expected 'native'
// MCPU: error: unknown mcpu 'znver33' {{.*}}znver3
// OPTION: trails
// WORKDIR: error: {{.*}}/proc/none
// MISS: error:
// MISS-NOT: error:
// NEWER: version
// SCRIPT: error: --emit=transform found no script

//--- other.jsonl
{"v":1,"workload":{"hash":"0","text":"matmul_1x1x1_f32"},"target":"cpu:mcpu=other","toolchain":"LLVM 22.1.8","sketch":"0","trace":"schedule.trace of @plain decisions {mr = 1}","costs_s":[1.0],"error":"","stage":"","message":"","verified":true,"compile_s":0,"run_s":0,"seed":0,"trial":0,"time":0}

//--- newer.jsonl
{"v":99,"workload":{"hash":"0","text":"matmul_1x1x1_f32"}}
