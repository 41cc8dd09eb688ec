// Sums of bf16 are of f32, for which there are instructions, and are rounded once;
// those of f16 where there is no arithmetic on it (WideSums.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/sums.mlir --schedule-outline-tasks --mlir-print-local-scope | FileCheck %s
// RUN: sched-opt %t/half.mlir --schedule-outline-tasks=widen-half=true | FileCheck %s --check-prefix=HALF
// RUN: sched-opt %t/half.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/half.mlir --schedule-outline-tasks="gpu=true widen-half=true" | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks=widen-half=true | FileCheck %s --check-prefix=STAYS

// STAYS-NOT: tensor.empty() : tensor<{{.*}}xf32>

// The start value is of f32, too.
// CHECK-LABEL: func.func private @filled_0(
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[I:.*]] = linalg.fill ins(%[[TWO]] : f32) outs(%{{.*}} : tensor<32x48xf32>)
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%[[I]] : tensor<32x48xf32>)
// CHECK: %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[B:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK: arith.addf %{{.*}}, %[[P]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<32x48xf32>) outs(%{{.*}} : tensor<32x48xbf16>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16

// What is added to comes last, before it is rounded. What follows stays of bf16.
// CHECK-LABEL: func.func private @added_0(
// CHECK: arith.constant 0.000000e+00 : f32
// CHECK: %[[S:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32x48xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]], %arg2 : tensor<32x48xf32>, tensor<32x48xbf16>)
// CHECK: %[[I:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[Y:.*]] = arith.addf %[[I]], %{{.*}} : f32
// CHECK: arith.truncf %[[Y]]
// CHECK: linalg.exp ins(%[[R]] : tensor<32x48xbf16>)

// Of convolutions, too.
// CHECK-LABEL: func.func private @pixels_0(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x8x16xf32>)

// Of products with one row, windows of each channel, and poolings, of which the
// largest starts with one of f32 as well.
// CHECK-LABEL: func.func private @row_0(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x48xf32>)
// CHECK-LABEL: func.func private @depthwise_0(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x8x32xf32>)
// CHECK-LABEL: func.func private @mean_0(
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]] : f32
// CHECK: arith.truncf
// CHECK-LABEL: func.func private @largest_0(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: arith.maximumf %{{.*}}, %[[X]] : f32
// CHECK: arith.truncf

// HALF: func.func private @half_0(
// HALF: arith.extf %{{.*}} : f16 to f32
// HALF: arith.truncf %{{.*}} : f32 to f16

// So instructions take them, whatever follows.
// RUN: sched-opt %t/sums.mlir --schedule-outline-tasks | sched-opt --schedule-generate-space="target=cpu:mcpu=cooperlake threads=1" | FileCheck %s --check-prefix=SPACE
// SPACE-COUNT-3: schedule.sketch @dot(

// Every candidate is right.
// RUN: rm -rf %t.d
// RUN: sched-opt %t/sums.mlir --auto-schedule="trials=48 batch=12 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RUN: rm -rf %t.d
// RUN: sched-opt %t/half.mlir --schedule-outline-tasks=widen-half=true | sched-opt --auto-schedule="trials=12 batch=12 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of
// RECORD-NOT: "error":"{{[a-z]}}

// Scripts say so, of a processor without arithmetic on f16.
// RUN: sched-opt %t/half.mlir --auto-schedule="target=cpu:mcpu=znver3,triple=x86_64-linux-gnu threads=1 trials=0 quiet=true" --emit=transform -o %t.script.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.script.mlir
// RUN: sched-opt %t/half.mlir --schedule-outline-tasks="widen-half=true widen-bytes=true" --transform-preload-library=transform-library-paths=%t.script.mlir --transform-interpreter | FileCheck %s --check-prefix=REPLAYED
// RUN: sched-opt %t/half.mlir --auto-schedule="target=cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu threads=1 trials=0 quiet=true" --emit=transform | FileCheck %s --check-prefix=NATIVE
// SCRIPT: sched-opt --schedule-outline-tasks="widen-half=true widen-bytes=true" INPUT
// REPLAYED: vector.contract
// NATIVE-NOT: widen-half

//--- sums.mlir
func.func @filled(%a: tensor<32x64xbf16>, %b: tensor<64x48xbf16>) -> tensor<32x48xbf16> {
  %two = arith.constant 2.0 : bf16
  %e = tensor.empty() : tensor<32x48xbf16>
  %i = linalg.fill ins(%two : bf16) outs(%e : tensor<32x48xbf16>) -> tensor<32x48xbf16>
  %r = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%i : tensor<32x48xbf16>) -> tensor<32x48xbf16>
  return %r : tensor<32x48xbf16>
}

