// A function on a GPU: this one is none (test/FakeDriver), and its kernels copy.

// REQUIRES: nvptx-registered-target

// RUN: rm -rf %t && mkdir %t && echo launch-us=40 > %t/gpu
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/gpu sched-run %s --target=nvvm:native \
// RUN:   --min-repeat-ms=1 --repeats=3 | FileCheck %s
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/gpu sched-run %s --target=nvvm:native \
// RUN:   --min-repeat-ms=1 --repeats=3 --json | FileCheck %s --check-prefix=JSON
// RUN: env %no_gpu not sched-run %s --target=nvvm:sm_90a 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env %no_gpu not sched-run %s --target=nvvm:native 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/gpu not sched-run %s --target=nvvm:sm_80 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER

// What it computes is compared.
// RUN: echo kernel=nothing > %t/lazy
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/lazy not sched-run %s --target=nvvm:native 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG

// CHECK: @f(24x16xf32) -> (24x16xf32), Fake GPU (sm_90)
// CHECK: default {{ *}}40.00 {{ *}}40.00
// CHECK-NEXT: f_kernel_0: {{[0-9]+}} blocks of {{[0-9]+}} threads, {{[0-9]+}} registers, {{[0-9]+}} bytes of shared memory, 0 of local memory
// CHECK-NEXT: check: right
// JSON: "device": "Fake GPU"
// JSON: "kernel": "f_kernel_0"
// JSON: "verified": true
// NONE: error: found target 'nvvm:{{.*}}', a GPU: expected --emulate, as its code cannot run here: found no NVIDIA driver
// NATIVE: error: target 'nvvm:native' is the GPU of this machine: found no NVIDIA driver
// OTHER: as its code cannot run here: found Fake GPU, a GPU of sm_90, expected one that runs code for sm_80
// WRONG: error: wrong-result (check): element [0, 0] of 24x16xf32

func.func @f(%a: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %empty = tensor.empty() : tensor<24x16xf32>
  %r = linalg.copy ins(%a : tensor<24x16xf32>) outs(%empty : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %r : tensor<24x16xf32>
}
