// Where XGBoost is missing, is not what it is called, or is of a release that
// nobody has tried, the analytic model takes over: one warning for all tasks,
// what was expected and what to do, and the result is right.

// The linker's path comes before the system's folders.
// RUN: rm -rf %t && mkdir -p %t/broken %t/old %t/other %t/bare
// RUN: touch %t/broken/libxgboost.so %t/broken/libxgboost.so.0
// RUN: cp %sched_build/test/unit/CostModel/libOLD_XGBOOST.so %t/old/libxgboost.so
// RUN: cp %sched_build/test/unit/CostModel/libNO_XGBOOST.so %t/other/libxgboost.so
// RUN: cp %sched_build/test/unit/CostModel/libBARE_XGBOOST.so %t/bare/libxgboost.so

// RUN: env LD_LIBRARY_PATH=%t/old sched-opt %s --auto-schedule="cost-model=ensemble trials=4 batch=2 threads=1 min-repeat-ms=1 log-level=info work-dir=%t/records" -o %t/out.mlir 2>%t/log
// RUN: FileCheck %s --check-prefixes=OLD --input-file=%t/log --implicit-check-not=XGBoost --implicit-check-not=ranked
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t/out.mlir
// RUN: sched-run %s --work-dir=%t/records --entry=f --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --work-dir=%t/records --entry=g --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// OLD: warning: found XGBoost 0.90.2 in 'libxgboost.so'; expected XGBoost 1.7.0 or later, before 4.0.0 (Debian: apt-get install libxgboost-dev); the analytic cost model is used instead
// OLD-DAG: matmul_30x50x40_f32(accumulate): 2 trials{{.*}}; best
// OLD-DAG: matmul_20x60x40_f32(accumulate): 2 trials{{.*}}; best
// CODE: {{vector[.]}}
// RIGHT: check: right

// RUN: env LD_LIBRARY_PATH=%t/broken sched-opt %s --auto-schedule="cost-model=xgboost trials=0 threads=1" --emit=transform -o %t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN --implicit-check-not=XGBoost
// RUN: env LD_LIBRARY_PATH=%t/other sched-opt %s --auto-schedule="cost-model=xgboost trials=0 threads=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER --implicit-check-not=XGBoost
// RUN: env LD_LIBRARY_PATH=%t/bare sched-opt %s --auto-schedule="cost-model=xgboost trials=0 threads=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BARE --implicit-check-not=XGBoost
// BROKEN: warning: found no XGBoost ({{.*}}libxgboost.so: {{.*}}); expected XGBoost 1.7.0 or later, before 4.0.0 (Debian: apt-get install libxgboost-dev); the analytic cost model is used instead
// OTHER: warning: found 'libxgboost.so', which does not say its version; expected XGBoost {{.*}}; the analytic cost model is used instead{{$}}
// BARE: warning: found XGBoost 1.7.5 in 'libxgboost.so', which lacks XGBGetLastError; expected XGBoost {{.*}}; the analytic cost model is used instead{{$}}

// It is the analytic model, which needs none of it and says nothing.
// RUN: env LD_LIBRARY_PATH=%t/broken sched-opt %s --auto-schedule="cost-model=analytic trials=0 threads=1" --emit=transform -o %t/analytic.mlir 2>&1 | FileCheck %s --check-prefix=ANALYTIC --allow-empty
// RUN: diff %t/broken.mlir %t/analytic.mlir
// ANALYTIC-NOT: XGBoost
// So is `auto` on a GPU.
// RUN: %if nvptx-registered-target %{ env LD_LIBRARY_PATH=%t/broken sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0" --emit=transform -o %t/gpu.mlir 2>&1 | FileCheck %s --check-prefix=ANALYTIC --allow-empty %}

// On a machine that has none; on one that has it there is nothing to warn of.
// RUN: sched-opt %s --auto-schedule="cost-model=xgboost trials=0 threads=1" -o /dev/null 2>&1 | FileCheck %s --allow-empty %if xgboost %{ --check-prefix=ANALYTIC %} %else %{ --check-prefix=BROKEN %}
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>) outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
func.func @g(%a: tensor<20x40xf32>, %b: tensor<40x60xf32>, %c: tensor<20x60xf32>) -> tensor<20x60xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<20x40xf32>, tensor<40x60xf32>) outs(%c : tensor<20x60xf32>) -> tensor<20x60xf32>
  return %r : tensor<20x60xf32>
}
