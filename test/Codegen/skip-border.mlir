// RUN: sched-opt %s --sched-skip-border --split-input-file | FileCheck %s
// RUN: sed 's/tensor<3x16x16xf32>/tensor<3x16x384xf32>/' %s | sched-opt --sched-skip-border --split-input-file | FileCheck %s --check-prefix=MANY

// A line of 7 pixels under a window of 3: the first row is padding at the first
// column, and the last one at the last.
// CHECK-LABEL: func.func @line(
// CHECK-NOT: scf.for %{{.*}} to %c3
// CHECK: scf.for {{.*}} to %c16
// CHECK: vector.transfer_read {{.*}} vector<6x8xf32>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [1, 0], sizes = [6, 16]
// CHECK: vector.contract {{.*}} into vector<6x16xf32>
// CHECK: vector.insert_strided_slice %{{.*}} {offsets = [1, 0]
// CHECK: scf.for {{.*}} to %c16
// CHECK-NOT: strided_slice
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: scf.for {{.*}} to %c16
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0, 0], sizes = [6, 16]
// CHECK: vector.contract {{.*}} into vector<6x16xf32>
// CHECK: vector.insert_strided_slice %{{.*}} {offsets = [0, 0]
func.func @line(%x: tensor<7x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<7x16xf32>) -> vector<7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x16xf32> to tensor<9x16xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<7x16xf32>) {
    %s = scf.for %k = %c0 to %c16 step %c8 iter_args(%acc = %sum) -> (vector<7x16xf32>) {
      %a = vector.transfer_read %padded[%q, %k], %zero {in_bounds = [true, true]} : tensor<9x16xf32>, vector<7x8xf32>
      %b = vector.transfer_read %w[%q, %k, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<8x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<7x8xf32>, vector<8x16xf32> into vector<7x16xf32>
      scf.yield %next : vector<7x16xf32>
    }
    scf.yield %s : vector<7x16xf32>
  }
  return %r : vector<7x16xf32>
}

// -----

// With a stride, rows are read one by one; the image's high end is not padded.
// Iterations between stay a loop.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[FIRST:.*]] = vector.contract {{.*}}, %arg3 :
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %c1{{.*}} to %c5{{.*}} step %{{.*}} iter_args(%{{.*}} = %arg2, %{{.*}} = %[[FIRST]])
// CHECK: vector.contract
// CHECK: vector.contract
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @strided(%x: tensor<8x16xf32>, %w: tensor<5x16x16xf32>, %start: vector<16xf32>, %other: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x16xf32> to tensor<9x16xf32>
  %r:2 = scf.for %q = %c0 to %c5 step %c1 iter_args(%s0 = %start, %s1 = %other) -> (vector<16xf32>, vector<16xf32>) {
    %at = affine.apply affine_map<()[q] -> (q + 2)>()[%q]
    %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<5x16x16xf32>, vector<16x16xf32>
    %a0 = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<9x16xf32>, vector<16xf32>
    %n0 = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a0, %b, %s0 : vector<16xf32>, vector<16x16xf32> into vector<16xf32>
    %a1 = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<9x16xf32>, vector<16xf32>
    %n1 = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a1, %b, %s1 : vector<16xf32>, vector<16x16xf32> into vector<16xf32>
    scf.yield %n0, %n1 : vector<16xf32>, vector<16xf32>
  }
  return %r#0, %r#1 : vector<16xf32>, vector<16xf32>
}

// -----

// What stays: a line of which only a part is in the tile, wherever that is; one
// pixel of 101 that many products are made of; padding that is not zero; what is more than multiplied; a loop
// that SkipPadding.cpp makes shorter.
// CHECK-LABEL: func.func @anywhere(
// CHECK-NOT: strided_slice
// CHECK: return
func.func @anywhere(%x: tensor<14x8xf32>, %w: tensor<3x8x16xf32>, %start: vector<7x16xf32>, %tile: index) -> vector<7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<14x8xf32> to tensor<16x8xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<7x16xf32>) {
    %at = affine.apply affine_map<()[q, t] -> (q + t * 7)>()[%q, %tile]
    %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true, true]} : tensor<16x8xf32>, vector<7x8xf32>
    %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x8x16xf32>, vector<8x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<7x8xf32>, vector<8x16xf32> into vector<7x16xf32>
    scf.yield %next : vector<7x16xf32>
  }
  return %r : vector<7x16xf32>
}

