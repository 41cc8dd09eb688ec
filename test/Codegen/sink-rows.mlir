// Rows that are copied of a batch of images are copied in the loop that reads
// them image by image.

// RUN: sched-opt %s --sched-sink-rows --split-input-file | FileCheck %s
// RUN: sched-opt %s --sched-sink-rows=threads=2 --split-input-file | FileCheck %s --check-prefix=THREADS

#in = affine_map<(n, h, o, k) -> (n, h, o * 5 + k)>
#out = affine_map<(n, h, o, k) -> (n, h, o, k)>

// The pad stays outside, and a part of it is what is copied. Of several threads
// all copy before a loop that is not theirs, and each its own in one that is.
// THREADS-LABEL: func.func @images(
// THREADS: linalg.generic
// THREADS: scf.for
// CHECK-LABEL: func.func @images(
// CHECK: %[[PADDED:.*]] = tensor.pad
// CHECK-NOT: linalg.generic
// CHECK: scf.for %[[N:[a-z0-9]*]] =
// CHECK-NEXT: %[[IMAGE:.*]] = tensor.extract_slice %[[PADDED]][%[[N]], 0, 0, 0] [1, 64, 72, 3] [1, 1, 1, 1]
// CHECK-NEXT: %[[FLAT:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[}}[0], [1], [2, 3]] : tensor<1x64x72x3xf32> into tensor<1x64x216xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<1x64x32x32xf32>
// CHECK-NEXT: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[FLAT]] : {{.*}} outs(%[[EMPTY]] : {{.*}} attrs = {schedule.alone}
// CHECK: scf.for %[[H:[a-z0-9]*]] =
// CHECK-NEXT: tensor.extract_slice %[[ROWS]][0, %[[H]], 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<1x64x32x32xf32> to tensor<32x32xf32>
func.func @images(%x: tensor<8x64x70x3xf32>, %r: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<8x64x70x3xf32> to tensor<8x64x72x3xf32>
  %flat = tensor.collapse_shape %padded [[0], [1], [2, 3]] : tensor<8x64x72x3xf32> into tensor<8x64x216xf32>
  %e = tensor.empty() : tensor<8x64x32x32xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%flat : tensor<8x64x216xf32>) outs(%e : tensor<8x64x32x32xf32>) attrs = {schedule.alone} {
  ^bb0(%v: f32, %o: f32):
    %k = linalg.index 3 : index
    %is = arith.cmpi ult, %k, %c8 : index
    %s = arith.select %is, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x64x32x32xf32>
  %all = scf.for %n = %c0 to %c8 step %c1 iter_args(%sum = %r) -> tensor<32x32xf32> {
    %lines = scf.for %h = %c0 to %c64 step %c1 iter_args(%part = %sum) -> tensor<32x32xf32> {
      %line = tensor.extract_slice %rows[%n, %h, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : tensor<8x64x32x32xf32> to tensor<32x32xf32>
      %t = linalg.add ins(%line, %part : tensor<32x32xf32>, tensor<32x32xf32>) outs(%part : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %t : tensor<32x32xf32>
    }
    scf.yield %lines : tensor<32x32xf32>
  }
  return %all : tensor<32x32xf32>
}

// -----

#in = affine_map<(n, h, k) -> (n, h + k)>
#out = affine_map<(n, h, k) -> (n, h, k)>

// A parallel loop over the images.
// THREADS-LABEL: func.func @parallel(
// THREADS-NOT: linalg.generic
// THREADS: scf.forall
// THREADS: linalg.generic
// CHECK-LABEL: func.func @parallel(
// CHECK-NOT: linalg.generic
// CHECK: scf.forall (%[[N:[a-z0-9]*]]) in (8)
// CHECK-NEXT: tensor.extract_slice %arg0[%[[N]], 0] [1, 511] [1, 1]
// CHECK: linalg.generic
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<1x256x256xf32>
func.func @parallel(%x: tensor<8x511xf32>) -> tensor<8x256x256xf32> {
  %e = tensor.empty() : tensor<8x256x256xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x511xf32>) outs(%e : tensor<8x256x256xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.negf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x256x256xf32>
  %all = scf.forall (%n) in (8) shared_outs(%o = %e) -> tensor<8x256x256xf32> {
    %own = tensor.extract_slice %rows[%n, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<8x256x256xf32> to tensor<1x256x256xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %own into %o[%n, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<1x256x256xf32> into tensor<8x256x256xf32>
    }
  }
  return %all : tensor<8x256x256xf32>
}

// -----

#in = affine_map<(n, h, k) -> (n, h + k)>
#out = affine_map<(n, h, k) -> (n, h, k)>

// Stays: images that are read twice, in a loop inside of another one; two at a
// time; less than a MiB; each element once, of any type; an image that there is
// none of, in a branch.
// CHECK-LABEL: func.func @twice(
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-LABEL: func.func @pairs(
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-LABEL: func.func @small(
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-LABEL: func.func @elementwise(
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-LABEL: func.func @guarded(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @twice(%x: tensor<8x511xf32>, %r: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x256x256xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x511xf32>) outs(%e : tensor<8x256x256xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.negf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x256x256xf32>
  %all = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %r) -> tensor<256x256xf32> {
    %t = scf.for %n = %c0 to %c8 step %c1 iter_args(%part = %sum) -> tensor<256x256xf32> {
      %own = tensor.extract_slice %rows[%n, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<8x256x256xf32> to tensor<256x256xf32>
      %u = linalg.add ins(%own, %part : tensor<256x256xf32>, tensor<256x256xf32>) outs(%part : tensor<256x256xf32>) -> tensor<256x256xf32>
      scf.yield %u : tensor<256x256xf32>
    }
    scf.yield %t : tensor<256x256xf32>
  }
  return %all : tensor<256x256xf32>
}

func.func @pairs(%x: tensor<8x511xf32>, %r: tensor<2x256x256xf32>) -> tensor<2x256x256xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x256x256xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x511xf32>) outs(%e : tensor<8x256x256xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.negf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x256x256xf32>
  %all = scf.for %n = %c0 to %c8 step %c2 iter_args(%part = %r) -> tensor<2x256x256xf32> {
    %own = tensor.extract_slice %rows[%n, 0, 0] [2, 256, 256] [1, 1, 1] : tensor<8x256x256xf32> to tensor<2x256x256xf32>
    %u = linalg.add ins(%own, %part : tensor<2x256x256xf32>, tensor<2x256x256xf32>) outs(%part : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    scf.yield %u : tensor<2x256x256xf32>
  }
  return %all : tensor<2x256x256xf32>
}

func.func @small(%x: tensor<8x31xf32>, %r: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x16x16xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x31xf32>) outs(%e : tensor<8x16x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.negf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x16x16xf32>
  %all = scf.for %n = %c0 to %c8 step %c1 iter_args(%part = %r) -> tensor<16x16xf32> {
    %own = tensor.extract_slice %rows[%n, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<8x16x16xf32> to tensor<16x16xf32>
    %u = linalg.add ins(%own, %part : tensor<16x16xf32>, tensor<16x16xf32>) outs(%part : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %u : tensor<16x16xf32>
  }
  return %all : tensor<16x16xf32>
}

func.func @elementwise(%x: tensor<8x256x256xi64>, %r: tensor<256x256xindex>) -> tensor<256x256xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x256x256xindex>
  %rows = linalg.generic {indexing_maps = [#out, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x256x256xi64>) outs(%e : tensor<8x256x256xindex>) {
  ^bb0(%v: i64, %o: index):
    %s = arith.index_cast %v : i64 to index
    linalg.yield %s : index
  } -> tensor<8x256x256xindex>
  %all = scf.for %n = %c0 to %c8 step %c1 iter_args(%part = %r) -> tensor<256x256xindex> {
    %own = tensor.extract_slice %rows[%n, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<8x256x256xindex> to tensor<256x256xindex>
    scf.yield %own : tensor<256x256xindex>
  }
  return %all : tensor<256x256xindex>
}

func.func @guarded(%x: tensor<8x511xf32>, %r: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8x256x256xf32>
  %rows = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x511xf32>) outs(%e : tensor<8x256x256xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.negf %v : f32
    linalg.yield %s : f32
  } -> tensor<8x256x256xf32>
  %all = scf.for %n = %c0 to %c9 step %c1 iter_args(%part = %r) -> tensor<256x256xf32> {
    %is = arith.cmpi ult, %n, %c8 : index
    %t = scf.if %is -> tensor<256x256xf32> {
      %own = tensor.extract_slice %rows[%n, 0, 0] [1, 256, 256] [1, 1, 1] : tensor<8x256x256xf32> to tensor<256x256xf32>
      scf.yield %own : tensor<256x256xf32>
    } else {
      scf.yield %part : tensor<256x256xf32>
    }
    scf.yield %t : tensor<256x256xf32>
  }
  return %all : tensor<256x256xf32>
}

// -----

// A fill reads a number, which is no image.
// CHECK-LABEL: func.func @filled(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : f32)
// THREADS-LABEL: func.func @filled(
func.func @filled() -> tensor<8x16x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w) -> ()>, affine_map<(n, h, w) -> (n, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : f32) outs(%e : tensor<8x16x256xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<8x16x256xf32>
  return %r : tensor<8x16x256xf32>
}
