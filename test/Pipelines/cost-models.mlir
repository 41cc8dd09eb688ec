// Which cost model ranks which task, where the trees that come with the project
// know some kinds of tasks and not others.
// REQUIRES: xgboost

// RUN: rm -rf %t && split-file %s %t

// Both tasks are of one kind that the trees do not know: it is said once.
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3 cost-model=xgboost" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER --implicit-check-not=remark:
// OTHER: two.mlir:{{.*}}: remark: cost-model=xgboost was not trained for x86_64, 32 vectors of 64 bytes, 3 threads, floats of 4 bytes: there it begins without trees, as the analytic model, and learns from what is measured
// A kind that they know, and models that know none from before.
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 cost-model=xgboost" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --implicit-check-not=remark:
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3 cost-model=ensemble-fresh" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --implicit-check-not=remark:
// SILENT: chosen by the model, nothing measured
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3 cost-model=xgboost quiet=true" -o /dev/null 2>&1 | count 0

// `auto`, the default, says what it stands for where more than progress is told.
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --implicit-check-not=remark: --implicit-check-not=cost-model
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 log-level=info" --emit=transform -o %t/auto.1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KNOWN --implicit-check-not=remark: --implicit-check-not=cost-model
// KNOWN: cost-model=auto: xgboost, trained before{{$}}
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3 cost-model=auto log-level=info" --emit=transform -o %t/auto.3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=remark: --implicit-check-not=cost-model
// UNKNOWN: cost-model=auto: xgboost, without trees at first, as it was not trained for x86_64, 32 vectors of 64 bytes, 3 threads, floats of 4 bytes{{$}}
// RUN: sched-opt %t/mixed.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 log-level=info" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MIXED --implicit-check-not=remark: --implicit-check-not=cost-model
// MIXED: cost-model=auto: xgboost, trained before; for 1 of 2 tasks without trees at first, as it was not trained for x86_64, {{.*}} 1 threads, integers of 4 bytes{{$}}
// RUN: sched-opt %t/two.mlir --auto-schedule="target=nvvm:sm_80 trials=0 log-level=info" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GPU --implicit-check-not=remark: --implicit-check-not=cost-model
// GPU: cost-model=auto: analytic instead of xgboost, as it was not trained for sm_80, kernels {{.*}}{{$}}
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 quiet=true log-level=info" -o /dev/null 2>&1 | count 0

// And it chooses as these do.
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=1 cost-model=xgboost quiet=true" --emit=transform | diff - %t/auto.1
// RUN: sched-opt %t/two.mlir --auto-schedule="target=cpu:mcpu=znver4 trials=0 threads=3 cost-model=analytic quiet=true" --emit=transform | diff - %t/auto.3

//--- two.mlir
func.func @product(%a: tensor<96x64xf32>, %b: tensor<64x160xf32>) -> tensor<96x160xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x160xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<96x160xf32>) -> tensor<96x160xf32>
  %r = linalg.matmul ins(%a, %b : tensor<96x64xf32>, tensor<64x160xf32>)
                     outs(%i : tensor<96x160xf32>) -> tensor<96x160xf32>
  return %r : tensor<96x160xf32>
}

func.func @rows(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

//--- mixed.mlir
func.func @floats(%a: tensor<96x64xf32>, %b: tensor<64x160xf32>) -> tensor<96x160xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x160xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<96x160xf32>) -> tensor<96x160xf32>
  %r = linalg.matmul ins(%a, %b : tensor<96x64xf32>, tensor<64x160xf32>)
                     outs(%i : tensor<96x160xf32>) -> tensor<96x160xf32>
  return %r : tensor<96x160xf32>
}

func.func @integers(%a: tensor<96x64xi32>, %b: tensor<64x160xi32>) -> tensor<96x160xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x160xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<96x160xi32>) -> tensor<96x160xi32>
  %r = linalg.matmul ins(%a, %b : tensor<96x64xi32>, tensor<64x160xi32>)
                     outs(%i : tensor<96x160xi32>) -> tensor<96x160xi32>
  return %r : tensor<96x160xi32>
}