// CHECK-LABEL: func.func @one_of_many(
// CHECK-NOT: strided_slice
// CHECK: return
func.func @one_of_many(%x: tensor<101x8xf32>, %w: tensor<2x8x1024xf32>, %start: vector<101x16xf32>) -> vector<101x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<101x8xf32> to tensor<102x8xf32>
  %r = scf.for %q = %c0 to %c2 step %c1 iter_args(%sum = %start) -> (vector<101x16xf32>) {
    %a = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true, true]} : tensor<102x8xf32>, vector<101x8xf32>
    %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<2x8x1024xf32>, vector<8x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<101x8xf32>, vector<8x16xf32> into vector<101x16xf32>
    scf.yield %next : vector<101x16xf32>
  }
  return %r : vector<101x16xf32>
}

// CHECK-LABEL: func.func @other_padding(
// CHECK-NOT: strided_slice
// CHECK: return
func.func @other_padding(%x: tensor<7x8xf32>, %w: tensor<3x8x16xf32>, %start: vector<7x16xf32>) -> vector<7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<7x8xf32> to tensor<9x8xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<7x16xf32>) {
    %a = vector.transfer_read %padded[%q, %c0], %one {in_bounds = [true, true]} : tensor<9x8xf32>, vector<7x8xf32>
    %b = vector.transfer_read %w[%q, %c0, %c0], %one {in_bounds = [true, true]} : tensor<3x8x16xf32>, vector<8x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<7x8xf32>, vector<8x16xf32> into vector<7x16xf32>
    scf.yield %next : vector<7x16xf32>
  }
  return %r : vector<7x16xf32>
}

// CHECK-LABEL: func.func @shorter(
// CHECK: scf.for
// CHECK: return
func.func @shorter(%x: tensor<2x8xf32>, %w: tensor<4x8x16xf32>, %start: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x8xf32> to tensor<4x8xf32>
  %r = scf.for %q = %c0 to %c4 step %c1 iter_args(%sum = %start) -> (vector<16xf32>) {
    %a = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true]} : tensor<4x8xf32>, vector<8xf32>
    %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8x16xf32>, vector<8x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<8xf32>, vector<8x16xf32> into vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// -----

// Few products are made of an element, so no padding is to be read at all: the
// first and the last of eight tiles stand by themselves. What reads padding in a
// dimension that only loops go along is SkipPadding.cpp's.
// CHECK-LABEL: func.func @ends(
// CHECK: vector.contract {{.*}} into vector<6x16xf32>
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: scf.for %[[TILE:.*]] = %c1{{.*}} to %c7{{.*}} step
// CHECK: scf.for {{.*}} to %c3 step
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: vector.contract {{.*}} into vector<6x16xf32>
// CHECK-NOT: vector.contract
// With more columns of weights, 1152 are made, and the loop stays whole: one row
// of 84 is padding, but lines of more than seven tiles stay whole.
// MANY-LABEL: func.func @ends(
// MANY: scf.for {{.*}} to %c8
// MANY: return
func.func @ends(%x: tensor<56x16xf32>, %w: tensor<3x16x16xf32>, %y: tensor<56x16xf32>) -> tensor<56x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<7x16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<56x16xf32> to tensor<58x16xf32>
  %r = scf.for %tile = %c0 to %c8 step %c1 iter_args(%out = %y) -> (tensor<56x16xf32>) {
    %sum = scf.for %q = %c0 to %c3 step %c1 iter_args(%acc = %none) -> (vector<7x16xf32>) {
      %at = affine.apply affine_map<(t)[q] -> (t * 7 + q)>(%tile)[%q]
      %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true, true]} : tensor<58x16xf32>, vector<7x16xf32>
      %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<16x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<7x16xf32>, vector<16x16xf32> into vector<7x16xf32>
      scf.yield %next : vector<7x16xf32>
    }
    %line = affine.apply affine_map<(t) -> (t * 7)>(%tile)
    %o = vector.transfer_write %sum, %out[%line, %c0] {in_bounds = [true, true]} : vector<7x16xf32>, tensor<56x16xf32>
    scf.yield %o : tensor<56x16xf32>
  }
  return %r : tensor<56x16xf32>
}

// -----

