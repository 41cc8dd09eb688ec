// Products with a vector, by their names, are tasks: rows, columns and one row.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=matvec --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %s --entry=vecmat --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RUN: sched-run %s --entry=batch_matvec --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

// CHECK-DAG: schedule.space @matvec_0 workload("{{[0-9a-f]+}}", "rows_63x100_f32(
// CHECK-DAG: schedule.space @vecmat_0 workload("{{[0-9a-f]+}}", "columns_
// CHECK-DAG: schedule.space @batch_matvec_0 workload("{{[0-9a-f]+}}", "rows_3x63x100_f32(
func.func @matvec(%a: tensor<63x100xf32>, %x: tensor<100xf32>, %i: tensor<63xf32>) -> tensor<63xf32> {
  %r = linalg.matvec ins(%a, %x : tensor<63x100xf32>, tensor<100xf32>) outs(%i : tensor<63xf32>) -> tensor<63xf32>
  return %r : tensor<63xf32>
}

func.func @vecmat(%x: tensor<63xf32>, %a: tensor<63x100xf32>, %i: tensor<100xf32>) -> tensor<100xf32> {
  %r = linalg.vecmat ins(%x, %a : tensor<63xf32>, tensor<63x100xf32>) outs(%i : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}

func.func @batch_matvec(%a: tensor<3x63x100xf32>, %x: tensor<3x100xf32>, %i: tensor<3x63xf32>) -> tensor<3x63xf32> {
  %r = linalg.batch_matvec ins(%a, %x : tensor<3x63x100xf32>, tensor<3x100xf32>) outs(%i : tensor<3x63xf32>) -> tensor<3x63xf32>
  return %r : tensor<3x63xf32>
}
