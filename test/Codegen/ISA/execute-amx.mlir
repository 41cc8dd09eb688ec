// Products in tile registers, which few machines have: the instructions are
// replaced by functions that do the same, and the program runs here. Rows,
// columns and steps are no multiples of a tile.

// DEFINE: %{kind} =
// DEFINE: %{product} =
// DEFINE: %{threads} = 1
// DEFINE: %{compile} = sched-opt %t/%{kind}.mlir --auto-schedule="trials=0 threads=%{threads} quiet=true target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu" --emit=llvm -o %t/%{kind}.ll
// DEFINE: %{emulate} = sed -e 's/x86_amx/<256 x i32>/g' -e 's/@llvm.x86.tilezero.internal/@tilezero/g' \
// DEFINE:   -e 's/@llvm.x86.tileloadd64.internal/@tileload/g' -e 's/@llvm.x86.tilestored64.internal/@tilestore/g' \
// DEFINE:   -e 's/@llvm.x86.%{product}.internal/@tdp/g' -e 's/@llvm.x86.avx512.vpdpbusd.512/@vpdpbusd/g' \
// DEFINE:   -e 's/@llvm.x86.avx512bf16.dpbf16ps.512/@dpbf16ps/g' -e 's/"target-cpu"="[^"]*"//' -e 's/"prefer-vector-width"="[^"]*"//' %t/%{kind}.ll > %t/%{kind}-here.ll
// DEFINE: %{link} = llvm-link %t/%{kind}-here.ll %S/Inputs/tiles.ll %S/Inputs/lanes.ll -S -o %t/%{kind}-both.ll
// DEFINE: %{build} = %bare_host -Wno-override-module -Ddo_%{product}=do_tdp -include %t/%{kind}.h %S/Inputs/caller.c %S/Inputs/tiles.c %t/%{kind}-both.ll -o %t/%{kind}

// RUN: rm -rf %t && split-file %s %t
// REDEFINE: %{kind} = bf16
// REDEFINE: %{product} = tdpbf16ps
// RUN: %{compile}
// RUN: FileCheck %s --check-prefixes=LOOP,BF16 --input-file=%t/bf16.ll
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/bf16

// REDEFINE: %{kind} = i8
// REDEFINE: %{product} = tdpbssd
// RUN: %{compile}
// RUN: FileCheck %s --check-prefixes=LOOP,I8 --input-file=%t/i8.ll
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/i8

// REDEFINE: %{kind} = mixed
// REDEFINE: %{product} = tdpbusd
// RUN: %{compile}
// RUN: FileCheck %s --check-prefixes=LOOP,MIXED --input-file=%t/mixed.ll
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/mixed

// Lines of 14 pixels, which a stride takes apart: two at a time.
// REDEFINE: %{kind} = lines
// REDEFINE: %{product} = tdpbf16ps
// RUN: %{compile}
// RUN: FileCheck %s --check-prefix=LINES --input-file=%t/lines.ll
// RUN: %{emulate}
// RUN: %{link}
// RUN: %{build}
// RUN: %t/lines
// LINES: @llvm.x86.tdpbf16ps.internal(i16 14, i16 64, i16 64, x86_amx %{{.*}}, x86_amx %[[LINE:.*]], x86_amx %[[LEFT:.*]])
// LINES: @llvm.x86.tdpbf16ps.internal(i16 14, i16 64, i16 64, x86_amx %{{.*}}, x86_amx %[[LINE]], x86_amx %[[RIGHT:.*]])
// LINES: @llvm.x86.tdpbf16ps.internal(i16 14, i16 64, i16 64, x86_amx %{{.*}}, x86_amx %[[NEXT:.*]], x86_amx %[[LEFT]])
// LINES: @llvm.x86.tdpbf16ps.internal(i16 14, i16 64, i16 64, x86_amx %{{.*}}, x86_amx %[[NEXT]], x86_amx %[[RIGHT]])
// REQUIRES: x86-registered-target, host-x86, clang-lld

// Linux is asked for the registers before anything else, and sums stay in them.
// LOOP: @llvm.global_ctors = {{.*}} @_sched_request_tiles
// LOOP: phi x86_amx
// BF16: call x86_amx @llvm.x86.tdpbf16ps.internal(i16 16, i16 64, i16 64,
// I8: call x86_amx @llvm.x86.tdpbssd.internal(i16 16, i16 64, i16 64,
// MIXED: call x86_amx @llvm.x86.tdpbusd.internal(i16 16, i16 64, i16 64,

//--- bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { M = 67, N = 83, K = 234 };
//--- bf16.mlir
func.func @f(%a: tensor<67x234xbf16>, %b: tensor<234x83xbf16>) -> tensor<67x83xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67x83xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<67x83xf32>) -> tensor<67x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<67x234xbf16>, tensor<234x83xbf16>)
                     outs(%i : tensor<67x83xf32>) -> tensor<67x83xf32>
  return %r : tensor<67x83xf32>
}
//--- i8.h
#define RANGE - 128
enum { M = 52, N = 83, K = 332 };
typedef signed char A, B;
typedef int C;
//--- i8.mlir
func.func @f(%a: tensor<52x332xi8>, %b: tensor<332x83xi8>) -> tensor<52x83xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<52x83xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<52x83xi32>) -> tensor<52x83xi32>
  %r = linalg.matmul ins(%a, %b : tensor<52x332xi8>, tensor<332x83xi8>)
                     outs(%i : tensor<52x83xi32>) -> tensor<52x83xi32>
  return %r : tensor<52x83xi32>
}
//--- mixed.h
#define RANGE
enum { M = 33, N = 64, K = 320 };
typedef unsigned char A;
typedef signed char B;
typedef int C;
//--- mixed.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: tensor<33x320xi8>, %b: tensor<320x64xi8>) -> tensor<33x64xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x64xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<33x64xi32>) -> tensor<33x64xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<33x320xi8>, tensor<320x64xi8>) outs(%i : tensor<33x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<33x64xi32>
  return %r : tensor<33x64xi32>
}
//--- lines.h
#define BFLOAT
#define RANGE % 16 - 8
enum { M = 14, N = 32, K = 64, OUTER = 14, TAPS = 9 };
#define OUTER OUTER
#define A_SIZE (29 * 29 * K)
#define B_SIZE (TAPS * K * N)
#define A_AT(o, m, t, k) (((2 * (o) + (t) / 3) * 29 + 2 * (m) + (t) % 3) * K + (k))
#define B_AT(o, t, k, n) (((t) * K + (k)) * N + (n))
//--- lines.mlir
func.func @f(%a: tensor<1x29x29x64xbf16>, %b: tensor<3x3x64x32xbf16>) -> tensor<1x14x14x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%a, %b : tensor<1x29x29x64xbf16>, tensor<3x3x64x32xbf16>) outs(%i : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  return %r : tensor<1x14x14x32xf32>
}