// Of two tiles of a line of 28 pixels, the first one begins with padding, and the
// last one ends with it: one row of 42, however many products are made.
// CHECK-LABEL: func.func @two_tiles(
// CHECK: vector.contract {{.*}} into vector<13x16xf32>
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c3{{.*}} step
// CHECK: vector.contract {{.*}} into vector<14x16xf32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step
// CHECK: vector.contract {{.*}} into vector<14x16xf32>
// CHECK: vector.contract {{.*}} into vector<13x16xf32>
// CHECK-NOT: vector.contract
// MANY-LABEL: func.func @two_tiles(
// MANY: vector.contract {{.*}} into vector<13x16xf32>
func.func @two_tiles(%x: tensor<28x16xf32>, %w: tensor<3x16x384xf32>, %y: tensor<28x16xf32>) -> tensor<28x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<14x16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<28x16xf32> to tensor<30x16xf32>
  %r = scf.for %tile = %c0 to %c2 step %c1 iter_args(%out = %y) -> (tensor<28x16xf32>) {
    %sum = scf.for %q = %c0 to %c3 step %c1 iter_args(%acc = %none) -> (vector<14x16xf32>) {
      %at = affine.apply affine_map<(t)[q] -> (t * 14 + q)>(%tile)[%q]
      %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true, true]} : tensor<30x16xf32>, vector<14x16xf32>
      %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x384xf32>, vector<16x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<14x16xf32>, vector<16x16xf32> into vector<14x16xf32>
      scf.yield %next : vector<14x16xf32>
    }
    %line = affine.apply affine_map<(t) -> (t * 14)>(%tile)
    %o = vector.transfer_write %sum, %out[%line, %c0] {in_bounds = [true, true]} : vector<14x16xf32>, tensor<28x16xf32>
    scf.yield %o : tensor<28x16xf32>
  }
  return %r : tensor<28x16xf32>
}

// -----

