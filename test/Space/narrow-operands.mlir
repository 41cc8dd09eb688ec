// RUN: sched-opt %s --schedule-outline-tasks --split-input-file | FileCheck %s
// RUN: sched-opt %s --schedule-outline-tasks --schedule-outline-tasks --split-input-file | FileCheck %s

// Three channels become four, with zeros: of the image together with the zeros
// around it, of the weights beforehand.

// CHECK-LABEL: func.func @channels(
// CHECK-DAG: %[[X:.*]] = tensor.pad %arg0 low[0, 3, 3, 0] high[0, 3, 3, 1]
// CHECK-DAG: %[[W:.*]] = tensor.pad %arg1 low[0, 0, 0, 0] high[0, 0, 1, 0]
// CHECK: call @channels_0(%[[X]], %[[W]]) : (tensor<1x38x38x4xi8>, tensor<7x7x4x64xi8>) -> tensor<1x16x16x64xi32>
// CHECK-LABEL: func.func private @channels_0(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: #[[$LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #[[$RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @channels(%x: tensor<1x32x32x3xi8>, %w: tensor<7x7x3x64xi8>) -> tensor<1x16x16x64xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : i8
  } : tensor<1x32x32x3xi8> to tensor<1x38x38x3xi8>
  %e = tensor.empty() : tensor<1x16x16x64xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x64xi32>) -> tensor<1x16x16x64xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x38x38x3xi8>, tensor<7x7x3x64xi8>) outs(%i : tensor<1x16x16x64xi32>) -> tensor<1x16x16x64xi32>
  return %r : tensor<1x16x16x64xi32>
}

// -----

// A left-hand side without neighbours along the reduction is transposed; loops
// of columns come before those of steps.

// CHECK-LABEL: func.func @transposed(
// CHECK: %[[T:.*]] = call @transposed_0(%arg0) : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
// CHECK: call @transposed_1(%[[T]], %arg1, %arg2)
// CHECK-LABEL: func.func private @transposed_1(
// CHECK: linalg.generic {indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%arg0, %arg1 :
#a = affine_map<(m, k, n) -> (k, m)>
#b = affine_map<(m, k, n) -> (k, n)>
#c = affine_map<(m, k, n) -> (m, n)>
func.func @transposed(%a: tensor<64x32xbf16>, %b: tensor<64x48xbf16>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : tensor<64x32xbf16>, tensor<64x48xbf16>) outs(%c : tensor<32x48xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %0 = arith.extf %p : bf16 to f32
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}

// -----

// So do those of a convolution, whose image stays as it is.

// CHECK-LABEL: func.func @loops(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel", "reduction"]}
// CHECK-SAME: ins(%arg0, %arg1 :
func.func @loops(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32x24xi8>, %init: tensor<1x16x16x24xi32>) -> tensor<1x16x16x24xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, y, x, c, f) -> (n, h + y, w + x, c)>,
                                        affine_map<(n, h, w, y, x, c, f) -> (y, x, c, f)>,
                                        affine_map<(n, h, w, y, x, c, f) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]}
      ins(%x, %w : tensor<1x18x18x32xi8>, tensor<3x3x32x24xi8>) outs(%init : tensor<1x16x16x24xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x16x16x24xi32>
  return %r : tensor<1x16x16x24xi32>
}

// -----

// A few steps of several lines, as those of a patch of an image, become one
// dimension of them.

// CHECK-LABEL: func.func @patches(
// CHECK: %[[T:.*]] = call @patches_0(%arg0) : (tensor<9x4x8x16xbf16>) -> tensor<9x8x4x16xbf16>
// CHECK: tensor.collapse_shape %[[T]]
// CHECK: call @patches_1({{.*}}) : (tensor<72x64xbf16>, tensor<64x128xbf16>, tensor<72x128xf32>)
func.func @patches(%x: tensor<9x4x8x16xbf16>, %w: tensor<4x16x128xbf16>, %init: tensor<9x8x128xf32>) -> tensor<9x8x128xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(i, j, d, p, c) -> (i, p, j, c)>, affine_map<(i, j, d, p, c) -> (p, c, d)>,
                                        affine_map<(i, j, d, p, c) -> (i, j, d)>]
      ins(%x, %w : tensor<9x4x8x16xbf16>, tensor<4x16x128xbf16>) outs(%init : tensor<9x8x128xf32>) -> tensor<9x8x128xf32>
  return %r : tensor<9x8x128xf32>
}

// -----

// A dimension of one element is nothing to move.

