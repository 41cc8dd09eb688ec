// Ctrl-C ends the search: the best so far is printed and written, and the exit
// status is 130. What was measured is in the records.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/interrupt.py %t/log sched-opt %s --auto-schedule="trials=100000 batch=4 threads=1 min-repeat-ms=1 work-dir=%t/work" --emit=asm -o %t/f.s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/log
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/f.s
// RUN: FileCheck %s --check-prefix=RECORDS --input-file=%t/work/records.jsonl

// The same where mlir-opt's own code writes.
// RUN: %python %S/Inputs/interrupt.py %t/log sched-opt %s --auto-schedule="trials=100000 batch=4 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/f.mlir
// RUN: FileCheck %s --check-prefix=QUIET --input-file=%t/log
// RUN: FileCheck %s --input-file=%t/f.mlir

// LOG: warning: matmul_30x50x40_f32(accumulate): interrupted after {{[1-9][0-9]*}} of 100000 trials; the best so far is used: {{[0-9.]+ [nu]s}}
// LOG: {{[1-9][0-9]*}} trials; best {{[0-9.]+}} GFLOP/s
// ASM: f:
// RECORDS: "verified":true
// QUIET: warning: {{.*}}: interrupted after {{[1-9][0-9]*}} of 100000 trials; the best so far is used:
// CHECK-LABEL: func.func @f
// Whichever schedule was best by then; one that takes k in steps of 1 has no
// contraction.
// CHECK-NOT: linalg.matmul
// CHECK: vector.transfer_write
// CHECK-NOT: linalg.matmul
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
