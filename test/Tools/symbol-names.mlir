// Names that C cannot have, and names that are in the way of the functions that
// pack: one error at the function, before any work is done.

// RUN: rm -rf %t && split-file %s %t
// RUN: not sched-opt %t/names.mlir --auto-schedule="trials=2 threads=1" --emit=obj -o %t/none.o 2>&1 | FileCheck %t/names.mlir --implicit-check-not=error: --implicit-check-not=trials
// RUN: not sched-opt %t/names.mlir --emit-header=%t/none.h 2>&1 | FileCheck %t/names.mlir --implicit-check-not=error:
// RUN: not sched-opt %t/packs.mlir --auto-schedule="trials=0" --emit=obj -o %t/none.o 2>&1 | FileCheck %t/packs.mlir --implicit-check-not=error:
// RUN: not sched-opt %t/packs.mlir --sched-outline-packing -o %t/none.o 2>&1 | FileCheck %t/packs.mlir --check-prefix=PASS --implicit-check-not=error:
// The error alone, without the function's ops.
// RUN: not sched-opt %t/names.mlir --emit=obj -o %t/none.o 2>&1 | FileCheck %t/names.mlir --implicit-check-not=note:
// RUN: not sched-opt %t/packs.mlir --sched-outline-packing -o %t/none.o 2>&1 | FileCheck %t/packs.mlir --check-prefix=PASS --implicit-check-not=note:
// RUN: not ls %t/none.o
// RUN: not ls %t/none.h

// Other output has names of every kind.
// RUN: sched-opt %t/names.mlir --auto-schedule="trials=0 threads=1" --emit=llvm 2>/dev/null | FileCheck %s --check-prefix=LLVM
// LLVM: define void @my.func(

// What only looks like those of packing is a function as any other.
// RUN: sched-opt %t/free.mlir --emit=obj -o %t/free.o --emit-header=%t/free.h
// RUN: FileCheck %t/free.mlir --input-file=%t/free.h --implicit-check-not=packed

//--- names.mlir
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'my.func' is no identifier of C, so that the code cannot have it; rename the function, for example to @my_func
func.func @my.func(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'double' is a word of the language in C or C++{{.*}} @kernel_double
func.func @double(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'main' is where a C program starts{{.*}} @kernel_main
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'free' is a function of the C library that the object calls
func.func @free(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'sinf'
func.func @sinf(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name '2mm' is no identifier of C{{.*}} @kernel_2mm
func.func @"2mm"(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// What the object does not call, a program may.
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'printf' is one of the C library, so that the code cannot have it; rename the function, for example to @kernel_printf
func.func @printf(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'calloc' is one of the C library
func.func @calloc(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: names.mlir:[[#@LINE+1]]:1: error: the name 'omp_get_num_threads' begins as those of OpenMP's library do, which the object calls
func.func @omp_get_num_threads(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// Not part of the interface.
func.func private @class(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

//--- packs.mlir
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32> {schedule.layout_free}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.add ins(%a, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
// CHECK: packs.mlir:[[#@LINE+2]]:1: error: the name 'f_pack_arg1_bytes' is that of the function that packs argument 1 of @f, which is layout-free; rename one of the two
// PASS: packs.mlir:[[#@LINE+1]]:1: error: 'func.func' op is in the way of the function that packs argument 1 of @f; rename one of the two
func.func @f_pack_arg1_bytes(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

//--- free.mlir
// CHECK: void f_pack_arg0(const float *arg0, float *result0);
func.func @f_pack_arg0(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// What only looks like a library's.
// CHECK: void print(const float *arg0, float *result0);
func.func @print(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// CHECK: void f_bytes(const float *arg0, float *result0);
func.func @f_bytes(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
