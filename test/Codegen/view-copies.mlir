// Copies of what taps of a window meet, as views.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-view-copies,canonicalize))" | FileCheck %s

// Every second pixel for each of three taps: one view, whose pixels overlap.
// CHECK-LABEL: func.func @taps(
// CHECK-SAME: %[[IMAGE:[a-z0-9]+]]: memref<4x9x8xf32>
// CHECK-NOT: linalg.copy
// CHECK: memref.reinterpret_cast %[[IMAGE]] to offset: [0], sizes: [4, 3, 4, 8], strides: [72, 8, 16, 1]
// CHECK-NOT: linalg.copy
// CHECK: vector.transfer_read {{.*}} : memref<4x3x4x4x2xf32, strided<[72, 8, 16, 2, 1]>>, vector<4x2xf32>
func.func @taps(%image: memref<4x9x8xf32>, %i: index) -> vector<4x2xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %rows = memref.alloc() : memref<4x3x4x8xf32>
  %from0 = memref.subview %image[0, 0, 0] [4, 4, 8] [1, 2, 1] : memref<4x9x8xf32> to memref<4x4x8xf32, strided<[72, 16, 1]>>
  %tap0 = memref.expand_shape %from0 [[0], [1, 2], [3]] output_shape [4, 1, 4, 8] : memref<4x4x8xf32, strided<[72, 16, 1]>> into memref<4x1x4x8xf32, strided<[72, 64, 16, 1]>>
  %to0 = memref.subview %rows[0, 0, 0, 0] [4, 1, 4, 8] [1, 1, 1, 1] : memref<4x3x4x8xf32> to memref<4x1x4x8xf32, strided<[96, 32, 8, 1]>>
  linalg.copy ins(%tap0 : memref<4x1x4x8xf32, strided<[72, 64, 16, 1]>>) outs(%to0 : memref<4x1x4x8xf32, strided<[96, 32, 8, 1]>>)
  %from1 = memref.subview %image[0, 1, 0] [4, 4, 8] [1, 2, 1] : memref<4x9x8xf32> to memref<4x4x8xf32, strided<[72, 16, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0], [1, 2], [3]] output_shape [4, 1, 4, 8] : memref<4x4x8xf32, strided<[72, 16, 1], offset: 8>> into memref<4x1x4x8xf32, strided<[72, 64, 16, 1], offset: 8>>
  %to1 = memref.subview %rows[0, 1, 0, 0] [4, 1, 4, 8] [1, 1, 1, 1] : memref<4x3x4x8xf32> to memref<4x1x4x8xf32, strided<[96, 32, 8, 1], offset: 32>>
  linalg.copy ins(%tap1 : memref<4x1x4x8xf32, strided<[72, 64, 16, 1], offset: 8>>) outs(%to1 : memref<4x1x4x8xf32, strided<[96, 32, 8, 1], offset: 32>>)
  %from2 = memref.subview %image[0, 2, 0] [4, 4, 8] [1, 2, 1] : memref<4x9x8xf32> to memref<4x4x8xf32, strided<[72, 16, 1], offset: 16>>
  %tap2 = memref.expand_shape %from2 [[0], [1, 2], [3]] output_shape [4, 1, 4, 8] : memref<4x4x8xf32, strided<[72, 16, 1], offset: 16>> into memref<4x1x4x8xf32, strided<[72, 64, 16, 1], offset: 16>>
  %to2 = memref.subview %rows[0, 2, 0, 0] [4, 1, 4, 8] [1, 1, 1, 1] : memref<4x3x4x8xf32> to memref<4x1x4x8xf32, strided<[96, 32, 8, 1], offset: 64>>
  linalg.copy ins(%tap2 : memref<4x1x4x8xf32, strided<[72, 64, 16, 1], offset: 16>>) outs(%to2 : memref<4x1x4x8xf32, strided<[96, 32, 8, 1], offset: 64>>)
  %pairs = memref.expand_shape %rows [[0], [1], [2], [3, 4]] output_shape [4, 3, 4, 4, 2] : memref<4x3x4x8xf32> into memref<4x3x4x4x2xf32>
  %read = vector.transfer_read %pairs[%i, %c0, %c0, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x3x4x4x2xf32>, vector<4x2xf32>
  return %read : vector<4x2xf32>
}

// What is copied is written to afterwards.
// CHECK-LABEL: func.func @written(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @written(%image: memref<9x8xf32>, %i: index, %v: f32) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  memref.store %v, %image[%i, %i] : memref<9x8xf32>
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}

// The copy is written to, and one place of it is not one.
// CHECK-LABEL: func.func @changed(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
// CHECK-LABEL: func.func @partly(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @changed(%image: memref<9x8xf32>, %i: index, %v: f32) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  memref.store %v, %rows[%i, %i, %i] : memref<2x8x8xf32>
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}
func.func @partly(%image: memref<9x8xf32>, %i: index) -> f32 {
  %rows = memref.alloc() : memref<3x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<3x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<3x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  %read = memref.load %rows[%i, %i, %i] : memref<3x8x8xf32>
  return %read : f32
}

