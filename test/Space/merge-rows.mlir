// Rows of several dimensions that lie side by side become one, as the pixels of
// a convolution with a kernel of 1x1.
// RUN: split-file %s %t
// RUN: sched-opt %t/merged.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/merged.mlir --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=GPU
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/stages.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAGES
// RUN: rm -rf %t.s && sched-opt %t/stages.mlir --auto-schedule="trials=12 batch=2 threads=2 cost-model=random work-dir=%t.s min-repeat-ms=1 quiet=true" --emit=obj -o %t.s.o
// RUN: FileCheck %s --check-prefix=STAGED --input-file=%t.s/records.jsonl

// A GPU's kernels share a result's points as they like.
// GPU-NOT: {{63|1008|288}}x

// The bias goes along, and so does what is added; weights stay layout-free.
// CHECK-LABEL: func.func @pixels(
// CHECK-DAG: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1, 2], [3]] : tensor<1x7x9x24xf32> into tensor<63x24xf32>
// CHECK-DAG: %[[W:.*]] = tensor.collapse_shape %arg1 {{.*}} into tensor<24x20xf32>
// CHECK-DAG: %[[Z:.*]] = tensor.collapse_shape %arg3 {{.*}} into tensor<63x20xf32>
// CHECK: %[[R:.*]] = call @[[PIXELS:.*]](%[[X]], %[[W]], %arg2, %[[Z]])
// CHECK: tensor.expand_shape %[[R]] {{\[}}[0, 1, 2], [3]] {{.*}} into tensor<1x7x9x20xf32>
// CHECK: func.func private @[[PIXELS]](%{{.*}}: tensor<63x24xf32>, %{{.*}}: tensor<24x20xf32> {schedule.layout_free}
// CHECK: linalg.fill
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: return

// Whichever dimension is the largest: of 16 images of 7x9, that of the images.
// CHECK-LABEL: func.func @images(
// CHECK: call @[[IMAGES:.*]]({{.*}}) : (tensor<1008x24xf32>, tensor<24x20xf32>, tensor<1008x20xf32>) -> tensor<1008x20xf32>
// CHECK: func.func private @[[IMAGES]](

// CHECK-LABEL: func.func @middle(
// CHECK: call @[[MIDDLE:.*]]({{.*}}) : (tensor<288x24xf32>, tensor<24x20xf32>, tensor<288x20xf32>) -> tensor<288x20xf32>
// CHECK: func.func private @[[MIDDLE]](

// A scale of each head lets all but the heads be merged.
// CHECK-LABEL: func.func @heads(
// CHECK: call @[[HEADS:.*]]({{.*}}) : (tensor<18x5x24xf32>, tensor<24x20xf32>, tensor<5x20xf32>) -> tensor<18x5x20xf32>
// CHECK: func.func private @[[HEADS]](
// CHECK: arith.mulf
// CHECK: arith.mulf

// A scale of each image lets its pixels be merged, but no images.
// CHECK-LABEL: func.func @scaled(
// CHECK: call @[[SCALED:.*]]({{.*}}) : (tensor<16x63x24xf32>, tensor<24x20xf32>, tensor<16x20xf32>) -> tensor<16x63x20xf32>
// CHECK: func.func private @[[SCALED]](
// CHECK: arith.mulf
// CHECK: arith.mulf

// What a linear layer starts from is the broadcast of a bias.
// CHECK-LABEL: func.func @words(
// CHECK: call @[[WORDS:.*]]({{.*}}) : (tensor<20xf32>, tensor<30x24xf32>, tensor<24x20xf32>) -> tensor<30x20xf32>
// CHECK: func.func private @[[WORDS]](
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<20xf32>) outs(%{{.*}} : tensor<30x20xf32>)
// CHECK: arith.mulf

// Of a ReLU before the product, too.
// CHECK-LABEL: func.func @activated(
// CHECK: call @[[ACTIVATED:.*]]({{.*}}) : (tensor<30x24xf32>, tensor<24x20xf32>) -> tensor<30x20xf32>
// CHECK: func.func private @[[ACTIVATED]](
// CHECK: arith.maximumf
// CHECK: arith.mulf

