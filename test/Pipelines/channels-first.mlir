// Convolutions and poolings with channels outside: computed with channels
// innermost, and right.

// RUN: sched-opt %s --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t.script.mlir
// RUN: sched-run %s --entry=conv --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=groups --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=depthwise --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=pool --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=line --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=added --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-run %s --entry=indexed --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s

// CHECK: "verified": true

#id = affine_map<(n, f, h, w) -> (n, f, h, w)>
#row = affine_map<(n, f, h, w) -> (f)>
// A strided stem, started from its bias, and a second convolution that reads
// its result as does the sum at the end.
func.func @conv(%x: tensor<2x3x31x31xf32>, %u: tensor<20x3x3x3xf32>, %b: tensor<20xf32>, %v: tensor<20x20x3x3xf32>) -> tensor<2x20x15x15xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x20x15x15xf32>
  %bias = linalg.broadcast ins(%b : tensor<20xf32>) outs(%e : tensor<2x20x15x15xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %u : tensor<2x3x31x31xf32>, tensor<20x3x3x3xf32>)
      outs(%bias : tensor<2x20x15x15xf32>) -> tensor<2x20x15x15xf32>
  %p = tensor.pad %c low[0, 0, 2, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x20x15x15xf32> to tensor<2x20x17x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x20x15x15xf32>) -> tensor<2x20x15x15xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<2x20x17x17xf32>, tensor<20x20x3x3xf32>) outs(%init : tensor<2x20x15x15xf32>) -> tensor<2x20x15x15xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %d, %b : tensor<2x20x15x15xf32>, tensor<2x20x15x15xf32>, tensor<20xf32>) outs(%e : tensor<2x20x15x15xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.subf %a, %s : f32
    %1 = arith.mulf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<2x20x15x15xf32>
  return %r : tensor<2x20x15x15xf32>
}

func.func @groups(%x: tensor<1x2x8x9x9xf32>, %w: tensor<2x12x8x3x3xf32>, %init: tensor<1x2x12x7x7xf32>) -> tensor<1x2x12x7x7xf32> {
  %c = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x8x9x9xf32>, tensor<2x12x8x3x3xf32>) outs(%init : tensor<1x2x12x7x7xf32>) -> tensor<1x2x12x7x7xf32>
  return %c : tensor<1x2x12x7x7xf32>
}

func.func @depthwise(%x: tensor<1x19x33x33xf32>, %w: tensor<19x3x3xf32>, %init: tensor<1x19x16x16xf32>) -> tensor<1x19x16x16xf32> {
  %c = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x19x33x33xf32>, tensor<19x3x3xf32>)
      outs(%init : tensor<1x19x16x16xf32>) -> tensor<1x19x16x16xf32>
  return %c : tensor<1x19x16x16xf32>
}

func.func @pool(%x: tensor<1x24x13x13xf32>) -> tensor<1x24x6x6xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x24x6x6xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x24x6x6xf32>) -> tensor<1x24x6x6xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x24x13x13xf32>, tensor<3x3xf32>)
      outs(%init : tensor<1x24x6x6xf32>) -> tensor<1x24x6x6xf32>
  return %r : tensor<1x24x6x6xf32>
}

func.func @line(%x: tensor<3x17x41xf32>, %w: tensor<18x17x5xf32>, %init: tensor<3x18x13xf32>) -> tensor<3x18x13xf32> {
  %c = linalg.conv_1d_ncw_fcw {strides = dense<3> : tensor<1xi64>} ins(%x, %w : tensor<3x17x41xf32>, tensor<18x17x5xf32>)
      outs(%init : tensor<3x18x13xf32>) -> tensor<3x18x13xf32>
  return %c : tensor<3x18x13xf32>
}

// The sum is added to the convolution where it is.
func.func @added(%x: tensor<1x16x16x16xf32>, %k: tensor<32x16x3x3xf32>, %b: tensor<32xf32>) -> tensor<1x32x14x14xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x14x14xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x16x16x16xf32>, tensor<32x16x3x3xf32>) outs(%z : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  %g = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%b : tensor<32xf32>) outs(%r : tensor<1x32x14x14xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x32x14x14xf32>
  return %g : tensor<1x32x14x14xf32>
}

// A pad whose sizes are constants, but no attributes.
func.func @indexed(%x: tensor<2x16x7x7xf32>, %w: tensor<24x16x3x3xf32>) -> tensor<2x24x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %p = tensor.pad %x low[0, 0, %c1, %c1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x16x7x7xf32> to tensor<2x16x9x9xf32>
  %e = tensor.empty() : tensor<2x24x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x16x9x9xf32>, tensor<24x16x3x3xf32>) outs(%init : tensor<2x24x7x7xf32>) -> tensor<2x24x7x7xf32>
  return %c : tensor<2x24x7x7xf32>
}
