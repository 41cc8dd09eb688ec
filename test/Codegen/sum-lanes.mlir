// RUN: sched-opt %s --sched-lower-vectors=vector-bytes=64 | FileCheck %s
// RUN: sched-opt %s --sched-lower-vectors=vector-bytes=32 | FileCheck %s --check-prefix=NARROW
// RUN: sched-opt %s --sched-lower-vectors | FileCheck %s --check-prefix=LEAST

// The lanes of rows are joined (SumLanes.cpp).

// Two rows become one within the parts of 128 bits, and what is left of it is
// folded.
// CHECK-LABEL: func.func @two(
// CHECK-DAG: %[[A:.+]] = vector.extract %arg0[0]
// CHECK-DAG: %[[B:.+]] = vector.extract %arg0[1]
// CHECK-DAG: %[[LOW:.+]] = vector.shuffle %[[A]], %[[B]] [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK-DAG: %[[HIGH:.+]] = vector.shuffle %[[A]], %[[B]] [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31]
// CHECK: %[[ONE:.+]] = arith.addf %[[LOW]], %[[HIGH]] : vector<16xf32>
// CHECK: vector.shuffle %[[ONE]], %[[ONE]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: vector.shuffle %[[PART:.+]], %[[PART]] [0, 1] : vector<4xf32>
// CHECK: vector.shuffle %[[PART]], %[[PART]] [2, 3]
// CHECK: %[[SUMS:.+]] = arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf %[[SUMS]], %arg1
// CHECK-NEXT: return
// Registers of fewer lanes are added first, as no shuffle crosses them for
// nothing.
// NARROW-LABEL: func.func @two(
// NARROW-NOT: arith.addf {{.*}} : vector<16xf32>
// NARROW-COUNT-3: arith.addf {{.*}} : vector<8xf32>
// NARROW: arith.addf {{.*}} : vector<4xf32>
// NARROW-COUNT-2: arith.addf {{.*}} : vector<2xf32>
// NARROW-NEXT: return
// LEAST-LABEL: func.func @two(
// LEAST-COUNT-2: arith.addf {{.*}} : vector<8xf32>
// LEAST-COUNT-3: arith.addf {{.*}} : vector<4xf32>
// LEAST-COUNT-2: arith.addf {{.*}} : vector<2xf32>
// LEAST-NEXT: return
func.func @two(%a: vector<2x16xf32>, %start: vector<2xf32>) -> vector<2xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1] : vector<2x16xf32> to vector<2xf32>
  return %s : vector<2xf32>
}

// As many rows as lanes take one addition less than there are.
// CHECK-LABEL: func.func @square(
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK-COUNT-2: arith.addf {{.*}} : vector<8xf32>
// CHECK: vector.shuffle %[[A:.+]], %[[B:.+]] [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK: vector.shuffle %[[A]], %[[B]] [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-NEXT: %[[SUMS:.+]] = arith.addf {{.*}} : vector<8xf32>
// CHECK-NEXT: arith.addf %[[SUMS]]
// CHECK-NOT: {{arith.addf|vector.transpose}}
// CHECK: return
func.func @square(%a: vector<8x8xf32>, %start: vector<8xf32>) -> vector<8xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1] : vector<8x8xf32> to vector<8xf32>
  return %s : vector<8xf32>
}

// What a row lacks to have another is poison, and falls away; other kinds of
// reductions are joined alike.
// CHECK-LABEL: func.func @odd(
// CHECK: ub.poison : vector<4xi64>
// CHECK: arith.maxsi
// CHECK: vector.shuffle {{.*}} [0, 1, 2] : vector<4xi64>
// CHECK: arith.maxsi {{.*}} : vector<3xi64>
// CHECK-NEXT: return
func.func @odd(%a: vector<3x4xi64>, %start: vector<3xi64>) -> vector<3xi64> {
  %s = vector.multi_reduction <maxsi>, %a, %start [1] : vector<3x4xi64> to vector<3xi64>
  return %s : vector<3xi64>
}

