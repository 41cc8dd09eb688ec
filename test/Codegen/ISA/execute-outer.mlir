// Products of bytes and of bfloat16 inside of other loops, batches and windows,
// executed: in lanes as execute-vnni.mlir does it, in tiles as execute-amx.mlir.
// A convolution adds a product for each tap of
// its window; a stride takes the rows of it apart, and tiles do not take it.

// DEFINE: %{name} =
// DEFINE: %{cpu} =
// DEFINE: %{product} = tdpbssd
// DEFINE: %{compile} = sched-opt %t/%{name}.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=%{cpu},triple=x86_64-linux-gnu" --emit=llvm -o %t/%{name}.ll
// DEFINE: %{emulate} = sed -e 's/x86_amx/<256 x i32>/g' -e 's/@llvm.x86.tilezero.internal/@tilezero/g' \
// DEFINE:   -e 's/@llvm.x86.tileloadd64.internal/@tileload/g' -e 's/@llvm.x86.tilestored64.internal/@tilestore/g' \
// DEFINE:   -e 's/@llvm.x86.%{product}.internal/@tdp/g' -e 's/@llvm.x86.avx512.vpdpbusd.512/@vpdpbusd/g' \
// DEFINE:   -e 's/@llvm.x86.avx512bf16.dpbf16ps.512/@dpbf16ps/g' -e 's/"target-cpu"="[^"]*"//' -e 's/"prefer-vector-width"="[^"]*"//' %t/%{name}.ll > %t/%{name}-here.ll
// DEFINE: %{link} = llvm-link %t/%{name}-here.ll %S/Inputs/tiles.ll %S/Inputs/lanes.ll -S -o %t/%{name}-both.ll
// DEFINE: %{build} = %bare_host -Wno-override-module -Ddo_%{product}=do_tdp -include %t/%{name}.h %S/Inputs/caller.c %S/Inputs/tiles.c %t/%{name}-both.ll -o %t/%{name}
// DEFINE: %{check} = FileCheck %s --input-file=%t/%{name}.ll

// RUN: rm -rf %t && split-file %s %t
// REDEFINE: %{name} = conv-i8
// REDEFINE: %{cpu} = cascadelake
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=BYTES
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/conv-i8

// REDEFINE: %{name} = stride-i8
// REDEFINE: %{cpu} = cascadelake
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=BYTES
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/stride-i8

// REDEFINE: %{name} = batch-i8
// REDEFINE: %{cpu} = cascadelake
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=BYTES
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/batch-i8

// REDEFINE: %{name} = conv-bf16
// REDEFINE: %{cpu} = cooperlake
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=BFLOATS
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/conv-bf16

// REDEFINE: %{name} = batch-bf16
// REDEFINE: %{cpu} = cooperlake
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=BFLOATS
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/batch-bf16

// REDEFINE: %{name} = conv-i8
// REDEFINE: %{cpu} = sapphirerapids
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: %{check} --check-prefix=TILES
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/conv-i8

// REDEFINE: %{name} = conv-bf16
// REDEFINE: %{cpu} = sapphirerapids
// REDEFINE: %{product} = tdpbf16ps
// RUN: %{compile}
// RUN: %{check} --check-prefix=BFTILES
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/conv-bf16
// REQUIRES: x86-registered-target, host-x86, clang-lld

// BYTES: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// BFLOATS: call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(
// TILES: call x86_amx @llvm.x86.tdpbssd.internal(
// BFTILES: call x86_amx @llvm.x86.tdpbf16ps.internal(

//--- conv-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 21, N = 83, K = 64, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (5 * 23 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((1 * (o) + (t) / 3) * 23 + 1 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((t) * K + (k)) * N + (n))
//--- conv-i8.mlir
func.func @f(%a: tensor<1x5x23x64xi8>, %b: tensor<3x3x64x83xi8>) -> tensor<1x3x21x83xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x21x83xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x3x21x83xi32>) -> tensor<1x3x21x83xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x5x23x64xi8>, tensor<3x3x64x83xi8>)
      outs(%i : tensor<1x3x21x83xi32>) -> tensor<1x3x21x83xi32>
  return %r : tensor<1x3x21x83xi32>
}
//--- stride-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 11, N = 67, K = 20, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (7 * 23 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((2 * (o) + (t) / 3) * 23 + 2 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((n) * TAPS + (t)) * K + (k))
//--- stride-i8.mlir
func.func @f(%a: tensor<1x7x23x20xi8>, %b: tensor<67x3x3x20xi8>) -> tensor<1x3x11x67xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x11x67xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x3x11x67xi32>) -> tensor<1x3x11x67xi32>
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x7x23x20xi8>, tensor<67x3x3x20xi8>)
      outs(%i : tensor<1x3x11x67xi32>) -> tensor<1x3x11x67xi32>
  return %r : tensor<1x3x11x67xi32>
}
//--- conv-bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { OUTER = 3, M = 17, N = 67, K = 32, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (5 * 19 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((1 * (o) + (t) / 3) * 19 + 1 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((n) * TAPS + (t)) * K + (k))
//--- conv-bf16.mlir
func.func @f(%a: tensor<1x5x19x32xbf16>, %b: tensor<67x3x3x32xbf16>) -> tensor<1x3x17x67xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x17x67xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x17x67xf32>) -> tensor<1x3x17x67xf32>
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<1x5x19x32xbf16>, tensor<67x3x3x32xbf16>)
      outs(%i : tensor<1x3x17x67xf32>) -> tensor<1x3x17x67xf32>
  return %r : tensor<1x3x17x67xf32>
}
//--- batch-i8.h
#define RANGE - 128
typedef signed char A, B;
typedef int C;
enum { OUTER = 3, M = 37, N = 67, K = 76, TAPS = 1 };
#define OUTER OUTER
#define A_SIZE (OUTER * M * K)
#define B_SIZE (OUTER * K * N)
#define A_AT(o, m, t, k) (((o) * M + (m)) * K + (k))
#define B_AT(o, t, k, n) (((o) * K + (k)) * N + (n))
//--- batch-i8.mlir
func.func @f(%a: tensor<3x37x76xi8>, %b: tensor<3x76x67xi8>) -> tensor<3x37x67xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x37x67xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<3x37x67xi32>) -> tensor<3x37x67xi32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x37x76xi8>, tensor<3x76x67xi8>)
                           outs(%i : tensor<3x37x67xi32>) -> tensor<3x37x67xi32>
  return %r : tensor<3x37x67xi32>
}
//--- batch-bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { OUTER = 3, M = 37, N = 67, K = 42, TAPS = 1 };
#define OUTER OUTER
#define A_SIZE (OUTER * M * K)
#define B_SIZE (OUTER * K * N)
#define A_AT(o, m, t, k) (((o) * M + (m)) * K + (k))
#define B_AT(o, t, k, n) (((o) * K + (k)) * N + (n))
//--- batch-bf16.mlir
func.func @f(%a: tensor<3x37x42xbf16>, %b: tensor<3x42x67xbf16>) -> tensor<3x37x67xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x37x67xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x37x67xf32>) -> tensor<3x37x67xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x37x42xbf16>, tensor<3x42x67xbf16>)
                           outs(%i : tensor<3x37x67xf32>) -> tensor<3x37x67xf32>
  return %r : tensor<3x37x67xf32>
}
