// REQUIRES: nvptx-registered-target
// The example of docs/GPU.md: a convolution with padding, bias and relu is one
// kernel of a GPU. Its schedule, its PTX and how it is launched are printed.

// RUN: sched-opt --auto-schedule="target=nvvm:sm_90a trials=0 quiet=true" %S/../../docs/resnet-convolution.mlir \
// RUN:   --emit=transform | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: --schedule-outline-tasks=gpu=true
// SCRIPT: transform.structured.tile_using_forall {{.*}}mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]
// SCRIPT: transform.structured.fuse_into_containing_op
// SCRIPT: transform.structured.tile_using_for
// SCRIPT: transform.annotate {{.*}} "sched.simt"

// What is scheduled is on tensors: stock mlir-opt makes it of the script.
// RUN: sched-opt --auto-schedule="target=nvvm:sm_90a trials=0 quiet=true" %S/../../docs/resnet-convolution.mlir | FileCheck %s --check-prefix=TILES
// TILES: schedule.target = "nvvm:sm_90a"
// TILES: scf.forall
// TILES: scf.for
// TILES: linalg.conv_2d_nchw_fchw {sched.simt = {{.*}}threads
// TILES: {mapping = [#gpu.block

// Channels stay where they are, and nothing is copied before.
// RUN: sched-opt --auto-schedule="target=nvvm:sm_90a trials=0 quiet=true" %S/../../docs/resnet-convolution.mlir \
// RUN:   --emit=ptx -o %t.ptx --emit-launch=%t.json --emit-header=%t.h
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// PTX: .target sm_90a
// PTX: .visible .entry conv2d_layer_kernel_0(
// PTX: .reqntid
// PTX: cp.async
// PTX: fma.rn.f32
// PTX: max.NaN.f32
// PTX-NOT: .entry

// RUN: FileCheck %s --check-prefix=LAUNCH < %t.json
// LAUNCH: "buffers"
// LAUNCH: "type": "tensor<1x512x7x7xf32>"
// LAUNCH: "type": "tensor<512x512x3x3xf32>"
// LAUNCH: "type": "tensor<1x512x1x1xf32>"
// LAUNCH: "role": "output"
// LAUNCH-NOT: "role": "scratch"
// LAUNCH: "kernel": "conv2d_layer_kernel_0"

// RUN: FileCheck %s --check-prefix=HEADER < %t.h
// HEADER: enum { conv2d_layer_buffer_count = 4, conv2d_layer_launch_count = 1 };

// RUN: %if ptxas %{ ptxas -arch sm_90a %t.ptx -o %t.cubin %}
