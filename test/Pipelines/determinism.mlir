// Same seed, same candidates, and from the same records the same answer,
// whatever the number of builder processes. Where a candidate became the code of
// another, a ninth is measured, which the times of the first eight decide.

// RUN: rm -rf %t.1 %t.2
// RUN: sched-opt %s --auto-schedule="trials=8 batch=8 seed=3 threads=1 work-dir=%t.1 jobs=1 min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-opt %s --auto-schedule="trials=8 batch=8 seed=3 threads=1 work-dir=%t.2 jobs=2 min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python %S/Inputs/traces.py %t.1/records.jsonl | sed -n 1,8p > %t.traces1
// RUN: %python %S/Inputs/traces.py %t.2/records.jsonl | sed -n 1,8p > %t.traces2
// RUN: diff %t.traces1 %t.traces2
// RUN: FileCheck %s --input-file=%t.traces1
// RUN: sched-opt %s --auto-schedule="trials=8 batch=8 seed=3 threads=1 work-dir=%t.1 jobs=1 quiet=true" --emit=transform -o %t.a
// RUN: sched-opt %s --auto-schedule="trials=8 batch=8 seed=3 threads=1 work-dir=%t.1 jobs=2 quiet=true" --emit=transform -o %t.b
// RUN: diff %t.a %t.b

// From the same records, the next batch is the same too.
// RUN: cp %t.1/records.jsonl %t.2/records.jsonl
// RUN: sched-opt %s --auto-schedule="trials=16 batch=8 seed=3 threads=1 work-dir=%t.1 jobs=1 min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-opt %s --auto-schedule="trials=16 batch=8 seed=3 threads=1 work-dir=%t.2 jobs=2 min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python %S/Inputs/traces.py %t.1/records.jsonl | sed -n 1,16p > %t.traces1
// RUN: %python %S/Inputs/traces.py %t.2/records.jsonl | sed -n 1,16p > %t.traces2
// RUN: diff %t.traces1 %t.traces2
// RUN: FileCheck %s --input-file=%t.traces1 --check-prefix=MORE

// MORE-COUNT-16: schedule.trace of
// CHECK-COUNT-8: schedule.trace of
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>) -> tensor<30x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
