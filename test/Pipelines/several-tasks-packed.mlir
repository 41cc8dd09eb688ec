// The free layout of an argument reaches the task that reads it: each layer's
// weights are packed by a function of their own, though both layers share one
// schedule. sched-run follows: it outlines the tasks that a script is for.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver3 quiet=true" --emit=obj -o %t.o --emit-header=%t.h
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: sched-run %s --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks | sched-run - --transform=%t.script.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s

// SCRIPT: // For tasks, not for the input itself
// SCRIPT: // {{.*}}--schedule-outline-tasks
// SCRIPT: transform.structured.pack

// HEADER: two_pack_arg1(const float *arg0, float *result0);
// HEADER: two_pack_arg2(const float *arg0, float *result0);
// HEADER: void two(

// CHECK: "flops": 125829120
// CHECK: "packed": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 2
// CHECK: "verified": true
func.func @two(%x: tensor<30x1024xf32>, %u: tensor<1024x1024xf32> {schedule.layout_free},
               %v: tensor<1024x1024xf32> {schedule.layout_free}) -> tensor<30x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x1024xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x1024xf32>) -> tensor<30x1024xf32>
  %h = linalg.matmul ins(%x, %u : tensor<30x1024xf32>, tensor<1024x1024xf32>)
                     outs(%i : tensor<30x1024xf32>) -> tensor<30x1024xf32>
  %r = linalg.matmul ins(%h, %v : tensor<30x1024xf32>, tensor<1024x1024xf32>)
                     outs(%i : tensor<30x1024xf32>) -> tensor<30x1024xf32>
  return %r : tensor<30x1024xf32>
}
