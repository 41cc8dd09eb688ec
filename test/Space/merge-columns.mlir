// Two short dimensions of columns become one, as in a convolution of capsules:
// four times eight columns are two vectors of sixteen, not four half empty ones.
// RUN: split-file %s %t
// RUN: sched-opt %t/capsules.mlir --schedule-outline-tasks | FileCheck %s
// RUN: sched-opt %t/stays.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=STAYS
// RUN: sched-opt %t/capsules.mlir --auto-schedule="trials=0 threads=1 target=cpu:mcpu=znver5,triple=x86_64-linux-gnu quiet=true" --emit=asm \
// RUN:   | FileCheck %s --check-prefix=ASM

// The weights are laid out beforehand, and the ReLU follows.
// CHECK-LABEL: func.func @capsules(
// CHECK: %[[W:.*]] = linalg.transpose ins(%arg1 {{.*}} permutation = [0, 1, 2, 4, 3, 5]
// CHECK: %[[COLUMNS:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1], [2], [3], [4, 5]]
// CHECK: %[[R:.*]] = call @[[PRODUCT:.*]](%{{.*}}, %[[COLUMNS]])
// CHECK: tensor.expand_shape %[[R]] {{\[}}[0], [1], [2], [3], [4, 5]]
// CHECK: func.func private @[[PRODUCT]]({{.*}}) -> tensor<1x5x7x3x32xf32>
// CHECK: linalg.generic
// CHECK: arith.maximumf

// ASM-LABEL: capsules:
// ASM: vfmadd231ps {{.*}}%zmm{{[0-9]+}}, %zmm{{[0-9]+}}

// Right-hand sides that have both side by side are not copied. The start value
// is a tensor.
// CHECK-LABEL: func.func @beside(
// CHECK-NOT: linalg.transpose
// CHECK: %[[B:.*]] = tensor.collapse_shape %arg1 {{\[}}[0], [1, 2]] : tensor<24x3x6xf64> into tensor<24x18xf64>
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg2 {{\[}}[0], [1, 2]]
// CHECK: call @{{.*}}(%arg0, %[[B]], %[[C]])

// A bias of the last dimension alone is no epilogue on the merged one.
// CHECK-LABEL: func.func @bias(
// CHECK: tensor.expand_shape
// CHECK: arith.addf

// What takes the columns apart again is none either.
// CHECK-LABEL: func.func @transposed(
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] {{.*}} into tensor<70x3x6xf32>
// CHECK: call @{{.*}} -> tensor<6x210xf32>

// A vector's worth of columns, columns of which the outer are the image's, and
// few rows are not worth a copy; what lies side by side without one, and rows,
// are MergeRows.cpp's.
// STAYS-NOT: tensor.collapse_shape {{.*}}[1, 2]

// Every candidate is right.
// RUN: rm -rf %t.d
// RUN: sched-opt %t/capsules.mlir --auto-schedule="trials=24 batch=24 seed=1 threads=2 cost-model=random work-dir=%t.d min-repeat-ms=1 quiet=true" --emit=obj -o %t.o
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.d/records.jsonl
// RECORD-NOT: "error":"{{[a-z]}}
// RECORD: schedule.trace of
// RECORD-NOT: "error":"{{[a-z]}}

