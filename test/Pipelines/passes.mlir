// The passes that --auto-schedule and --apply-history-best are made of, one by
// one.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --schedule-search="trials=3 batch=3 threads=2 work-dir=%t.d min-repeat-ms=1 quiet=true target=native" -o %t.search
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.search

// The records alone give the same script.
// RUN: sched-opt %s --schedule-apply-history="threads=2 work-dir=%t.d" | diff %t.search -

// So does the search in one step; the script alone is what --emit prints.
// RUN: sched-opt %s --auto-schedule="trials=3 threads=2 work-dir=%t.d quiet=true script-only=true" | diff %t.search -
// RUN: sched-opt %s --apply-history-best="threads=2 work-dir=%t.d" --emit=transform -o %t.script
// RUN: mlir-opt-22 %s --transform-preload-library='transform-library-paths=%t.script' --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=APPLIED

// Applied, and cleaned up: neither scripts nor names of blocks are left.
// RUN: sched-opt %t.search --transform-interpreter | FileCheck %s --check-prefix=APPLIED
// RUN: sched-opt %t.search --transform-interpreter --schedule-drop-script | FileCheck %s --check-prefix=DROPPED
// RUN: sched-opt %s --apply-history-best="threads=2 work-dir=%t.d" | FileCheck %s --check-prefix=DROPPED

// Without a measurement there is no directory to make, and the code generator
// is told of target and threads all the same.
// RUN: sched-opt %s --schedule-search="trials=0 threads=1 quiet=true target=cpu:mcpu=znver3" | FileCheck %s --check-prefix=GUESS

// SCRIPT: module attributes {
// SCRIPT-SAME: schedule.target = "native"
// SCRIPT-SAME: schedule.threads = 2 : i64
// SCRIPT-SAME: transform.with_named_sequence
// SCRIPT-LABEL: func.func @f
// SCRIPT: linalg.matmul
// SCRIPT: transform.named_sequence @__transform_main
// SCRIPT: transform.structured.vectorize

// APPLIED-LABEL: func.func @f
// APPLIED-NOT: linalg.matmul
// APPLIED: vector.contract

// DROPPED: module attributes {
// DROPPED-NOT: transform.with_named_sequence
// DROPPED-LABEL: func.func @f
// DROPPED-NOT: {{linalg.|schedule.block}}
// DROPPED: vector.contract
// DROPPED-NOT: {{linalg.|schedule.block|transform.named_sequence}}

// GUESS: module attributes {
// GUESS-SAME: schedule.target = "cpu:mcpu=znver3"
// GUESS-SAME: schedule.threads = 1 : i64
// GUESS: transform.named_sequence @__transform_main
func.func @f(%a: tensor<64x40xf32>, %b: tensor<40x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x40xf32>, tensor<40x64xf32>)
                     outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
