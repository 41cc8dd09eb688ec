// What went wrong in a search, at debug level alone: the stage at which a
// candidate failed and why, and the step at which the trace of a record did.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/space.mlir trials=8 batch=8 threads=1 min-repeat-ms=1 work-dir=%t/records log-level=debug" -o /dev/null > %t/debug 2>&1
// RUN: FileCheck %s --check-prefix=FAILED --input-file=%t/debug
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/records/search-log.jsonl
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/space.mlir trials=8 batch=8 threads=1 min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO --implicit-check-not=instantiate: --implicit-check-not='wrong op kind'

// FAILED: {{^}}  default {{.*}} schedule.trace of @right
// FAILED: {{ build-error +}}schedule.trace of @wrong decisions {m = {{2|4}}}
// FAILED-NEXT: {{^}}    instantiate: script:{{[0-9:]+}} transform applied to the wrong op kind
// JSON: "error":"build-error","message":"script:{{[0-9:]+}} transform applied to the wrong op kind{{[^"]*}}","score":{{[^,]+}},"seconds":null,"sketch":"wrong","stage":"instantiate"
// INFO: {{ build-error +}}schedule.trace of @wrong decisions {m = {{2|4}}}

// Records of sketches that are as they were, but for a value, a decision, and
// the name in a trace.
// RUN: mkdir -p %t/others && sed -e 's/m = 2}/m = 3}/' -e 's/@right decisions {m = 4}/@right decisions {k = 4}/' -e 's/@wrong decisions {m = 4}/@gone decisions {m = 4}/' %t/records/records.jsonl > %t/others/records.jsonl
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/space.mlir trials=1 batch=1 threads=1 min-repeat-ms=1 work-dir=%t/others log-level=debug" -o /dev/null > %t/rejected 2>&1
// RUN: FileCheck %s --check-prefix=REJECTED --input-file=%t/rejected
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/space.mlir trials=1 batch=1 threads=1 min-repeat-ms=1 work-dir=%t/others log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT --implicit-check-not=rejected

// REJECTED: matmul_{{.*}}: traces of records
// REJECTED-DAG: {{^}}  rejected schedule.trace of @right decisions {m = 3}: 'm' = [3] is outside of its domain
// REJECTED-DAG: {{^}}  rejected schedule.trace of @right decisions {k = 4}: it does not decide 'm'
// REJECTED: warning: matmul_{{.*}} records are of sketches or decisions that this space does not have
// SHORT: warning: matmul_{{.*}} records are of sketches or decisions that this space does not have

// With a sketch less, it says which.
// RUN: sed -e '/schedule.sketch @wrong/,/^  }/d' %t/space.mlir > %t/fewer.mlir
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/fewer.mlir trials=1 batch=1 threads=1 min-repeat-ms=1 work-dir=%t/records log-level=debug" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: {{^}}  rejected schedule.trace of @wrong decisions {m = {{2|4}}}: the sketch @wrong that it is of ({{[0-9a-f]+}}) is not in the space

// What repair cannot make legal, by the requirement at which it ends.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/rare.mlir trials=2 batch=2 threads=1 min-repeat-ms=1 log-level=debug work-dir=%t/rare" -o /dev/null 2>&1 | FileCheck %s --check-prefix=RARE
// RUN: FileCheck %s --check-prefix=RARE-JSON --input-file=%t/rare/search-log.jsonl
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/rare.mlir trials=2 batch=2 threads=1 min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-RARE --implicit-check-not=repair
// RARE: {{^}}  could not repair {{[0-9]+}} of rare: the first size is twelve; as schedule.trace of @rare decisions {
// RARE-JSON: "unrepaired":[{"count":{{[0-9]+}},"reason":"the first size is twelve","sketch":"rare","trace":"schedule.trace of @rare
// NO-RARE: round 0, trials 0 to

//--- payload.mlir
func.func @f(%a: tensor<12x16xf32>, %b: tensor<16x24xf32>, %c: tensor<12x24xf32>) -> tensor<12x24xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x24xf32>) outs(%c : tensor<12x24xf32>) -> tensor<12x24xf32>
  return %r : tensor<12x24xf32>
}

//--- space.mlir
schedule.space @f_0 {
  schedule.sketch @right(%root: !transform.any_op) {
    %m = schedule.sample_categorical "m" from [2, 4] : !transform.param<i64>
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%m]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  }
  schedule.sketch @wrong(%root: !transform.any_op) {
    %m = schedule.sample_categorical "m" from [2, 4] : !transform.param<i64>
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%m]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    // Of generic ops only.
    %i = transform.structured.interchange %t iterator_interchange = [1, 0, 2] : (!transform.any_op) -> !transform.any_op
  }
}

//--- rare.mlir
schedule.space @f_0 {
  schedule.sketch @rare(%root: !transform.any_op) {
    %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    %twelve = transform.param.constant 12 : i64 -> !transform.param<i64>
    %m = schedule.sample_tile "m" extent 4000 min 1 max 4000 default 12 : !transform.param<i64>
    %n = schedule.sample_tile "n" extent 4000 min 1 max 4000 default 24 : !transform.param<i64>
    %rest = schedule.mod %m, %two
    %even = schedule.cmp eq %rest, %zero
    schedule.require "the first size is even" %even
    %whole = schedule.cmp eq %m, %twelve
    schedule.require "the first size is twelve" %whole
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%m, %n]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  }
}
