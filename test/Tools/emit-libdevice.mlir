// REQUIRES: ptxas, nvptx-registered-target
// What CUDA's library computes is linked and inlined; without a toolkit the
// function is named.

// RUN: sched-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: sched-opt %s --emit=cubin -o %t.cubin
// RUN: not env CUDA_HOME=%t.none sched-opt %s --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: .visible .entry sine_kernel_0
// CHECK-NOT: call
// CHECK: ret;

// NONE: error: no CUDA toolkit for '__nv_sinf', a function without a formula of ours: looked for nvvm/libdevice/libdevice.10.bc in {{.*}}.none; install one, or set CUDA_HOME to its folder
module attributes {schedule.target = "nvvm:sm_80"} {
  func.func @sine(%a: tensor<64xf32>) -> tensor<64xf32> {
    %empty = tensor.empty() : tensor<64xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %sine = math.sin %x : f32
      linalg.yield %sine : f32
    } -> tensor<64xf32>
    return %r : tensor<64xf32>
  }
}
