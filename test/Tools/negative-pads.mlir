// A pad that takes elements away, in a C program: what the unscheduled function
// gives is no reference here.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/in.mlir --emit=obj -o %t/kernels.o --emit-header=%t/kernels.h
// RUN: %cc -std=c99 -Wall -Wextra -Werror -I %t %t/main.c %t/kernels.o -lm -o %t/main
// RUN: %t/main | FileCheck %s
// CHECK: all right

//--- in.mlir
func.func @argument(%x: tensor<9x7xf32>) -> tensor<10x6xf32> {
  %c = arith.constant 5.0 : f32
  %p = tensor.pad %x low[-2, 1] high[3, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<9x7xf32> to tensor<10x6xf32>
  return %p : tensor<10x6xf32>
}
func.func @computed(%x: tensor<9x7xf32>) -> tensor<10x6xf32> {
  %c = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<9x7xf32>
  %n = linalg.negf ins(%x : tensor<9x7xf32>) outs(%e : tensor<9x7xf32>) -> tensor<9x7xf32>
  %p = tensor.pad %n low[-2, 1] high[3, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<9x7xf32> to tensor<10x6xf32>
  return %p : tensor<10x6xf32>
}

//--- main.c
#include "kernels.h"
#include <stdio.h>

static float x[9 * 7], y[10 * 6], z[10 * 6];

int main(void) {
  for (int i = 0; i < 9 * 7; ++i)
    x[i] = (float)i;
  argument(x, y);
  computed(x, z);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 6; ++j) {
      const int inside = i + 2 < 9 && j > 0;
      const float value = inside ? x[(i + 2) * 7 + j - 1] : 5;
      if (y[i * 6 + j] != value || z[i * 6 + j] != (inside ? -value : 5)) {
        printf("wrong at %d %d\n", i, j);
        return 1;
      }
    }
  printf("all right\n");
  return 0;
}