// What is read by zero, as TOSA has it, stays in the task of the product.
// CHECK-LABEL: func.func @zeros(
// CHECK: call @[[ZEROS:.*]]({{.*}}) : (tensor<3x63x24xf32>, tensor<24x20xf32>, tensor<20xf32>, tensor<3x20xf32>) -> tensor<3x63x20xf32>
// CHECK-NOT: call
// CHECK: func.func private @[[ZEROS]](
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.mulf

// Before and after a transpose: pixels, as channels move before them.
// CHECK-LABEL: func.func @channels_first(
// CHECK: call @[[FIRST:.*]]({{.*}}) : (tensor<2x35x24xf32>, tensor<24xf32>) -> tensor<2x24x35xf32>
// CHECK: func.func private @[[FIRST]](
// CHECK: math.exp
// CHECK: arith.addf

// Two parts of two dimensions each; what computes the operand goes along.
// CHECK-LABEL: func.func @halves(
// CHECK: call @[[HALVES:.*]]({{.*}}) : (tensor<15x77xf32>) -> tensor<77x15xf32>
// CHECK: func.func private @[[HALVES]](
// CHECK: math.exp
// CHECK-NEXT: linalg.yield
// CHECK: math.absf

// What all ops have side by side: [5, 7] of @chained are batches.
// CHECK-LABEL: func.func @chained(
// CHECK: call @[[CHAINED:.*]]({{.*}}) : (tensor<4x5x77xf32>) -> tensor<77x5x4xf32>
// CHECK: func.func private @[[CHAINED]](

// Strides, windows, batches of matrices, a single line or column, and a result
// that is transposed as it is computed. Batches of what is transposed, a
// transpose that leaves no two dimensions side by side, or two that another
// operand, or another read of the same, has apart; what reads its place, and what
// transposes nothing and has whole vectors.
// STAYS-NOT: tensor.collapse_shape

// Every candidate is right.
// RUN: rm -rf %t.d
// RUN: sched-opt %t/merged.mlir --auto-schedule="trials=48 batch=12 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of
// RECORD-NOT: "error":"{{[a-z]}}

// STAGED-NOT: "error":"{{[^"]+}}"
// STAGED: "the whole of @centre"
// STAGED-NOT: "error":"{{[^"]+}}"

//--- merged.mlir
func.func @pixels(%x: tensor<1x7x9x24xf32>, %w: tensor<1x1x24x20xf32> {schedule.layout_free}, %b: tensor<20xf32>, %z: tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x9x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x7x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%r, %b : tensor<1x7x9x20xf32>, tensor<20xf32>) outs(%e : tensor<1x7x9x20xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x7x9x20xf32>
  %q = linalg.add ins(%y, %z : tensor<1x7x9x20xf32>, tensor<1x7x9x20xf32>) outs(%e : tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32>
  return %q : tensor<1x7x9x20xf32>
}

func.func @images(%x: tensor<16x7x9x24xf32>, %w: tensor<1x1x24x20xf32>, %i: tensor<16x7x9x20xf32>) -> tensor<16x7x9x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<16x7x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<16x7x9x20xf32>) -> tensor<16x7x9x20xf32>
  return %r : tensor<16x7x9x20xf32>
}

func.func @middle(%x: tensor<2x16x9x24xf32>, %w: tensor<1x1x24x20xf32>, %i: tensor<2x16x9x20xf32>) -> tensor<2x16x9x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x16x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<2x16x9x20xf32>) -> tensor<2x16x9x20xf32>
  return %r : tensor<2x16x9x20xf32>
}

func.func @heads(%x: tensor<2x9x5x24xf32>, %w: tensor<24x20xf32>, %c: tensor<5x20xf32>) -> tensor<2x9x5x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x9x5x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x9x5x20xf32>) -> tensor<2x9x5x20xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, h, f, k) -> (b, s, h, k)>, affine_map<(b, s, h, f, k) -> (k, f)>, affine_map<(b, s, h, f, k) -> (b, s, h, f)>]
    ins(%x, %w : tensor<2x9x5x24xf32>, tensor<24x20xf32>) outs(%i : tensor<2x9x5x20xf32>) -> tensor<2x9x5x20xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, h, f) -> (b, s, h, f)>, affine_map<(b, s, h, f) -> (h, f)>, affine_map<(b, s, h, f) -> (b, s, h, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%r, %c : tensor<2x9x5x20xf32>, tensor<5x20xf32>) outs(%e : tensor<2x9x5x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x9x5x20xf32>
  return %y : tensor<2x9x5x20xf32>
}

