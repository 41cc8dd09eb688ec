// A task that cannot be measured does not end the search of the others: it is
// left as it was, and a warning at its op says so. Alone it is an error.

// RUN: rm -rf %t && split-file %s %t
// RUN: cat %t/small.mlir %t/large.mlir > %t/both.mlir
// RUN: sched-opt %t/both.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/records" -o %t/out.mlir 2> %t/log
// RUN: FileCheck %s --input-file=%t/out.mlir
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/log --implicit-check-not=error: --implicit-check-not='elementwise_{{[0-9x]+}}_f32(add):'
// RUN: not sched-opt %t/large.mlir --auto-schedule="trials=2 batch=2 threads=1" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not='warning: task'
// RUN: not ls %t/none.mlir

// The task that can be measured has all trials.
// LOG: matmul_30x50x40_f32(accumulate): 2 trials{{.*}}; best
// LOG: both.mlir:7:8: warning: task elementwise_1048576x1048576_f32(add) is left to the default, without a schedule: the unscheduled function cannot be measured: memory at run: an allocation went over the memory limit

// ALONE: large.mlir:3:8: error: the unscheduled function cannot be measured: memory at run: an allocation went over the memory limit

// CHECK-LABEL: func.func @small(
// CHECK: vector.contract
// CHECK-LABEL: func.func @large(
// CHECK: linalg.add

//--- small.mlir
func.func @small(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>) outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
//--- large.mlir
func.func @large(%a: tensor<1048576x1048576xf32>, %b: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
  %e = tensor.empty() : tensor<1048576x1048576xf32>
  %r = linalg.add ins(%a, %b : tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>) outs(%e : tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32>
  return %r : tensor<1048576x1048576xf32>
}
