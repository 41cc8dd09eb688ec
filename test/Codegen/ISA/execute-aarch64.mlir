// Code for AArch64, executed: extents that no tile divides, and products of
// narrow types with and without instructions for them.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/f32.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=obj -o %t/f32.o
// RUN: %bare_aarch64 -include %t/f32.h %S/Inputs/caller.c %t/f32.o -o %t/f32
// RUN: %qemu_aarch64 -cpu max %t/f32

// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cortex-a72,triple=aarch64-linux-gnu" --emit=obj -o %t/i8-plain.o
// RUN: llvm-objdump -d %t/i8-plain.o | FileCheck %s --check-prefix=PLAIN
// RUN: %bare_aarch64 -include %t/i8.h %S/Inputs/caller.c %t/i8-plain.o -o %t/i8-plain
// RUN: %qemu_aarch64 -cpu max %t/i8-plain

// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu" --emit=obj -o %t/i8.o
// RUN: llvm-objdump -d %t/i8.o | FileCheck %s --check-prefix=SDOT
// RUN: %bare_aarch64 -include %t/i8.h %S/Inputs/caller.c %t/i8.o -o %t/i8
// RUN: %qemu_aarch64 -cpu max %t/i8

// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=obj -o %t/bf16.o
// RUN: llvm-objdump -d %t/bf16.o | FileCheck %s --check-prefix=BFDOT
// RUN: %bare_aarch64 -include %t/bf16.h %S/Inputs/caller.c %t/bf16.o -o %t/bf16
// RUN: %qemu_aarch64 -cpu max %t/bf16
// REQUIRES: aarch64-registered-target, qemu-aarch64, clang-lld

// PLAIN-NOT: sdot
// SDOT: sdot
// BFDOT: bfdot

//--- f32.h
#define RANGE % 16 - 8
enum { M = 67, N = 61, K = 53 };
typedef float A, B, C;
//--- f32.mlir
func.func @f(%a: tensor<67x53xf32>, %b: tensor<53x61xf32>) -> tensor<67x61xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67x61xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<67x61xf32>) -> tensor<67x61xf32>
  %r = linalg.matmul ins(%a, %b : tensor<67x53xf32>, tensor<53x61xf32>)
                     outs(%i : tensor<67x61xf32>) -> tensor<67x61xf32>
  return %r : tensor<67x61xf32>
}
//--- i8.h
#define RANGE - 128
enum { M = 67, N = 61, K = 332 };
typedef signed char A, B;
typedef int C;
//--- i8.mlir
func.func @f(%a: tensor<67x332xi8>, %b: tensor<332x61xi8>) -> tensor<67x61xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<67x61xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<67x61xi32>) -> tensor<67x61xi32>
  %r = linalg.matmul ins(%a, %b : tensor<67x332xi8>, tensor<332x61xi8>)
                     outs(%i : tensor<67x61xi32>) -> tensor<67x61xi32>
  return %r : tensor<67x61xi32>
}
//--- bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { M = 67, N = 61, K = 58 };
//--- bf16.mlir
func.func @f(%a: tensor<67x58xbf16>, %b: tensor<58x61xbf16>) -> tensor<67x61xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67x61xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<67x61xf32>) -> tensor<67x61xf32>
  %r = linalg.matmul ins(%a, %b : tensor<67x58xbf16>, tensor<58x61xbf16>)
                     outs(%i : tensor<67x61xf32>) -> tensor<67x61xf32>
  return %r : tensor<67x61xf32>
}
