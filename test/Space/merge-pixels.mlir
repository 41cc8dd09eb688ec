// Columns and channels of pictures whose pixels have few channels become one
// dimension, which fills vectors (MergePixels.cpp).
// RUN: split-file %s %t
// RUN: sched-opt %t/merged.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/merged.mlir --schedule-outline-tasks=gpu=true | FileCheck %s --check-prefix=GPU
// RUN: sched-opt %t/merged.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver5,triple=x86_64-linux-gnu quiet=true" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=ASM
// RUN: sched-opt %t/run.mlir --auto-schedule="trials=4 threads=2 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/out.mlir
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/work/records.jsonl
// RUN: sched-run %t/run.mlir --work-dir=%t/work --threads=2 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=CHECKED

// RIGHT-NOT: "error":"{{[^"]+}}"
// RIGHT: "the whole of @run"
// RIGHT-NOT: "error":"{{[^"]+}}"
// CHECKED: check: right

//--- merged.mlir
#pixel = affine_map<(h, w, c) -> (h, w, c)>
#channel = affine_map<(h, w, c) -> (c)>

// A dilated filter, padded, and a bias with a ReLU: taps and bias are repeated
// for the pixels of a line, and columns are padded by pixels.
// CHECK-LABEL: func.func @filter(
// CHECK: %[[IMAGE:.*]] = tensor.collapse_shape %arg0 {{\[}}[0], [1], [2, 3]] : tensor<1x20x30x3xf32> into tensor<1x20x90xf32>
// CHECK: %[[PADDED:.*]] = tensor.pad %[[IMAGE]] low[0, 1, 6] high[0, 1, 6]
// CHECK: %[[BIAS:.*]] = call @[[BIASES:.*]](%arg2) : (tensor<3xf32>) -> tensor<30x3xf32>
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %[[BIAS]] {{\[}}[0, 1]]
// CHECK: %[[R:.*]] = call @[[FILTER:.*]](%arg1, %[[PADDED]], %[[LINE]])
// CHECK: tensor.expand_shape %[[R]] {{\[}}[0], [1], [2, 3]] {{.*}} into tensor<1x20x30x3xf32>
// CHECK: func.func private @[[FILTER]](
// CHECK: linalg.broadcast ins(%arg0 : tensor<3x3x3xf32>) outs(%{{.*}} : tensor<3x3x30x3xf32>) dimensions = [2]
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.maximumf
// CHECK: func.func private @[[BIASES]](
// CHECK: linalg.broadcast ins(%arg0 : tensor<3xf32>) outs(%{{.*}} : tensor<30x3xf32>) dimensions = [0]
// GPU-LABEL: func.func @filter(
// GPU-NOT: tensor.collapse_shape
// GPU: return
// ASM-LABEL: filter:
// ASM: vfmadd231ps {{.*}}%zmm
func.func @filter(%image: tensor<1x20x30x3xf32>, %taps: tensor<3x3x3xf32>, %bias: tensor<3xf32>) -> tensor<1x20x30x3xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 2, 0] high[0, 1, 2, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x20x30x3xf32> to tensor<1x22x34x3xf32>
  %empty = tensor.empty() : tensor<1x20x30x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x20x30x3xf32>) -> tensor<1x20x30x3xf32>
  %sums = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%padded, %taps : tensor<1x22x34x3xf32>, tensor<3x3x3xf32>) outs(%fill : tensor<1x20x30x3xf32>) -> tensor<1x20x30x3xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : tensor<1x20x30x3xf32>, tensor<3xf32>) outs(%empty : tensor<1x20x30x3xf32>) {
  ^bb0(%x: f32, %b: f32, %o: f32):
    %sum = arith.addf %x, %b : f32
    %max = arith.maximumf %sum, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x20x30x3xf32>
  return %result : tensor<1x20x30x3xf32>
}

// A pooling has no taps.
// CHECK-LABEL: func.func @pooling(
// CHECK-NOT: linalg.broadcast
// CHECK: call @{{.*}} : (tensor<1x9x90xf32>{{.*}}) -> tensor<1x7x84xf32>
// GPU-LABEL: func.func @pooling(
func.func @pooling(%image: tensor<1x9x30x3xf32>) -> tensor<1x7x28x3xf32> {
  %zero = arith.constant 0.0 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x7x28x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x28x3xf32>) -> tensor<1x7x28x3xf32>
  %result = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %window : tensor<1x9x30x3xf32>, tensor<3x3xf32>) outs(%fill : tensor<1x7x28x3xf32>) -> tensor<1x7x28x3xf32>
  return %result : tensor<1x7x28x3xf32>
}

