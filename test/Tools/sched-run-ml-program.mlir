// What exporters leave beside the functions, as torch-mlir's seed of random
// numbers, is in nobody's way: sched-opt, the workers and sched-run read it.

// RUN: rm -rf %t
// RUN: sched-opt %s --auto-schedule="trials=1 batch=1 threads=1 jobs=1 min-repeat-ms=1 repeats=1 quiet work-dir=%t" --emit=transform -o %t-script.mlir
// RUN: FileCheck %s --input-file=%t/records.jsonl --implicit-check-not='"error":"{{[a-z]}}'
// CHECK: "verified":true
// RUN: sched-run %s --threads=1 --repeats=1 --min-repeat-ms=1 --transform=%t-script.mlir --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>

func.func @f(%a: tensor<13x24xi8>, %b: tensor<24x19xi8>, %c: tensor<13x19xi32>) -> tensor<13x19xi32> {
  %z = arith.constant 3 : i32
  // Rewritten, so that the function is checked as a whole.
  %r = linalg.quantized_matmul ins(%a, %b, %z, %z : tensor<13x24xi8>, tensor<24x19xi8>, i32, i32) outs(%c : tensor<13x19xi32>) -> tensor<13x19xi32>
  return %r : tensor<13x19xi32>
}
