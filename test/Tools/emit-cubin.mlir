// REQUIRES: ptxas, nvptx-registered-target
// Each chip that a target can name has PTX that the assembler takes.

// RUN: sched-opt %S/emit-gpu.mlir --emit=cubin -o %t.cubin
// RUN: llvm-readobj --file-headers %t.cubin | FileCheck %s
// CHECK: Machine: EM_CUDA

// RUN: sed 's/nvvm:sm_80/nvvm:sm_86/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_89/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_90/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_90a/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_100/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_100a/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin
// RUN: sed 's/nvvm:sm_80/nvvm:sm_120/' %S/emit-gpu.mlir | sched-opt --emit=cubin -o %t.cubin

// A toolkit with the program alone.
// RUN: rm -rf %t.home && mkdir -p %t.home/bin && ln -s ptxas %t.home/bin/ptxas
// RUN: env CUDA_HOME=%t.home sched-opt %S/emit-gpu.mlir --emit=cubin -o %t.program.cubin
// RUN: llvm-readobj --file-headers %t.program.cubin | FileCheck %s
