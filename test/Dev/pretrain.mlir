// The script that trains the model that comes with the project: the records of a
// folder, with the modules that they are of beside them or above, give a model
// that searches begin with.
// REQUIRES: host-x86, xgboost

// RUN: rm -rf %t && mkdir -p %t/run/f
// RUN: sched-opt %s --auto-schedule="trials=32 batch=8 threads=1 cost-model=random work-dir=%t/run/f/records min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: %python -B %S/../../benchmarks/pretrain.py %t/run --build=%sched_build --validate=0.5 -o %t/first.model | FileCheck %s
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 cost-model=%t/first.model" -o /dev/null

// CHECK: 2 tasks, [[#TRIALS:]] candidates (0 failed), [[#]] rows
// CHECK-NEXT: held out 1 of 2 tasks
// CHECK: wrote '{{.*}}first.model': 4 boosters, rank, of [[#TRIALS]] candidates
// CHECK-NEXT: {{^[1-9][0-9]* KiB$}}

// A module in the folder above the records does as well; without one, the records
// say nothing.
// RUN: rm -r %t/run/f/records/workloads
// RUN: not %python -B %S/../../benchmarks/pretrain.py %t/run --build=%sched_build --validate=0 -o %t/none.model 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not ls %t/none.model
// RUN: cp %s %t/run/f/f.mlir
// RUN: %python -B %S/../../benchmarks/pretrain.py %t/run --build=%sched_build --validate=0 -o %t/second.model
// RUN: cmp %t/first.model %t/second.model
// RUN: mkdir %t/empty && not %python -B %S/../../benchmarks/pretrain.py %t/empty --build=%sched_build -o %t/none.model 2>&1 | FileCheck %s --check-prefix=EMPTY

// Going on with a model, both are known.
// RUN: %python -B %S/../../benchmarks/pretrain.py %t/run --from=%t/first.model --build=%sched_build --validate=0 -o %t/both.model | FileCheck %s --check-prefix=BOTH
// BOTH: 2 tasks, [[#TRIALS:]] candidates (0 failed)
// BOTH: both.model': 4 boosters, rank, of [[#mul(TRIALS,2)]] candidates

// Random candidates of what a run has tuned are measured once.
// RUN: mkdir -p %t/suite/f-batch=1-threads=1-trials=8 && cp %s %t/suite/f-batch=1-threads=1-trials=8/f.mlir
// RUN: %python -B %S/../../benchmarks/pretrain.py %t/suite --random=6 --build=%sched_build --validate=0 -o %t/random.model | FileCheck %s --check-prefix=RANDOM
// RUN: %python -B %S/../../benchmarks/pretrain.py %t/suite --random=6 --only=f --build=%sched_build --validate=0 -o %t/random.model | FileCheck %s --check-prefix=ONCE
// RUN: not %python -B %S/../../benchmarks/pretrain.py %t/suite --random=6 --only=g --build=%sched_build -o %t/none.model 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RANDOM: {{^}}f-batch=1-threads=1-trials=8{{$}}
// RANDOM: of 6 candidates
// ONCE-NOT: {{^}}f-batch
// ONCE: of 6 candidates
// UNKNOWN: pretrain.py: '{{.*}}suite' has not tuned at batch 1: g

// NOTHING: found 0 records that can be used
// EMPTY: pretrain.py: found no records.jsonl below '{{.*}}empty'; expected the folder of a run of the operator suite

func.func @product(%a: tensor<64x48xf32>, %b: tensor<48x80xf32>) -> tensor<64x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x80xf32>) outs(%init : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %r : tensor<64x80xf32>
}

func.func @rows(%a: tensor<96x64xf32>) -> tensor<96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<96x64xf32>) outs(%init : tensor<96xf32>) dimensions = [1]
  return %r : tensor<96xf32>
}