// The same as nothing interferes: a view.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: linalg.copy
// CHECK: memref.reinterpret_cast
func.func @kept(%image: memref<9x8xf32>, %i: index) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}

// What may be written has another name: a select of the source made before the
// copies.
// CHECK-LABEL: func.func @selected(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @selected(%image: memref<9x8xf32>, %i: index, %c: i1, %other: memref<9x8xf32>, %v: f32) -> f32 {
  %either = arith.select %c, %image, %other : memref<9x8xf32>
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  memref.store %v, %either[%i, %i] : memref<9x8xf32>
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}

// The copy leaves the function, and a block.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @returned(%image: memref<9x8xf32>, %i: index) -> memref<2x8x8xf32> {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  return %rows : memref<2x8x8xf32>
}
// CHECK-LABEL: func.func @yielded(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @yielded(%image: memref<9x8xf32>, %i: index, %c: i1, %other: memref<2x8x8xf32>) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  %either = scf.if %c -> memref<2x8x8xf32> {
    scf.yield %rows : memref<2x8x8xf32>
  } else {
    scf.yield %other : memref<2x8x8xf32>
  }
  %read = memref.load %either[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}

// The copy converts.
// CHECK-LABEL: func.func @converted(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @converted(%image: memref<9x8xbf16>, %i: index) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xbf16> to memref<8x8xbf16, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xbf16, strided<[8, 1]>> into memref<1x8x8xbf16, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xbf16, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xbf16> to memref<8x8xbf16, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xbf16, strided<[8, 1], offset: 8>> into memref<1x8x8xbf16, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xbf16, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  return %read : f32
}

// Read while it is written.
// CHECK-LABEL: func.func @early(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @early(%image: memref<9x8xf32>, %i: index) -> f32 {
  %rows = memref.alloc() : memref<2x8x8xf32>
  %from0 = memref.subview %image[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
  linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
  %early = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  %from1 = memref.subview %image[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
  linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
  %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
  %sum = arith.addf %read, %early : f32
  return %sum : f32
}

// A buffer that a loop carries may be any other.
// CHECK-LABEL: func.func @carried(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @carried(%image: memref<9x8xf32>, %other: memref<9x8xf32>, %i: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %r:3 = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %image, %b = %other, %s = %zero) -> (memref<9x8xf32>, memref<9x8xf32>, f32) {
    %rows = memref.alloc() : memref<2x8x8xf32>
    %from0 = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1]>>
    %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1]>> into memref<1x8x8xf32, strided<[64, 8, 1]>>
    %to0 = memref.subview %rows[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1]>>
    linalg.copy ins(%tap0 : memref<1x8x8xf32, strided<[64, 8, 1]>>) outs(%to0 : memref<1x8x8xf32, strided<[64, 8, 1]>>)
    %from1 = memref.subview %a[1, 0] [8, 8] [1, 1] : memref<9x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
    %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 8, 8] : memref<8x8xf32, strided<[8, 1], offset: 8>> into memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>
    %to1 = memref.subview %rows[1, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>
    linalg.copy ins(%tap1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 8>>) outs(%to1 : memref<1x8x8xf32, strided<[64, 8, 1], offset: 64>>)
    %read = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
    memref.store %v, %b[%i, %i] : memref<9x8xf32>
    %next = memref.load %rows[%i, %i, %i] : memref<2x8x8xf32>
    %t = arith.addf %s, %next : f32
    scf.yield %b, %a, %t : memref<9x8xf32>, memref<9x8xf32>, f32
  }
  return %r#2 : f32
}

// Neighbours would be apart, and vectors read element by element.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @apart(%image: memref<4x9xf32>, %i: index) -> f32 {
  %rows = memref.alloc() : memref<2x4x4xf32>
  %from0 = memref.subview %image[0, 0] [4, 4] [1, 2] : memref<4x9xf32> to memref<4x4xf32, strided<[9, 2]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 4, 4] : memref<4x4xf32, strided<[9, 2]>> into memref<1x4x4xf32, strided<[36, 9, 2]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 4, 4] [1, 1, 1] : memref<2x4x4xf32> to memref<1x4x4xf32, strided<[16, 4, 1]>>
  linalg.copy ins(%tap0 : memref<1x4x4xf32, strided<[36, 9, 2]>>) outs(%to0 : memref<1x4x4xf32, strided<[16, 4, 1]>>)
  %from1 = memref.subview %image[0, 1] [4, 4] [1, 2] : memref<4x9xf32> to memref<4x4xf32, strided<[9, 2], offset: 1>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 4, 4] : memref<4x4xf32, strided<[9, 2], offset: 1>> into memref<1x4x4xf32, strided<[36, 9, 2], offset: 1>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 4, 4] [1, 1, 1] : memref<2x4x4xf32> to memref<1x4x4xf32, strided<[16, 4, 1], offset: 16>>
  linalg.copy ins(%tap1 : memref<1x4x4xf32, strided<[36, 9, 2], offset: 1>>) outs(%to1 : memref<1x4x4xf32, strided<[16, 4, 1], offset: 16>>)
  %read = memref.load %rows[%i, %i, %i] : memref<2x4x4xf32>
  return %read : f32
}

