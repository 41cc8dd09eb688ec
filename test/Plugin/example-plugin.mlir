// A plugin's rule, move and cost model (ExamplePlugin.cpp), in sched-opt and in
// stock mlir-opt.

// The rule writes a sketch beside those that there are.
// RUN: sched-opt %s --load-dialect-plugin=%example_plugin --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" | FileCheck %s --check-prefix=SPACE
// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" | FileCheck %s --check-prefix=WITHOUT
// RUN: mlir-opt-22 --load-dialect-plugin=%sched_plugin --load-dialect-plugin=%example_plugin --load-pass-plugin=%sched_plugin %s --pass-pipeline='builtin.module(schedule-generate-space{target=cpu:mcpu=znver3 threads=1})' | FileCheck %s --check-prefix=SPACE

// SPACE: schedule.space @f_0
// SPACE-NEXT: schedule.sketch @rows_only(
// SPACE-NEXT: schedule.sample_categorical "rows" from [1, 2, 4, 8, 16]
// SPACE: schedule.sketch @plain(
// WITHOUT-NOT: @rows_only

// It is searched, measured and recorded; compiling from the records needs it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --load-dialect-plugin=%example_plugin --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true cost-model=tall-tiles" --emit=transform -o %t/tall.mlir
// RUN: FileCheck %s --check-prefix=TALL --input-file=%t/tall.mlir
// RUN: sched-opt %s --load-dialect-plugin=%example_plugin --auto-schedule="trials=8 batch=8 threads=1 min-repeat-ms=1 quiet=true cost-model=tall-tiles work-dir=%t/d" -o /dev/null
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/d/records.jsonl

// The model likes nothing better than all rows at once.
// TALL: transform.structured.{{.*}} tile_sizes [{{(16|64)}}
// RECORD-DAG: @rows_only decisions {rows = {{[0-9]+}}}{{.*}}"verified":true

// The move takes part in the evolution.
// RUN: sched-opt %s --load-dialect-plugin=%example_plugin --auto-schedule="trials=16 batch=8 threads=1 min-repeat-ms=1 log-level=info" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVE
// MOVE: round 1
// MOVE: take-largest

// Without the plugin there is no such model.
// RUN: not sched-opt %s --auto-schedule="trials=0 threads=1 cost-model=tall-tiles" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown cost model 'tall-tiles'; expected analytic, random, xgboost, ensemble,
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%i : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
