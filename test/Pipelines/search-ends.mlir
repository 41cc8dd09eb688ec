// A search ends before all trials are spent where it was told to, and says why;
// without that it spends them all.

// RUN: sched-opt %s --auto-schedule="plateau=10 trials=64 batch=4 cost-model=analytic threads=1 min-repeat-ms=1" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PLATEAU
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.mlir
// RUN: sched-opt %s --auto-schedule="early-stop=3 trials=100000 batch=4 cost-model=analytic threads=1 min-repeat-ms=1" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.mlir
// RUN: sched-opt %s --auto-schedule="time-budget=2.5 trials=100000 batch=4 cost-model=analytic threads=1 min-repeat-ms=1" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.mlir
// RUN: sched-opt %s --auto-schedule="trials=12 batch=4 cost-model=analytic threads=1 min-repeat-ms=1" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not='ended by'
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.mlir

// What is expected of a batch is known after two of them. Candidates that are the
// same code as others are no trials: how many there are depends on the machine.
// PLATEAU: {{^}}matmul_90x150x120_f32(accumulate): {{[1-4]}}/64 trials
// PLATEAU: {{^}}matmul_90x150x120_f32(accumulate): {{[4-9]|[1-3][0-9]}} trials{{.*}}; best {{.*}}; ended by plateau{{$}}
// EARLY: /100000 trials
// EARLY: {{^}}matmul_90x150x120_f32(accumulate): {{[0-9][0-9]?[0-9]?}} trials{{.*}}; best {{.*}}; ended by early-stopping{{$}}
// BUDGET: /100000 trials
// BUDGET: {{^}}matmul_90x150x120_f32(accumulate): {{[0-9][0-9]?[0-9]?[0-9]?}} trials{{.*}}; best {{.*}}; ended by the time budget{{$}}
// BUDGET-NEXT: {{^}}matmul_90x150x120_f32(accumulate): {{[0-9][0-9]?\.[0-9]}} s in all:
// ALL: {{^}}matmul_90x150x120_f32(accumulate): 12 trials{{.*}}; best
// CODE: {{vector[.]}}
func.func @f(%a: tensor<90x120xf32>, %b: tensor<120x150xf32>, %c: tensor<90x150xf32>) -> tensor<90x150xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<90x120xf32>, tensor<120x150xf32>) outs(%c : tensor<90x150xf32>) -> tensor<90x150xf32>
  return %r : tensor<90x150xf32>
}
