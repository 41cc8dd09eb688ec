// A transposed column is a vector with its elements in the same order. Lowering
// it comes to an end: the shape cast that stands for it is not made again of
// the elements that it was lowered to.
// RUN: sched-opt --sched-lower-vectors %s | FileCheck %s

// CHECK-LABEL: @column
// CHECK-NOT: vector.transpose
// CHECK: vector.from_elements
// CHECK-NOT: vector.transpose
func.func @column(%column: vector<5x1xf32>) -> vector<1x5xf32> {
  %row = vector.transpose %column, [1, 0] : vector<5x1xf32> to vector<1x5xf32>
  return %row : vector<1x5xf32>
}
