// REQUIRES: nvptx-registered-target
// Numbers that a payload makes of indices: kernels use 64 bits for an index
// where a product may have more than 32.

// RUN: sched-run %s --entry=wide --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=reduced --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=elements --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=products --target=nvvm:sm_80 --emulate | FileCheck %s
// RUN: sched-run %s --entry=negative_zero --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: check: right

// RUN: sched-opt %s --sched-bind-blocks --sched-form-kernels | FileCheck %s --check-prefix=FORM
// FORM-LABEL: gpu.func @wide_kernel_0
// FORM-SAME: sched.wide_index
// FORM-LABEL: gpu.func @narrow_kernel_0
// FORM-NOT: sched.wide_index
// FORM: gpu.func @reduced_kernel_0

#map = affine_map<(d0) -> (d0)>

func.func @wide() -> tensor<100000xi32> {
  %c = arith.constant 70000 : index
  %o = tensor.empty() : tensor<100000xi32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%o : tensor<100000xi32>) {
  ^bb0(%q: i32):
    %i = linalg.index 0 : index
    %m = arith.muli %i, %c : index
    %k = arith.constant 1024 : index
    %d = arith.divui %m, %k : index
    %v = arith.index_cast %d : index to i32
    linalg.yield %v : i32
  } -> tensor<100000xi32>
  return %r : tensor<100000xi32>
}

func.func @narrow() -> tensor<100000xi32> {
  %c = arith.constant 7000 : index
  %o = tensor.empty() : tensor<100000xi32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%o : tensor<100000xi32>) {
  ^bb0(%q: i32):
    %i = linalg.index 0 : index
    %m = arith.muli %i, %c : index
    %k = arith.constant 1024 : index
    %d = arith.divui %m, %k : index
    %v = arith.index_cast %d : index to i32
    linalg.yield %v : i32
  } -> tensor<100000xi32>
  return %r : tensor<100000xi32>
}

func.func @reduced(%x: tensor<4x65536xi32>, %s: tensor<4xi32>) -> tensor<4xi32> {
  %c = arith.constant 70000 : index
  %k = arith.constant 1024 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x65536xi32>) outs(%s : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 1 : index
    %m = arith.muli %i, %c : index
    %d = arith.divui %m, %k : index
    %v = arith.index_cast %d : index to i32
    %w = arith.muli %v, %a : i32
    %t = arith.addi %b, %w : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// Elements that are indices.
func.func @elements(%x: tensor<64x64xindex>, %s: tensor<64xindex>) -> tensor<64xindex> {
  %r = linalg.reduce {arith.addi} ins(%x : tensor<64x64xindex>) outs(%s : tensor<64xindex>) dimensions = [1]
  return %r : tensor<64xindex>
}

func.func @products(%x: tensor<64x64xindex>, %y: tensor<64x64xindex>) -> tensor<64x64xindex> {
  %z = arith.constant 0 : index
  %o = tensor.empty() : tensor<64x64xindex>
  %f = linalg.fill ins(%z : index) outs(%o : tensor<64x64xindex>) -> tensor<64x64xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<64x64xindex>, tensor<64x64xindex>) outs(%f : tensor<64x64xindex>) {
  ^bb0(%p: index, %q: index, %s: index):
    %m = arith.muli %p, %q : index
    %v = arith.addi %s, %m : index
    linalg.yield %v : index
  } -> tensor<64x64xindex>
  return %r : tensor<64x64xindex>
}

// A pad's zero keeps its sign: 1 / -0.0 is not 1 / 0.0.
func.func @negative_zero(%x: tensor<2xf32>) -> tensor<16xf32> {
  %z = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[6] high[8] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<2xf32> to tensor<16xf32>
  %o = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%p : tensor<16xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%a: f32, %q: f32):
    %v = arith.divf %one, %a : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}
