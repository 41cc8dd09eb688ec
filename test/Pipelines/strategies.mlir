// The strategies by name, what they take records from, and how long a search
// is by its effort.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/one.mlir --auto-schedule="strategy=none threads=1 work-dir=%t/none min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python %S/Inputs/traces.py %t/none/records.jsonl | FileCheck %s --check-prefix=ONE
// RUN: sched-opt %t/one.mlir --auto-schedule="strategy=random trials=4 threads=1 work-dir=%t/random min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python %S/Inputs/traces.py %t/random/records.jsonl | FileCheck %s --check-prefix=FOUR
// RUN: sched-opt %t/one.mlir --auto-schedule="strategy=grid trials=4 threads=1 work-dir=%t/grid min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python %S/Inputs/traces.py %t/grid/records.jsonl | FileCheck %s --check-prefix=FOUR

// What was good for one shape is measured for another one.
// RUN: sched-opt %t/other.mlir --auto-schedule="strategy=replay replay-dir=%t/random trials=3 threads=1 work-dir=%t/replay min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPLAY
// Of its own shape there is nothing to replay, which it says.
// RUN: sched-opt %t/one.mlir --auto-schedule="strategy=replay trials=5 threads=1 work-dir=%t/random min-repeat-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING

// As a pass, and as a pipeline: what is given wins.
// RUN: sched-opt %t/one.mlir --auto-schedule="effort=quick trials=3 threads=1 work-dir=%t/quick" -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: sched-opt %t/one.mlir --pass-pipeline="builtin.module(schedule-search{effort=quick trials=3 threads=1})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: sched-opt %t/one.mlir --auto-schedule="effort=quick threads=1 min-repeat-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIXTEEN
// RUN: sched-opt %t/one.mlir --pass-pipeline="builtin.module(schedule-search{effort=quick threads=1 min-repeat-ms=1})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIXTEEN

// When a search ends is a part of the effort; of normal effort only where nobody
// has said how many trials there are. (Nothing is to be scheduled here.)
// RUN: echo "module {}" > %t/empty.mlir
// RUN: not sched-opt %t/empty.mlir --auto-schedule="threads=1" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=NORMAL
// RUN: not sched-opt %t/empty.mlir --auto-schedule="threads=1 trials=64" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not sched-opt %t/empty.mlir --auto-schedule="threads=1 effort=quick" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUICK
// RUN: not sched-opt %t/empty.mlir --auto-schedule="threads=1 effort=thorough trials=64" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=THOROUGH
// RUN: not sched-opt %t/empty.mlir --auto-schedule="threads=1 effort=thorough early-stopping=8 plateau=0" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// NORMAL: schedule-search{{.*}} early-stop=0 early-stopping=0 {{.*}} plateau=1.000000e-02 {{.*}} trials=64
// GIVEN: schedule-search{{.*}} plateau=0.000000e+00 {{.*}} trials=64
// QUICK: schedule-search{{.*}} batch=8 {{.*}} plateau=5.000000e-02 {{.*}} trials=16
// THOROUGH: schedule-search{{.*}} early-stop=256 early-stopping=0 {{.*}} plateau=2.000000e-03 {{.*}} trials=64
// BOTH: schedule-search{{.*}} early-stop=0 early-stopping=8 {{.*}} plateau=0.000000e+00 {{.*}} trials=512

// As soon as one trial is no better; under both names.
// RUN: sched-opt %t/one.mlir --auto-schedule="early-stopping=1 batch=1 trials=64 threads=1 min-repeat-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sched-opt %t/one.mlir --auto-schedule="early-stop=1 batch=1 trials=64 threads=1 min-repeat-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sched-opt %t/one.mlir --pass-pipeline="builtin.module(schedule-search{early-stopping=1 batch=1 trials=64 threads=1 min-repeat-ms=1})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: matmul_30x50x40_f32: {{[0-9]+}} trials{{.*}}; ended by early-stopping
// Nothing gains that much; it is believed after two batches.
// RUN: sched-opt %t/one.mlir --auto-schedule="plateau=1000 batch=2 trials=64 threads=1 min-repeat-ms=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLATEAU
// PLATEAU: matmul_30x50x40_f32: {{[4-7]}} trials{{.*}}; ended by plateau

// ONE-COUNT-1: schedule.trace of
// ONE-NOT: schedule.trace of
// FOUR-COUNT-4: schedule.trace of
// REPLAY: default {{.*}} schedule.trace of
// REPLAY-NEXT: replayed {{.*}} schedule.trace of
// REPLAY-NEXT: replayed {{.*}} schedule.trace of
// NOTHING: matmul_30x50x40_f32: no record of another shape or target has a trace for it
// THREE: 3/3 trials
// Fewer where some became the code of others.
// SIXTEEN: {{[5-8]}}/16 trials
// SIXTEEN: 16/16 trials

//--- one.mlir
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>) -> tensor<30x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}

//--- other.mlir
func.func @f(%a: tensor<60x40xf32>, %b: tensor<40x50xf32>) -> tensor<60x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<60x50xf32>) -> tensor<60x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<60x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<60x50xf32>) -> tensor<60x50xf32>
  return %r : tensor<60x50xf32>
}