// Few products again, with a stride: a tile has a read for each pixel; the first
// tile stands by itself, and does not have its first pixel at the first column.
// CHECK-LABEL: func.func @strided_ends(
// CHECK: %[[FIRST:.*]] = vector.contract {{.*}} into vector<16xf32>
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c3{{.*}} step %{{.*}} iter_args(%{{.*}} = %cst{{.*}}, %{{.*}} = %[[FIRST]])
// CHECK-COUNT-2: vector.contract
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c4{{.*}} step
// CHECK: scf.for {{.*}} to %c3 step
// CHECK-COUNT-2: vector.contract
// CHECK-NOT: vector.contract
// Of 1152, the stride leaves half.
// MANY-LABEL: func.func @strided_ends(
// MANY: %[[FIRST:.*]] = vector.contract {{.*}} into vector<16xf32>
// MANY: scf.for %{{.*}} = %c1{{.*}} to %c3{{.*}} step %{{.*}} iter_args(%{{.*}} = %cst{{.*}}, %{{.*}} = %[[FIRST]])
func.func @strided_ends(%x: tensor<16x16xf32>, %w: tensor<3x16x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<16x16xf32> to tensor<17x16xf32>
  %r = scf.for %tile = %c0 to %c4 step %c1 iter_args(%out = %y) -> (tensor<8x16xf32>) {
    %sums:2 = scf.for %q = %c0 to %c3 step %c1 iter_args(%s0 = %none, %s1 = %none) -> (vector<16xf32>, vector<16xf32>) {
      %at0 = affine.apply affine_map<(t)[q] -> (t * 4 + q)>(%tile)[%q]
      %at1 = affine.apply affine_map<(t)[q] -> (t * 4 + q + 2)>(%tile)[%q]
      %b = vector.transfer_read %w[%q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x16x16xf32>, vector<16x16xf32>
      %a0 = vector.transfer_read %padded[%at0, %c0], %zero {in_bounds = [true]} : tensor<17x16xf32>, vector<16xf32>
      %n0 = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a0, %b, %s0 : vector<16xf32>, vector<16x16xf32> into vector<16xf32>
      %a1 = vector.transfer_read %padded[%at1, %c0], %zero {in_bounds = [true]} : tensor<17x16xf32>, vector<16xf32>
      %n1 = vector.contract {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a1, %b, %s1 : vector<16xf32>, vector<16x16xf32> into vector<16xf32>
      scf.yield %n0, %n1 : vector<16xf32>, vector<16xf32>
    }
    %line0 = affine.apply affine_map<(t) -> (t * 2)>(%tile)
    %line1 = affine.apply affine_map<(t) -> (t * 2 + 1)>(%tile)
    %o0 = vector.transfer_write %sums#0, %out[%line0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    %o1 = vector.transfer_write %sums#1, %o0[%line1, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    scf.yield %o1 : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// -----

// Lines and pixels are padded, and a tile has several of both: a corner of the
// window leaves out a line, and a pixel of those that stay.
// CHECK-LABEL: func.func @corners(
// CHECK: vector.transfer_read {{.*}} vector<1x6x8xf32>
// CHECK: vector.extract_strided_slice %arg2 {offsets = [1, 0, 0], sizes = [1, 7, 16]
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0, 1, 0], sizes = [1, 6, 16]
// CHECK: vector.contract {{.*}} into vector<1x6x16xf32>
// CHECK: vector.insert_strided_slice %{{.*}} {offsets = [0, 1, 0]
// CHECK: vector.insert_strided_slice %{{.*}} {offsets = [1, 0, 0]
// CHECK: vector.contract {{.*}} into vector<1x7x16xf32>
// CHECK: vector.contract {{.*}} into vector<1x6x16xf32>
// CHECK: vector.contract {{.*}} into vector<2x6x16xf32>
// CHECK: vector.contract {{.*}} into vector<2x7x16xf32>
func.func @corners(%x: tensor<2x7x16xf32>, %w: tensor<3x3x16x16xf32>, %start: vector<2x7x16xf32>) -> vector<2x7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x7x16xf32> to tensor<4x9x16xf32>
  %r = scf.for %p = %c0 to %c3 step %c1 iter_args(%t = %start) -> (vector<2x7x16xf32>) {
    %s = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %t) -> (vector<2x7x16xf32>) {
      %a = vector.transfer_read %padded[%p, %q, %c0], %zero {in_bounds = [true, true, true]} : tensor<4x9x16xf32>, vector<2x7x8xf32>
      %b = vector.transfer_read %w[%p, %q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x3x16x16xf32>, vector<8x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(l, m, n, k) -> (l, m, k)>, affine_map<(l, m, n, k) -> (k, n)>, affine_map<(l, m, n, k) -> (l, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<2x7x8xf32>, vector<8x16xf32> into vector<2x7x16xf32>
      scf.yield %next : vector<2x7x16xf32>
    }
    scf.yield %s : vector<2x7x16xf32>
  }
  return %r : vector<2x7x16xf32>
}

// -----

// A loop around another pad stays whole.
// CHECK-LABEL: func.func @pad_inside(
//       CHECK: scf.for
//       CHECK:   tensor.pad
//   CHECK-NOT: vector<6x
//       CHECK: return
func.func @pad_inside(%x: tensor<7x16xf32>, %v: tensor<14x16xf32>, %w: tensor<3x16x16xf32>, %start: vector<7x16xf32>) -> vector<7x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x16xf32> to tensor<9x16xf32>
  %r = scf.for %q = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<7x16xf32>) {
    %own = tensor.pad %v low[1, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<14x16xf32> to tensor<16x16xf32>
    %b = vector.transfer_read %own[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<16x16xf32>, vector<16x16xf32>
    %a = vector.transfer_read %padded[%q, %c0], %zero {in_bounds = [true, true]} : tensor<9x16xf32>, vector<7x16xf32>
    %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sum : vector<7x16xf32>, vector<16x16xf32> into vector<7x16xf32>
    scf.yield %next : vector<7x16xf32>
  }
  return %r : vector<7x16xf32>
}

// -----

// A transposed convolution with a stride of 2: for each remainder the window of
// two is one pixel further. Both loops are taken apart: the first product and the
// last have a row of padding each.
// CHECK-LABEL: func.func @phases(
// CHECK-NOT: scf.for %{{.*}} to %c2
// CHECK: vector.transfer_read %{{.*}} vector<7x16xf32>
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK: vector.contract {{.*}} into vector<8x16xf32>
// CHECK: vector.contract {{.*}} into vector<8x16xf32>
// CHECK: vector.contract {{.*}} into vector<7x16xf32>
// CHECK-NOT: vector.contract
// CHECK: return
func.func @phases(%x: tensor<8x16xf32>, %w: tensor<2x2x16x16xf32>, %sums: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x16xf32> to tensor<10x16xf32>
  %r = scf.for %p = %c0 to %c2 step %c1 iter_args(%all = %sums) -> (tensor<2x8x16xf32>) {
    %start = vector.transfer_read %all[%p, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<2x8x16xf32>, vector<8x16xf32>
    %s = scf.for %q = %c0 to %c2 step %c1 iter_args(%acc = %start) -> (vector<8x16xf32>) {
      %at = affine.apply affine_map<(p, q) -> (p + q)>(%p, %q)
      %a = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true, true]} : tensor<10x16xf32>, vector<8x16xf32>
      %b = vector.transfer_read %w[%p, %q, %c0, %c0], %zero {in_bounds = [true, true]} : tensor<2x2x16x16xf32>, vector<16x16xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<8x16xf32>, vector<16x16xf32> into vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    %t = vector.transfer_write %s, %all[%p, %c0, %c0] {in_bounds = [true, true]} : vector<8x16xf32>, tensor<2x8x16xf32>
    scf.yield %t : tensor<2x8x16xf32>
  }
  return %r : tensor<2x8x16xf32>
}
