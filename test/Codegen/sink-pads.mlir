// RUN: sched-opt %s --sched-sink-pads=threads=2 --split-input-file | FileCheck %s

// Each thread pads the images of its share, one at a time; the constant in the
// pad's region moves out.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1) -> (d0 * 4 + d1)>
// CHECK-LABEL: func.func @share(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x7x16xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NOT: tensor.pad
// CHECK: scf.forall (%[[THREAD:.*]]) in (2)
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[NUMBER:[a-z0-9]+]] =
// CHECK-NEXT: %[[AT:.*]] = affine.apply #{{.*}}(%{{.*}}, %{{.*}})
// CHECK-NEXT: %[[OWN:.*]] = tensor.extract_slice %[[X]][%[[AT]], 0, 0] [1, 7, 16] [1, 1, 1]
// CHECK-NEXT: %[[PADDED:.*]] = tensor.pad %[[OWN]] low[0, 1, 0] high[0, 1, 0] {
// CHECK: tensor.yield %[[ZERO]]
// CHECK: } : tensor<1x7x16xf32> to tensor<1x9x16xf32>
// CHECK: scf.for %[[LINE:[a-z0-9]+]] =
// CHECK: vector.transfer_read %[[PADDED]][%c0{{[_0-9]*}}, %[[LINE]], %c0{{[_0-9]*}}]
func.func @share(%x: tensor<8x7x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %p = ub.poison : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<8x7x16xf32> to tensor<8x9x16xf32>
  %r = scf.forall (%thread) in (2) shared_outs(%out = %y) -> (tensor<8x16xf32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 4)>(%thread)
    %part = tensor.extract_slice %out[%first, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
    %all = scf.for %number = %c0 to %c4 step %c1 iter_args(%own = %part) -> (tensor<4x16xf32>) {
      %image = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%thread, %number)
      %sum = scf.for %line = %c0 to %c9 step %c1 iter_args(%before = %none) -> (vector<16xf32>) {
        %v = vector.transfer_read %padded[%image, %line, %c0], %p {in_bounds = [true]} : tensor<8x9x16xf32>, vector<16xf32>
        %after = arith.addf %before, %v : vector<16xf32>
        scf.yield %after : vector<16xf32>
      }
      %next = vector.transfer_write %sum, %own[%number, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<4x16xf32>
      scf.yield %next : tensor<4x16xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %all into %out[%first, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}

// -----

// Two images an iteration, of which one is read after the other, by slices and
// by vectors of both.
// CHECK-LABEL: func.func @two_images(
// CHECK: scf.for %[[FIRST:[a-z0-9]+]] =
// CHECK-NEXT: %[[OWN:.*]] = tensor.extract_slice %{{.*}}[%[[FIRST]], 0] [2, 6] [1, 1]
// CHECK-NEXT: %[[PADDED:.*]] = tensor.pad %[[OWN]] low[0, 1] high[0, 1]
// CHECK: scf.for %[[NUMBER:[a-z0-9]+]] =
// CHECK: tensor.extract_slice %[[PADDED]][%[[NUMBER]], 0] [1, 8] [1, 1]
// CHECK: vector.transfer_read %[[PADDED]][%c0{{[_0-9]*}}, %c0{{[_0-9]*}}]
func.func @two_images(%x: tensor<8x6xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  %r = scf.for %first = %c0 to %c8 step %c2 iter_args(%out = %y) -> (tensor<8x8xf32>) {
    %s = scf.for %number = %c0 to %c2 step %c1 iter_args(%own = %out) -> (tensor<8x8xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%first, %number)
      %line = tensor.extract_slice %padded[%at, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
      %done = tensor.insert_slice %line into %own[%at, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
      scf.yield %done : tensor<8x8xf32>
    }
    %v = vector.transfer_read %padded[%first, %c0], %zero {in_bounds = [true, true]} : tensor<8x8xf32>, vector<2x8xf32>
    %t = vector.transfer_write %v, %s[%first, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Iterations that share an image, a loop around that reads all of them again,
// images that are padded themselves, and a source that is computed into the
// padded tensor: nothing is gained.
// CHECK-LABEL: func.func @shared(
// CHECK: tensor.pad
// CHECK: scf.for
func.func @shared(%x: tensor<8x6xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  %r = scf.for %image = %c0 to %c7 step %c1 iter_args(%out = %y) -> (tensor<8xf32>) {
    %v = vector.transfer_read %padded[%image, %c0], %zero {in_bounds = [true, true]} : tensor<8x8xf32>, vector<2x8xf32>
    %a = vector.extract %v[1] : vector<8xf32> from vector<2x8xf32>
    %o = vector.transfer_write %a, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @again(
// CHECK: tensor.pad
// CHECK: scf.for
// CHECK: scf.for
func.func @again(%x: tensor<8x6xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  %r = scf.for %time = %c0 to %c8 step %c1 iter_args(%o = %y) -> (tensor<8xf32>) {
    %s = scf.for %image = %c0 to %c8 step %c1 iter_args(%out = %o) -> (tensor<8xf32>) {
      %v = vector.transfer_read %padded[%image, %c0], %zero {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
      %w = vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @lines(
// CHECK: tensor.pad
// CHECK: scf.for
func.func @lines(%x: tensor<6x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<6x8xf32> to tensor<8x8xf32>
  %r = scf.for %line = %c0 to %c8 step %c1 iter_args(%out = %y) -> (tensor<8xf32>) {
    %v = vector.transfer_read %padded[%line, %c0], %zero {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
    %o = vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @computed(
// CHECK: linalg.exp
// CHECK: tensor.pad
// CHECK: scf.for
func.func @computed(%x: tensor<8x6xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %exp = linalg.exp ins(%x : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %padded = tensor.pad %exp low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  %r = scf.for %image = %c0 to %c8 step %c1 iter_args(%out = %y) -> (tensor<8xf32>) {
    %v = vector.transfer_read %padded[%image, %c0], %zero {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
    %o = vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Lines of a large image, in parts: 16 of 58 lines of 16 KiB, of which the first
// part has one above the image, and the last one below.
// CHECK-DAG: #[[$ABOVE:.*]] = affine_map<(d0) -> (-d0 + 1, 0)>
// CHECK-DAG: #[[$BELOW:.*]] = affine_map<(d0) -> (d0 - 41, 0)>
// CHECK-DAG: #[[$BEGIN:.*]] = affine_map<(d0) -> (d0 - 1, 0)>
// CHECK-LABEL: func.func @large(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<56x4096xf32>
// CHECK: scf.for %[[PART:[a-z0-9]+]] = %c0{{[_0-9]*}} to %c56{{[_0-9]*}} step %c14
// CHECK-DAG: %[[LOW:.*]] = affine.max #[[$ABOVE]](%[[PART]])
// CHECK-DAG: %[[HIGH:.*]] = affine.max #[[$BELOW]](%[[PART]])
// CHECK-DAG: %[[FIRST:.*]] = affine.max #[[$BEGIN]](%[[PART]])
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[X]][%[[FIRST]], 0] [%{{.*}}, 4096] [1, 1]
// CHECK: %[[PADDED:.*]] = tensor.pad %[[OWN]] low[%[[LOW]], 0] high[%[[HIGH]], 0]
// CHECK: } : tensor<?x4096xf32> to tensor<16x4096xf32>
// CHECK: scf.for %[[LINE:[a-z0-9]+]] = %c0{{[_0-9]*}} to %c14{{[_0-9]*}} step
// CHECK: scf.for %[[TAP:[a-z0-9]+]] =
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[LINE]], %[[TAP]])
// CHECK: vector.transfer_read %[[PADDED]][%[[AT]], %c0{{[_0-9]*}}]
func.func @large(%x: tensor<56x4096xf32>, %y: tensor<56x16xf32>) -> tensor<56x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c56 = arith.constant 56 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<56x4096xf32> to tensor<58x4096xf32>
  %r = scf.for %line = %c0 to %c56 step %c1 iter_args(%out = %y) -> (tensor<56x16xf32>) {
    %first = affine.max affine_map<(d0, d1) -> (d1, -d0 + 1)>(%line, %c0)
    %sum = scf.for %tap = %first to %c3 step %c1 iter_args(%before = %none) -> (vector<16xf32>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%line, %tap)
      %v = vector.transfer_read %padded[%at, %c0], %zero {in_bounds = [true]} : tensor<58x4096xf32>, vector<16xf32>
      %after = arith.addf %before, %v : vector<16xf32>
      scf.yield %after : vector<16xf32>
    }
    %next = vector.transfer_write %sum, %out[%line, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<56x16xf32>
    scf.yield %next : tensor<56x16xf32>
  }
  return %r : tensor<56x16xf32>
}

// -----

// Nothing reads it, elements are taken away, lines are short, or elements are no
// numbers: all stay.
// CHECK-LABEL: func.func @unread(
// CHECK: tensor.pad
func.func @unread(%x: tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @cut(
// CHECK: tensor.pad
// CHECK: scf.for
func.func @cut(%x: tensor<8x9xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x9xf32> to tensor<8x8xf32>
  %r = scf.for %image = %c0 to %c8 step %c1 iter_args(%out = %y) -> (tensor<8xf32>) {
    %v = vector.transfer_read %padded[%image, %c0], %zero {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
    %o = vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @short_lines(
// CHECK: tensor.pad
// CHECK: scf.for
func.func @short_lines(%x: tensor<62x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<62x8xf32> to tensor<64x8xf32>
  %r = scf.for %lines = %c0 to %c64 step %c16 iter_args(%out = %y) -> (tensor<8xf32>) {
    %v = vector.transfer_read %padded[%lines, %c0], %zero {in_bounds = [true]} : tensor<64x8xf32>, vector<8xf32>
    %o = vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @places(
// CHECK: tensor.pad
// CHECK: scf.for
func.func @places(%x: tensor<8x6xindex>, %y: tensor<8x1x8xindex>) -> tensor<8x1x8xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %padded = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c0 : index
  } : tensor<8x6xindex> to tensor<8x8xindex>
  %r = scf.for %image = %c0 to %c8 step %c1 iter_args(%out = %y) -> (tensor<8x1x8xindex>) {
    %v = tensor.extract_slice %padded[%image, 0] [1, 8] [1, 1] : tensor<8x8xindex> to tensor<1x8xindex>
    %o = tensor.insert_slice %v into %out[%image, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<1x8xindex> into tensor<8x1x8xindex>
    scf.yield %o : tensor<8x1x8xindex>
  }
  return %r : tensor<8x1x8xindex>
}

// Threads that read all of a small image, as another shape, pad it each for
// itself; a larger one is padded once for all, and so is one that loops of more
// iterations read, or anyone else.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: tensor.pad
// CHECK: scf.forall
// CHECK-NEXT: %[[PAD:.*]] = tensor.pad %arg0
// CHECK: %[[LINE:.*]] = tensor.collapse_shape %[[PAD]]
// CHECK: tensor.extract_slice %[[LINE]]
// CHECK-LABEL: func.func @large_columns(
// CHECK: tensor.pad
// CHECK: scf.forall
// CHECK-LABEL: func.func @many_columns(
// CHECK: tensor.pad
// CHECK: scf.forall
// CHECK-LABEL: func.func @shared_columns(
// CHECK: tensor.pad
// CHECK: scf.forall
func.func @columns(%x: tensor<14x16x64xi8>, %y: tensor<2x16x64xi8>) -> tensor<2x16x64xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<14x16x64xi8> to tensor<16x16x64xi8>
  %line = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<16x16x64xi8> into tensor<256x64xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x16x64xi8>) {
    %v = tensor.extract_slice %line[%t, 0] [16, 64] [1, 1] : tensor<256x64xi8> to tensor<16x64xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%t, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<16x64xi8> into tensor<2x16x64xi8>
    }
  }
  return %r : tensor<2x16x64xi8>
}

func.func @large_columns(%x: tensor<14x16x2048xi8>, %y: tensor<2x16x2048xi8>) -> tensor<2x16x2048xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<14x16x2048xi8> to tensor<16x16x2048xi8>
  %line = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<16x16x2048xi8> into tensor<256x2048xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x16x2048xi8>) {
    %v = tensor.extract_slice %line[%t, 0] [16, 2048] [1, 1] : tensor<256x2048xi8> to tensor<16x2048xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%t, 0, 0] [1, 16, 2048] [1, 1, 1] : tensor<16x2048xi8> into tensor<2x16x2048xi8>
    }
  }
  return %r : tensor<2x16x2048xi8>
}

func.func @many_columns(%x: tensor<14x16x64xi8>, %y: tensor<4x16x64xi8>) -> tensor<4x16x64xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<14x16x64xi8> to tensor<16x16x64xi8>
  %line = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<16x16x64xi8> into tensor<256x64xi8>
  %r = scf.forall (%t) in (4) shared_outs(%out = %y) -> (tensor<4x16x64xi8>) {
    %v = tensor.extract_slice %line[%t, 0] [16, 64] [1, 1] : tensor<256x64xi8> to tensor<16x64xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%t, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<16x64xi8> into tensor<4x16x64xi8>
    }
  }
  return %r : tensor<4x16x64xi8>
}

func.func @shared_columns(%x: tensor<14x16x64xi8>, %y: tensor<2x16x64xi8>) -> (tensor<2x16x64xi8>, tensor<256x64xi8>) {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<14x16x64xi8> to tensor<16x16x64xi8>
  %line = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<16x16x64xi8> into tensor<256x64xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x16x64xi8>) {
    %v = tensor.extract_slice %line[%t, 0] [16, 64] [1, 1] : tensor<256x64xi8> to tensor<16x64xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %out[%t, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<16x64xi8> into tensor<2x16x64xi8>
    }
  }
  return %r, %line : tensor<2x16x64xi8>, tensor<256x64xi8>
}

// -----

// Rows that a stride takes apart are taken of each thread's part of the image
// (GatheredRows.cpp).
// CHECK-LABEL: func.func @strided_rows(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<1x28x16x256xi8>
//   CHECK-NOT:   tensor.pad
//       CHECK:   scf.forall (%[[HALF:[a-z0-9]+]]) in (2)
//       CHECK:     %[[PART:.*]] = tensor.extract_slice %[[X]]
//       CHECK:     %[[PADDED:.*]] = tensor.pad %[[PART]]
//       CHECK:       : tensor<1x?x16x256xi8> to tensor<1x15x18x256xi8>
//   CHECK-DAG:     %[[EMPTY:.*]] = tensor.empty() : tensor<1x15x2x8x256xi8>
//   CHECK-DAG:     %[[EVEN:.*]] = tensor.extract_slice %[[PADDED]][0, 0, 0, 0] [1, 15, 8, 256] [1, 1, 2, 1]
//   CHECK-DAG:     %[[FIRST:.*]] = tensor.expand_shape %[[EVEN]] {{.*}} output_shape [1, 15, 1, 8, 256]
//       CHECK:     %[[SOME:.*]] = tensor.insert_slice %[[FIRST]] into %[[EMPTY]][0, 0, 0, 0, 0] [1, 15, 1, 8, 256]
//       CHECK:     %[[ODD:.*]] = tensor.extract_slice %[[PADDED]][0, 0, 1, 0] [1, 15, 8, 256] [1, 1, 2, 1]
//       CHECK:     %[[SECOND:.*]] = tensor.expand_shape %[[ODD]]
//       CHECK:     %[[ALL:.*]] = tensor.insert_slice %[[SECOND]] into %[[SOME]][0, 0, 1, 0, 0]
//       CHECK:     scf.for
//       CHECK:       tensor.extract_slice %[[ALL]][0, %{{.*}}, 0, 0, 0] [1, 3, 2, 8, 256]
//   CHECK-NOT:   tensor.pad
func.func @strided_rows(%x: tensor<1x28x16x256xi8>, %y: tensor<14x3x2x8x256xi8>) -> tensor<14x3x2x8x256xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x28x16x256xi8> to tensor<1x30x18x256xi8>
  %empty = tensor.empty() : tensor<1x30x2x8x256xi8>
  %even = tensor.extract_slice %padded[0, 0, 0, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %first = tensor.expand_shape %even [[0], [1], [2, 3], [4]] output_shape [1, 30, 1, 8, 256] : tensor<1x30x8x256xi8> into tensor<1x30x1x8x256xi8>
  %some = tensor.insert_slice %first into %empty[0, 0, 0, 0, 0] [1, 30, 1, 8, 256] [1, 1, 1, 1, 1] : tensor<1x30x1x8x256xi8> into tensor<1x30x2x8x256xi8>
  %odd = tensor.extract_slice %padded[0, 0, 1, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %second = tensor.expand_shape %odd [[0], [1], [2, 3], [4]] output_shape [1, 30, 1, 8, 256] : tensor<1x30x8x256xi8> into tensor<1x30x1x8x256xi8>
  %all = tensor.insert_slice %second into %some[0, 0, 1, 0, 0] [1, 30, 1, 8, 256] [1, 1, 1, 1, 1] : tensor<1x30x1x8x256xi8> into tensor<1x30x2x8x256xi8>
  %r = scf.forall (%half) in (2) shared_outs(%out = %y) -> (tensor<14x3x2x8x256xi8>) {
    %begin = affine.apply affine_map<(d0) -> (d0 * 7)>(%half)
    %part = tensor.extract_slice %out[%begin, 0, 0, 0, 0] [7, 3, 2, 8, 256] [1, 1, 1, 1, 1] : tensor<14x3x2x8x256xi8> to tensor<7x3x2x8x256xi8>
    %s = scf.for %line = %c0 to %c7 step %c1 iter_args(%o = %part) -> (tensor<7x3x2x8x256xi8>) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 * 14)>(%line, %half)
      %window = tensor.extract_slice %all[0, %at, 0, 0, 0] [1, 3, 2, 8, 256] [1, 1, 1, 1, 1] : tensor<1x30x2x8x256xi8> to tensor<1x3x2x8x256xi8>
      %t = tensor.insert_slice %window into %o[%line, 0, 0, 0, 0] [1, 3, 2, 8, 256] [1, 1, 1, 1, 1] : tensor<1x3x2x8x256xi8> into tensor<7x3x2x8x256xi8>
      scf.yield %t : tensor<7x3x2x8x256xi8>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%begin, 0, 0, 0, 0] [7, 3, 2, 8, 256] [1, 1, 1, 1, 1] : tensor<7x3x2x8x256xi8> into tensor<14x3x2x8x256xi8>
    }
  }
  return %r : tensor<14x3x2x8x256xi8>
}

// Taps and channels that are one dimension (Space/JoinTaps.cpp) are made of each
// part, too; lines and pixels that are one are not.
// CHECK-LABEL: func.func @windows(
//   CHECK-NOT:   tensor.pad
//       CHECK:   scf.forall
//       CHECK:     tensor.pad
//       CHECK:     %[[ALL:.*]] = tensor.insert_slice {{.*}} into tensor<1x2x8x2x256xi8>
//       CHECK:     %[[ALL2:.*]] = tensor.insert_slice {{.*}} into tensor<1x2x8x2x256xi8>
//       CHECK:     %[[ROWS:.*]] = tensor.collapse_shape %[[ALL2]] {{.*}} into tensor<1x2x8x512xi8>
//       CHECK:     tensor.extract_slice %[[ROWS]][0, 0, 0, 0] [1, 2, 8, 512]
// CHECK-LABEL: func.func @joined_lines(
//       CHECK:   tensor.pad
//       CHECK:   scf.forall
//   CHECK-NOT:   tensor.pad
func.func @windows(%x: tensor<1x28x16x256xi8>, %y: tensor<14x2x8x512xi8>) -> tensor<14x2x8x512xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x28x16x256xi8> to tensor<1x30x18x256xi8>
  %empty = tensor.empty() : tensor<1x30x8x2x256xi8>
  %even = tensor.extract_slice %padded[0, 0, 0, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %first = tensor.expand_shape %even [[0], [1], [2, 3], [4]] output_shape [1, 30, 8, 1, 256] : tensor<1x30x8x256xi8> into tensor<1x30x8x1x256xi8>
  %some = tensor.insert_slice %first into %empty[0, 0, 0, 0, 0] [1, 30, 8, 1, 256] [1, 1, 1, 1, 1] : tensor<1x30x8x1x256xi8> into tensor<1x30x8x2x256xi8>
  %odd = tensor.extract_slice %padded[0, 0, 1, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %second = tensor.expand_shape %odd [[0], [1], [2, 3], [4]] output_shape [1, 30, 8, 1, 256] : tensor<1x30x8x256xi8> into tensor<1x30x8x1x256xi8>
  %all = tensor.insert_slice %second into %some[0, 0, 0, 1, 0] [1, 30, 8, 1, 256] [1, 1, 1, 1, 1] : tensor<1x30x8x1x256xi8> into tensor<1x30x8x2x256xi8>
  %rows = tensor.collapse_shape %all [[0], [1], [2], [3, 4]] : tensor<1x30x8x2x256xi8> into tensor<1x30x8x512xi8>
  %r = scf.forall (%line) in (14) shared_outs(%out = %y) -> (tensor<14x2x8x512xi8>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%line)
    %window = tensor.extract_slice %rows[0, %at, 0, 0] [1, 2, 8, 512] [1, 1, 1, 1] : tensor<1x30x8x512xi8> to tensor<2x8x512xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %window into %out[%line, 0, 0, 0] [1, 2, 8, 512] [1, 1, 1, 1] : tensor<2x8x512xi8> into tensor<14x2x8x512xi8>
    }
  }
  return %r : tensor<14x2x8x512xi8>
}

func.func @joined_lines(%x: tensor<1x28x16x256xi8>, %y: tensor<14x2x512xi8>) -> tensor<14x2x512xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x28x16x256xi8> to tensor<1x30x18x256xi8>
  %empty = tensor.empty() : tensor<1x30x8x2x256xi8>
  %even = tensor.extract_slice %padded[0, 0, 0, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %first = tensor.expand_shape %even [[0], [1], [2, 3], [4]] output_shape [1, 30, 8, 1, 256] : tensor<1x30x8x256xi8> into tensor<1x30x8x1x256xi8>
  %some = tensor.insert_slice %first into %empty[0, 0, 0, 0, 0] [1, 30, 8, 1, 256] [1, 1, 1, 1, 1] : tensor<1x30x8x1x256xi8> into tensor<1x30x8x2x256xi8>
  %odd = tensor.extract_slice %padded[0, 0, 1, 0] [1, 30, 8, 256] [1, 1, 2, 1] : tensor<1x30x18x256xi8> to tensor<1x30x8x256xi8>
  %second = tensor.expand_shape %odd [[0], [1], [2, 3], [4]] output_shape [1, 30, 8, 1, 256] : tensor<1x30x8x256xi8> into tensor<1x30x8x1x256xi8>
  %all = tensor.insert_slice %second into %some[0, 0, 0, 1, 0] [1, 30, 8, 1, 256] [1, 1, 1, 1, 1] : tensor<1x30x8x1x256xi8> into tensor<1x30x8x2x256xi8>
  %rows = tensor.collapse_shape %all [[0], [1, 2], [3, 4]] : tensor<1x30x8x2x256xi8> into tensor<1x240x512xi8>
  %r = scf.forall (%line) in (14) shared_outs(%out = %y) -> (tensor<14x2x512xi8>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%line)
    %window = tensor.extract_slice %rows[0, %at, 0] [1, 2, 512] [1, 1, 1] : tensor<1x240x512xi8> to tensor<2x512xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %window into %out[%line, 0, 0] [1, 2, 512] [1, 1, 1] : tensor<2x512xi8> into tensor<14x2x512xi8>
    }
  }
  return %r : tensor<14x2x512xi8>
}

// What reads the image as it is, too, keeps it where it is.
// CHECK-LABEL: func.func @rows_and_image(
//       CHECK:   tensor.pad
//       CHECK:   scf.for
//   CHECK-NOT:   tensor.pad
func.func @rows_and_image(%x: tensor<28x4096xi8>, %y: tensor<14x2x2048xi8>) -> (tensor<14x2x2048xi8>, tensor<30x4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<28x4096xi8> to tensor<30x4096xi8>
  %empty = tensor.empty() : tensor<30x1x2048xi8>
  %even = tensor.extract_slice %padded[0, 0] [30, 2048] [1, 2] : tensor<30x4096xi8> to tensor<30x2048xi8>
  %first = tensor.expand_shape %even [[0], [1, 2]] output_shape [30, 1, 2048] : tensor<30x2048xi8> into tensor<30x1x2048xi8>
  %all = tensor.insert_slice %first into %empty[0, 0, 0] [30, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> into tensor<30x1x2048xi8>
  %r = scf.for %line = %c0 to %c14 step %c1 iter_args(%out = %y) -> (tensor<14x2x2048xi8>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%line)
    %window = tensor.extract_slice %all[%at, 0, 0] [2, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> to tensor<2x2048xi8>
    %t = tensor.insert_slice %window into %out[%line, 0, 0] [1, 2, 2048] [1, 1, 1] : tensor<2x2048xi8> into tensor<14x2x2048xi8>
    scf.yield %t : tensor<14x2x2048xi8>
  }
  return %r, %padded : tensor<14x2x2048xi8>, tensor<30x4096xi8>
}

// -----

// Each thread that reads all of a small image through views has the views, too,
// and a tensor that is put together of them.
// CHECK-LABEL: func.func @views(
//   CHECK-NOT:   tensor.pad
//       CHECK:   scf.forall
//  CHECK-NEXT:     %[[PADDED:.*]] = tensor.pad
//       CHECK:     %[[FLAT:.*]] = tensor.collapse_shape %[[PADDED]]
//       CHECK:     %[[EMPTY:.*]] = tensor.empty() : tensor<2x20x16xi8>
//       CHECK:     tensor.insert_slice %{{.*}} into %[[EMPTY]][0, 0, 0]
//       CHECK:     tensor.insert_slice
//       CHECK:     scf.forall.in_parallel
//   CHECK-NOT:   tensor.pad
func.func @views(%x: tensor<6x4x16xi8>, %y: tensor<2x2x20x16xi8>) -> tensor<2x2x20x16xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<6x4x16xi8> to tensor<6x6x16xi8>
  %flat = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<6x6x16xi8> into tensor<36x16xi8>
  %empty = tensor.empty() : tensor<2x20x16xi8>
  %a = tensor.extract_slice %flat[0, 0] [20, 16] [1, 1] : tensor<36x16xi8> to tensor<20x16xi8>
  %b = tensor.extract_slice %flat[16, 0] [20, 16] [1, 1] : tensor<36x16xi8> to tensor<20x16xi8>
  %one = tensor.insert_slice %a into %empty[0, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<20x16xi8> into tensor<2x20x16xi8>
  %both = tensor.insert_slice %b into %one[1, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<20x16xi8> into tensor<2x20x16xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x2x20x16xi8>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %both into %out[%t, 0, 0, 0] [1, 2, 20, 16] [1, 1, 1, 1] : tensor<2x20x16xi8> into tensor<2x2x20x16xi8>
    }
  }
  return %r : tensor<2x2x20x16xi8>
}

// Not so where something else reads a view.
// CHECK-LABEL: func.func @views_for_others(
//       CHECK:   tensor.pad
//       CHECK:   scf.forall
//   CHECK-NOT:   tensor.pad
func.func @views_for_others(%x: tensor<6x4x16xi8>, %y: tensor<2x36x16xi8>) -> (tensor<2x36x16xi8>, tensor<36x16xi8>) {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<6x4x16xi8> to tensor<6x6x16xi8>
  %flat = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<6x6x16xi8> into tensor<36x16xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x36x16xi8>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %flat into %out[%t, 0, 0] [1, 36, 16] [1, 1, 1] : tensor<36x16xi8> into tensor<2x36x16xi8>
    }
  }
  return %r, %flat : tensor<2x36x16xi8>, tensor<36x16xi8>
}

// -----

// Rows that are put together with those of another tensor keep the pad, and all
// other rows of it, where they are.
// CHECK-LABEL: func.func @foreign_rows(
//       CHECK:   tensor.pad
//       CHECK:   scf.for
//   CHECK-NOT:   tensor.pad
//       CHECK:   return
func.func @foreign_rows(%x: tensor<28x4096xi8>, %other: tensor<30x1x2048xi8>, %y: tensor<14x2x2x2048xi8>) -> (tensor<14x2x2x2048xi8>, tensor<30x2x2048xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<28x4096xi8> to tensor<30x4096xi8>
  %empty = tensor.empty() : tensor<30x2x2048xi8>
  %even = tensor.extract_slice %padded[0, 0] [30, 2048] [1, 2] : tensor<30x4096xi8> to tensor<30x2048xi8>
  %first = tensor.expand_shape %even [[0], [1, 2]] output_shape [30, 1, 2048] : tensor<30x2048xi8> into tensor<30x1x2048xi8>
  %half = tensor.insert_slice %first into %empty[0, 0, 0] [30, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> into tensor<30x2x2048xi8>
  %mixed = tensor.insert_slice %other into %half[0, 1, 0] [30, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> into tensor<30x2x2048xi8>
  %again = tensor.extract_slice %padded[0, 1] [30, 2048] [1, 2] : tensor<30x4096xi8> to tensor<30x2048xi8>
  %second = tensor.expand_shape %again [[0], [1, 2]] output_shape [30, 1, 2048] : tensor<30x2048xi8> into tensor<30x1x2048xi8>
  %rows = tensor.insert_slice %second into %empty[0, 0, 0] [30, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> into tensor<30x2x2048xi8>
  %r = scf.for %line = %c0 to %c14 step %c1 iter_args(%out = %y) -> (tensor<14x2x2x2048xi8>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%line)
    %window = tensor.extract_slice %rows[%at, 0, 0] [2, 2, 2048] [1, 1, 1] : tensor<30x2x2048xi8> to tensor<2x2x2048xi8>
    %t = tensor.insert_slice %window into %out[%line, 0, 0, 0] [1, 2, 2, 2048] [1, 1, 1, 1] : tensor<2x2x2048xi8> into tensor<14x2x2x2048xi8>
    scf.yield %t : tensor<14x2x2x2048xi8>
  }
  return %r, %mixed : tensor<14x2x2x2048xi8>, tensor<30x2x2048xi8>
}

// Rows that nothing reads.
// CHECK-LABEL: func.func @unread_rows(
//       CHECK:   tensor.pad
func.func @unread_rows(%x: tensor<28x4096xi8>) {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<28x4096xi8> to tensor<30x4096xi8>
  %empty = tensor.empty() : tensor<30x1x2048xi8>
  %even = tensor.extract_slice %padded[0, 0] [30, 2048] [1, 2] : tensor<30x4096xi8> to tensor<30x2048xi8>
  %first = tensor.expand_shape %even [[0], [1, 2]] output_shape [30, 1, 2048] : tensor<30x2048xi8> into tensor<30x1x2048xi8>
  %rows = tensor.insert_slice %first into %empty[0, 0, 0] [30, 1, 2048] [1, 1, 1] : tensor<30x1x2048xi8> into tensor<30x1x2048xi8>
  return
}

// A tensor that the image is a part of is not put together by each thread.
// CHECK-LABEL: func.func @part_of_another(
//       CHECK:   tensor.pad
//       CHECK:   scf.forall
//   CHECK-NOT:   tensor.pad
func.func @part_of_another(%x: tensor<6x4x16xi8>, %other: tensor<36x16xi8>, %y: tensor<2x72x16xi8>) -> tensor<2x72x16xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<6x4x16xi8> to tensor<6x6x16xi8>
  %flat = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<6x6x16xi8> into tensor<36x16xi8>
  %empty = tensor.empty() : tensor<72x16xi8>
  %one = tensor.insert_slice %flat into %empty[0, 0] [36, 16] [1, 1] : tensor<36x16xi8> into tensor<72x16xi8>
  %both = tensor.insert_slice %other into %one[36, 0] [36, 16] [1, 1] : tensor<36x16xi8> into tensor<72x16xi8>
  %r = scf.forall (%t) in (2) shared_outs(%out = %y) -> (tensor<2x72x16xi8>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %both into %out[%t, 0, 0] [1, 72, 16] [1, 1, 1] : tensor<72x16xi8> into tensor<2x72x16xi8>
    }
  }
  return %r : tensor<2x72x16xi8>
}

// -----

// The lines of each image as one, with what is in them: each image is padded and
// joined where it is read.
// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x7x5x16xf32>
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[NUMBER:[a-z0-9]+]] =
// CHECK-NEXT: %[[OWN:.*]] = tensor.extract_slice %[[X]][%[[NUMBER]], 0, 0, 0] [1, 7, 5, 16] [1, 1, 1, 1]
// CHECK-NEXT: %[[PADDED:.*]] = tensor.pad %[[OWN]] low[0, 1, 1, 0] high[0, 1, 1, 0] {
// CHECK: } : tensor<1x7x5x16xf32> to tensor<1x9x7x16xf32>
// CHECK-NEXT: %[[LINE:.*]] = tensor.collapse_shape %[[PADDED]] {{\[}}[0], [1, 2], [3]] : tensor<1x9x7x16xf32> into tensor<1x63x16xf32>
// CHECK: scf.for %[[PIXEL:[a-z0-9]+]] =
// CHECK: vector.transfer_read %[[LINE]][%c0{{[_0-9]*}}, %[[PIXEL]], %c0{{[_0-9]*}}]
func.func @joined(%x: tensor<8x7x5x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %p = ub.poison : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<8x7x5x16xf32> to tensor<8x9x7x16xf32>
  %lines = tensor.collapse_shape %padded [[0], [1, 2], [3]] : tensor<8x9x7x16xf32> into tensor<8x63x16xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%own = %y) -> (tensor<8x16xf32>) {
    %sum = scf.for %i = %c0 to %c63 step %c1 iter_args(%s = %none) -> (vector<16xf32>) {
      %v = vector.transfer_read %lines[%n, %i, %c0], %p {in_bounds = [true]} : tensor<8x63x16xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %next = vector.transfer_write %sum, %own[%n, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// -----

// Images and lines as one dimension: no image is known to be read by itself.
// CHECK-LABEL: func.func @joined_images(
// CHECK: tensor.pad
// CHECK: scf.for
// CHECK-NOT: tensor.pad
func.func @joined_images(%x: tensor<8x7x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %p = ub.poison : f32
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<8x7x16xf32> to tensor<8x9x16xf32>
  %lines = tensor.collapse_shape %padded [[0, 1], [2]] : tensor<8x9x16xf32> into tensor<72x16xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%own = %y) -> (tensor<8x16xf32>) {
    %v = vector.transfer_read %lines[%n, %c0], %p {in_bounds = [true]} : tensor<72x16xf32>, vector<16xf32>
    %next = vector.transfer_write %v, %own[%n, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// -----

// Slices of joined lines are read where they were; two loops that read them would
// each need a pad of their own.
// CHECK-LABEL: func.func @joined_slices(
// CHECK-NOT: tensor.pad
// CHECK: scf.for
// CHECK: %[[LINE:.*]] = tensor.collapse_shape {{.*}} into tensor<1x63x16xf32>
// CHECK: scf.for %[[PIXEL:[a-z0-9]+]] =
// CHECK: tensor.extract_slice %[[LINE]][0, %[[PIXEL]], 0] [1, 16, 16] [1, 1, 1] : tensor<1x63x16xf32> to tensor<16x16xf32>
// CHECK-LABEL: func.func @joined_twice(
// CHECK: tensor.pad
// CHECK: scf.for
// CHECK-NOT: tensor.pad
func.func @joined_slices(%x: tensor<8x7x5x16xf32>, %y: tensor<8x16x16xf32>) -> tensor<8x16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<8x7x5x16xf32> to tensor<8x9x7x16xf32>
  %lines = tensor.collapse_shape %padded [[0], [1, 2], [3]] : tensor<8x9x7x16xf32> into tensor<8x63x16xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%own = %y) -> (tensor<8x16x16xf32>) {
    %q = scf.for %t = %c0 to %c9 step %c1 iter_args(%o = %own) -> (tensor<8x16x16xf32>) {
    %s = tensor.extract_slice %lines[%n, %t, 0] [1, 16, 16] [1, 1, 1] : tensor<8x63x16xf32> to tensor<16x16xf32>
    %next = tensor.insert_slice %s into %o[%n, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<16x16xf32> into tensor<8x16x16xf32>
    scf.yield %next : tensor<8x16x16xf32>
    }
    scf.yield %q : tensor<8x16x16xf32>
  }
  return %r : tensor<8x16x16xf32>
}
func.func @joined_twice(%x: tensor<8x7x5x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<8x7x5x16xf32> to tensor<8x9x7x16xf32>
  %lines = tensor.collapse_shape %padded [[0], [1, 2], [3]] : tensor<8x9x7x16xf32> into tensor<8x63x16xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%own = %y) -> (tensor<8x16xf32>) {
    %v = vector.transfer_read %lines[%n, %c1, %c0], %zero {in_bounds = [true]} : tensor<8x63x16xf32>, vector<16xf32>
    %next = vector.transfer_write %v, %own[%n, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  %r2 = scf.for %n = %c0 to %c8 step %c1 iter_args(%own = %r) -> (tensor<8x16xf32>) {
    %v = vector.transfer_read %lines[%n, %c8, %c0], %zero {in_bounds = [true]} : tensor<8x63x16xf32>, vector<16xf32>
    %next = vector.transfer_write %v, %own[%n, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  return %r2 : tensor<8x16xf32>
}
