// Bad input gets one clear error at its place, and nothing is written: neither
// the output nor the header. What is wrong with records is in
// bad-input-records.mlir.

// RUN: rm -rf %t && split-file %s %t
// RUN: not sched-opt %t/not-mlir.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/not-mlir.mlir
// RUN: not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not sched-opt %t/no-linalg.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/no-linalg.mlir
// RUN: not sched-opt %t/unknown-op.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/unknown-op.mlir
// RUN: not sched-opt %t/unknown-dialect.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/unknown-dialect.mlir
// RUN: not sched-opt %t/buffer.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/buffer.mlir
// RUN: not sched-opt %t/effects.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/effects.mlir
// RUN: not sched-opt %t/call.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/call.mlir
// RUN: not sched-opt %t/no-c-type.mlir --auto-schedule="trials=2" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/no-c-type.mlir --implicit-check-not=trials

// The other kinds of output, too.
// RUN: not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" -o %t/none.o 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" --emit=transform -o %t/none.o 2>&1 | FileCheck %t/dynamic.mlir

// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=vax" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=TARGET
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=cpu:mcpu=znver33" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=MCPU
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=cpu:colour=red" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=KEY
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=cpu:mcpu=neoverse-n1,triple=x86_64-linux-gnu" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=OTHER
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 target=cpu:mcpu=znver3,triple=vax-dec-vms" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=TRIPLE
// RUN: not sched-opt %t/good.mlir --auto-schedule="trails=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=OPTION
// RUN: not sched-opt %t/good.mlir --pass-pipeline="builtin.module(auto-schedule{trails=0})" 2>&1 | FileCheck %t/good.mlir --check-prefix=OPTION
// RUN: not sched-opt %t/good.mlir --apply-history-best="trials=0" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=HISTORY-OPTION --implicit-check-not=error:
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 time-budget=-1" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=BUDGET
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 time-budget=nan" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=NAN
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 min-repeat-ms=-0.5" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=REPEAT
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 build-timeout=0" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=TIMEOUT
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0" --apply-history-best="work-dir=%t" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=TWO --implicit-check-not=error:
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0,threads=1" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=COMMA
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=two" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=VALUE
// RUN: not sched-opt %t/good.mlir --auto-schedule="seed=-1" 2>&1 | FileCheck %t/good.mlir --check-prefix=SIGN
// RUN: not sched-opt %t/good.mlir --auto-schedule="quiet=maybe" 2>&1 | FileCheck %t/good.mlir --check-prefix=SWITCH
// RUN: not sched-opt %t/good.mlir --auto-schedule="time-budget=1s" 2>&1 | FileCheck %t/good.mlir --check-prefix=NUMBER
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 batch=0" 2>&1 | FileCheck %t/good.mlir --check-prefix=BATCH
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 repeats=0" 2>&1 | FileCheck %t/good.mlir --check-prefix=REPEATS
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 min-repeat-ms=inf" 2>&1 | FileCheck %t/good.mlir --check-prefix=FOREVER
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 threads=-1" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=THREADS
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 cost-model=magic" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=MODEL
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 cost-model=%t/good.mlir" --emit=obj -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=MODELFILE
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 strategy=greedy" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=STRATEGY
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 effort=some" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=EFFORT
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 log-level=loud" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=LOG
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 plateau=-2" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=PLATEAU
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 early-stop=8 early-stopping=16" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=EARLY
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 strategy=replay" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=REPLAY
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 replay-dir=%t" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=REPLAY-DIR
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 strategy=replay replay-dir=%t/none" -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=NO-RECORDS
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0" --emit=elf -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=EMIT
// RUN: not sched-opt %t/good.mlir --auto-schedules="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=FLAG
// RUN: not sched-opt %t/good.mlir --emit=transform -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=SCRIPT
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0" --emit=transform -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=SCRIPT-HEADER
// RUN: not sched-opt %t/none.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=MISSING
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 quiet=true" --emit=obj -o %t/none/f.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=OUTPUT
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 quiet=true" --emit=obj -o %t/none.o --emit-header=%t/none/f.h 2>&1 | FileCheck %t/good.mlir --check-prefix=HEADER

