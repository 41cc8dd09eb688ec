// Where nothing is measured, nothing is learned of a candidate: what is built is
// the model's choice, the default among it, and none is left to chance.

// REQUIRES: nvptx-registered-target

// RUN: rm -rf %t && mkdir %t
// RUN: env %no_gpu sched-opt %s -o /dev/null \
// RUN:   --auto-schedule="target=nvvm:sm_80 trials=4 batch=4 jobs=1 work-dir=%t/built" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/built/search-log.jsonl

// CHECK: 0 trials; the model's best of 4 that were built
// LOG: "why":"default"
// LOG-COUNT-3: "why":"optimistic"
// LOG: "built":4

func.func @f(%x: tensor<256x1000xf32>) -> tensor<256x1000xf32> {
  %e = tensor.empty() : tensor<256x1000xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<256x1000xf32>) outs(%e : tensor<256x1000xf32>) -> tensor<256x1000xf32>
  return %r : tensor<256x1000xf32>
}
