// A function may have any name that MLIR can quote.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1" --emit=transform -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: sched-run %s --entry="my-f.1" --transform=%t.mlir --threads=1 | FileCheck %s --check-prefix=TIMES

// CHECK: transform.structured.match ops{["func.func"]} attributes {sym_name = "my-f.1"}
// TIMES: check: right
func.func @"my-f.1"(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