func.func @added(%a: tensor<32x64xbf16>, %b: tensor<64x48xbf16>, %c: tensor<32x48xbf16>) -> tensor<32x48xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<32x48xbf16>) -> tensor<32x48xbf16>
  %e = tensor.empty() : tensor<32x48xbf16>
  %y = linalg.exp ins(%r : tensor<32x48xbf16>) outs(%e : tensor<32x48xbf16>) -> tensor<32x48xbf16>
  return %y : tensor<32x48xbf16>
}

func.func @pixels(%x: tensor<1x8x10x32xbf16>, %w: tensor<3x3x32x16xbf16>, %b: tensor<16xbf16>) -> tensor<1x6x8x16xbf16> {
  %e = tensor.empty() : tensor<1x6x8x16xbf16>
  %i = linalg.broadcast ins(%b : tensor<16xbf16>) outs(%e : tensor<1x6x8x16xbf16>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x10x32xbf16>, tensor<3x3x32x16xbf16>) outs(%i : tensor<1x6x8x16xbf16>) -> tensor<1x6x8x16xbf16>
  return %r : tensor<1x6x8x16xbf16>
}

func.func @row(%a: tensor<1x64xbf16>, %b: tensor<64x48xbf16>, %c: tensor<1x48xbf16>) -> tensor<1x48xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<1x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<1x48xbf16>) -> tensor<1x48xbf16>
  return %r : tensor<1x48xbf16>
}

func.func @depthwise(%x: tensor<1x8x10x32xbf16>, %w: tensor<3x3x32xbf16>, %i: tensor<1x6x8x32xbf16>) -> tensor<1x6x8x32xbf16> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x10x32xbf16>, tensor<3x3x32xbf16>) outs(%i : tensor<1x6x8x32xbf16>) -> tensor<1x6x8x32xbf16>
  return %r : tensor<1x6x8x32xbf16>
}

func.func @mean(%x: tensor<1x8x10x32xbf16>) -> tensor<1x7x9x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x7x9x32xbf16>
  %k = tensor.empty() : tensor<2x2xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %r = linalg.pooling_nhwc_sum ins(%x, %k : tensor<1x8x10x32xbf16>, tensor<2x2xbf16>) outs(%i : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  return %r : tensor<1x7x9x32xbf16>
}

func.func @largest(%x: tensor<1x8x10x32xbf16>) -> tensor<1x7x9x32xbf16> {
  %least = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<1x7x9x32xbf16>
  %k = tensor.empty() : tensor<2x2xbf16>
  %i = linalg.fill ins(%least : bf16) outs(%e : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %r = linalg.pooling_nhwc_max ins(%x, %k : tensor<1x8x10x32xbf16>, tensor<2x2xbf16>) outs(%i : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  return %r : tensor<1x7x9x32xbf16>
}

//--- half.mlir
func.func @half(%a: tensor<32x64xf16>, %b: tensor<64x48xf16>, %c: tensor<32x48xf16>) -> tensor<32x48xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x48xf16>) outs(%c : tensor<32x48xf16>) -> tensor<32x48xf16>
  return %r : tensor<32x48xf16>
}

//--- stays.mlir
// A largest that need not be one of the window's, and other bodies.
func.func @unknown_start(%x: tensor<1x8x10x32xbf16>, %k: tensor<2x2xbf16>, %i: tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16> {
  %r = linalg.pooling_nhwc_max ins(%x, %k : tensor<1x8x10x32xbf16>, tensor<2x2xbf16>) outs(%i : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  return %r : tensor<1x7x9x32xbf16>
}

func.func @whole_numbers(%a: tensor<32x64xbf16>, %b: tensor<64x48xbf16>, %c: tensor<32x48xbf16>) -> tensor<32x48xbf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<32x48xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %i = arith.fptosi %x : bf16 to i32
    %j = arith.fptosi %y : bf16 to i32
    %p = arith.muli %i, %j : i32
    %q = arith.sitofp %p : i32 to bf16
    %s = arith.addf %o, %q : bf16
    linalg.yield %s : bf16
  } -> tensor<32x48xbf16>
  return %r : tensor<32x48xbf16>
}
