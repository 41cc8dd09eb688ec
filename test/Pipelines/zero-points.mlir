// Quantised TOSA: products of the numbers as they are stored, and what zero
// points change subtracted afterwards. In a C program, against the definition.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/in.mlir --schedule-lower-tosa | FileCheck %t/in.mlir
// RUN: sched-opt %t/in.mlir --auto-schedule="trials=0 quiet=true" --emit=obj -o %t/kernels.o --emit-header=%t/kernels.h 2>%t/remarks
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: --input-file=%t/remarks
// RUN: %cc -std=c99 -Wall -Wextra -Werror -I %t %t/main.c %t/kernels.o -lm -o %t/main
// RUN: %t/main | FileCheck %s --check-prefix=RAN
// RAN: all right
// REMARK: remark: compiled by the default schedule, without a search: 'linalg.conv_2d_nhwc_hwcf_q' op

//--- in.mlir
// CHECK-LABEL: func.func @conv(
// CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "reduction", "parallel"]
// CHECK: arith.muli %{{.*}}, %c-3_i32
func.func @conv(%x: tensor<1x17x17x8xi8>, %w: tensor<16x3x3x8xi8>, %b: tensor<16xi32>) -> tensor<1x8x8x16xi8> {
  %zx = "tosa.const"() {values = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
  %zw = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %c = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x17x17x8xi8>, tensor<16x3x3x8xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<36> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %z32, %zw {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
  return %r : tensor<1x8x8x16xi8>
}

// CHECK-LABEL: func.func @product(
// CHECK: linalg.batch_matmul
// CHECK-NOT: quantized
// CHECK: return
func.func @product(%x: tensor<2x13x24xi8>, %w: tensor<2x24x19xi8>) -> tensor<2x13x19xi32> {
  %zx = "tosa.const"() {values = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %zw = "tosa.const"() {values = dense<-7> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.matmul %x, %w, %zx, %zw : (tensor<2x13x24xi8>, tensor<2x24x19xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x13x19xi32>
  return %r : tensor<2x13x19xi32>
}

// It would take sums over windows.
// CHECK-LABEL: func.func @weights(
// CHECK: linalg.conv_2d_nhwc_hwcf_q
func.func @weights(%x: tensor<1x6x6x3xi8>, %w: tensor<4x3x3x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x4x4xi32> {
  %zx = "tosa.const"() {values = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
  %zw = "tosa.const"() {values = dense<2> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x3xi8>, tensor<4x3x3x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
  return %c : tensor<1x4x4x4xi32>
}

//--- main.c
#include "kernels.h"
#include <stdio.h>

static int8_t x[17 * 17 * 8], w[16 * 3 * 3 * 8], y[8 * 8 * 16];
static int32_t b[16];
static int8_t l[2 * 13 * 24], r[2 * 24 * 19];
static int32_t p[2 * 13 * 19];

static void fill(int8_t *data, int size) {
  static unsigned state = 1;
  for (int i = 0; i < size; ++i)
    data[i] = (int8_t)((state = state * 1664525u + 1013904223u) >> 24);
}

static int checkConv(void) {
  fill(x, sizeof x);
  fill(w, sizeof w);
  for (int f = 0; f < 16; ++f)
    b[f] = 1000 * f - 7000;
  conv(x, w, b, y);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (int f = 0; f < 16; ++f) {
        int32_t sum = b[f];
        for (int u = 0; u < 3; ++u)
          for (int v = 0; v < 3; ++v)
            for (int c = 0; c < 8; ++c)
              sum += (x[((2 * i + u) * 17 + 2 * j + v) * 8 + c] + 3) *
                     w[((f * 3 + u) * 3 + v) * 8 + c];
        int64_t scaled =
            ((int64_t)sum * 1073741824 + ((int64_t)1 << 35)) >> 36;
        scaled = scaled < -128 ? -128 : scaled > 127 ? 127 : scaled;
        if (y[(i * 8 + j) * 16 + f] != scaled) {
          printf("conv: wrong at %d %d %d: %d, expected %d\n", i, j, f,
                 y[(i * 8 + j) * 16 + f], (int)scaled);
          return 1;
        }
      }
  return 0;
}

static int checkProduct(void) {
  fill(l, sizeof l);
  fill(r, sizeof r);
  product(l, r, p);
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 13; ++i)
      for (int j = 0; j < 19; ++j) {
        int32_t sum = 0;
        for (int k = 0; k < 24; ++k)
          sum += (l[(n * 13 + i) * 24 + k] - 5) * (r[(n * 24 + k) * 19 + j] + 7);
        if (p[(n * 13 + i) * 19 + j] != sum) {
          printf("product: wrong at %d %d %d\n", n, i, j);
          return 1;
        }
      }
  return 0;
}

int main(void) {
  if (checkConv() || checkProduct())
    return 1;
  printf("all right\n");
  return 0;
}