func.func @scaled(%x: tensor<16x7x9x24xf32>, %w: tensor<1x1x24x20xf32>, %s: tensor<16x20xf32>) -> tensor<16x7x9x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x7x9x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x7x9x20xf32>) -> tensor<16x7x9x20xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<16x7x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<16x7x9x20xf32>) -> tensor<16x7x9x20xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (n, f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%r, %s : tensor<16x7x9x20xf32>, tensor<16x20xf32>) outs(%e : tensor<16x7x9x20xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<16x7x9x20xf32>
  return %y : tensor<16x7x9x20xf32>
}

#x = affine_map<(b, s, f, k) -> (b, s, k)>
#w = affine_map<(b, s, f, k) -> (k, f)>
#y = affine_map<(b, s, f, k) -> (b, s, f)>
func.func @words(%x: tensor<2x15x24xf32>, %w: tensor<24x20xf32>, %b: tensor<20xf32>) -> tensor<2x15x20xf32> {
  %e = tensor.empty() : tensor<2x15x20xf32>
  %i = linalg.broadcast ins(%b : tensor<20xf32>) outs(%e : tensor<2x15x20xf32>) dimensions = [0, 1]
  %r = linalg.contract indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<2x15x24xf32>, tensor<24x20xf32>) outs(%i : tensor<2x15x20xf32>) -> tensor<2x15x20xf32>
  return %r : tensor<2x15x20xf32>
}

func.func @activated(%x: tensor<2x15x24xf32>, %w: tensor<24x20xf32>) -> tensor<2x15x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x15x24xf32>
  %x0 = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, s, k)>, affine_map<(b, s, k) -> (b, s, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<2x15x24xf32>) outs(%e0 : tensor<2x15x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x15x24xf32>
  %e = tensor.empty() : tensor<2x15x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x15x20xf32>) -> tensor<2x15x20xf32>
  %r = linalg.contract indexing_maps = [#x, #w, #y] ins(%x0, %w : tensor<2x15x24xf32>, tensor<24x20xf32>) outs(%i : tensor<2x15x20xf32>) -> tensor<2x15x20xf32>
  return %r : tensor<2x15x20xf32>
}

func.func @zeros(%x: tensor<3x7x9x24xf32>, %w: tensor<1x1x24x20xf32>, %b: tensor<1x1x1x20xf32>, %s: tensor<3x1x1x20xf32>) -> tensor<3x7x9x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x9x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x9x20xf32>) -> tensor<3x7x9x20xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<3x7x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<3x7x9x20xf32>) -> tensor<3x7x9x20xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (0, 0, 0, f)>, affine_map<(n, h, w, f) -> (n, 0, 0, f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%r, %b, %s : tensor<3x7x9x20xf32>, tensor<1x1x1x20xf32>, tensor<3x1x1x20xf32>) outs(%e : tensor<3x7x9x20xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
    %p = arith.addf %a, %c : f32
    %m = arith.mulf %p, %d : f32
    linalg.yield %m : f32
  } -> tensor<3x7x9x20xf32>
  return %y : tensor<3x7x9x20xf32>
}

func.func @channels_first(%x: tensor<2x5x7x24xf32>, %b: tensor<24xf32>) -> tensor<2x24x5x7xf32> {
  %e = tensor.empty() : tensor<2x24x5x7xf32>
  %t = linalg.transpose ins(%x : tensor<2x5x7x24xf32>) outs(%e : tensor<2x24x5x7xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%t, %b : tensor<2x24x5x7xf32>, tensor<24xf32>) outs(%e : tensor<2x24x5x7xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = math.exp %a : f32
    %q = arith.addf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<2x24x5x7xf32>
  return %y : tensor<2x24x5x7xf32>
}

func.func @halves(%x: tensor<3x5x7x11xf32>) -> tensor<7x11x3x5xf32> {
  %e0 = tensor.empty() : tensor<3x5x7x11xf32>
  %x0 = linalg.exp ins(%x : tensor<3x5x7x11xf32>) outs(%e0 : tensor<3x5x7x11xf32>) -> tensor<3x5x7x11xf32>
  %e = tensor.empty() : tensor<7x11x3x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (c, d, a, b)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x0 : tensor<3x5x7x11xf32>) outs(%e : tensor<7x11x3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.absf %a : f32
    linalg.yield %p : f32
  } -> tensor<7x11x3x5xf32>
  return %y : tensor<7x11x3x5xf32>
}

