// What is told of a search: a line a round, what each round did, and what was
// refused, on stderr; and all of it as JSON in the work directory.

// RUN: rm -rf %t.d
// RUN: sched-opt %s --auto-schedule="trials=8 batch=4 threads=1 work-dir=%t.d min-repeat-ms=1 log-level=debug" -o /dev/null 2>%t.debug
// RUN: FileCheck %s --input-file=%t.debug --check-prefixes=INFO,DEBUG
// RUN: sched-opt %s --auto-schedule="trials=12 batch=4 threads=1 work-dir=%t.d min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE --implicit-check-not=refused:
// By name: where and how threads share it, copies and panels, and their places.
// RUN: sched-opt %s --auto-schedule="trials=4 batch=4 threads=2 min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVES
// RUN: %python -c "import json; print([(r['round'], r['trials'], len(r['batch'])) for r in map(json.loads, open('%t.d/search-log.jsonl'))])" | FileCheck %s --check-prefix=FILE
// RUN: sched-opt %s --auto-schedule="trials=4 batch=4 threads=1 min-repeat-ms=1 log-level=debug quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty

// INFO: matmul_30x50x40_f32: {{[0-9]+}} sketches
// INFO-NEXT: {{[a-z_]+ +[0-9]+ decisions, .* vectors}}
// INFO: round 0, trials 0 to 4
// INFO-NEXT: sampled {{[0-9]+}} {{.*}} seeds from descents; drafted
// INFO-NEXT: generation
// INFO: crossover
// INFO: size
// DEBUG: plain.mr
// DEBUG: refused {{[0-9]+}} of {{[a-z_]+}}: {{.+}}; as schedule.trace of
// INFO: batch
// INFO-NEXT: default {{.*}} schedule.trace of
// INFO: best so far
// INFO: round 1, trials {{[1-4]}} to
// INFO: rank correlation of the model on this batch, before it learned from it: {{-?[01]\.[0-9]+}}, spread {{[0-9.]+}}; as corrected for this task: {{-?[01]\.[0-9]+}}
// INFO-NEXT: best so far {{.*}}; expected gain of this batch {{[0-9.]+}} %

// MOVES: move kept known refused improved
// MOVES: {{^ +layout +[1-9]}}
// MOVES: {{^ +location +[1-9]}}
// MOVES: {{^ +order +[1-9]}}
// MOVES: {{^ +parallel +[1-9]}}
// MOVES: {{^ +size +[1-9]}}

// A candidate that becomes the code of another is no trial.
// MORE: round {{[23]}}, trials {{[5-9]|1[01]}} to
// FILE: [(0, 4, 4), (1, {{[5-8]}}, {{[1-4]}}){{.*}}, {{[1-4]}})]
// QUIET-NOT: round
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>) -> tensor<30x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