//--- capsules.mlir
#image = affine_map<(n, h, v, i, j, f, p, q, k, c) -> (n, h * 2 + p, v + q, i, k, c)>
#weights = affine_map<(n, h, v, i, j, f, p, q, k, c) -> (p, q, k, j, c, f)>
#out = affine_map<(n, h, v, i, j, f, p, q, k, c) -> (n, h, v, i, j, f)>
#all = affine_map<(n, h, v, i, j, f) -> (n, h, v, i, j, f)>
func.func @capsules(%x: tensor<1x11x9x3x4x5xf32>, %w: tensor<3x3x4x4x5x8xf32> {schedule.layout_free}) -> tensor<1x5x7x3x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x7x3x4x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x7x3x4x8xf32>) -> tensor<1x5x7x3x4x8xf32>
  %r = linalg.generic {indexing_maps = [#image, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x11x9x3x4x5xf32>, tensor<3x3x4x4x5x8xf32>) outs(%i : tensor<1x5x7x3x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x5x7x3x4x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%r : tensor<1x5x7x3x4x8xf32>) outs(%e : tensor<1x5x7x3x4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x5x7x3x4x8xf32>
  return %y : tensor<1x5x7x3x4x8xf32>
}

func.func @beside(%a: tensor<70x24xf64>, %b: tensor<24x3x6xf64>, %c: tensor<70x3x6xf64>) -> tensor<70x3x6xf64> {
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, k)>, affine_map<(m, j, f, k) -> (k, j, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<70x24xf64>, tensor<24x3x6xf64>) outs(%c : tensor<70x3x6xf64>) -> tensor<70x3x6xf64>
  return %r : tensor<70x3x6xf64>
}

func.func @bias(%a: tensor<70x24xf32>, %b: tensor<24x3x6xf32>, %v: tensor<6xf32>) -> tensor<70x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x3x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<70x3x6xf32>) -> tensor<70x3x6xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, k)>, affine_map<(m, j, f, k) -> (k, j, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<70x24xf32>, tensor<24x3x6xf32>) outs(%i : tensor<70x3x6xf32>) -> tensor<70x3x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, j, f) -> (m, j, f)>, affine_map<(m, j, f) -> (f)>, affine_map<(m, j, f) -> (m, j, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%r, %v : tensor<70x3x6xf32>, tensor<6xf32>) outs(%e : tensor<70x3x6xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %s = arith.addf %x, %w : f32
    linalg.yield %s : f32
  } -> tensor<70x3x6xf32>
  return %y : tensor<70x3x6xf32>
}

func.func @transposed(%a: tensor<70x24xf32>, %b: tensor<24x3x6xf32>) -> tensor<6x70x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x3x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<70x3x6xf32>) -> tensor<70x3x6xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, k)>, affine_map<(m, j, f, k) -> (k, j, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<70x24xf32>, tensor<24x3x6xf32>) outs(%i : tensor<70x3x6xf32>) -> tensor<70x3x6xf32>
  %o = tensor.empty() : tensor<6x70x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(f, m, j) -> (m, j, f)>, affine_map<(f, m, j) -> (f, m, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%r : tensor<70x3x6xf32>) outs(%o : tensor<6x70x3xf32>) {
  ^bb0(%x: f32, %z: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  } -> tensor<6x70x3xf32>
  return %y : tensor<6x70x3xf32>
}

//--- stays.mlir
func.func @wide(%a: tensor<70x24xf32>, %b: tensor<3x24x16xf32>, %c: tensor<70x3x16xf32>) -> tensor<70x3x16xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, k)>, affine_map<(m, j, f, k) -> (j, k, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<70x24xf32>, tensor<3x24x16xf32>) outs(%c : tensor<70x3x16xf32>) -> tensor<70x3x16xf32>
  return %r : tensor<70x3x16xf32>
}
func.func @rows(%a: tensor<7x70x24xf32>, %b: tensor<24x6xf32>, %c: tensor<7x70x6xf32>) -> tensor<7x70x6xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, j, k)>, affine_map<(m, j, f, k) -> (k, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<7x70x24xf32>, tensor<24x6xf32>) outs(%c : tensor<7x70x6xf32>) -> tensor<7x70x6xf32>
  return %r : tensor<7x70x6xf32>
}
func.func @few(%a: tensor<30x24xf32>, %b: tensor<3x24x6xf32>, %c: tensor<30x3x6xf32>) -> tensor<30x3x6xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, j, f, k) -> (m, k)>, affine_map<(m, j, f, k) -> (j, k, f)>, affine_map<(m, j, f, k) -> (m, j, f)>]
    ins(%a, %b : tensor<30x24xf32>, tensor<3x24x6xf32>) outs(%c : tensor<30x3x6xf32>) -> tensor<30x3x6xf32>
  return %r : tensor<30x3x6xf32>
}