// Slices of lines, and an op between that would be whole: they stay together.
// CHECK-LABEL: func.func @slices(
// CHECK: %[[LINES:.*]] = tensor.collapse_shape %arg0 {{\[}}[0], [1, 2]] : tensor<16x32x3xf32> into tensor<16x96xf32>
// CHECK: call @{{.*}}(%[[LINES]]) : (tensor<16x96xf32>) -> tensor<16x96xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, 3] [16, 93] [1, 1]
// CHECK: call @{{.*}} -> tensor<16x93xf32>
// GPU-LABEL: func.func @slices(
func.func @slices(%image: tensor<16x32x3xf32>) -> tensor<16x31x3xf32> {
  %all = tensor.empty() : tensor<16x32x3xf32>
  %roots = linalg.sqrt ins(%image : tensor<16x32x3xf32>) outs(%all : tensor<16x32x3xf32>) -> tensor<16x32x3xf32>
  %a = tensor.extract_slice %roots[0, 0, 0] [16, 31, 3] [1, 1, 1] : tensor<16x32x3xf32> to tensor<16x31x3xf32>
  %b = tensor.extract_slice %roots[0, 1, 0] [16, 31, 3] [1, 1, 1] : tensor<16x32x3xf32> to tensor<16x31x3xf32>
  %empty = tensor.empty() : tensor<16x31x3xf32>
  %result = linalg.sub ins(%b, %a : tensor<16x31x3xf32>, tensor<16x31x3xf32>) outs(%empty : tensor<16x31x3xf32>) -> tensor<16x31x3xf32>
  return %result : tensor<16x31x3xf32>
}

//--- stays.mlir
#pixel = affine_map<(h, w, c) -> (h, w, c)>
#channel = affine_map<(h, w, c) -> (c)>

// Every other pixel of a line is no part of a whole one.
// STAYS-LABEL: func.func @strided(
// STAYS-NOT: tensor.collapse_shape
// STAYS: return
func.func @strided(%image: tensor<1x41x41x3xf32>, %taps: tensor<3x3x3xf32>) -> tensor<1x20x20x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x20x20x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x20x20x3xf32>) -> tensor<1x20x20x3xf32>
  %result = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%image, %taps : tensor<1x41x41x3xf32>, tensor<3x3x3xf32>) outs(%fill : tensor<1x20x20x3xf32>) -> tensor<1x20x20x3xf32>
  return %result : tensor<1x20x20x3xf32>
}

// Channels that fill a vector; taps that would be repeated for a few lines.
// STAYS-LABEL: func.func @channels(
// STAYS-NOT: tensor.collapse_shape
// STAYS: return
func.func @channels(%image: tensor<1x20x20x16xf32>, %taps: tensor<3x3x16xf32>) -> tensor<1x18x18x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x18x18x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x18x18x16xf32>) -> tensor<1x18x18x16xf32>
  %result = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %taps : tensor<1x20x20x16xf32>, tensor<3x3x16xf32>) outs(%fill : tensor<1x18x18x16xf32>) -> tensor<1x18x18x16xf32>
  return %result : tensor<1x18x18x16xf32>
}
// STAYS-LABEL: func.func @lines(
// STAYS-NOT: tensor.collapse_shape
// STAYS: return
func.func @lines(%image: tensor<1x9x300x3xf32>, %taps: tensor<3x3x3xf32>) -> tensor<1x7x298x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x298x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x298x3xf32>) -> tensor<1x7x298x3xf32>
  %result = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %taps : tensor<1x9x300x3xf32>, tensor<3x3x3xf32>) outs(%fill : tensor<1x7x298x3xf32>) -> tensor<1x7x298x3xf32>
  return %result : tensor<1x7x298x3xf32>
}

