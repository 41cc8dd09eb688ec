// The pipeline as a whole: what nothing was scheduled of becomes kernels in the
// LLVM dialect, and functions that launch them; stock mlir-opt has it, too.
// RUN: sched-opt %s --sched-lower-to-nvvm="chip=sm_90a" | FileCheck %s
// RUN: mlir-opt-22 --load-pass-plugin=%sched_plugin %s --pass-pipeline='builtin.module(sched-lower-to-nvvm{chip=sm_90a})' | FileCheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @kernels
// CHECK: llvm.func @add_relu_kernel_0
// CHECK-SAME: nvvm.kernel
// CHECK-NOT: memref.
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: func.func @add_relu(%{{.*}}: memref<512x256xf32>, %{{.*}}: memref<256xf32>, %{{.*}}: memref<512x256xf32>)
// CHECK: gpu.launch_func @kernels::@add_relu_kernel_0
func.func @add_relu(%a: tensor<512x256xf32>, %bias: tensor<256xf32>) -> tensor<512x256xf32> {
  %empty = tensor.empty() : tensor<512x256xf32>
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %bias : tensor<512x256xf32>, tensor<256xf32>) outs(%empty : tensor<512x256xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %sum = arith.addf %x, %y : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<512x256xf32>
  return %r : tensor<512x256xf32>
}
