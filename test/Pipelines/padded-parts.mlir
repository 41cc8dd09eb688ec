// A padded image of 441 KiB is padded in parts, one image of two at a time, by
// the default schedule for one thread and for two; what comes out is what the plain
// payload gives.
//
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=znver3 threads=1 strategy=none trials=0 winograd=off quiet=true" \
// RUN:   --emit=transform -o %t.1.mlir
// RUN: sched-run %s --entry=lines --transform=%t.1.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=strided --transform=%t.1.mlir --threads=1 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=znver3 threads=2 strategy=none trials=0 winograd=off quiet=true" \
// RUN:   --emit=transform -o %t.2.mlir
// RUN: sched-run %s --entry=lines --transform=%t.2.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=strided --transform=%t.2.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// CHECK: "verified": true
//
// The pads are in parts.
// RUN: sched-opt %s --auto-schedule="target=cpu:mcpu=znver3 threads=1 strategy=none trials=0 winograd=off quiet=true" -o - \
// RUN:   | sched-opt --inline --sched-skip-padding --sched-sink-pads | FileCheck %s --check-prefix=PARTS
// PARTS-LABEL: func.func @lines(
// PARTS-NOT: tensor.pad
// PARTS: scf.for
// PARTS: tensor.pad {{.*}} low[0, %{{.*}}, 1, 0] high[0, %{{.*}}, 1, 0]
// PARTS: } : tensor<1x?x40x64xf32> to tensor<1x22x42x64xf32>
// PARTS-LABEL: func.func @strided(
// PARTS-NOT: tensor.pad
// PARTS: scf.for
// PARTS: tensor.pad

func.func @lines(%x: tensor<2x40x40x64xf32>, %w: tensor<3x3x64x16xf32>) -> tensor<2x40x40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x40x40x64xf32> to tensor<2x42x42x64xf32>
  %e = tensor.empty() : tensor<2x40x40x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x40x40x16xf32>) -> tensor<2x40x40x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%p, %w : tensor<2x42x42x64xf32>, tensor<3x3x64x16xf32>) outs(%f : tensor<2x40x40x16xf32>) -> tensor<2x40x40x16xf32>
  return %r : tensor<2x40x40x16xf32>
}

func.func @strided(%x: tensor<1x60x60x48xf32>, %w: tensor<3x3x48x16xf32>) -> tensor<1x30x30x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x60x60x48xf32> to tensor<1x61x61x48xf32>
  %e = tensor.empty() : tensor<1x30x30x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x30x30x16xf32>) -> tensor<1x30x30x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%p, %w : tensor<1x61x61x48xf32>, tensor<3x3x48x16xf32>) outs(%f : tensor<1x30x30x16xf32>) -> tensor<1x30x30x16xf32>
  return %r : tensor<1x30x30x16xf32>
}
