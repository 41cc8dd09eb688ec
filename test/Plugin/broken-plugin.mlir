// What is wrong with a plugin is said.

// RUN: not env SCHED_BROKEN_RULE=no-syntax sched-opt %s --load-dialect-plugin=%broken_plugin --schedule-generate-space=threads=1 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not env SCHED_BROKEN_RULE=no-syntax sched-opt %s --load-dialect-plugin=%broken_plugin --auto-schedule="trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not env SCHED_BROKEN_RULE=two-names sched-opt %s --load-dialect-plugin=%broken_plugin --auto-schedule="trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=NAMES
// SYNTAX: broken-plugin.mlir:[[#@LINE+13]]:{{[0-9]+}}: error: the sketch rule 'no_syntax' wrote invalid IR: {{.+}}
// NAMES: broken-plugin.mlir:[[#@LINE+12]]:{{[0-9]+}}: error: a sketch rule wrote invalid IR: redefinition of symbol named 'plain'

// One that says nothing to the task costs itself alone.
// RUN: env SCHED_BROKEN_RULE=no-block sched-opt %s --load-dialect-plugin=%broken_plugin --auto-schedule="trials=0 threads=1" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=BLOCK --implicit-check-not=error:
// RUN: FileCheck %s --input-file=%t.mlir
// BLOCK: warning: sketch @no_block does not compile: {{.*}}no block named 'nobody'{{.*}}; the other sketches of the space are kept
// CHECK: vector.contract

// What is no plugin is passed over by MLIR, with a message.
// RUN: sched-opt %s --load-dialect-plugin=%t.none.so -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: Failed to load {{.*}}none.so'. Request ignored.
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
