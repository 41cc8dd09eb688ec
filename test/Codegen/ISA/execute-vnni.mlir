// Products of bytes and of bfloat16 for AVX-512, which few machines can run: the
// instructions are replaced by functions that do the same, and the program runs
// here. Signed bytes are multiplied as unsigned ones and corrected.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/i8.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cascadelake,triple=x86_64-linux-gnu" --emit=llvm -o %t/i8.ll
// RUN: FileCheck %s --check-prefix=BYTES --input-file=%t/i8.ll
// RUN: sed -e 's/@llvm.x86.avx512.vpdpbusd.512/@vpdpbusd/g' -e 's/"target-cpu"="[^"]*"//' %t/i8.ll > %t/i8-here.ll
// RUN: llvm-link %t/i8-here.ll %S/Inputs/lanes.ll -S -o %t/i8-both.ll
// RUN: %bare_host -Wno-override-module -include %t/i8.h %S/Inputs/caller.c %t/i8-both.ll -o %t/i8
// RUN: %t/i8

// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=cooperlake,triple=x86_64-linux-gnu" --emit=llvm -o %t/bf16.ll
// RUN: FileCheck %s --check-prefix=BFLOATS --input-file=%t/bf16.ll
// RUN: sed -e 's/@llvm.x86.avx512bf16.dpbf16ps.512/@dpbf16ps/g' -e 's/"target-cpu"="[^"]*"//' %t/bf16.ll > %t/bf16-here.ll
// RUN: llvm-link %t/bf16-here.ll %S/Inputs/lanes.ll -S -o %t/bf16-both.ll
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
