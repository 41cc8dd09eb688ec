// REQUIRES: nvptx-registered-target
// What a GPU or a CPU has not is refused before any work, in one line.

// RUN: not sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0" --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=OBJ
// OBJ: error: --emit=obj is not for sm_80, a GPU; expected --emit=ptx, cubin, llvm or mlir
// OBJ-NOT: {{.}}
// RUN: not sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0" --emit=asm 2>&1 | FileCheck %s --check-prefix=ASM
// ASM: error: --emit=asm is not for sm_80, a GPU; expected
// RUN: not sched-opt %s --auto-schedule="trials=0" --emit=ptx 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: --emit=ptx is not for a CPU; expected a GPU, as by --auto-schedule="target=nvvm:sm_80"
// RUN: not sched-opt %s --emit=cubin -o %t.cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
// CUBIN: error: --emit=cubin is not for a CPU; expected a GPU
// RUN: not sched-opt %s --emit=obj -o %t.o --emit-launch=%t.json 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: error: --emit-launch is not for a CPU; expected a GPU
// RUN: not sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0" --emit=ptx -o %t.x --emit-launch=%t.x 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: found '{{.*}}.x' for both -o and --emit-launch, expected two files
// RUN: not sched-opt %s --auto-schedule="target=nvvm:sm_70 trials=0" --emit=ptx 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: chip 'sm_70' in target 'nvvm:sm_70' is too old; expected sm_80 or later
// RUN: not sched-opt %s --auto-schedule="target=nvvm:sm_81x trials=0" --emit=ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip in target 'nvvm:sm_81x'; expected one of sm_80,

// Without a toolkit there is PTX, and no cubin; nothing is left behind.
// RUN: rm -f %t.cubin
// RUN: not env CUDA_HOME=%t.none sched-opt %S/emit-gpu.mlir --emit=cubin -o %t.cubin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.cubin
// RUN: env CUDA_HOME=%t.none sched-opt %S/emit-gpu.mlir --emit=ptx -o %t.ptx
// NONE: error: no CUDA toolkit for machine code: looked for bin/ptxas or lib64/libnvJitLink.so in {{.*}}.none; install one, or set CUDA_HOME to its folder, or use --emit=ptx

// What a chip cannot run is said where it is launched.
// RUN: sed 's/constant 128 : index/constant 2048 : index/; s/known_block_size = array<i32: 128/known_block_size = array<i32: 2048/' %S/emit-gpu.mlir > %t.threads.mlir
// RUN: not sched-opt %t.threads.mlir --emit=ptx 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: {{.*}}.threads.mlir:{{[0-9]+}}:5: kernel @scale_kernel_0 has blocks of 2048 x 1 x 1 threads; sm_80 has at most 1024 in all, 64 of them along z; give smaller tiles
// RUN: sed 's/args(/dynamic_shared_memory_size %bytes args(/; s/%c4 = arith.constant 4 : index/%bytes = arith.constant 167000 : i32 %c4 = arith.constant 4 : index/' %S/emit-gpu.mlir > %t.shared.mlir
// RUN: not sched-opt %t.shared.mlir --emit=ptx 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: kernel @scale_kernel_0 takes 167000 bytes of shared memory; sm_80 has 166912 for a block

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