// A bias behind a product is its epilogue.
// STAYS-LABEL: func.func @epilogue(
// STAYS: call @{{.*}}, %arg1, %arg2) : {{.*}} -> tensor<640x3xf32>
func.func @epilogue(%rows: tensor<16x40x8xf32>, %weights: tensor<8x3xf32>, %bias: tensor<3xf32>) -> tensor<16x40x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x40x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x40x3xf32>) -> tensor<16x40x3xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(h, w, c, k) -> (h, w, k)>, affine_map<(h, w, c, k) -> (k, c)>, affine_map<(h, w, c, k) -> (h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%rows, %weights : tensor<16x40x8xf32>, tensor<8x3xf32>) outs(%fill : tensor<16x40x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x40x3xf32>
  %result = linalg.generic {indexing_maps = [#pixel, #channel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%product, %bias : tensor<16x40x3xf32>, tensor<3xf32>) outs(%empty : tensor<16x40x3xf32>) {
  ^bb0(%x: f32, %b: f32, %o: f32):
    %sum = arith.addf %x, %b : f32
    linalg.yield %sum : f32
  } -> tensor<16x40x3xf32>
  return %result : tensor<16x40x3xf32>
}

// Numbers without a width are no vectors.
// STAYS-LABEL: func.func @indices(
// STAYS-NOT: tensor.collapse_shape
// STAYS: return
func.func @indices(%image: tensor<16x40x3xindex>) -> tensor<16x39x3xindex> {
  %a = tensor.extract_slice %image[0, 0, 0] [16, 39, 3] [1, 1, 1] : tensor<16x40x3xindex> to tensor<16x39x3xindex>
  %b = tensor.extract_slice %image[0, 1, 0] [16, 39, 3] [1, 1, 1] : tensor<16x40x3xindex> to tensor<16x39x3xindex>
  %empty = tensor.empty() : tensor<16x39x3xindex>
  %result = linalg.generic {indexing_maps = [#pixel, #pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<16x39x3xindex>, tensor<16x39x3xindex>) outs(%empty : tensor<16x39x3xindex>) {
  ^bb0(%x: index, %y: index, %o: index):
    %sum = arith.addi %x, %y : index
    linalg.yield %sum : index
  } -> tensor<16x39x3xindex>
  return %result : tensor<16x39x3xindex>
}

// So it is behind a reshape.
// STAYS-LABEL: func.func @reshaped(
// STAYS-NOT: linalg.broadcast
// STAYS: return
func.func @reshaped(%rows: tensor<640x8xf32>, %weights: tensor<8x5xf32>, %bias: tensor<5xf32>) -> tensor<16x40x5xf32> {
  %zero = arith.constant 0.0 : f32
  %start = tensor.empty() : tensor<640x5xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%start : tensor<640x5xf32>) -> tensor<640x5xf32>
  %product = linalg.matmul ins(%rows, %weights : tensor<640x8xf32>, tensor<8x5xf32>) outs(%fill : tensor<640x5xf32>) -> tensor<640x5xf32>
  %lines = tensor.expand_shape %product [[0, 1], [2]] output_shape [16, 40, 5] : tensor<640x5xf32> into tensor<16x40x5xf32>
  %empty = tensor.empty() : tensor<16x40x5xf32>
  %result = linalg.generic {indexing_maps = [#pixel, #channel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%lines, %bias : tensor<16x40x5xf32>, tensor<5xf32>) outs(%empty : tensor<16x40x5xf32>) {
  ^bb0(%x: f32, %b: f32, %o: f32):
    %sum = arith.addf %x, %b : f32
    linalg.yield %sum : f32
  } -> tensor<16x40x5xf32>
  return %result : tensor<16x40x5xf32>
}

// Each line has scales of its own: repeated, they would be another picture.
// STAYS-LABEL: func.func @scales(
// STAYS-NOT: linalg.broadcast
// STAYS: return
func.func @scales(%image: tensor<16x40x5xf32>, %scales: tensor<16x5xf32>) -> tensor<16x40x5xf32> {
  %empty = tensor.empty() : tensor<16x40x5xf32>
  %result = linalg.generic {indexing_maps = [#pixel, affine_map<(h, w, c) -> (h, c)>, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%image, %scales : tensor<16x40x5xf32>, tensor<16x5xf32>) outs(%empty : tensor<16x40x5xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %scaled = arith.mulf %x, %s : f32
    linalg.yield %scaled : f32
  } -> tensor<16x40x5xf32>
  return %result : tensor<16x40x5xf32>
}

// A pad that shifts the channels, and nothing at all.
// STAYS-LABEL: func.func @shifted(
// STAYS: tensor.pad %arg0 low[0, 1, 1] high[0, 0, -1]
func.func @shifted(%image: tensor<16x40x3xf32>) -> tensor<16x39x3xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1] high[0, 0, -1] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<16x40x3xf32> to tensor<16x41x3xf32>
  %a = tensor.extract_slice %padded[0, 0, 0] [16, 39, 3] [1, 1, 1] : tensor<16x41x3xf32> to tensor<16x39x3xf32>
  %b = tensor.extract_slice %padded[0, 2, 0] [16, 39, 3] [1, 1, 1] : tensor<16x41x3xf32> to tensor<16x39x3xf32>
  %empty = tensor.empty() : tensor<16x39x3xf32>
  %result = linalg.sub ins(%b, %a : tensor<16x39x3xf32>, tensor<16x39x3xf32>) outs(%empty : tensor<16x39x3xf32>) -> tensor<16x39x3xf32>
  return %result : tensor<16x39x3xf32>
}
// STAYS-LABEL: func.func @nothing(
func.func @nothing(%x: tensor<16x0x3xf32>) -> tensor<16x0x3xf32> {
  %e = tensor.empty() : tensor<16x0x3xf32>
  %r = linalg.exp ins(%x : tensor<16x0x3xf32>) outs(%e : tensor<16x0x3xf32>) -> tensor<16x0x3xf32>
  return %r : tensor<16x0x3xf32>
}

// The window is over a fill of a slice, which nothing reads.
// STAYS-LABEL: func.func @filled(
// STAYS: linalg.fill
func.func @filled(%images: tensor<2x12x40x3xf32>, %window: tensor<3x3xf32>) -> tensor<1x10x38x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %slice = tensor.extract_slice %images[1, 0, 0, 0] [1, 12, 40, 3] [1, 1, 1, 1] : tensor<2x12x40x3xf32> to tensor<1x12x40x3xf32>
  %ones = linalg.fill ins(%one : f32) outs(%slice : tensor<1x12x40x3xf32>) -> tensor<1x12x40x3xf32>
  %empty = tensor.empty() : tensor<1x10x38x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x10x38x3xf32>) -> tensor<1x10x38x3xf32>
  %result = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%ones, %window : tensor<1x12x40x3xf32>, tensor<3x3xf32>) outs(%fill : tensor<1x10x38x3xf32>) -> tensor<1x10x38x3xf32>
  return %result : tensor<1x10x38x3xf32>
}