// The file that was there stays.
// RUN: echo precious > %t/kept && not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" -o %t/kept 2>/dev/null
// RUN: FileCheck %t/good.mlir --check-prefix=OLD --input-file=%t/kept
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=0 threads=1025" --emit=obj -o %t/none.o 2>&1 | FileCheck %t/good.mlir --check-prefix=MANY

// A work directory that cannot be made, and one that is a file.
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=1 work-dir=/proc/none" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=WORKDIR
// RUN: not sched-opt %t/good.mlir --auto-schedule="trials=1 work-dir=%t/good.mlir" --emit=obj -o %t/none.o --emit-header=%t/none.h 2>&1 | FileCheck %t/good.mlir --check-prefix=FILE

// RUN: not ls %t/none.o
// RUN: not ls %t/none.h
// RUN: not ls %t/none

// What was there before stays.
// RUN: echo precious > %t/old.o
// RUN: not sched-opt %t/dynamic.mlir --auto-schedule="trials=0" --emit=obj -o %t/old.o 2>&1 | FileCheck %t/dynamic.mlir
// RUN: FileCheck %t/good.mlir --check-prefix=OLD --input-file=%t/old.o

//--- not-mlir.mlir
int main() { return 0; }
// CHECK: not-mlir.mlir:1:1: error: custom op 'int' is unknown
// CHECK-NOT: error:

