// Rows of 1024 bytes of a buffer of the function's own come to lie 1088 apart,
// where a tile of them is read, and views of it with them (ViewTypes.cpp).

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-pad-pitch))" | FileCheck %s

// A padded image, its lines as one, and a tile of 16 pixels.
// CHECK-LABEL: func.func @tile(
// CHECK: %[[WIDE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x6x544xbf16>
// CHECK: %[[IMAGE:.*]] = memref.subview %[[WIDE]][0, 0, 0] [4, 6, 512] [1, 1, 1] : memref<4x6x544xbf16> to memref<4x6x512xbf16, strided<[3264, 544, 1]>>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[IMAGE]] : memref<4x6x512xbf16, strided<[3264, 544, 1]>>)
// CHECK: memref.collapse_shape %[[IMAGE]] {{.*}} into memref<24x512xbf16, strided<[544, 1]>>
// CHECK: memref.expand_shape {{.*}} into memref<24x256x2xbf16, strided<[544, 2, 1]>>
// CHECK: vector.transfer_read {{.*}} : memref<24x256x2xbf16, strided<[544, 2, 1]>>, vector<16x16x2xbf16>
func.func @tile(%x: memref<2x4x512xbf16>, %r: index, %k: index) -> vector<16x16x2xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %image = memref.alloc() {alignment = 64 : i64} : memref<4x6x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%image : memref<4x6x512xbf16>)
  %inside = memref.subview %image[1, 1, 0] [2, 4, 512] [1, 1, 1] : memref<4x6x512xbf16> to memref<2x4x512xbf16, strided<[3072, 512, 1], offset: 3584>>
  linalg.copy ins(%x : memref<2x4x512xbf16>) outs(%inside : memref<2x4x512xbf16, strided<[3072, 512, 1], offset: 3584>>)
  %line = memref.collapse_shape %image [[0, 1], [2]] : memref<4x6x512xbf16> into memref<24x512xbf16>
  %pairs = memref.expand_shape %line [[0], [1, 2]] output_shape [24, 256, 2] : memref<24x512xbf16> into memref<24x256x2xbf16>
  %tile = vector.transfer_read %pairs[%r, %k, %c0], %zero {in_bounds = [true, true, true]} : memref<24x256x2xbf16>, vector<16x16x2xbf16>
  return %tile : vector<16x16x2xbf16>
}

// Eight rows find their places.
// CHECK-LABEL: func.func @few_rows(
// CHECK: memref.alloc() : memref<32x512xbf16>
func.func @few_rows(%r: index, %k: index) -> vector<8x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x512xbf16>)
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<8x32xbf16>
  return %tile : vector<8x32xbf16>
}

// Rows of 1280 bytes are in other places each.
// CHECK-LABEL: func.func @other_rows(
// CHECK: memref.alloc() : memref<32x640xbf16>
func.func @other_rows(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x640xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x640xbf16>)
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x640xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}

// Every second row: these have places of their own, too. Of every 32nd one, they
// would still share two.
// CHECK-LABEL: func.func @second_rows(
// CHECK: memref.alloc() : memref<32x2x544xbf16>
// CHECK-LABEL: func.func @far_rows(
// CHECK: memref.alloc() : memref<32x32x512xbf16>
func.func @second_rows(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x2x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x2x512xbf16>)
  %tile = vector.transfer_read %rows[%r, %r, %k], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<32x2x512xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}
func.func @far_rows(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x32x512xbf16>)
  %tile = vector.transfer_read %rows[%r, %r, %k], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<32x32x512xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}

// Others may take the buffer to be dense: a function, a reshape that joins its
// rows, and the one that gets it.
func.func private @use(memref<32x512xbf16>)
// CHECK-LABEL: func.func @called(
// CHECK: memref.alloc() : memref<32x512xbf16>
func.func @called(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  call @use(%rows) : (memref<32x512xbf16>) -> ()
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}

// CHECK-LABEL: func.func @flat(
// CHECK: memref.alloc() : memref<32x512xbf16>
func.func @flat(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  %all = memref.collapse_shape %rows [[0, 1]] : memref<32x512xbf16> into memref<16384xbf16>
  linalg.fill ins(%zero : bf16) outs(%all : memref<16384xbf16>)
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}

// CHECK-LABEL: func.func @returned(
// CHECK: memref.alloc() : memref<32x512xbf16>
func.func @returned(%r: index, %k: index) -> (vector<16x32xbf16>, memref<32x512xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x512xbf16>)
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  return %tile, %rows : vector<16x32xbf16>, memref<32x512xbf16>
}

// A view cannot be freed, and whoever has a pointer may count on the rows.
// CHECK-LABEL: func.func @freed(
// CHECK: memref.alloc() : memref<32x512xbf16>
// CHECK-LABEL: func.func @cast(
// CHECK: memref.alloc() : memref<32x512xbf16>
func.func @freed(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x512xbf16>)
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  memref.dealloc %rows : memref<32x512xbf16>
  return %tile : vector<16x32xbf16>
}
func.func @cast(%r: index, %k: index) -> (vector<16x32xbf16>, !llvm.ptr) {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x512xbf16>)
  memref.prefetch %rows[%r, %k], read, locality<3>, data : memref<32x512xbf16>
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  %pointer = builtin.unrealized_conversion_cast %rows : memref<32x512xbf16> to !llvm.ptr
  return %tile, %pointer : vector<16x32xbf16>, !llvm.ptr
}

// CHECK-LABEL: func.func @fetched(
// CHECK: memref.alloc() : memref<32x544xbf16>
func.func @fetched(%r: index, %k: index) -> vector<16x32xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = memref.alloc() : memref<32x512xbf16>
  linalg.fill ins(%zero : bf16) outs(%rows : memref<32x512xbf16>)
  memref.prefetch %rows[%r, %k], read, locality<3>, data : memref<32x512xbf16>
  %tile = vector.transfer_read %rows[%r, %k], %zero {in_bounds = [true, true]} : memref<32x512xbf16>, vector<16x32xbf16>
  return %tile : vector<16x32xbf16>
}
