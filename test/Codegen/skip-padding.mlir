// RUN: sched-opt %s --sched-skip-padding --split-input-file | FileCheck %s

// The window's lines that are inside of the image, for one line of the result.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1) -> (d1, d0 * -2 + 1)>
// CHECK-DAG: #[[$PAST:.*]] = affine_map<(d0, d1) -> (d1, d0 * -2 + 8)>
// CHECK-LABEL: func.func @window_lines(
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[LINE:.*]] = %c0 to %c4 step %c1
// CHECK: %[[LOWER:.*]] = affine.max #[[$FIRST]](%[[LINE]], %c0)
// CHECK: %[[UPPER:.*]] = affine.min #[[$PAST]](%[[LINE]], %c3)
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c1
// Only lines of the image are read: it needs no padded copy.
// CHECK: vector.transfer_read %arg0[
func.func @window_lines(%x: tensor<7x8xf32>, %w: tensor<3x8x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %r = scf.for %line = %c0 to %c4 step %c1 iter_args(%out = %y) -> (tensor<4x16xf32>) {
    %v = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (vector<16xf32>) {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%line)[%q]
      %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
      %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x8x16xf32>, vector<8x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %o = vector.transfer_write %v, %out[%line, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<4x16xf32>
    scf.yield %o : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}

// -----

// The lines of the result that one line of the window adds to: tiles of the
// result pass through slices, reads, products and writes.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1) -> (d1, -d0 + 1)>
// CHECK-DAG: #[[$PAST:.*]] = affine_map<(d0, d1) -> (d1, -d0 + 8)>
// CHECK-LABEL: func.func @result_lines(
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[Q:.*]] = %c0 to %c3 step %c1
// CHECK: %[[LOWER:.*]] = affine.max #[[$FIRST]](%[[Q]], %c0)
// CHECK: %[[UPPER:.*]] = affine.min #[[$PAST]](%[[Q]], %c7)
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c1
// Only lines of the image are read: it needs no padded copy.
// CHECK: vector.transfer_read %arg0[
func.func @result_lines(%x: tensor<7x8xf32>, %w: tensor<3x8x16xf32>, %y: tensor<7x1x16xf32>) -> tensor<7x1x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%all = %y) -> (tensor<7x1x16xf32>) {
    %v = scf.for %line = %c0 to %c7 step %c1 iter_args(%out = %all) -> (tensor<7x1x16xf32>) {
      %tile = tensor.extract_slice %out[%line, 0, 0] [1, 1, 16] [1, 1, 1] : tensor<7x1x16xf32> to tensor<16xf32>
      %sum = vector.transfer_read %tile[%c0], %zero {in_bounds = [true]} : tensor<16xf32>, vector<16xf32>
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%line)[%q]
      %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
      %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x8x16xf32>, vector<8x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
      %o = vector.transfer_write %next, %tile[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
      %into = tensor.insert_slice %o into %out[%line, 0, 0] [1, 1, 16] [1, 1, 1] : tensor<16xf32> into tensor<7x1x16xf32>
      scf.yield %into : tensor<7x1x16xf32>
    }
    scf.yield %v : tensor<7x1x16xf32>
  }
  return %r : tensor<7x1x16xf32>
}

// -----

