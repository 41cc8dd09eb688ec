// A module that only moves elements has nothing to schedule: it is compiled by
// default, and a remark says so.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/moves.mlir --auto-schedule="trials=1" -verify-diagnostics --emit=obj -o %t/moves.o
// RUN: sched-run %t/moves.mlir --entry=inserted --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=MOVED
// MOVED: @inserted(5x7xf32, 5x9xf32) -> (5x16xf32)
// RUN: sched-opt %t/transforms.mlir --auto-schedule="trials=1" -verify-diagnostics --emit=obj -o %t/transforms.o --emit-header=%t/transforms.h
// RUN: %cc -std=c99 -Wall -Wextra -Werror -I %t %t/main.c %t/transforms.o -lm -o %t/main
// RUN: %t/main | FileCheck %s --check-prefix=RAN
// RAN: all right
// RUN: not sched-opt %t/mixed.mlir --auto-schedule="trials=1" -o /dev/null 2>&1 | FileCheck %t/mixed.mlir

//--- moves.mlir
// expected-remark @below {{nothing to schedule in @joined: it only moves elements}}
func.func @joined(%a: tensor<5x7xf32>, %b: tensor<5x9xf32>) -> tensor<5x16xf32> {
  %r = tosa.concat %a, %b {axis = 1 : i32} : (tensor<5x7xf32>, tensor<5x9xf32>) -> tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}

// expected-remark @below {{nothing to schedule in @inserted: it only moves elements}}
func.func @inserted(%a: tensor<5x7xf32>, %b: tensor<5x9xf32>) -> tensor<5x16xf32> {
  %e = tensor.empty() : tensor<5x16xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [5, 7] [1, 1] : tensor<5x7xf32> into tensor<5x16xf32>
  %1 = tensor.insert_slice %b into %0[0, 7] [5, 9] [1, 1] : tensor<5x9xf32> into tensor<5x16xf32>
  return %1 : tensor<5x16xf32>
}

//--- transforms.mlir
// Upstream's ops of Winograd's transforms are compiled by upstream's loops.
// expected-remark @below {{compiled by the default schedule, without a search: no op to schedule found in @whole: 'linalg.winograd_filter_transform' op has no sketch rule}}
func.func @whole(%x: tensor<1x6x6x1xf32>, %w: tensor<1x3x3x1xf32>) -> tensor<1x4x4x1xf32> {
  %ew = tensor.empty() : tensor<6x6x1x1xf32>
  %tw = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<1x3x3x1xf32>) outs(%ew : tensor<6x6x1x1xf32>) -> tensor<6x6x1x1xf32>
  %ex = tensor.empty() : tensor<6x6x1x1x1x1xf32>
  %tx = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x6x6x1xf32>) outs(%ex : tensor<6x6x1x1x1x1xf32>) -> tensor<6x6x1x1x1x1xf32>
  %p = tensor.empty() : tensor<6x6x1x1x1x1xf32>
  %lw = tensor.collapse_shape %tw [[0, 1, 2, 3]] : tensor<6x6x1x1xf32> into tensor<36xf32>
  %lx = tensor.collapse_shape %tx [[0, 1, 2, 3, 4, 5]] : tensor<6x6x1x1x1x1xf32> into tensor<36xf32>
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %all = arith.constant 36 : index
  %m = scf.for %i = %zero to %all step %one iter_args(%t = %lx) -> tensor<36xf32> {
    %a = tensor.extract %lw[%i] : tensor<36xf32>
    %b = tensor.extract %t[%i] : tensor<36xf32>
    %c = arith.mulf %a, %b : f32
    %u = tensor.insert %c into %t[%i] : tensor<36xf32>
    scf.yield %u : tensor<36xf32>
  }
  %em = tensor.expand_shape %m [[0, 1, 2, 3, 4, 5]] output_shape [6, 6, 1, 1, 1, 1] : tensor<36xf32> into tensor<6x6x1x1x1x1xf32>
  %ey = arith.constant dense<0.0> : tensor<1x4x4x1xf32>
  %y = linalg.winograd_output_transform fmr(F_4_3) ins(%em : tensor<6x6x1x1x1x1xf32>) outs(%ey : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %y : tensor<1x4x4x1xf32>
}

//--- main.c
#include "transforms.h"
#include <math.h>
#include <stdio.h>

int main(void) {
  float x[36], w[9], y[16];
  for (int i = 0; i < 36; ++i)
    x[i] = (float)(i * 7 % 11) - 5;
  for (int i = 0; i < 9; ++i)
    w[i] = (float)(i * 5 % 7) - 3;
  whole(x, w, y);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int u = 0; u < 3; ++u)
        for (int v = 0; v < 3; ++v)
          sum += x[(i + u) * 6 + j + v] * w[u * 3 + v];
      if (fabsf(sum - y[i * 4 + j]) > 1e-3f) {
        printf("wrong at %d %d: %f, expected %f\n", i, j, y[i * 4 + j], sum);
        return 1;
      }
    }
  printf("all right\n");
  return 0;
}

//--- mixed.mlir
// CHECK: error: found no linalg op in the module; expected linalg ops on tensors
func.func @mixed(%a: tensor<5x7xf32>) -> tensor<3x4xf32> {
  %s = tensor.extract_slice %a[1, 2] [3, 4] [1, 1] : tensor<5x7xf32> to tensor<3x4xf32>
  %r = arith.addf %s, %s : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
