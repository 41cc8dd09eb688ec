// Kernels of a GPU in the emulator: those of files here, so that they can be
// wrong.

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-run %t/in.mlir --target=nvvm:sm_90a --emulate \
// RUN:   --kernels=%t/right.ll --launch=%t/launch.json | FileCheck %s --check-prefix=RIGHT
// RIGHT: @twice(100xf32) -> (100xf32), emulated
// RIGHT-NEXT: 1 launch, 1240 instructions of threads in {{[0-9.]+}} s: {{[0-9.]+}} million a second
// RIGHT-NEXT: global memory: 800 bytes in 26 sectors of 32
// RIGHT-NEXT: check: right, max relative error 0.00e+00

// RUN: sched-run %t/in.mlir --target=nvvm:sm_90a --emulate --json \
// RUN:   --kernels=%t/right.ll --launch=%t/launch.json | FileCheck %s --check-prefix=JSON
// JSON-DAG: "compile_s": null,
// JSON-DAG: "function": "twice",
// JSON-DAG: "global_sectors": 26,
// JSON-DAG: "instructions": 1240,
// JSON-DAG: "launches": 1,
// JSON-DAG: "verified": true

// RUN: sed 's/2.0/3.0/' %t/right.ll > %t/wrong.ll
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --emulate \
// RUN:   --kernels=%t/wrong.ll --launch=%t/launch.json 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG-DAG: check: WRONG
// WRONG-DAG: error: wrong result: element [0] of 100xf32: got

// The bound of the guard is too large.
// RUN: sed 's/i32 %n, 100/i32 %n, 101/' %t/right.ll > %t/beyond.ll
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --emulate \
// RUN:   --kernels=%t/beyond.ll --launch=%t/launch.json 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: kernel 'twice_kernel_0', block (3, 0, 0), thread (4, 0, 0): reads 4 bytes at byte 400 of input 0 (tensor<100xf32>), which has 400 bytes; at '%x = load float

// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: found target 'nvvm:{{.*}}', a GPU: expected --emulate, as its code cannot run here
// RUN: not sched-run %t/in.mlir --emulate 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: and --emulate: expected a GPU, such as --target=nvvm:sm_90a
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --emulate --kernels=%t/right.ll 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --kernels and --launch go together
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --kernels=%t/right.ll --launch=%t/launch.json 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --kernels goes with --emulate
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --emulate --kernels=%t/launch.json --launch=%t/launch.json 2>&1 | FileCheck %s --check-prefix=IR
// IR: error: '{{.*}}launch.json' is not LLVM IR
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_90a --emulate --kernels=%t/right.ll --launch=%t/right.ll 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: error: '{{.*}}right.ll':
// RUN: not sched-run %t/in.mlir --target=nvvm:sm_80 --emulate --kernels=%t/right.ll --launch=%t/launch.json 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: found kernels for sm_90a in '{{.*}}launch.json' and a target of sm_80, expected --target=nvvm:sm_90a

//--- in.mlir
func.func @twice(%a: tensor<100xf32>) -> tensor<100xf32> {
  %empty = tensor.empty() : tensor<100xf32>
  %two = arith.constant 2.0 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a : tensor<100xf32>) outs(%empty : tensor<100xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %two : f32
    linalg.yield %y : f32
  } -> tensor<100xf32>
  return %r : tensor<100xf32>
}

//--- right.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @twice_kernel_0(ptr addrspace(1) %a, ptr addrspace(1) %r) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = shl i32 %b, 5
  %n = add i32 %s, %t
  %in = icmp ult i32 %n, 100
  br i1 %in, label %do, label %end
do:
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %n
  %pr = getelementptr float, ptr addrspace(1) %r, i32 %n
  %x = load float, ptr addrspace(1) %pa
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %pr
  br label %end
end:
  ret void
}

//--- launch.json
{
  "version": 1,
  "chip": "sm_90a",
  "functions": [{
    "name": "twice",
    "buffers": [
      {"role": "input", "type": "tensor<100xf32>", "bytes": 400, "alignment": 16},
      {"role": "output", "type": "tensor<100xf32>", "bytes": 400, "alignment": 16}],
    "launches": [{
      "kernel": "twice_kernel_0", "grid": [4, 1, 1], "block": [32, 1, 1],
      "shared_bytes": 0, "arguments": [0, 1]}]
  }]
}