//--- dynamic.mlir
func.func @f(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x8xf32>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// CHECK: dynamic.mlir:1:14: error: argument #0 of @f: expected ranked tensors of static shape; found 'tensor<?x8xf32>'
// CHECK-NOT: error:

//--- no-linalg.mlir
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: no-linalg.mlir:{{.*}} error: found no linalg op in the module; expected linalg ops on tensors
// CHECK-NOT: error:

//--- unknown-op.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.no_such_op ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: unknown-op.mlir:2:8: error: {{.*}}'linalg.no_such_op' is unknown
// CHECK-NOT: error:

//--- unknown-dialect.mlir
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = "nowhere.matmul"(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: unknown-dialect.mlir:2:{{[0-9]+}}: error: {{.*}}unregistered dialect
// CHECK-NOT: error:

//--- buffer.mlir
func.func @f(%a: tensor<8x8xf32>, %m: memref<8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: buffer.mlir:1:35: error: argument #1 of @f: {{.*}}'memref<8xf32>'; bufferized input is not schedulable
// CHECK-NOT: error:

//--- effects.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  vector.print str "done"
  return %r : tensor<8x8xf32>
}
// CHECK: effects.mlir:3:3: error: 'vector.print' op has side effects; {{.*}}move it out of @f
// CHECK-NOT: error:

//--- call.mlir
func.func private @outside(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = call @outside(%r) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
// CHECK: call.mlir:4:8: error: 'func.call' op calls @outside, which has no body here and may have side effects
// CHECK-NOT: error:

//--- no-c-type.mlir
func.func @f(%a: tensor<8x8xf32>, %x: tensor<8xf80>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: no-c-type.mlir:1:35: error: no C type for argument #1 of @f; expected f16, bf16, f32, f64, or integers of 8, 16, 32 or 64 bits; found 'tensor<8xf80>'
// CHECK-NOT: error:

//--- good.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// TARGET: good.mlir:{{.*}} error: unknown target 'vax'; expected 'native'
// MCPU: good.mlir:{{.*}} error: unknown mcpu 'znver33' {{.*}}znver3
// OTHER: good.mlir:{{.*}} error: mcpu 'neoverse-n1' is no processor of x86_64-unknown-linux-gnu but of another architecture; add 'triple=aarch64-linux-gnu'
// KEY: good.mlir:{{.*}} error: unknown key 'colour' in target 'cpu:colour=red'; expected mcpu, triple
// TRIPLE: good.mlir:{{.*}} error: unknown triple 'vax-dec-vms'
// OPTION: error: {{(--)?}}auto-schedule: found no option 'trails', expected allow-tf32, batch, build-timeout, cost-model, early-stop, early-stopping, effort, im2col, isolate, jobs, log-level, min-repeat-ms, plateau, quiet, repeats, replay-dir, run-timeout, script-only, seed, space, strategy, target, threads, time-budget, trials, winograd, work-dir{{$}}
// HISTORY-OPTION: error: --apply-history-best: found no option 'trials', expected allow-tf32, im2col, script-only, space, target, threads, winograd, work-dir{{$}}
// BUDGET: good.mlir:{{.*}} error: time-budget must be 0 (no limit) or a number of seconds; found -1{{$}}
// BUDGET-NOT: error:
// NAN: error: time-budget must be 0 (no limit) or a number of seconds; found nan
// REPEAT: error: min-repeat-ms must be 0 or a number of milliseconds; found -0.5
// TIMEOUT: error: build-timeout must be a number of seconds above 0; found 0
// TWO: error: found --auto-schedule and --apply-history-best, expected one of them
// VALUE: {{^}}error: --auto-schedule: found trials=two, expected an integer from 0 on{{$}}
// VALUE-NOT: trials
// SIGN: {{^}}error: --auto-schedule: found seed=-1, expected an integer from 0 on{{$}}
// SWITCH: {{^}}error: --auto-schedule: found quiet=maybe, expected true or false{{$}}
// NUMBER: {{^}}error: --auto-schedule: found time-budget=1s, expected a number{{$}}
// BATCH: good.mlir:{{.*}} error: batch must be above 0; found 0
// REPEATS: good.mlir:{{.*}} error: repeats must be above 0; found 0
// FOREVER: good.mlir:{{.*}} error: min-repeat-ms must be 0 or a number of milliseconds; found inf
// THREADS: good.mlir:{{.*}} error: threads must be 0 (one a core) to 1024; found -1
// MANY: good.mlir:{{.*}} error: threads must be 0 (one a core) to 1024; found 1025
// MODEL: good.mlir:{{.*}} error: unknown cost model 'magic'; expected analytic, random, xgboost, ensemble, xgboost-fresh, ensemble-fresh, auto, python:FILE.py:CLASS, command:PROGRAM ARGUMENT..., or a file that `sched-db train` wrote (No such file or directory)
// Without XGBoost no such file is read.
// MODELFILE: {{good.mlir:.* error: '.*good.mlir' is no cost model; expected a file that `sched-db train -o` wrote|found no XGBoost}}
// STRATEGY: good.mlir:{{.*}} error: unknown strategy 'greedy'; expected evolutionary, random, grid, replay or none
// EFFORT: good.mlir:{{.*}} error: unknown effort 'some'; expected quick, normal or thorough
// LOG: good.mlir:{{.*}} error: unknown log-level 'loud'; expected progress, info or debug
// EARLY: good.mlir:{{.*}} error: early-stop and early-stopping are one option; found 8 and 16
// PLATEAU: good.mlir:{{.*}} error: plateau must be 0 (never) or a share above 0; found -2
// REPLAY: good.mlir:{{.*}} error: strategy=replay needs records; give replay-dir, or work-dir
// REPLAY-DIR: good.mlir:{{.*}} error: found replay-dir with strategy=evolutionary; it is for strategy=replay alone
// NO-RECORDS: good.mlir:{{.*}} error: {{.*}}none/records.jsonl
// EMIT: for the --emit option: found 'elf'; expected one of mlir, transform, llvm, asm, obj, ptx, cubin
// FLAG: Unknown command line argument '--auto-schedules=trials=0'
// SCRIPT: error: --emit=transform found no script
// COMMA: error: --auto-schedule: found trials=0,threads=1, expected an integer from 0 on; put a space between options, and no comma
// SCRIPT-HEADER: error: --emit-header is for code, and --emit=transform writes a script; give --emit=obj, or leave the header out
// MISSING: none.mlir': No such file or directory
// OUTPUT: error: '{{.*}}none/f.o': No such file or directory
// HEADER: error: '{{.*}}none/f.h': No such file or directory
// WORKDIR: good.mlir:{{.*}} error: cannot create the work directory '/proc/none': {{.*}}; choose a work-dir that can be written
// FILE: good.mlir:{{.*}} error: found a file at the work directory '{{.*}}good.mlir', expected a directory
// OLD: precious
