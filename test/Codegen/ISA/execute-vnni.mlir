// Products of bytes and of bfloat16 for AVX-512, which few machines can run: the
// instructions are replaced by functions that do the same, and the program runs
// here. Signed bytes are multiplied as unsigned ones and corrected.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=llvm -o %t/i8.ll
// RUN: FileCheck %s --check-prefix=BYTES --input-file=%t/i8.ll
// RUN: sed -e 's/@llvm.x86.avx512.vpdpbusd.512/@vpdpbusd/g' -e 's/"target-cpu"="[^"]*"//' %t/i8.ll > %t/i8-here.ll
// RUN: llvm-link %t/i8-here.ll %t/vpdpbusd.ll -S -o %t/i8-both.ll
// RUN: %bare_host -Wno-override-module -include %t/i8.h %S/Inputs/caller.c %t/i8-both.ll -o %t/i8
// RUN: %t/i8

// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true target=cpu:mcpu=cooperlake,triple=x86_64-linux-gnu" --emit=llvm -o %t/bf16.ll
// RUN: FileCheck %s --check-prefix=BFLOATS --input-file=%t/bf16.ll
// RUN: sed -e 's/@llvm.x86.avx512bf16.dpbf16ps.512/@dpbf16ps/g' -e 's/"target-cpu"="[^"]*"//' %t/bf16.ll > %t/bf16-here.ll
// RUN: llvm-link %t/bf16-here.ll %t/dpbf16ps.ll -S -o %t/bf16-both.ll
// RUN: %bare_host -Wno-override-module -include %t/bf16.h %S/Inputs/caller.c %t/bf16-both.ll -o %t/bf16
// RUN: %t/bf16
// REQUIRES: x86-registered-target, host-x86, clang-lld

// BYTES: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// BFLOATS: call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(

//--- i8.h
#define RANGE - 128
enum { M = 37, N = 67, K = 332 };
typedef signed char A, B;
typedef int C;
//--- i8.mlir
func.func @f(%a: tensor<37x332xi8>, %b: tensor<332x67xi8>) -> tensor<37x67xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<37x67xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<37x67xi32>) -> tensor<37x67xi32>
  %r = linalg.matmul ins(%a, %b : tensor<37x332xi8>, tensor<332x67xi8>)
                     outs(%i : tensor<37x67xi32>) -> tensor<37x67xi32>
  return %r : tensor<37x67xi32>
}
//--- vpdpbusd.ll
define <16 x i32> @vpdpbusd(<16 x i32> %sums, <64 x i8> %a, <64 x i8> %b) {
  %unsigned = zext <64 x i8> %a to <64 x i32>
  %signed = sext <64 x i8> %b to <64 x i32>
  %products = mul <64 x i32> %unsigned, %signed
  %s0 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60>
  %s1 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29, i32 33, i32 37, i32 41, i32 45, i32 49, i32 53, i32 57, i32 61>
  %s2 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30, i32 34, i32 38, i32 42, i32 46, i32 50, i32 54, i32 58, i32 62>
  %s3 = shufflevector <64 x i32> %products, <64 x i32> poison, <16 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31, i32 35, i32 39, i32 43, i32 47, i32 51, i32 55, i32 59, i32 63>
  %s4 = add <16 x i32> %sums, %s0
  %s5 = add <16 x i32> %s4, %s1
  %s6 = add <16 x i32> %s5, %s2
  %s7 = add <16 x i32> %s6, %s3
  ret <16 x i32> %s7
}
//--- bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { M = 37, N = 67, K = 58 };
//--- bf16.mlir
func.func @f(%a: tensor<37x58xbf16>, %b: tensor<58x67xbf16>) -> tensor<37x67xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x67xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<37x67xf32>) -> tensor<37x67xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x58xbf16>, tensor<58x67xbf16>)
                     outs(%i : tensor<37x67xf32>) -> tensor<37x67xf32>
  return %r : tensor<37x67xf32>
}
//--- dpbf16ps.ll
define <16 x float> @dpbf16ps(<16 x float> %sums, <32 x bfloat> %a, <32 x bfloat> %b) {
  %left = fpext <32 x bfloat> %a to <32 x float>
  %right = fpext <32 x bfloat> %b to <32 x float>
  %products = fmul <32 x float> %left, %right
  %s0 = shufflevector <32 x float> %products, <32 x float> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %s1 = shufflevector <32 x float> %products, <32 x float> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %s2 = fadd <16 x float> %sums, %s0
  %s3 = fadd <16 x float> %s2, %s1
  ret <16 x float> %s3
}
