// What only changes the layout is no task: it is compiled by default, and named
// in a remark, for a GPU as for a CPU.

// RUN: sched-opt %s --auto-schedule="target=nvvm:sm_80 trials=0" -verify-diagnostics --emit=llvm -o %t.ll --emit-launch=%t.json
// RUN: sched-opt %s --auto-schedule="trials=0" -verify-diagnostics -o /dev/null
// RUN: sched-run %s --entry=packed --target=nvvm:sm_80 --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s
// RUN: sched-run %s --entry=unpacked --target=nvvm:sm_80 --emulate --kernels=%t.ll --launch=%t.json | FileCheck %s
// CHECK: check: right
// REQUIRES: nvptx-registered-target

// expected-remark @below {{compiled by the default schedule, without a search: no op to schedule found in @packed: 'linalg.pack' op only moves elements to another layout}}
func.func @packed(%x: tensor<64x48xf32>) -> tensor<8x6x8x8xf32> {
  %e = tensor.empty() : tensor<8x6x8x8xf32>
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : tensor<64x48xf32> -> tensor<8x6x8x8xf32>
  return %r : tensor<8x6x8x8xf32>
}

// expected-remark @below {{compiled by the default schedule, without a search: no op to schedule found in @unpacked: 'linalg.unpack' op only moves elements to another layout}}
func.func @unpacked(%x: tensor<8x6x8x8xf32>) -> tensor<64x48xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : tensor<8x6x8x8xf32> -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
