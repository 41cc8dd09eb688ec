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

// A toolkit with either assembler alone.
// RUN: rm -rf %t.home && mkdir -p %t.home/bin && ln -s ptxas %t.home/bin/ptxas
// RUN: env CUDA_HOME=%t.home sched-opt %S/emit-gpu.mlir --emit=cubin -o %t.program.cubin
// RUN: llvm-readobj --file-headers %t.program.cubin | FileCheck %s
// RUN: rm -rf %t.library && mkdir -p %t.library/lib64
// RUN: %if nvjitlink %{ ln -s %nvjitlink %t.library/lib64/libnvJitLink.so %}
// RUN: %if nvjitlink %{ env CUDA_HOME=%t.library sched-opt %S/emit-gpu.mlir --emit=cubin -o %t.linked.cubin %}
// RUN: %if nvjitlink %{ llvm-readobj --file-headers %t.linked.cubin | FileCheck %s %}