//--- run.mlir
#pixel = affine_map<(h, w, c) -> (h, w, c)>
#channel = affine_map<(h, w, c) -> (c)>

// Pixels are normalised, filtered, and their neighbours' difference is taken.
func.func @run(%image: tensor<33x47x3xf32>, %mean: tensor<3xf32>, %taps: tensor<3x5x3xf32>) -> tensor<31x42x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<33x47x3xf32>
  %centred = linalg.generic {indexing_maps = [#pixel, #channel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%image, %mean : tensor<33x47x3xf32>, tensor<3xf32>) outs(%empty : tensor<33x47x3xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    linalg.yield %d : f32
  } -> tensor<33x47x3xf32>
  %padded = tensor.pad %centred low[1, 0, 0] high[0, 1, 0] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %one : f32
  } : tensor<33x47x3xf32> to tensor<34x48x3xf32>
  %images = tensor.expand_shape %padded [[0, 1], [2], [3]] output_shape [1, 34, 48, 3] : tensor<34x48x3xf32> into tensor<1x34x48x3xf32>
  %start = tensor.empty() : tensor<1x32x44x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%start : tensor<1x32x44x3xf32>) -> tensor<1x32x44x3xf32>
  %filtered = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%images, %taps : tensor<1x34x48x3xf32>, tensor<3x5x3xf32>) outs(%fill : tensor<1x32x44x3xf32>) -> tensor<1x32x44x3xf32>
  %lines = tensor.collapse_shape %filtered [[0, 1], [2], [3]] : tensor<1x32x44x3xf32> into tensor<32x44x3xf32>
  %a = tensor.extract_slice %lines[0, 0, 0] [31, 42, 3] [1, 1, 1] : tensor<32x44x3xf32> to tensor<31x42x3xf32>
  %b = tensor.extract_slice %lines[1, 2, 0] [31, 42, 3] [1, 1, 1] : tensor<32x44x3xf32> to tensor<31x42x3xf32>
  %out = tensor.empty() : tensor<31x42x3xf32>
  %result = linalg.sub ins(%b, %a : tensor<31x42x3xf32>, tensor<31x42x3xf32>) outs(%out : tensor<31x42x3xf32>) -> tensor<31x42x3xf32>
  return %result : tensor<31x42x3xf32>
}
