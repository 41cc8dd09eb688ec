// Objects and their headers in a C program: a product that was scheduled, an
// argument that is packed beforehand, a parallel loop, and two results.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/in.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=obj -o %t/kernels.o --emit-header=%t/kernels.h 2>/dev/null
// RUN: sched-opt %t/parallel.mlir --emit=obj -o %t/parallel.o --emit-header=%t/parallel.h
// RUN: llvm-nm --undefined-only %t/parallel.o | FileCheck %s --check-prefix=OPENMP
// RUN: %cc -std=c99 -Wall -Wextra -Werror -I %t %t/main.c %t/kernels.o %t/parallel.o -lm %omp_link -o %t/main
// RUN: %t/main | FileCheck %s
// REQUIRES: openmp

// OPENMP: __kmpc_fork_call
// CHECK: all right

//--- in.mlir
func.func @product(%a: tensor<37x40xf32>, %b: tensor<40x51xf32>) -> tensor<37x51xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x51xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<37x51xf32>) -> tensor<37x51xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x40xf32>, tensor<40x51xf32>)
                     outs(%i : tensor<37x51xf32>) -> tensor<37x51xf32>
  return %r : tensor<37x51xf32>
}

func.func @packed(%a: tensor<4x8xf64>, %b: tensor<8x4xf64> {schedule.layout_free}) -> tensor<4x8xf64> {
  %e = tensor.empty() : tensor<4x8xf64>
  %t = linalg.transpose ins(%b : tensor<8x4xf64>) outs(%e : tensor<4x8xf64>) permutation = [1, 0]
  %r = linalg.sub ins(%a, %t : tensor<4x8xf64>, tensor<4x8xf64>) outs(%e : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %r : tensor<4x8xf64>
}

//--- parallel.mlir
module attributes {schedule.threads = 2 : i64} {
  func.func @parallel(%a: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
    %e = tensor.empty() : tensor<64xi32>
    %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%o = %e) -> tensor<64xi32> {
      %x = tensor.extract_slice %a[%i] [32] [1] : tensor<64xi32> to tensor<32xi32>
      %y = tensor.extract_slice %o[%i] [32] [1] : tensor<64xi32> to tensor<32xi32>
      %z = linalg.add ins(%x, %x : tensor<32xi32>, tensor<32xi32>) outs(%y : tensor<32xi32>) -> tensor<32xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %z into %o[%i] [32] [1] : tensor<32xi32> into tensor<64xi32>
      }
    }
    return %r, %a : tensor<64xi32>, tensor<64xi32>
  }
}

//--- main.c
#include "kernels.h"
#include "parallel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float a[37 * 40], b[40 * 51], c[37 * 51];

static int checkProduct(void) {
  for (int i = 0; i < 37 * 40; ++i)
    a[i] = (float)(i % 7) - 3;
  for (int i = 0; i < 40 * 51; ++i)
    b[i] = (float)(i % 5) - 2;
  product(a, b, c);
  for (int m = 0; m < 37; ++m)
    for (int n = 0; n < 51; ++n) {
      float sum = 0;
      for (int k = 0; k < 40; ++k)
        sum += a[m * 40 + k] * b[k * 51 + n];
      if (fabsf(sum - c[m * 51 + n]) > 1e-3f)
        return printf("product: wrong at %d, %d\n", m, n);
    }
  return 0;
}

static int checkPacked(void) {
  double x[4 * 8], y[8 * 4], r[4 * 8];
  for (int i = 0; i < 32; ++i) {
    x[i] = i;
    y[i] = 100 * i;
  }
  int64_t bytes = 0;
  packed_pack_arg1_bytes(&bytes);
  if (bytes != 32 * sizeof(double))
    return printf("packed: %d bytes\n", (int)bytes);
  double *panels = malloc(bytes);
  packed_pack_arg1(y, panels);
  packed(x, panels, r);
  free(panels);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      if (r[i * 8 + j] != x[i * 8 + j] - y[j * 4 + i])
        return printf("packed: wrong at %d, %d\n", i, j);
  return 0;
}

static int checkParallel(void) {
  int32_t x[64], doubled[64], copy[64];
  for (int i = 0; i < 64; ++i)
    x[i] = i;
  parallel(x, doubled, copy);
  for (int i = 0; i < 64; ++i)
    if (doubled[i] != 2 * i || copy[i] != i)
      return printf("parallel: wrong at %d\n", i);
  return 0;
}

int main(void) {
  if (checkProduct() || checkPacked() || checkParallel())
    return 1;
  puts("all right");
  return 0;
}