func.func @chained(%x: tensor<4x5x7x11xf32>) -> tensor<7x11x5x4xf32> {
  %e = tensor.empty() : tensor<7x11x5x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x5x7x11xf32>) outs(%e : tensor<7x11x5x4xf32>) permutation = [2, 3, 1, 0]
  %p = linalg.exp ins(%t : tensor<7x11x5x4xf32>) outs(%e : tensor<7x11x5x4xf32>) -> tensor<7x11x5x4xf32>
  %y = linalg.abs ins(%p : tensor<7x11x5x4xf32>) outs(%e : tensor<7x11x5x4xf32>) -> tensor<7x11x5x4xf32>
  return %y : tensor<7x11x5x4xf32>
}

//--- stays.mlir
func.func @strided(%x: tensor<1x13x17x24xf32>, %w: tensor<1x1x24x20xf32>, %i: tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x13x17x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32>
  return %r : tensor<1x7x9x20xf32>
}

func.func @window(%x: tensor<1x9x9x24xf32>, %w: tensor<3x1x24x20xf32>, %i: tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x24xf32>, tensor<3x1x24x20xf32>) outs(%i : tensor<1x7x9x20xf32>) -> tensor<1x7x9x20xf32>
  return %r : tensor<1x7x9x20xf32>
}

func.func @batches(%x: tensor<3x7x24xf32>, %w: tensor<3x24x20xf32>, %i: tensor<3x7x20xf32>) -> tensor<3x7x20xf32> {
  %r = linalg.batch_matmul ins(%x, %w : tensor<3x7x24xf32>, tensor<3x24x20xf32>) outs(%i : tensor<3x7x20xf32>) -> tensor<3x7x20xf32>
  return %r : tensor<3x7x20xf32>
}

func.func @line(%x: tensor<1x1x9x24xf32>, %w: tensor<1x1x24x20xf32>, %i: tensor<1x1x9x20xf32>) -> tensor<1x1x9x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x1x9x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<1x1x9x20xf32>) -> tensor<1x1x9x20xf32>
  return %r : tensor<1x1x9x20xf32>
}

func.func @column(%x: tensor<1x9x1x24xf32>, %w: tensor<1x1x24x20xf32>, %i: tensor<1x9x1x20xf32>) -> tensor<1x9x1x20xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x1x24xf32>, tensor<1x1x24x20xf32>) outs(%i : tensor<1x9x1x20xf32>) -> tensor<1x9x1x20xf32>
  return %r : tensor<1x9x1x20xf32>
}

func.func @transposed(%x: tensor<2x15x24xf32>, %w: tensor<24x20xf32>, %i: tensor<15x2x20xf32>) -> tensor<15x2x20xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, s, f, k) -> (b, s, k)>, affine_map<(b, s, f, k) -> (k, f)>, affine_map<(b, s, f, k) -> (s, b, f)>]
    ins(%x, %w : tensor<2x15x24xf32>, tensor<24x20xf32>) outs(%i : tensor<15x2x20xf32>) -> tensor<15x2x20xf32>
  return %r : tensor<15x2x20xf32>
}

func.func @transposed_batches(%x: tensor<3x5x7x11xf32>) -> tensor<3x5x11x7xf32> {
  %e = tensor.empty() : tensor<3x5x11x7xf32>
  %y = linalg.transpose ins(%x : tensor<3x5x7x11xf32>) outs(%e : tensor<3x5x11x7xf32>) permutation = [0, 1, 3, 2]
  return %y : tensor<3x5x11x7xf32>
}

func.func @interleaved(%x: tensor<3x5x7x11xf32>) -> tensor<5x11x3x7xf32> {
  %e = tensor.empty() : tensor<5x11x3x7xf32>
  %y = linalg.transpose ins(%x : tensor<3x5x7x11xf32>) outs(%e : tensor<5x11x3x7xf32>) permutation = [1, 3, 0, 2]
  return %y : tensor<5x11x3x7xf32>
}

