// Products of two rows by two columns, executed: an odd number of rows, a rest of
// columns, and each combination of signs.

// RUN: rm -rf %t && split-file %s %t
// RUN: sed -e 's/extui %x/extsi %x/' %t/mixed.mlir > %t/signed.mlir
// RUN: sed -e 's/extsi %y/extui %y/' %t/mixed.mlir > %t/unsigned.mlir

// RUN: sched-opt %t/mixed.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=obj -o %t/mixed.o
// RUN: llvm-objdump -d %t/mixed.o | FileCheck %s --check-prefix=USMMLA
// RUN: %bare_aarch64 -include %t/mixed.h %S/Inputs/caller.c %t/mixed.o -o %t/mixed
// RUN: %qemu_aarch64 -cpu max %t/mixed

// RUN: sched-opt %t/signed.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=obj -o %t/signed.o
// RUN: llvm-objdump -d %t/signed.o | FileCheck %s --check-prefix=SMMLA
// RUN: %bare_aarch64 -include %t/signed.h %S/Inputs/caller.c %t/signed.o -o %t/signed
// RUN: %qemu_aarch64 -cpu max %t/signed

// RUN: sched-opt %t/unsigned.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=obj -o %t/unsigned.o
// RUN: llvm-objdump -d %t/unsigned.o | FileCheck %s --check-prefix=UMMLA
// RUN: %bare_aarch64 -include %t/unsigned.h %S/Inputs/caller.c %t/unsigned.o -o %t/unsigned
// RUN: %qemu_aarch64 -cpu max %t/unsigned

// RUN: sched-opt %t/bf16.mlir --auto-schedule="trials=0 threads=1 quiet=true cost-model=analytic target=cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu" --emit=obj -o %t/bf16.o
// RUN: llvm-objdump -d %t/bf16.o | FileCheck %s --check-prefix=BFMMLA
// RUN: %bare_aarch64 -include %t/bf16.h %S/Inputs/caller.c %t/bf16.o -o %t/bf16
// RUN: %qemu_aarch64 -cpu max %t/bf16

// REQUIRES: aarch64-registered-target, qemu-aarch64, clang-lld

// USMMLA: usmmla
// SMMLA: {{[[:space:]]}}smmla
// UMMLA: {{[[:space:]]}}ummla
// BFMMLA: bfmmla

//--- mixed.h
#define RANGE % 128
enum { M = 67, N = 62, K = 328 };
typedef unsigned char A;
typedef signed char B;
typedef int C;
//--- signed.h
#define RANGE - 128
enum { M = 67, N = 62, K = 328 };
typedef signed char A;
typedef signed char B;
typedef int C;
//--- unsigned.h
#define RANGE
enum { M = 67, N = 62, K = 328 };
typedef unsigned char A;
typedef unsigned char B;
typedef int C;
//--- mixed.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: tensor<67x328xi8>, %b: tensor<328x62xi8>) -> tensor<67x62xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<67x62xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<67x62xi32>) -> tensor<67x62xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<67x328xi8>, tensor<328x62xi8>) outs(%i : tensor<67x62xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<67x62xi32>
  return %r : tensor<67x62xi32>
}
//--- bf16.h
#define BFLOAT
#define RANGE % 16 - 8
enum { M = 67, N = 62, K = 60 };
//--- bf16.mlir
func.func @f(%a: tensor<67x60xbf16>, %b: tensor<60x62xbf16>) -> tensor<67x62xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67x62xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<67x62xf32>) -> tensor<67x62xf32>
  %r = linalg.matmul ins(%a, %b : tensor<67x60xbf16>, tensor<60x62xbf16>)
                     outs(%i : tensor<67x62xf32>) -> tensor<67x62xf32>
  return %r : tensor<67x62xf32>
}