// A dimension of taps and one of channels that become one, as they are next to
// each other in the view, too; of others the copies stay.
// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[IMAGE:[a-z0-9]+]]: memref<9x4xf32>
// CHECK-NOT: linalg.copy
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[IMAGE]] to offset: [0], sizes: [4, 2, 4], strides: [8, 4, 1]
// CHECK: memref.collapse_shape %[[VIEW]] {{\[}}[0], [1, 2]] : memref<4x2x4xf32, strided<[8, 4, 1]>> into memref<4x8xf32, strided<[8, 1]>>
// CHECK-LABEL: func.func @not_joined(
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: reinterpret_cast
func.func @joined(%image: memref<9x4xf32>, %i: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %rows = memref.alloc() : memref<4x2x4xf32>
  %from0 = memref.subview %image[0, 0] [4, 4] [2, 1] : memref<9x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [4, 1, 4] : memref<4x4xf32, strided<[8, 1]>> into memref<4x1x4xf32, strided<[8, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [4, 1, 4] [1, 1, 1] : memref<4x2x4xf32> to memref<4x1x4xf32, strided<[8, 4, 1]>>
  linalg.copy ins(%tap0 : memref<4x1x4xf32, strided<[8, 8, 1]>>) outs(%to0 : memref<4x1x4xf32, strided<[8, 4, 1]>>)
  %from1 = memref.subview %image[1, 0] [4, 4] [2, 1] : memref<9x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [4, 1, 4] : memref<4x4xf32, strided<[8, 1], offset: 4>> into memref<4x1x4xf32, strided<[8, 8, 1], offset: 4>>
  %to1 = memref.subview %rows[0, 1, 0] [4, 1, 4] [1, 1, 1] : memref<4x2x4xf32> to memref<4x1x4xf32, strided<[8, 4, 1], offset: 4>>
  linalg.copy ins(%tap1 : memref<4x1x4xf32, strided<[8, 8, 1], offset: 4>>) outs(%to1 : memref<4x1x4xf32, strided<[8, 4, 1], offset: 4>>)
  %joined = memref.collapse_shape %rows [[0], [1, 2]] : memref<4x2x4xf32> into memref<4x8xf32>
  %read = vector.transfer_read %joined[%i, %c0], %pad {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
  return %read : vector<8xf32>
}

func.func @not_joined(%image: memref<9x4xf32>, %i: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %rows = memref.alloc() : memref<2x4x4xf32>
  %from0 = memref.subview %image[0, 0] [4, 4] [2, 1] : memref<9x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  %tap0 = memref.expand_shape %from0 [[0, 1], [2]] output_shape [1, 4, 4] : memref<4x4xf32, strided<[8, 1]>> into memref<1x4x4xf32, strided<[32, 8, 1]>>
  %to0 = memref.subview %rows[0, 0, 0] [1, 4, 4] [1, 1, 1] : memref<2x4x4xf32> to memref<1x4x4xf32, strided<[16, 4, 1]>>
  linalg.copy ins(%tap0 : memref<1x4x4xf32, strided<[32, 8, 1]>>) outs(%to0 : memref<1x4x4xf32, strided<[16, 4, 1]>>)
  %from1 = memref.subview %image[1, 0] [4, 4] [2, 1] : memref<9x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  %tap1 = memref.expand_shape %from1 [[0, 1], [2]] output_shape [1, 4, 4] : memref<4x4xf32, strided<[8, 1], offset: 4>> into memref<1x4x4xf32, strided<[32, 8, 1], offset: 4>>
  %to1 = memref.subview %rows[1, 0, 0] [1, 4, 4] [1, 1, 1] : memref<2x4x4xf32> to memref<1x4x4xf32, strided<[16, 4, 1], offset: 16>>
  linalg.copy ins(%tap1 : memref<1x4x4xf32, strided<[32, 8, 1], offset: 4>>) outs(%to1 : memref<1x4x4xf32, strided<[16, 4, 1], offset: 16>>)
  %joined = memref.collapse_shape %rows [[0, 1], [2]] : memref<2x4x4xf32> into memref<8x4xf32>
  %read = vector.transfer_read %joined[%i, %c0], %pad {in_bounds = [true]} : memref<8x4xf32>, vector<4xf32>
  return %read : vector<4xf32>
}
