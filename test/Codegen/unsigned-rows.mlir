// Signed bytes are 128 larger, as unsigned ones, where the function copies them
// for products alone (Codegen/UnsignedRows.cpp); else when they are read.

// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=avx512vnni}))" --split-input-file | FileCheck %s
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=avx512vnni},sched-lower-copies))" --split-input-file | FileCheck %s --check-prefix=LINES
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=dotprod}))" --split-input-file | FileCheck %s --check-prefix=SIGNED
// RUN: sched-opt %s --pass-pipeline="builtin.module(func.func(sched-lower-dot-products{instructions=avxvnni,avxvnniint8}))" --split-input-file | FileCheck %s --check-prefix=SIGNED

#rows = affine_map<(m, k, n, s) -> (m, k, s)>
#columns = affine_map<(m, k, n, s) -> (k, n, s)>
#sums = affine_map<(m, k, n, s) -> (m, n)>
#product = {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}

// A padded image: its border, and what is copied into it by lines.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[IMAGE:.*]] = memref.alloc() : memref<4x4x4xi8>
// CHECK: linalg.fill ins(%c-128_i8{{.*}} : i8) outs(%{{.*}} : memref<1x4x4xi8
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : memref<2x4x4xi8
// CHECK: arith.xori %{{.*}}, %c-128_i8{{.*}} : i8
// CHECK: vector.transfer_write %{{.*}}, %{{.*}} : vector<1x4x4xi8>
// CHECK-NOT: arith.xori {{.*}}i32
// CHECK: return
// LINES-LABEL: func.func @padded(
// LINES: %[[LINE:.*]] = vector.load {{.*}} vector<32xi8>
// LINES: %[[FLIPPED:.*]] = arith.xori %[[LINE]], %cst{{.*}} : vector<32xi8>
// LINES: vector.store %[[FLIPPED]]
// LINES-NOT: linalg.generic
// LINES: return
// SIGNED-LABEL: func.func @padded(
// SIGNED-NOT: xori
// SIGNED: return
func.func @padded(%a: memref<2x4x4xi8>, %b: memref<4x16x4xi8>, %line: vector<1x4x4xi8>, %sums: vector<2x16xi32>, %y: index) -> vector<2x16xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %image = memref.alloc() : memref<4x4x4xi8>
  %above = memref.subview %image[0, 0, 0] [1, 4, 4] [1, 1, 1] : memref<4x4x4xi8> to memref<1x4x4xi8, strided<[16, 4, 1]>>
  linalg.fill ins(%zero : i8) outs(%above : memref<1x4x4xi8, strided<[16, 4, 1]>>)
  %inside = memref.subview %image[1, 0, 0] [2, 4, 4] [1, 1, 1] : memref<4x4x4xi8> to memref<2x4x4xi8, strided<[16, 4, 1], offset: 16>>
  linalg.copy ins(%a : memref<2x4x4xi8>) outs(%inside : memref<2x4x4xi8, strided<[16, 4, 1], offset: 16>>)
  %c3 = arith.constant 3 : index
  vector.transfer_write %line, %image[%c3, %c0, %c0] {in_bounds = [true, true, true]} : vector<1x4x4xi8>, memref<4x4x4xi8>
  %x = vector.transfer_read %image[%y, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<4x4x4xi8>, vector<2x4x4xi8>
  %v = vector.transfer_read %b[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<4x16x4xi8>, vector<4x16x4xi8>
  %xw = arith.extsi %x : vector<2x4x4xi8> to vector<2x4x4xi32>
  %vw = arith.extsi %v : vector<4x16x4xi8> to vector<4x16x4xi32>
  %r = vector.contract #product %xw, %vw, %sums : vector<2x4x4xi32>, vector<4x16x4xi32> into vector<2x16xi32>
  memref.dealloc %image : memref<4x4x4xi8>
  return %r : vector<2x16xi32>
}

// -----

#rows = affine_map<(m, k, n, s) -> (m, k, s)>
#columns = affine_map<(m, k, n, s) -> (k, n, s)>
#sums = affine_map<(m, k, n, s) -> (m, n)>
#product = {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}

// Something else reads what was copied.
// CHECK-LABEL: func.func @read_elsewhere(
// CHECK: linalg.copy
// CHECK-COUNT-2: arith.xori {{.*}} : vector<16xi32>
func.func @read_elsewhere(%a: memref<2x1x4xi8>, %b: memref<1x16x4xi8>, %sums: vector<2x16xi32>) -> (vector<2x16xi32>, i8) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %copy = memref.alloc() : memref<2x1x4xi8>
  linalg.copy ins(%a : memref<2x1x4xi8>) outs(%copy : memref<2x1x4xi8>)
  %x = vector.transfer_read %copy[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<2x1x4xi8>, vector<2x1x4xi8>
  %v = vector.transfer_read %b[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<1x16x4xi8>, vector<1x16x4xi8>
  %xw = arith.extsi %x : vector<2x1x4xi8> to vector<2x1x4xi32>
  %vw = arith.extsi %v : vector<1x16x4xi8> to vector<1x16x4xi32>
  %r = vector.contract #product %xw, %vw, %sums : vector<2x1x4xi32>, vector<1x16x4xi32> into vector<2x16xi32>
  %first = memref.load %copy[%c0, %c0, %c0] : memref<2x1x4xi8>
  memref.dealloc %copy : memref<2x1x4xi8>
  return %r, %first : vector<2x16xi32>, i8
}

// -----

#rows = affine_map<(m, k, n, s) -> (m, k, s)>
#columns = affine_map<(m, k, n, s) -> (k, n, s)>
#sums = affine_map<(m, k, n, s) -> (m, n)>
#product = {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}

// A product of the copy with itself needs it as it is, too.
// CHECK-LABEL: func.func @both_sides(
// CHECK: linalg.copy
// CHECK-COUNT-16: arith.xori {{.*}} : vector<16xi32>
func.func @both_sides(%a: memref<16x1x4xi8>, %sums: vector<16x16xi32>) -> vector<16x16xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %copy = memref.alloc() : memref<16x1x4xi8>
  linalg.copy ins(%a : memref<16x1x4xi8>) outs(%copy : memref<16x1x4xi8>)
  %x = vector.transfer_read %copy[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<16x1x4xi8>, vector<16x1x4xi8>
  %y = memref.reinterpret_cast %copy to offset: [0], sizes: [1, 16, 4], strides: [64, 4, 1] : memref<16x1x4xi8> to memref<1x16x4xi8>
  %v = vector.transfer_read %y[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<1x16x4xi8>, vector<1x16x4xi8>
  %xw = arith.extsi %x : vector<16x1x4xi8> to vector<16x1x4xi32>
  %vw = arith.extsi %v : vector<1x16x4xi8> to vector<1x16x4xi32>
  %r = vector.contract #product %xw, %vw, %sums : vector<16x1x4xi32>, vector<1x16x4xi32> into vector<16x16xi32>
  memref.dealloc %copy : memref<16x1x4xi8>
  return %r : vector<16x16xi32>
}

// -----

#sides = {indexing_maps = [affine_map<(m, n, s) -> (m, s)>, affine_map<(m, n, s) -> (n, s)>, affine_map<(m, n, s) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}

// By one read.
// CHECK-LABEL: func.func @same_read(
// CHECK: linalg.copy
// CHECK-COUNT-16: arith.xori {{.*}} : vector<16xi32>
func.func @same_read(%a: memref<16x4xi8>, %sums: vector<16x16xi32>) -> vector<16x16xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %copy = memref.alloc() : memref<16x4xi8>
  linalg.copy ins(%a : memref<16x4xi8>) outs(%copy : memref<16x4xi8>)
  %x = vector.transfer_read %copy[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x4xi8>, vector<16x4xi8>
  %w = arith.extsi %x : vector<16x4xi8> to vector<16x4xi32>
  %r = vector.contract #sides %w, %w, %sums : vector<16x4xi32>, vector<16x4xi32> into vector<16x16xi32>
  memref.dealloc %copy : memref<16x4xi8>
  return %r : vector<16x16xi32>
}

// -----

#rows = affine_map<(m, k, n, s) -> (m, k, s)>
#columns = affine_map<(m, k, n, s) -> (k, n, s)>
#sums = affine_map<(m, k, n, s) -> (m, n)>
#product = {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}

// Wider elements are cut on the way, and a read beyond the end pads as it is.
// CHECK-LABEL: func.func @left(
// CHECK: linalg.copy ins(%{{.*}} : memref<2x1x4xi32>)
// CHECK-COUNT-2: arith.xori {{.*}} : vector<16xi32>
// CHECK: linalg.copy
// CHECK-COUNT-2: arith.xori {{.*}} : vector<16xi32>
func.func @left(%a: memref<2x1x4xi8>, %wide: memref<2x1x4xi32>, %b: memref<1x16x4xi8>, %sums: vector<2x16xi32>) -> (vector<2x16xi32>, vector<2x16xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %v = vector.transfer_read %b[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<1x16x4xi8>, vector<1x16x4xi8>
  %vw = arith.extsi %v : vector<1x16x4xi8> to vector<1x16x4xi32>
  %filled = memref.alloc() : memref<2x1x4xi8>
  linalg.copy ins(%wide : memref<2x1x4xi32>) outs(%filled : memref<2x1x4xi8>)
  %x = vector.transfer_read %filled[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<2x1x4xi8>, vector<2x1x4xi8>
  %xw = arith.extsi %x : vector<2x1x4xi8> to vector<2x1x4xi32>
  %r = vector.contract #product %xw, %vw, %sums : vector<2x1x4xi32>, vector<1x16x4xi32> into vector<2x16xi32>
  %short = memref.alloc() : memref<1x1x4xi8>
  %line = memref.subview %a[0, 0, 0] [1, 1, 4] [1, 1, 1] : memref<2x1x4xi8> to memref<1x1x4xi8, strided<[4, 4, 1]>>
  linalg.copy ins(%line : memref<1x1x4xi8, strided<[4, 4, 1]>>) outs(%short : memref<1x1x4xi8>)
  %y = vector.transfer_read %short[%c0, %c0, %c0], %zero {in_bounds = [false, true, true]} : memref<1x1x4xi8>, vector<2x1x4xi8>
  %yw = arith.extsi %y : vector<2x1x4xi8> to vector<2x1x4xi32>
  %q = vector.contract #product %yw, %vw, %sums : vector<2x1x4xi32>, vector<1x16x4xi32> into vector<2x16xi32>
  memref.dealloc %filled : memref<2x1x4xi8>
  memref.dealloc %short : memref<1x1x4xi8>
  return %r, %q : vector<2x16xi32>, vector<2x16xi32>
}

// -----

#rows = affine_map<(m, k, n, s) -> (m, k, s)>
#columns = affine_map<(m, k, n, s) -> (k, n, s)>
#sums = affine_map<(m, k, n, s) -> (m, n)>
#product = {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "reduction", "parallel", "reduction"], kind = #vector.kind<add>}

// A thread's part of an allocation for all of them (ThreadBuffers.cpp).
// CHECK-LABEL: func.func @of_threads(
// CHECK: linalg.generic
// CHECK-NOT: arith.xori {{.*}} : vector<16xi32>
// CHECK: return
func.func @of_threads(%a: memref<2x1x4xi8>, %b: memref<1x16x4xi8>, %sums: vector<2x16xi32>, %at: index) -> vector<2x16xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %all = memref.alloc() : memref<16xi8>
  %copy = memref.view %all[%at][] : memref<16xi8> to memref<2x1x4xi8>
  linalg.copy ins(%a : memref<2x1x4xi8>) outs(%copy : memref<2x1x4xi8>)
  memref.prefetch %copy[%c0, %c0, %c0], read, locality<3>, data : memref<2x1x4xi8>
  %x = vector.transfer_read %copy[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<2x1x4xi8>, vector<2x1x4xi8>
  %v = vector.transfer_read %b[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<1x16x4xi8>, vector<1x16x4xi8>
  %xw = arith.extsi %x : vector<2x1x4xi8> to vector<2x1x4xi32>
  %vw = arith.extsi %v : vector<1x16x4xi8> to vector<1x16x4xi32>
  %r = vector.contract #product %xw, %vw, %sums : vector<2x1x4xi32>, vector<1x16x4xi32> into vector<2x16xi32>
  memref.dealloc %all : memref<16xi8>
  return %r : vector<2x16xi32>
}
