// Channels that are added to pictures, or taken from them, are an op with a
// loop over channels (MoveChannels.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/moved.mlir --schedule-outline-tasks 2>/dev/null | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks 2>/dev/null | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/moved.mlir --schedule-outline-tasks=gpu=true 2>/dev/null | FileCheck %s --check-prefix=GPU
// RUN: sched-opt %t/moved.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver4,triple=x86_64-linux-gnu quiet=true" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=ASM
// RUN: sched-opt %t/moved.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=haswell,triple=x86_64-linux-gnu quiet=true" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=HASWELL
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=4 threads=2 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/out.mlir
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sched-run %t/run.mlir --work-dir=%t/work --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=CHECKED

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: "the whole of @run"
// RIGHT-NOT: "error":"{{[^"]+}}"
// CHECKED: check: right

//--- moved.mlir
// Red, green, blue, and a constant. Shuffles of vectors take them apart and put
// them together.
// CHECK-LABEL: func.func @pad(
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 0] [48, 64, 1] [1, 1, 1] : tensor<48x64x3xi8> to tensor<48x64xi8>
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 1] [48, 64, 1]
// CHECK-DAG: tensor.extract_slice %arg0[0, 0, 2] [48, 64, 1]
// CHECK: call @[[PAD:pad_[0-9]+]](
// CHECK: func.func private @[[PAD]](
// CHECK: linalg.index 2
// CHECK: arith.select
// CHECK: arith.select
// CHECK: arith.select
// CHECK-NOT: arith.select
// CHECK: return
// GPU-LABEL: func.func @pad(
// GPU: tensor.pad
// ASM-LABEL: pad:
// ASM: {{vpshufb|vpermb|vpermt2b}}
// HASWELL-LABEL: pad:
// HASWELL: vpshufb
func.func @pad(%x: tensor<48x64x3xi8>) -> tensor<48x64x4xi8> {
  %c = arith.constant 9 : i8
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : i8
  } : tensor<48x64x3xi8> to tensor<48x64x4xi8>
  return %p : tensor<48x64x4xi8>
}

// CHECK-LABEL: func.func @concat(
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @concat(%x: tensor<48x64x3xf32>, %y: tensor<48x64x1xf32>) -> tensor<48x64x4xf32> {
  %p = tensor.concat dim(2) %x, %y : (tensor<48x64x3xf32>, tensor<48x64x1xf32>) -> tensor<48x64x4xf32>
  return %p : tensor<48x64x4xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-NOT: tensor.extract_slice %arg0[0, 1]
// CHECK-DAG: tensor.extract_slice %arg0[0, 1] [640, 1]
// CHECK-DAG: tensor.extract_slice %arg0[0, 3] [640, 1]
// CHECK: linalg.generic
func.func @slice(%x: tensor<640x4xf32>) -> tensor<640x2xf32> {
  %p = tensor.extract_slice %x[0, 1] [640, 2] [1, 2] : tensor<640x4xf32> to tensor<640x2xf32>
  return %p : tensor<640x2xf32>
}

//--- stays.mlir
// Lines are padded as well; a convolution, say, could read the pad; many
// channels; one channel at a time; few pixels; a pad that is no constant.
// STAYS-NOT: linalg.index
func.func @lines(%x: tensor<48x64x3xi8>) -> tensor<50x64x4xi8> {
  %c = arith.constant 0 : i8
  %p = tensor.pad %x low[1, 0, 0] high[1, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : i8
  } : tensor<48x64x3xi8> to tensor<50x64x4xi8>
  return %p : tensor<50x64x4xi8>
}

func.func @read(%x: tensor<48x64x3xf32>) -> tensor<48x64x4xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : f32
  } : tensor<48x64x3xf32> to tensor<48x64x4xf32>
  %e = tensor.empty() : tensor<48x64x4xf32>
  %n = linalg.negf ins(%p : tensor<48x64x4xf32>) outs(%e : tensor<48x64x4xf32>) -> tensor<48x64x4xf32>
  return %n : tensor<48x64x4xf32>
}

func.func @many(%x: tensor<48x64x13xf32>) -> tensor<48x64x12xf32> {
  %p = tensor.extract_slice %x[0, 0, 1] [48, 64, 12] [1, 1, 1] : tensor<48x64x13xf32> to tensor<48x64x12xf32>
  return %p : tensor<48x64x12xf32>
}

func.func @ones(%x: tensor<48x64x1xf32>, %y: tensor<48x64x1xf32>) -> tensor<48x64x2xf32> {
  %p = tensor.concat dim(2) %x, %y : (tensor<48x64x1xf32>, tensor<48x64x1xf32>) -> tensor<48x64x2xf32>
  return %p : tensor<48x64x2xf32>
}

func.func @short(%x: tensor<480x6x3xf32>, %y: tensor<480x6x1xf32>) -> tensor<480x6x4xf32> {
  %p = tensor.concat dim(2) %x, %y : (tensor<480x6x3xf32>, tensor<480x6x1xf32>) -> tensor<480x6x4xf32>
  return %p : tensor<480x6x4xf32>
}

func.func @given(%x: tensor<48x64x3xi8>, %v: tensor<i8>) -> tensor<48x64x4xi8> {
  %c = tensor.extract %v[] : tensor<i8>
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : i8
  } : tensor<48x64x3xi8> to tensor<48x64x4xi8>
  return %p : tensor<48x64x4xi8>
}

// A slice that is written as a pad; nothing at all.
func.func @less(%x: tensor<48x64x4xf32>) -> tensor<48x64x3xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, -1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<48x64x4xf32> to tensor<48x64x3xf32>
  return %p : tensor<48x64x3xf32>
}

func.func @nothing(%x: tensor<0x64x3xf32>) -> tensor<0x64x4xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<0x64x3xf32> to tensor<0x64x4xf32>
  return %p : tensor<0x64x4xf32>
}

//--- run.mlir
func.func @run(%x: tensor<7x37x3xi8>, %y: tensor<2x5x33x3xf32>, %z: tensor<2x5x33x2xf32>, %w: tensor<61x8xf64>, %h: tensor<9x19x2xf16>) -> (tensor<7x37x5xi8>, tensor<2x5x33x5xf32>, tensor<61x3xf64>, tensor<9x19x8xf16>) {
  %c = arith.constant -3 : i8
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : i8
  } : tensor<7x37x3xi8> to tensor<7x37x5xi8>
  %q = tensor.concat dim(3) %z, %y : (tensor<2x5x33x2xf32>, tensor<2x5x33x3xf32>) -> tensor<2x5x33x5xf32>
  %s = tensor.extract_slice %w[0, 1] [61, 3] [1, 3] : tensor<61x8xf64> to tensor<61x3xf64>
  %d = arith.constant 1.5 : f16
  %r = tensor.pad %h low[0, 0, 6] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %d : f16
  } : tensor<9x19x2xf16> to tensor<9x19x8xf16>
  return %p, %q, %s, %r : tensor<7x37x5xi8>, tensor<2x5x33x5xf32>, tensor<61x3xf64>, tensor<9x19x8xf16>
}
