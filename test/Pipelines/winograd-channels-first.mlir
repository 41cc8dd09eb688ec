// 3x3 convolutions with channels outside by Winograd's transforms: sizes that no
// tile divides, pads that differ, a convolution behind another one, weights that
// are a constant, a bias and a relu, what the sums start from, and lines that
// would stay as they are if they were computed directly.
// REQUIRES: host-x86

// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/chain.mlir --auto-schedule="trials=0 threads=1 winograd=2 quiet=true" --emit=transform -o %t/chain1
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/chain1
// RUN: sched-run %t/chain.mlir --transform=%t/chain1 --threads=1 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s
// RUN: sched-opt %t/chain.mlir --auto-schedule="trials=0 threads=2 winograd=2 quiet=true" --emit=transform -o %t/chain2
// RUN: sched-run %t/chain.mlir --transform=%t/chain2 --threads=2 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s
// RUN: sched-opt %t/started.mlir --auto-schedule="trials=0 threads=2 winograd=4 quiet=true" --emit=transform -o %t/started2
// RUN: sched-run %t/started.mlir --transform=%t/started2 --threads=2 --min-repeat-ms=1 --repeats=1 --json | FileCheck %s

// `auto` measures both forms, and records know the faster one.
// RUN: sched-opt %t/started.mlir --auto-schedule="trials=8 threads=1 work-dir=%t/records min-repeat-ms=1" --emit=obj -o %t/tuned.o 2>&1 | FileCheck %s --check-prefix=FORMS
// RUN: sched-opt %t/started.mlir --apply-history-best="threads=1 work-dir=%t/records" --emit=obj -o %t/best.o
// RUN: cmp %t/tuned.o %t/best.o

// SCRIPT: transform.apply_registered_pass "schedule-winograd"
// CHECK: "verified": true
// FORMS: remark: computed {{.*}} with tiles of {{.*}} directly

//--- chain.mlir
func.func @chain(%image: tensor<2x16x31x29xf32>, %u: tensor<24x16x3x3xf32> {schedule.layout_free}, %bias: tensor<24xf32>) -> tensor<2x16x32x28xf32> {
  %v = arith.constant dense<0.125> : tensor<16x24x3x3xf32>
  %z = arith.constant 0.0 : f32
  %x = tensor.pad %image low[0, 0, 2, 0] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x16x31x29xf32> to tensor<2x16x34x30xf32>
  %e = tensor.empty() : tensor<2x24x32x28xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x32x28xf32>) -> tensor<2x24x32x28xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<2x16x34x30xf32>, tensor<24x16x3x3xf32>)
                                outs(%f : tensor<2x24x32x28xf32>) -> tensor<2x24x32x28xf32>
  %b = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %bias : tensor<2x24x32x28xf32>, tensor<24xf32>) outs(%e : tensor<2x24x32x28xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<2x24x32x28xf32>
  %p = tensor.pad %b low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<2x24x32x28xf32> to tensor<2x24x34x30xf32>
  %e1 = tensor.empty() : tensor<2x16x32x28xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<2x16x32x28xf32>) -> tensor<2x16x32x28xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<2x24x34x30xf32>, tensor<16x24x3x3xf32>)
                                outs(%f1 : tensor<2x16x32x28xf32>) -> tensor<2x16x32x28xf32>
  return %r : tensor<2x16x32x28xf32>
}
//--- started.mlir
func.func @started(%x: tensor<1x16x9x70xf32>, %w: tensor<16x16x3x3xf32> {schedule.layout_free}, %start: tensor<1x16x7x68xf32>) -> tensor<1x16x7x68xf32> {
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x9x70xf32>, tensor<16x16x3x3xf32>)
                                outs(%start : tensor<1x16x7x68xf32>) -> tensor<1x16x7x68xf32>
  return %y : tensor<1x16x7x68xf32>
}