// More rows than lanes.
// CHECK-LABEL: func.func @many(
// CHECK-COUNT-9: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<12xf32>
// CHECK-NEXT: return
func.func @many(%a: vector<12x4xf32>, %start: vector<12xf32>) -> vector<12xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1] : vector<12x4xf32> to vector<12xf32>
  return %s : vector<12xf32>
}

// Rows after which groups of several results are left, of which each has
// halves.
// CHECK-LABEL: func.func @groups(
// CHECK: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
// CHECK-NEXT: %[[ROW:.+]] = arith.addf {{.*}} : vector<16xf32>
// CHECK-NEXT: vector.shuffle %[[ROW]], %[[ROW]] [0, 1, 2, 3, 4, 5, 6, 7, 8]
// CHECK-NEXT: arith.addf {{.*}} : vector<9xf32>
// CHECK-NEXT: return
func.func @groups(%a: vector<9x16xf32>, %start: vector<9xf32>) -> vector<9xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1] : vector<9x16xf32> to vector<9xf32>
  return %s : vector<9xf32>
}

// Of all dimensions but the first ones; the lanes of a single row are folded.
// CHECK-LABEL: func.func @lines(
// CHECK-NOT: arith.addf {{.*}} : vector<16xf32>
// CHECK-COUNT-5: arith.addf
// CHECK-NEXT: return
func.func @lines(%a: vector<1x2x8xf32>, %start: vector<1xf32>) -> vector<1xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1, 2] : vector<1x2x8xf32> to vector<1xf32>
  return %s : vector<1xf32>
}

// Which of two zeros is the largest is left open.
// CHECK-LABEL: func.func @largest(
// CHECK: arith.maximumf {{.*}} fastmath<nsz> : vector<16xbf16>
// CHECK: arith.maximumf {{.*}} fastmath<nsz> : vector<8xbf16>
// CHECK: arith.maximumf {{.*}} fastmath<nsz> : vector<4xbf16>
// CHECK-COUNT-2: arith.maximumf {{.*}} fastmath<nsz> : vector<2xbf16>
// CHECK: return
func.func @largest(%a: vector<2x1x16xbf16>, %start: vector<2x1xbf16>) -> vector<2x1xbf16> {
  %s = vector.multi_reduction <maximumf>, %a, %start [2] : vector<2x1x16xbf16> to vector<2x1xbf16>
  return %s : vector<2x1xbf16>
}

// Columns are added to one another, and lanes that are no power of two have
// zeros beside them.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK-LABEL: func.func @three(
// CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<3xf32>
// CHECK: vector.shuffle {{.*}}, %[[ZERO]] [0, 1, 2, 3] : vector<3xf32>, vector<3xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK-COUNT-2: arith.addf {{.*}} : vector<2xf32>
// CHECK-NEXT: return
func.func @columns(%a: vector<4x8xf32>, %start: vector<8xf32>) -> vector<8xf32> {
  %s = vector.multi_reduction <add>, %a, %start [0] : vector<4x8xf32> to vector<8xf32>
  return %s : vector<8xf32>
}
func.func @three(%a: vector<2x3xf32>, %start: vector<2xf32>) -> vector<2xf32> {
  %s = vector.multi_reduction <add>, %a, %start [1] : vector<2x3xf32> to vector<2xf32>
  return %s : vector<2xf32>
}

// What changes nothing of a maximum that keeps numbers is none, and of the
// least integer the largest.
// CHECK-LABEL: func.func @number(
// CHECK: arith.constant dense<0x7FC00000> : vector<3xf32>
// CHECK: return
// CHECK-LABEL: func.func @least(
// CHECK: arith.constant dense<2147483647> : vector<3xi32>
// CHECK: return
func.func @number(%a: vector<2x3xf32>, %start: vector<2xf32>) -> vector<2xf32> {
  %s = vector.multi_reduction <maxnumf>, %a, %start [1] : vector<2x3xf32> to vector<2xf32>
  return %s : vector<2xf32>
}
func.func @least(%a: vector<2x3xi32>, %start: vector<2xi32>) -> vector<2xi32> {
  %s = vector.multi_reduction <minsi>, %a, %start [1] : vector<2x3xi32> to vector<2xi32>
  return %s : vector<2xi32>
}
