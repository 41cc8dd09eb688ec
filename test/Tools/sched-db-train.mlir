// A cost model of what searches recorded: trained, tried on tasks that are held
// out, gone on with, and used.
// REQUIRES: host-x86, xgboost

// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s --auto-schedule="trials=48 batch=8 threads=1 cost-model=random work-dir=%t/work min-repeat-ms=1 quiet=true" -o /dev/null
// RUN: sched-db train %t/work -o %t/first.model --validate=0.5 | FileCheck %s
// RUN: head -1 %t/first.model | FileCheck %s --check-prefix=HEADER

// CHECK: 2 tasks, [[#TRIALS:]] candidates (0 failed), [[#]] rows
// CHECK-NEXT: held out 1 of 2 tasks; rank correlation of the model and of the analytic one:
// CHECK-NEXT: {{^ +-?[01]\.[0-9]+ +-?[01]\.[0-9]+ +[0-9]+ candidates of (matmul|rows)_}}
// CHECK-NEXT: mean
// CHECK-NEXT: failures: none among the held out
// CHECK-NEXT: wrote '{{.*}}first.model': 4 boosters, rank, of [[#TRIALS]] candidates

// HEADER: {"block_features":[[#]],"candidates":[[#]],"columns":["{{.*}}"AnalyticSeconds",{{.*}}],"failures":[],"features":[[#]],"format":"sched-opt cost model","kinds":["{{.*}}, 1 threads, floats of 4 bytes"],"objective":"rank","scale":{{[0-9.]+}},"scores":[{{[0-9]+,[0-9]+,[0-9]+,[0-9]+}}],"tasks":2,"v":1,"xgboost":"{{[0-9.]+}}"}

// The same records, the same model.
// RUN: sched-db train %t/work -o %t/again.model | count 2
// RUN: cmp %t/first.model %t/again.model

// RUN: sched-db train %t/work -o %t/more.model --from=%t/first.model | FileCheck %s --check-prefix=MORE
// MORE: wrote '{{.*}}': 4 boosters, rank, of [[#]] candidates
// RUN: not cmp %t/first.model %t/more.model
// RUN: sched-db train %t/work -o %t/one.model --objective=pack-sum --members=1 | FileCheck %s --check-prefix=ONE
// ONE: wrote '{{.*}}': 1 boosters, pack-sum, of

// Of one task, candidates are held out.
// RUN: grep matmul %t/work/records.jsonl > %t/work/product.jsonl
// RUN: sched-db train %t/work/product.jsonl -o %t/single.model --validate=0.5 | FileCheck %s --check-prefix=SINGLE
// SINGLE: 1 tasks, [[#TRIALS:]] candidates
// SINGLE-NEXT: held out [[#div(TRIALS,2)]] of [[#TRIALS]] candidates of the only task; rank correlation of the model and of the analytic one:
// SINGLE-NEXT: [[#div(TRIALS,2)]] candidates of matmul_
// SINGLE: wrote '{{.*}}single.model': 4 boosters, rank, of [[#TRIALS]] candidates

// Searches begin with it, and say the same twice.
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=%t/first.model" --emit=transform -o %t/one.mlir 2>&1 | count 0
// RUN: sched-opt %s --auto-schedule="trials=0 threads=1 quiet=true cost-model=%t/first.model" --emit=transform -o %t/two.mlir 2>&1 | count 0
// RUN: cmp %t/one.mlir %t/two.mlir
// RUN: sched-opt %s --auto-schedule="trials=24 batch=8 threads=1 cost-model=%t/one.model min-repeat-ms=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: sched-opt %s --auto-schedule="trials=24 batch=8 threads=1 cost-model=ensemble min-repeat-ms=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: cost model

// What is wrong is said, and nothing is written.
// RUN: not sched-db train %t/work -o %t/none.model --validate=1 2>&1 | FileCheck %s --check-prefix=SHARE
// SHARE: sched-db: error: --validate must be a part of the tasks, at least 0 and below 1; found 1
// RUN: head -3 %t/work/product.jsonl > %t/work/short.jsonl
// RUN: not sched-db train %t/work/short.jsonl -o %t/none.model --validate=0.2 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: sched-db: error: found {{[123]}} records of one task, of which --validate=0.2 holds out none; expected more of either: tune longer, or leave --validate out
// RUN: not sched-db train %t/work -o %t/none.model --members=0 2>&1 | FileCheck %s --check-prefix=MEMBERS
// MEMBERS: sched-db: error: --members must be from 1 to 32; found 0
// RUN: not sched-db train %t/work -o %t/none.model --from=%s 2>&1 | FileCheck %s --check-prefix=NOMODEL
// NOMODEL: sched-db: error: '{{.*}}sched-db-train.mlir' is no cost model; expected a file that `sched-db train -o` wrote
// RUN: not sched-db train %t/work -o %t/none.model --from=%t/first.model --members=2 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not sched-db train %t/work -o %t/none.model --from=%t/first.model --objective=rank 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN: sched-db: error: found --from with --{{members|objective}}, which the model to go on with has already; leave that out
// RUN: not sched-db train %t/work -o %t/none.model --from=%t/nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: sched-db: error: cannot read the cost model '{{.*}}nowhere': No such file or directory
// RUN: rm -rf %t/empty && mkdir %t/empty && touch %t/empty/records.jsonl
// RUN: not sched-db train %t/empty -o %t/none.model 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: sched-db: error: found 0 records that can be used, 0 of them of failures; expected some of candidates that ran: tune with work-dir=DIR and give DIR
// RUN: not sched-db train %t/work -o %t/nowhere/none.model 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: sched-db: error: cannot write the cost model '{{.*}}none.model': No such file or directory
// RUN: sed '1s/"features":[0-9]*/"features":99/' %t/first.model > %t/other.model
// RUN: not sched-opt %s --auto-schedule="trials=0 cost-model=%t/other.model" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: '{{.*}}other.model' is of version 99 of the features and [[#]] of the blocks' features; expected [[#]] and [[#]]: train it again from its records with sched-db train
// RUN: not ls %t/none.model

func.func @product(%a: tensor<48x64xf32>, %b: tensor<64x80xf32>) -> tensor<48x80xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x80xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<48x80xf32>) -> tensor<48x80xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x64xf32>, tensor<64x80xf32>)
                     outs(%i : tensor<48x80xf32>) -> tensor<48x80xf32>
  return %r : tensor<48x80xf32>
}

func.func @softmax(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}
