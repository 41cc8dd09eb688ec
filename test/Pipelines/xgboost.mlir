// The learned model from the command line: candidates are drafted by the
// analytic one and ranked by the learned one, which learns after each batch; the
// answer is right, and found again in the records.
// REQUIRES: xgboost

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --auto-schedule="cost-model=xgboost trials=12 batch=4 threads=1 min-repeat-ms=1 work-dir=%t/records log-level=info" -o %t/out.mlir 2>%t/log
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t/log --implicit-check-not=XGBoost
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t/out.mlir
// RUN: sched-run %s --work-dir=%t/records --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: %python %S/Inputs/learning.py %t/records/search-log.jsonl | FileCheck %s --check-prefix=LEARNED

// A batch may have candidates that become the code of others, which do not count.
// LOG: round 1, trials {{[1-4]}} to
// LOG: drafted {{[0-9]+}}, ranked {{[0-9]+}}
// LOG: {{^ +4 }}
// LOG-NEXT: {{^ +refined }}
// LOG: round 2, trials {{[2-8]}} to
// LOG: rank correlation of the model on this batch, before it learned from it:
// LOG: matmul_128x128x128_f32(accumulate): 12 trials{{.*}}; best
// CODE: {{vector[.]}}
// RIGHT: check: right

// The analytic model, for one, drafts and ranks by itself, and learns nothing.
// RUN: sched-opt %s --auto-schedule="cost-model=analytic trials=8 batch=4 threads=1 min-repeat-ms=1 work-dir=%t/analytic log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANALYTIC --implicit-check-not=XGBoost --implicit-check-not=ranked --implicit-check-not=refined
// RUN: %python %S/Inputs/learning.py %t/analytic/search-log.jsonl | FileCheck %s --check-prefix=FIXED
// ANALYTIC: round 1, trials {{[1-4]}} to

// LEARNED: {{[3-9]}} rounds, another model ranks: True
// FIXED: {{[2-9]}} rounds, another model ranks: False
func.func @f(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>)
                     outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
