// TOSA's convolutions of volumes, and depthwise ones of bytes with zero points:
// scheduled, and right, the bytes in a C program, against the definition. A zero
// point of depthwise weights is left to the default.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/volume.mlir --schedule-lower-tosa | FileCheck %t/volume.mlir
// RUN: sched-opt %t/volume.mlir --auto-schedule="trials=0 threads=2" --emit=transform -o %t/script.mlir 2>&1 | FileCheck %s --check-prefix=VOLUME --implicit-check-not=remark:
// VOLUME: contraction_1x5x4x5x16x8x3x2x3_f32({{.*}}padded): 0 trials
// RUN: sched-run %t/volume.mlir --transform=%t/script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s --check-prefix=RIGHT
// RIGHT: "verified": true

// RUN: sched-opt %t/bytes.mlir --schedule-lower-tosa | FileCheck %t/bytes.mlir
// RUN: sched-opt %t/bytes.mlir --auto-schedule="trials=0" --emit=obj -o %t/kernels.o --emit-header=%t/kernels.h 2>%t/log
// RUN: FileCheck %s --check-prefix=BYTES --implicit-check-not=remark: --input-file=%t/log
// BYTES-DAG: windows_1x9x1x9x16x3x3_i8_i8_i32(padded): 0 trials
// BYTES-DAG: remark: compiled by the default schedule, without a search: 'linalg.depthwise_conv_2d_nhwc_hwcm_q' op
// RUN: %cc -std=c99 -Wall -Wextra -Werror -I %t %t/main.c %t/kernels.o -lm -o %t/main
// RUN: %t/main | FileCheck %s --check-prefix=RAN
// RAN: all right

//--- volume.mlir
// CHECK: linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>}
func.func @volume(%x: tensor<1x5x6x7x8xf32>, %w: tensor<16x3x2x3x8xf32>, %b: tensor<16xf32>) -> tensor<1x5x5x4x16xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.conv3d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 1, 1, 0, 0, 1, 1>, stride = array<i64: 1, 1, 2>} : (tensor<1x5x6x7x8xf32>, tensor<16x3x2x3x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5x4x16xf32>
  return %c : tensor<1x5x5x4x16xf32>
}

//--- bytes.mlir
// CHECK-LABEL: func.func @bytes(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm {
// CHECK: arith.muli %{{.*}}, %c3_i32
func.func @bytes(%x: tensor<1x9x9x16xi8>, %w: tensor<3x3x16x1xi8>, %b: tensor<16xi32>) -> tensor<1x9x9x16xi32> {
  %xz = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %wz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = tosa.depthwise_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x16xi8>, tensor<3x3x16x1xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x16xi32>
  return %c : tensor<1x9x9x16xi32>
}

// It would take sums over windows.
// CHECK-LABEL: func.func @weights(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm_q {
func.func @weights(%x: tensor<1x9x9x4xi8>, %w: tensor<3x3x4x1xi8>, %b: tensor<4xi32>) -> tensor<1x9x9x4xi32> {
  %xz = "tosa.const"() {values = dense<-2> : tensor<1xi8>} : () -> tensor<1xi8>
  %wz = "tosa.const"() {values = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = tosa.depthwise_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x4xi8>, tensor<3x3x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x4xi32>
  return %c : tensor<1x9x9x4xi32>
}

//--- main.c
#include "kernels.h"
#include <stdio.h>

static int8_t x[9 * 9 * 16], w[3 * 3 * 16];
static int32_t b[16], y[9 * 9 * 16];

static void fill(int8_t *data, int size) {
  static unsigned state = 1;
  for (int i = 0; i < size; ++i)
    data[i] = (int8_t)((state = state * 1664525u + 1013904223u) >> 24);
}

/* What lies beside the image is its zero point, which counts as zero. */
static int check(int channels, int zeroOfImage, int zeroOfWeights) {
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      for (int c = 0; c < channels; ++c) {
        int32_t sum = b[c];
        for (int u = 0; u < 3; ++u)
          for (int v = 0; v < 3; ++v) {
            int h = i + u - 1, k = j + v - 1;
            if (h >= 0 && h < 9 && k >= 0 && k < 9)
              sum += (x[(h * 9 + k) * channels + c] - zeroOfImage) *
                     (w[(u * 3 + v) * channels + c] - zeroOfWeights);
          }
        if (y[(i * 9 + j) * channels + c] != sum) {
          printf("wrong at %d %d %d: %d, expected %d\n", i, j, c,
                 y[(i * 9 + j) * channels + c], sum);
          return 1;
        }
      }
  return 0;
}

int main(void) {
  fill(x, sizeof x);
  fill(w, sizeof w);
  for (int c = 0; c < 16; ++c)
    b[c] = 1000 * c - 7000;
  bytes(x, w, b, y);
  if (check(16, 3, 0))
    return 1;
  weights(x, w, b, y);
  if (check(4, -2, 5))
    return 1;
  printf("all right\n");
  return 0;
}