// CHECK-LABEL: func.func @unit(
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @unit(%x: tensor<72x1x16xbf16>, %w: tensor<16x1x128xbf16>, %init: tensor<72x128xf32>) -> tensor<72x128xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(i, d, p, c) -> (i, p, c)>, affine_map<(i, d, p, c) -> (c, p, d)>,
                                        affine_map<(i, d, p, c) -> (i, d)>]
      ins(%x, %w : tensor<72x1x16xbf16>, tensor<16x1x128xbf16>) outs(%init : tensor<72x128xf32>) -> tensor<72x128xf32>
  return %r : tensor<72x128xf32>
}

// -----

// A product that is written transposed: what makes its columns goes to the
// right, here with signs, to the unsigned bytes of rows.

// CHECK-LABEL: func.func @exchanged(
// CHECK: call @exchanged_0(%arg1, %arg0, %arg2) : (tensor<48x64xi8>, tensor<32x64xi8>, tensor<48x32xi32>)
// CHECK-LABEL: func.func private @exchanged_0(
// CHECK: ^bb0(%[[ROW:.*]]: i8, %[[COLUMN:.*]]: i8, %{{.*}}: i32):
// CHECK-DAG: arith.extui %[[ROW]]
// CHECK-DAG: arith.extsi %[[COLUMN]]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (n, m)>
func.func @exchanged(%a: tensor<32x64xi8>, %b: tensor<48x64xi8>, %c: tensor<48x32xi32>) -> tensor<48x32xi32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<32x64xi8>, tensor<48x64xi8>) outs(%c : tensor<48x32xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extui %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<48x32xi32>
  return %r : tensor<48x32xi32>
}

// -----

// Not: operands that few rows or columns read, one channel of four, floats.

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: tensor.pad
// CHECK: linalg.matmul ins({{.*}} : tensor<4x63xi8>
func.func @rows(%a: tensor<4x63xi8>, %b: tensor<63x48xi8>, %c: tensor<4x48xi32>) -> tensor<4x48xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x63xi8>, tensor<63x48xi8>) outs(%c : tensor<4x48xi32>) -> tensor<4x48xi32>
  return %r : tensor<4x48xi32>
}
// CHECK-LABEL: func.func @gray(
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nhwc_hwcf ins({{.*}} : tensor<1x32x32x1xi8>
func.func @gray(%x: tensor<1x32x32x1xi8>, %w: tensor<3x3x1x64xi8>, %c: tensor<1x30x30x64xi32>) -> tensor<1x30x30x64xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x32x32x1xi8>, tensor<3x3x1x64xi8>)
                                outs(%c : tensor<1x30x30x64xi32>) -> tensor<1x30x30x64xi32>
  return %r : tensor<1x30x30x64xi32>
}
// CHECK-LABEL: func.func @floats(
// CHECK-NOT: tensor.pad
// CHECK: linalg.matmul ins({{.*}} : tensor<64x63xf32>
func.func @floats(%a: tensor<64x63xf32>, %b: tensor<63x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x63xf32>, tensor<63x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// -----

// What makes a narrow operand is a task of its own: instructions read it from
// memory. Where none pays, for so few rows, it is computed on the way.

// CHECK-LABEL: func.func @narrowed(
// CHECK: %[[X:.*]] = call @narrowed_0(%arg0) : (tensor<32x64xf32>) -> tensor<32x64xbf16>
// CHECK: call @narrowed_1(%[[X]], %arg1, %arg2)
// CHECK-LABEL: func.func @few(
// CHECK: linalg.generic
// CHECK: linalg.matmul
#id = affine_map<(m, k) -> (m, k)>
func.func @narrowed(%a: tensor<32x64xf32>, %b: tensor<64x48xbf16>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x64xbf16>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %0 = arith.truncf %p : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<32x64xbf16>
  %r = linalg.matmul ins(%x, %b : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}
func.func @few(%a: tensor<4x64xf32>, %b: tensor<64x48xbf16>, %c: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %e = tensor.empty() : tensor<4x64xbf16>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %0 = arith.truncf %p : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x64xbf16>
  %r = linalg.matmul ins(%x, %b : tensor<4x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<4x48xf32>) -> tensor<4x48xf32>
  return %r : tensor<4x48xf32>
}

// What a pad crops does not come back.
// CHECK-LABEL: func.func @cropped(
// CHECK: tensor.pad %arg0 low[0, 0] high[0, -7]
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 1]
func.func @cropped(%a: tensor<32x66xi8>, %b: tensor<59x32xi8>, %c: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %zero = arith.constant 0 : i8
  %part = tensor.pad %a low[0, 0] high[0, -7] {
  ^bb0(%m: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<32x66xi8> to tensor<32x59xi8>
  %r = linalg.matmul ins(%part, %b : tensor<32x59xi8>, tensor<59x32xi8>) outs(%c : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}
