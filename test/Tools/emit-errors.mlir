// Code generation's errors are at their place in the input; --emit takes its
// value as a word of its own, too.

// RUN: not sched-opt %s --emit=obj -o %t.o 2>&1 | FileCheck %s
// RUN: not sched-opt %s --emit obj -o %t.o 2>&1 | FileCheck %s
// CHECK: error: {{.*}}emit-errors.mlir:[[@LINE+1]]:14: argument 0
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