func.func @biased_by_line(%x: tensor<5x7x24xf32>, %b: tensor<5xf32>) -> tensor<24x5x7xf32> {
  %e = tensor.empty() : tensor<24x5x7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (h, w, f)>, affine_map<(f, h, w) -> (h)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %b : tensor<5x7x24xf32>, tensor<5xf32>) outs(%e : tensor<24x5x7xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %q = arith.addf %a, %c : f32
    linalg.yield %q : f32
  } -> tensor<24x5x7xf32>
  return %y : tensor<24x5x7xf32>
}

func.func @plain(%x: tensor<5x7x32xf32>) -> tensor<5x7x32xf32> {
  %e = tensor.empty() : tensor<5x7x32xf32>
  %y = linalg.exp ins(%x : tensor<5x7x32xf32>) outs(%e : tensor<5x7x32xf32>) -> tensor<5x7x32xf32>
  return %y : tensor<5x7x32xf32>
}

func.func @read_twice(%x: tensor<12x12x12xf32>) -> tensor<12x12x12xf32> {
  %e = tensor.empty() : tensor<12x12x12xf32>
  %p = linalg.exp ins(%x : tensor<12x12x12xf32>) outs(%e : tensor<12x12x12xf32>) -> tensor<12x12x12xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c, a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p, %p : tensor<12x12x12xf32>, tensor<12x12x12xf32>) outs(%e : tensor<12x12x12xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %q = arith.addf %a, %c : f32
    linalg.yield %q : f32
  } -> tensor<12x12x12xf32>
  return %y : tensor<12x12x12xf32>
}

func.func @place(%x: tensor<5x7x24xf32>) -> tensor<24x5x7xf32> {
  %e = tensor.empty() : tensor<24x5x7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(f, h, w) -> (h, w, f)>, affine_map<(f, h, w) -> (f, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<5x7x24xf32>) outs(%e : tensor<24x5x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %h = linalg.index 1 : index
    %i = arith.index_cast %h : index to i32
    %g = arith.sitofp %i : i32 to f32
    %q = arith.addf %a, %g : f32
    linalg.yield %q : f32
  } -> tensor<24x5x7xf32>
  return %y : tensor<24x5x7xf32>
}

// The producer's tiles have other dimensions.
func.func @other_loops(%x: tensor<16x5x7x24xf32>) -> tensor<5x7x24x16xf32> {
  %e0 = tensor.empty() : tensor<24x5x7x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (d, b, c, a)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x : tensor<16x5x7x24xf32>) outs(%e0 : tensor<24x5x7x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = math.exp %a : f32
    linalg.yield %q : f32
  } -> tensor<24x5x7x16xf32>
  %e = tensor.empty() : tensor<5x7x24x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (c, a, b, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p : tensor<24x5x7x16xf32>) outs(%e : tensor<5x7x24x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.negf %a : f32
    linalg.yield %q : f32
  } -> tensor<5x7x24x16xf32>
  return %y : tensor<5x7x24x16xf32>
}

//--- stages.mlir
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#outer = affine_map<(a, b, c, d) -> (a, b)>
#pair = affine_map<(a, b) -> (a, b)>

