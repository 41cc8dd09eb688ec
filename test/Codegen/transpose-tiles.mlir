// RUN: sched-opt %s --sched-lower-vectors | FileCheck %s

// Rounds of shuffles that AVX has an instruction for each.
// CHECK-LABEL: func.func @f32(
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: vector.transpose
func.func @f32(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %t = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %t : vector<8x8xf32>
}

// Of vectors of 512 bits: in quarters, and then these, twice.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29]
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK-COUNT-8: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
// CHECK-NOT: vector.transpose
func.func @wide(%a: vector<16x16xf32>) -> vector<16x16xf32> {
  %t = vector.transpose %a, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  return %t : vector<16x16xf32>
}

// Two squares, whose rows are side by side in the result.
// CHECK-LABEL: func.func @oblong(
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xf32>, vector<8xf32>
// CHECK-NOT: vector.transpose
func.func @oblong(%a: vector<16x8xf32>) -> vector<8x16xf32> {
  %t = vector.transpose %a, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
  return %t : vector<8x16xf32>
}

// Part of a square: upstream's one shuffle of elements that are no power of two is
// what LLVM gets wrong.
// CHECK-LABEL: func.func @odd(
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, -1, -1] : vector<6xf32>, vector<6xf32>
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @odd(%a: vector<8x6xf32>) -> vector<6x8xf32> {
  %t = vector.transpose %a, [1, 0] : vector<8x6xf32> to vector<6x8xf32>
  return %t : vector<6x8xf32>
}

// Rows that are lacking are poison, which is folded away.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: arith.constant
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 2, 3, 4] : vector<8xf32>
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @few(%a: vector<5x8xf32>) -> vector<8x5xf32> {
  %t = vector.transpose %a, [1, 0] : vector<5x8xf32> to vector<8x5xf32>
  return %t : vector<8x5xf32>
}

// Halves: three rounds within 128 bits.
// CHECK-LABEL: func.func @halves(
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-COUNT-4: vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 1, 8, 9, 2, 3, 10, 11]
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @halves(%a: vector<8x8xf16>) -> vector<8x8xf16> {
  %t = vector.transpose %a, [1, 0] : vector<8x8xf16> to vector<8x8xf16>
  return %t : vector<8x8xf16>
}

// Three squares: a shuffle's operands are of one size.
// CHECK-LABEL: func.func @three(
// CHECK-COUNT-8: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] : vector<32xf32>
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @three(%a: vector<24x8xf32>) -> vector<8x24xf32> {
  %t = vector.transpose %a, [1, 0] : vector<24x8xf32> to vector<8x24xf32>
  return %t : vector<8x24xf32>
}

// Equal rows, as of the left-hand side of a product: an element each.
// CHECK-LABEL: func.func @equal_rows(
// CHECK-NOT: vector.shuffle
// CHECK: %[[FIRST:.*]] = vector.extract %{{.*}}[0] : f32 from vector<3xf32>
// CHECK: vector.from_elements %[[FIRST]], %[[FIRST]],
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @equal_rows(%a: vector<3xf32>) -> vector<3x8xf32> {
  %b = vector.broadcast %a : vector<3xf32> to vector<8x3xf32>
  %t = vector.transpose %b, [1, 0] : vector<8x3xf32> to vector<3x8xf32>
  return %t : vector<3x8xf32>
}

// Equal columns are no equal rows, though as many.
// CHECK-LABEL: func.func @equal_columns(
// CHECK-NOT: vector.from_elements %[[E:[a-z0-9]+]], %[[E]], %[[E]]
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: vector.from_elements %[[E:[a-z0-9]+]], %[[E]], %[[E]]
// CHECK: return
func.func @equal_columns(%a: vector<8x1xf32>) -> vector<8x8xf32> {
  %b = vector.broadcast %a : vector<8x1xf32> to vector<8x8xf32>
  %t = vector.transpose %b, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %t : vector<8x8xf32>
}

// Unit dimensions make no difference.
// CHECK-LABEL: func.func @unit(
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: vector.transpose
func.func @unit(%a: vector<1x8x8xf32>) -> vector<1x8x8xf32> {
  %t = vector.transpose %a, [0, 2, 1] : vector<1x8x8xf32> to vector<1x8x8xf32>
  return %t : vector<1x8x8xf32>
}

// Places have no width: upstream's lowering takes them.
// CHECK-LABEL: func.func @places(
// CHECK-NOT: {{vector.transpose|0, 8, 1, 9}}
// CHECK: return
func.func @places(%a: vector<8x8xindex>) -> vector<8x8xindex> {
  %t = vector.transpose %a, [1, 0] : vector<8x8xindex> to vector<8x8xindex>
  return %t : vector<8x8xindex>
}

// Four rows of bytes whose columns are groups for dot products, tile by tile:
// bytes of neighbouring rows by turns, then pairs of them, then parts change
// places.
// CHECK-LABEL: func.func @groups(
// CHECK-COUNT-2: vector.shuffle {{.*}} [0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48,
// CHECK: vector.shuffle {{.*}} [0, 1, 32, 33, 2, 3, 34, 35, 4, 5, 36, 37, 6, 7, 38, 39, 16, 17, 48, 49,
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @groups(%a: vector<2x4x1x32xi8>) -> vector<1x2x32x4xi8> {
  %t = vector.transpose %a, [2, 0, 3, 1] : vector<2x4x1x32xi8> to vector<1x2x32x4xi8>
  return %t : vector<1x2x32x4xi8>
}

// Of three parts, which are joined as if there were four.
// CHECK-LABEL: func.func @three_parts(
// CHECK-NOT: vector.transpose
// CHECK: return %{{.*}} : vector<48x4xi8>
func.func @three_parts(%a: vector<4x48xi8>) -> vector<48x4xi8> {
  %t = vector.transpose %a, [1, 0] : vector<4x48xi8> to vector<48x4xi8>
  return %t : vector<48x4xi8>
}
