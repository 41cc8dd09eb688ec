// Products of narrow types inside of other loops, batches and windows, for AArch64,
// executed: with the dot products and with the products of two rows by two columns,
// which a stride between rows leaves to the former.

// DEFINE: %{name} =
// DEFINE: %{cpu} =
// DEFINE: %{prefix} =
// DEFINE: %{compile} = sched-opt %t/%{name}.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=%{cpu},triple=aarch64-linux-gnu" --emit=obj -o %t/%{name}.o
// DEFINE: %{check} = llvm-objdump -d %t/%{name}.o | FileCheck %s --check-prefix=%{prefix}
// DEFINE: %{build} = %bare_aarch64 -include %t/%{name}.h %S/Inputs/caller.c %t/%{name}.o -o %t/%{name}

// RUN: rm -rf %t && split-file %s %t
// REDEFINE: %{name} = conv-i8
// REDEFINE: %{cpu} = neoverse-n1
// REDEFINE: %{prefix} = SDOT
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/conv-i8

// REDEFINE: %{name} = conv-i8
// REDEFINE: %{cpu} = neoverse-n2
// REDEFINE: %{prefix} = SMMLA
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/conv-i8

// REDEFINE: %{name} = stride-i8
// REDEFINE: %{cpu} = neoverse-n2
// REDEFINE: %{prefix} = SDOT
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/stride-i8

// REDEFINE: %{name} = batch-i8
// REDEFINE: %{cpu} = neoverse-n1
// REDEFINE: %{prefix} = SDOT
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/batch-i8

// REDEFINE: %{name} = batch-i8
// REDEFINE: %{cpu} = neoverse-n2
// REDEFINE: %{prefix} = SMMLA
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/batch-i8

// REDEFINE: %{name} = conv-bf16
// REDEFINE: %{cpu} = neoverse-n2
// REDEFINE: %{prefix} = BFMMLA
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/conv-bf16

// REDEFINE: %{name} = batch-bf16
// REDEFINE: %{cpu} = neoverse-n2
// REDEFINE: %{prefix} = BFDOT
// RUN: %{compile}
// RUN: %{check}
// RUN: %{build}
// RUN: %qemu_aarch64 -cpu max %t/batch-bf16
// REQUIRES: aarch64-registered-target, qemu-aarch64, clang-lld

// SDOT: sdot
// SMMLA: smmla
// BFMMLA: bfmmla
// BFDOT: bfdot

//--- conv-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 13, N = 37, K = 24, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (5 * 15 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((1 * (o) + (t) / 3) * 15 + 1 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((t) * K + (k)) * N + (n))
//--- conv-i8.mlir
func.func @f(%a: tensor<1x5x15x24xi8>, %b: tensor<3x3x24x37xi8>) -> tensor<1x3x13x37xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x13x37xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x3x13x37xi32>) -> tensor<1x3x13x37xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x5x15x24xi8>, tensor<3x3x24x37xi8>)
      outs(%i : tensor<1x3x13x37xi32>) -> tensor<1x3x13x37xi32>
  return %r : tensor<1x3x13x37xi32>
}
//--- stride-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 7, N = 37, K = 24, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (7 * 15 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((2 * (o) + (t) / 3) * 15 + 2 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((n) * TAPS + (t)) * K + (k))
//--- stride-i8.mlir
func.func @f(%a: tensor<1x7x15x24xi8>, %b: tensor<37x3x3x24xi8>) -> tensor<1x3x7x37xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x7x37xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x3x7x37xi32>) -> tensor<1x3x7x37xi32>
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x7x15x24xi8>, tensor<37x3x3x24xi8>)
      outs(%i : tensor<1x3x7x37xi32>) -> tensor<1x3x7x37xi32>
  return %r : tensor<1x3x7x37xi32>
}
//--- conv-bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { OUTER = 3, M = 9, N = 37, K = 12, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (5 * 11 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((1 * (o) + (t) / 3) * 11 + 1 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((n) * TAPS + (t)) * K + (k))
//--- conv-bf16.mlir
func.func @f(%a: tensor<1x5x11x12xbf16>, %b: tensor<37x3x3x12xbf16>) -> tensor<1x3x9x37xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x9x37xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x9x37xf32>) -> tensor<1x3x9x37xf32>
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x5x11x12xbf16>, tensor<37x3x3x12xbf16>)
      outs(%i : tensor<1x3x9x37xf32>) -> tensor<1x3x9x37xf32>
  return %r : tensor<1x3x9x37xf32>
}
//--- batch-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 19, N = 37, K = 56, TAPS = 1 };
#define OUTER OUTER
#define A_SIZE (OUTER * M * K)
#define B_SIZE (OUTER * K * N)
#define A_AT(o, m, t, k) (((o) * M + (m)) * K + (k))
#define B_AT(o, t, k, n) (((o) * K + (k)) * N + (n))
//--- batch-i8.mlir
func.func @f(%a: tensor<3x19x56xi8>, %b: tensor<3x56x37xi8>) -> tensor<3x19x37xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x19x37xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<3x19x37xi32>) -> tensor<3x19x37xi32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x19x56xi8>, tensor<3x56x37xi8>)
                           outs(%i : tensor<3x19x37xi32>) -> tensor<3x19x37xi32>
  return %r : tensor<3x19x37xi32>
}
//--- batch-bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { OUTER = 3, M = 19, N = 37, K = 42, TAPS = 1 };
#define OUTER OUTER
#define A_SIZE (OUTER * M * K)
#define B_SIZE (OUTER * K * N)
#define A_AT(o, m, t, k) (((o) * M + (m)) * K + (k))
#define B_AT(o, t, k, n) (((o) * K + (k)) * N + (n))
//--- batch-bf16.mlir
func.func @f(%a: tensor<3x19x42xbf16>, %b: tensor<3x42x37xbf16>) -> tensor<3x19x37xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x19x37xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x19x37xf32>) -> tensor<3x19x37xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x19x42xbf16>, tensor<3x42x37xbf16>)
                           outs(%i : tensor<3x19x37xf32>) -> tensor<3x19x37xf32>
  return %r : tensor<3x19x37xf32>
}