// All that is added is one line.
// STAGES-LABEL: func.func @sum(
// STAGES: call @[[SUM:.*]](%{{.*}}, %{{.*}}) : (tensor<490xf32>, tensor<490xf32>) -> tensor<490xf32>
func.func @sum(%x: tensor<1x10x7x7xf32>, %y: tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32> {
  %e = tensor.empty() : tensor<1x10x7x7xf32>
  %r = linalg.add ins(%x, %y : tensor<1x10x7x7xf32>, tensor<1x10x7x7xf32>) outs(%e : tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32>
  return %r : tensor<1x10x7x7xf32>
}

// A fill is one of as many.
// STAGES-LABEL: func.func @positive(
// STAGES: call @[[POSITIVE:.*]](%{{.*}}) : (tensor<490xf32>) -> tensor<490xf32>
// STAGES: func.func private @[[POSITIVE]](
// STAGES: linalg.fill {{.*}} -> tensor<490xf32>
func.func @positive(%x: tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x10x7x7xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32>
  %r = linalg.max ins(%x, %zeros : tensor<1x10x7x7xf32>, tensor<1x10x7x7xf32>) outs(%e : tensor<1x10x7x7xf32>) -> tensor<1x10x7x7xf32>
  return %r : tensor<1x10x7x7xf32>
}

// Pixels, where channels have a number each.
// STAGES-LABEL: func.func @bias(
// STAGES: call @[[BIAS:.*]](%{{.*}}, %arg1) : (tensor<2x10x49xf32>, tensor<10xf32>) -> tensor<2x10x49xf32>
func.func @bias(%x: tensor<2x10x7x7xf32>, %y: tensor<10xf32>) -> tensor<2x10x7x7xf32> {
  %e = tensor.empty() : tensor<2x10x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, affine_map<(a, b, c, d) -> (b)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %y : tensor<2x10x7x7xf32>, tensor<10xf32>) outs(%e : tensor<2x10x7x7xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x10x7x7xf32>
  return %r : tensor<2x10x7x7xf32>
}

// What is summed up, in the sum and in what reads it.
// STAGES-LABEL: func.func @centre(
// STAGES: call @[[CENTRE:.*]](%{{.*}}) : (tensor<2x10x49xf32>) -> tensor<2x10x49xf32>
// STAGES: func.func private @[[CENTRE]](
// STAGES: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// STAGES: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
func.func @centre(%x: tensor<2x10x7x7xf32>) -> tensor<2x10x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 0.02040816326 : f32
  %e0 = tensor.empty() : tensor<2x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e0 : tensor<2x10xf32>) -> tensor<2x10xf32>
  %s = linalg.generic {indexing_maps = [#all, #outer], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%x : tensor<2x10x7x7xf32>) outs(%f : tensor<2x10xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x10xf32>
  %m = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<2x10xf32>) outs(%e0 : tensor<2x10xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = arith.mulf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<2x10xf32>
  %e = tensor.empty() : tensor<2x10x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #outer, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %m : tensor<2x10x7x7xf32>, tensor<2x10xf32>) outs(%e : tensor<2x10x7x7xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.subf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x10x7x7xf32>
  return %r : tensor<2x10x7x7xf32>
}

// The pixels of two channels are not side by side in what they are scaled by.
// STAGES-LABEL: func.func @both(
// STAGES: call @[[BOTH:.*]](%{{.*}}, %arg1) : (tensor<2x10x49xf32>, tensor<2x49xf32>) -> tensor<2x10x49xf32>
func.func @both(%x: tensor<2x10x7x7xf32>, %y: tensor<2x49xf32>) -> tensor<2x10x7x7xf32> {
  %w = tensor.expand_shape %y [[0], [1, 2]] output_shape [2, 7, 7] : tensor<2x49xf32> into tensor<2x7x7xf32>
  %e = tensor.empty() : tensor<2x10x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, affine_map<(a, b, c, d) -> (a, c, d)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %w : tensor<2x10x7x7xf32>, tensor<2x7x7xf32>) outs(%e : tensor<2x10x7x7xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x10x7x7xf32>
  return %r : tensor<2x10x7x7xf32>
}

// Whole vectors stay as they are, and so do lines that are read in another order.
// STAGES-LABEL: func.func @vectors(
// STAGES-NOT: tensor.collapse_shape
// STAGES: return
func.func @vectors(%x: tensor<5x7x32xf32>) -> tensor<5x7x32xf32> {
  %e = tensor.empty() : tensor<5x7x32xf32>
  %r = linalg.exp ins(%x : tensor<5x7x32xf32>) outs(%e : tensor<5x7x32xf32>) -> tensor<5x7x32xf32>
  return %r : tensor<5x7x32xf32>
}
// STAGES-LABEL: func.func @order(
// STAGES-NOT: tensor.collapse_shape
// STAGES: return
func.func @order(%x: tensor<5x7xf32>, %y: tensor<7x5xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %r = linalg.generic {indexing_maps = [#pair, affine_map<(a, b) -> (b, a)>, #pair], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : tensor<5x7xf32>, tensor<7x5xf32>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
