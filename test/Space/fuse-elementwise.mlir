// RUN: split-file %s %t
// RUN: sched-opt %t/script.mlir | sched-opt | FileCheck %t/script.mlir --check-prefix=ROUND
// RUN: sched-opt %t/script.mlir --convert-schedule-to-transform -o %t.script
// RUN: FileCheck %t/script.mlir --input-file=%t.script
// RUN: mlir-opt-22 %t/payload.mlir --transform-preload-library='transform-library-paths=%t.script' --transform-interpreter | FileCheck %t/payload.mlir

//--- script.mlir
// ROUND: schedule.fuse_elementwise %{{.*}} ["linalg.add", "linalg.broadcast"]
// The ops are made generic before upstream's pass takes them.
// CHECK: match ops{["linalg.add", "linalg.broadcast"]}
// CHECK: structured.generalize
// CHECK: apply_registered_pass "linalg-fuse-elementwise-ops"
schedule.space @f workload("f", "f") {
  schedule.sketch @s(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = schedule.fuse_elementwise %func ["linalg.add", "linalg.broadcast"]
    schedule.name_blocks %f ["producer", "anchor", "epilogue"]
  }
}

//--- payload.mlir
// The bias is an input of the epilogue; what was not named is not touched, and a
// contraction that is not generic takes nothing in.
// CHECK-LABEL: func.func @f(
// CHECK: linalg.exp {schedule.block = "producer"}
// CHECK: linalg.matmul {schedule.block = "anchor"}
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %arg2 : tensor<8x8xf32>, tensor<8xf32>)
// CHECK-SAME: schedule.block = "epilogue"
// CHECK: linalg.yield
// CHECK-NOT: linalg.
func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %bias: tensor<8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %ea = tensor.empty() : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.exp ins(%a : tensor<8x4xf32>) outs(%ea : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.matmul ins(%x, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %bb = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [0]
  %q = linalg.add ins(%r, %bb : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}
