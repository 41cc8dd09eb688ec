// REQUIRES: nvptx-registered-target
// Kernels that are there are emitted as LLVM IR, PTX and machine code, with how
// to launch them as JSON and as a header of C.

// RUN: sched-opt %s --emit=ptx -o %t.ptx --emit-launch=%t.json --emit-header=%t.h
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=LAUNCH < %t.json
// RUN: FileCheck %s --check-prefix=HEADER < %t.h
// RUN: echo '#include "%t.h"' > %t.c
// RUN: echo 'int main(void) { return scale_launches[0].grid[0] + scale_buffer_bytes[1] - 3204; }' >> %t.c
// RUN: %cc -std=c99 -Wall -Werror %t.c -o %t.exe && %t.exe
// Nor does what is not used of it warn.
// RUN: echo '#include "%t.h"' > %t.unused.c
// RUN: %cc -std=c99 -Wall -Wextra -Wunused-const-variable -Werror -c %t.unused.c -o %t.unused.o
// RUN: sched-opt %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: sched-opt %s --emit=mlir --emit-launch=%t.mlir.json -o - | FileCheck %s --check-prefix=MLIR
// RUN: diff %t.json %t.mlir.json

// PTX: .target sm_80
// PTX: .visible .entry scale_kernel_0(
// PTX: .reqntid 128, 1, 1
// PTX: ld.global.nc.v4.b32
// PTX: st.global.v4.b32

// LAUNCH: "chip": "sm_80"
// LAUNCH: "role": "input"
// LAUNCH-NEXT: "type": "tensor<100x8xf32>"
// LAUNCH: "role": "output"
// LAUNCH: "kernel": "scale_kernel_0"
// LAUNCH-NEXT: "shared_bytes": 0
// LAUNCH: "version": 1

// HEADER: buffer 0: tensor<100x8xf32>, 3200 bytes aligned to 16, read
// HEADER: buffer 1: tensor<100x8xf32>, 3200 bytes aligned to 16, written
// HEADER: {"scale_kernel_0", {4, 1, 1}, {128, 1, 1}, 0, 2, scale_arguments_0},

// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @scale_kernel_0(

// MLIR: gpu.func @scale_kernel_0

module attributes {gpu.container_module, schedule.target = "nvvm:sm_80"} {
  gpu.module @kernels {
    gpu.func @scale_kernel_0(%a: memref<100x8xf32>, %out: memref<100x8xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %c128 = arith.constant 128 : index
      %c200 = arith.constant 200 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %first = arith.muli %block, %c128 : index
      %i = arith.addi %first, %thread : index
      %in = arith.cmpi slt, %i, %c200 : index
      scf.if %in {
        %row = arith.divsi %i, %c2 : index
        %half = arith.remsi %i, %c2 : index
        %col = arith.muli %half, %c4 : index
        %x = vector.load %a[%row, %col] {alignment = 16} : memref<100x8xf32>, vector<4xf32>
        %y = arith.addf %x, %x : vector<4xf32>
        vector.store %y, %out[%row, %col] {alignment = 16} : memref<100x8xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
  func.func @scale(%a: memref<100x8xf32>, %out: memref<100x8xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@scale_kernel_0 blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%a : memref<100x8xf32>, %out : memref<100x8xf32>)
    return
  }
}
