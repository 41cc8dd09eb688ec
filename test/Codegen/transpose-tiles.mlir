// RUN: sched-opt %s --sched-lower-vectors | FileCheck %s

// Rounds of shuffles that AVX has an instruction for each.
// CHECK-LABEL: func.func @f32(
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: vector.transpose
func.func @f32(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %t = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %t : vector<8x8xf32>
}

// Unit dimensions make no difference: the lanes of partial sums are added up by
// the same rounds.
// CHECK-LABEL: func.func @lanes(
// CHECK-COUNT-4: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NOT: {{vector.transpose|vector.reduction}}
// CHECK-COUNT-8: arith.addf {{.*}} : vector<8xf32>
func.func @lanes(%a: vector<1x8x8xf32>, %start: vector<1x8xf32>) -> vector<1x8xf32> {
  %s = vector.multi_reduction <add>, %a, %start [2] : vector<1x8x8xf32> to vector<1x8xf32>
  return %s : vector<1x8xf32>
}

// Places have no width: upstream's lowering takes them.
// CHECK-LABEL: func.func @places(
// CHECK-NOT: {{vector.transpose|0, 8, 1, 9}}
// CHECK: return
func.func @places(%a: vector<8x8xindex>) -> vector<8x8xindex> {
  %t = vector.transpose %a, [1, 0] : vector<8x8xindex> to vector<8x8xindex>
  return %t : vector<8x8xindex>
}