// Padding of ones counts; so does an epilogue in the loop.
// CHECK-LABEL: func.func @stays(
// CHECK: tensor.pad
// CHECK-NOT: affine.m
func.func @stays(%x: tensor<7x8xf32>, %w: tensor<8x16xf32>, %y: tensor<7x16xf32>) -> (tensor<7x16xf32>, tensor<7x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %b = vector.transfer_read %w[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<8x16xf32>, vector<8x16xf32>
  %by_one = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %v = scf.for %q = %c0 to %c9 step %c1 iter_args(%sum = %ones) -> (vector<16xf32>) {
    %a = vector.transfer_read %by_one[%q, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
    %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  %first = vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<7x16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %s = scf.for %q = %c0 to %c9 step %c1 iter_args(%sum = %ones) -> (vector<16xf32>) {
    %a = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
    %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    %grown = arith.addf %next, %ones : vector<16xf32>
    scf.yield %grown : vector<16xf32>
  }
  %second = vector.transfer_write %s, %y[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<7x16xf32>
  return %first, %second : tensor<7x16xf32>, tensor<7x16xf32>
}

// -----

// No tile of the result reads padding alone in its window's columns.
// CHECK-LABEL: func.func @never_outside(
// CHECK-NOT: affine.m
func.func @never_outside(%x: tensor<7x8xf32>, %w: tensor<3x8x16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %v:2 = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %none, %other = %none) -> (vector<16xf32>, vector<16xf32>) {
    %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x8x16xf32>, vector<8x16xf32>
    %a0 = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
    %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a0, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%q)
    %a1 = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
    %second = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a1, %b, %other : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    scf.yield %next, %second : vector<16xf32>, vector<16xf32>
  }
  return %v#0, %v#1 : vector<16xf32>, vector<16xf32>
}

// -----

// Two pads on one loop: the bounds of the second are within those of the first.
// CHECK-LABEL: func.func @two_pads(
// CHECK: %[[L0:.*]] = affine.max
// CHECK: %[[U0:.*]] = affine.min
// CHECK: %[[L1:.*]] = affine.max #{{.*}}(%[[L0]])
// CHECK: %[[U1:.*]] = affine.min #{{.*}}(%[[U0]])
// CHECK: scf.for %{{.*}} = %[[L1]] to %[[U1]] step %c1
func.func @two_pads(%x: tensor<7x8xf32>, %w: tensor<6x8x16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %weights = tensor.pad %w low[0, 0, 0] high[3, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<6x8x16xf32> to tensor<9x8x16xf32>
  %v = scf.for %q = %c0 to %c9 step %c1 iter_args(%sum = %none) -> (vector<16xf32>) {
    %a = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<9x8xf32>, vector<8xf32>
    %b = vector.transfer_read %weights[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<9x8x16xf32>, vector<8x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %v : vector<16xf32>
}

// -----

// Bytes of groups of 4 channels: the image is expanded before it is sliced, and
// read without a padded copy.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1) -> (d1, -d0 + 1)>
// CHECK-DAG: #[[$PAST:.*]] = affine_map<(d0, d1) -> (d1, -d0 + 8)>
// CHECK-DAG: #[[$LINE:.*]] = affine_map<(d0, d1) -> (d0 + d1 - 1)>
// CHECK-LABEL: func.func @groups(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<7x8xi8>
//   CHECK-NOT:   tensor.pad
//       CHECK:   %[[IMAGE:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] output_shape [7, 2, 4]
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] =
//       CHECK:     %[[LOWER:.*]] = affine.max #[[$FIRST]](%[[ROW]], %c0)
//       CHECK:     %[[UPPER:.*]] = affine.min #[[$PAST]](%[[ROW]], %c3)
//       CHECK:     scf.for %[[P:[a-z0-9]+]] = %[[LOWER]] to %[[UPPER]] step %c1
//       CHECK:       %[[AT:[a-z0-9_]+]] = affine.apply #[[$LINE]](%[[P]], %[[ROW]])
//       CHECK:       vector.transfer_read %[[IMAGE]][%[[AT]], %c0, %c0]
func.func @groups(%x: tensor<7x8xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extui %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// A slice of some channels has other groups than all of them.
// CHECK-LABEL: func.func @some_channels(
//       CHECK:   tensor.pad
//       CHECK:   tensor.extract_slice
//       CHECK:   tensor.expand_shape
//   CHECK-NOT:   affine.m
//       CHECK:   return
func.func @some_channels(%x: tensor<7x12xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x12xi8> to tensor<9x12xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 4] [3, 8] [1, 1] : tensor<9x12xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extui %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// Signed ones stay: what it costs to take them as unsigned ones is the sum of
// all weights.
// CHECK-LABEL: func.func @signed_groups(
//       CHECK:   tensor.pad
//   CHECK-NOT:   affine.m
//       CHECK:   return
func.func @signed_groups(%x: tensor<7x8xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extsi %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// Channels that are shifted are padded, though they are as many.
// CHECK-LABEL: func.func @shifted_channels(
//       CHECK:   tensor.pad %{{.*}} low[1, -1] high[1, 1]
//       CHECK:   return
func.func @shifted_channels(%x: tensor<7x8xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %padded = tensor.pad %x low[1, -1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extui %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// Ones that are padded count.
// CHECK-LABEL: func.func @groups_of_ones(
//   CHECK-NOT:   affine.m
//       CHECK:   return
func.func @groups_of_ones(%x: tensor<7x8xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 1 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extui %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// An image that is computed for the pad is written into it, as it was.
// CHECK-LABEL: func.func @computed(
//       CHECK:   linalg.add
//  CHECK-NEXT:   tensor.pad
//       CHECK:   return
func.func @computed(%x: tensor<7x8xi8>, %w: tensor<3x2x16x4xi8>) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %zeros = arith.constant dense<0> : vector<16xi32>
  %none = tensor.empty() : tensor<7x8xi8>
  %twice = linalg.add ins(%x, %x : tensor<7x8xi8>, tensor<7x8xi8>) outs(%none : tensor<7x8xi8>) -> tensor<7x8xi8>
  %padded = tensor.pad %twice low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %all = scf.for %row = %c0 to %c7 step %c1 iter_args(%out = %zeros) -> (vector<16xi32>) {
    %window = tensor.extract_slice %padded[%row, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
    %groups = tensor.expand_shape %window [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
    %sum = scf.for %p = %c0 to %c3 step %c1 iter_args(%sum = %out) -> (vector<16xi32>) {
      %pixel = vector.transfer_read %groups[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
      %weights = vector.transfer_read %w[%p, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : tensor<3x2x16x4xi8>, vector<2x16x4xi8>
      %wide_pixel = arith.extui %pixel : vector<2x4xi8> to vector<2x4xi32>
      %wide_weights = arith.extsi %weights : vector<2x16x4xi8> to vector<2x16x4xi32>
      %next = vector.contract {indexing_maps = [affine_map<(c, f, g) -> (c, g)>, affine_map<(c, f, g) -> (c, f, g)>, affine_map<(c, f, g) -> (f)>], iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>} %wide_pixel, %wide_weights, %sum : vector<2x4xi32>, vector<2x16x4xi32> into vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    scf.yield %sum : vector<16xi32>
  }
  return %all : vector<16xi32>
}

// -----

// Two reads that take the channels apart in different ways.
// CHECK-LABEL: func.func @two_groups(
//       CHECK:   tensor.pad
// CHECK-COUNT-2: tensor.extract_slice
//       CHECK:   return
func.func @two_groups(%x: tensor<7x8xi8>) -> (vector<2x4xi8>, vector<4x2xi8>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<7x8xi8> to tensor<9x8xi8>
  %a = tensor.extract_slice %padded[1, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
  %b = tensor.extract_slice %padded[2, 0] [3, 8] [1, 1] : tensor<9x8xi8> to tensor<3x8xi8>
  %fours = tensor.expand_shape %a [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xi8> into tensor<3x2x4xi8>
  %twos = tensor.expand_shape %b [[0], [1, 2]] output_shape [3, 4, 2] : tensor<3x8xi8> into tensor<3x4x2xi8>
  %u = vector.transfer_read %fours[%c0, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x2x4xi8>, vector<2x4xi8>
  %v = vector.transfer_read %twos[%c0, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x4x2xi8>, vector<4x2xi8>
  return %u, %v : vector<2x4xi8>, vector<4x2xi8>
}
