// Spaces of several tasks, which have the names of the functions that the tasks
// are moved into. One that does not compile leaves its task as it was, with a
// warning at the space; the other is searched.

// RUN: sched-opt %s --schedule-generate-space="target=cpu:mcpu=znver3 threads=1" -o %t.space.mlir
// RUN: sed -e 's/"mr" from \[[0-9, ]*\] default 6/"mr" from [3] default 3/' %t.space.mlir > %t.edited.mlir
// RUN: sched-opt %t.edited.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" --emit=transform 2>&1 | FileCheck %s --check-prefix=BOTH --implicit-check-not=warning:
// RUN: sed -e '/schedule.space @f_1/,$ s/\["init", "anchor"\]/["init", "other"]/' %t.edited.mlir > %t.broken.mlir
// RUN: sched-opt %t.broken.mlir --auto-schedule="target=cpu:mcpu=znver3 trials=0 threads=1 quiet=true" -o %t.out.mlir 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=error:
// RUN: FileCheck %s --input-file=%t.out.mlir

// BOTH: sym_name = "f_0"
// BOTH: tile_sizes [3,
// BOTH: sym_name = "f_1"
// BOTH: tile_sizes [3,

// WARN: broken.mlir:{{[0-9]+}}:3: warning: task matmul_32x32x64_f32 is left to the default, without a schedule: sketch @{{.*}} does not compile: {{.*}}no block named 'anchor'
// WARN-NEXT: schedule.space @f_1

// CHECK-LABEL: func.func @f(
// CHECK: vector.contract
// CHECK: linalg.matmul
func.func @f(%a: tensor<32x48xf32>, %b: tensor<48x64xf32>, %c: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x64xf32>) outs(%i : tensor<32x64xf32>) -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<32x32xf32>
  %i2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = linalg.matmul ins(%r, %c : tensor<32x64xf32>, tensor<64x32xf32>) outs(%i2 : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %s : tensor<32x32xf32>
}
