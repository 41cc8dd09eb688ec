// REQUIRES: nvptx-registered-target
// A chain of ops that read the one before twice is as long in a block as it is
// outside: each op is there once.

// RUN: sched-opt %s --sched-bind-blocks | FileCheck %s
// RUN: sched-run %s --entry=chain --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=apart --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=started --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sched-run %s --entry=residual --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RIGHT: check: right

// CHECK-LABEL: func.func @chain
// CHECK: scf.forall
// CHECK-COUNT-40: linalg.mul
// CHECK-NOT: linalg.mul
func.func @chain(%x0: tensor<50x300xf32>) -> tensor<50x300xf32> {
  %e = tensor.empty() : tensor<50x300xf32>
  %x1 = linalg.mul ins(%x0, %x0 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x2 = linalg.mul ins(%x1, %x1 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x3 = linalg.mul ins(%x2, %x2 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x4 = linalg.mul ins(%x3, %x3 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x5 = linalg.mul ins(%x4, %x4 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x6 = linalg.mul ins(%x5, %x5 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x7 = linalg.mul ins(%x6, %x6 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x8 = linalg.mul ins(%x7, %x7 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x9 = linalg.mul ins(%x8, %x8 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x10 = linalg.mul ins(%x9, %x9 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x11 = linalg.mul ins(%x10, %x10 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x12 = linalg.mul ins(%x11, %x11 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x13 = linalg.mul ins(%x12, %x12 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x14 = linalg.mul ins(%x13, %x13 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x15 = linalg.mul ins(%x14, %x14 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x16 = linalg.mul ins(%x15, %x15 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x17 = linalg.mul ins(%x16, %x16 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x18 = linalg.mul ins(%x17, %x17 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x19 = linalg.mul ins(%x18, %x18 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x20 = linalg.mul ins(%x19, %x19 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x21 = linalg.mul ins(%x20, %x20 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x22 = linalg.mul ins(%x21, %x21 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x23 = linalg.mul ins(%x22, %x22 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x24 = linalg.mul ins(%x23, %x23 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x25 = linalg.mul ins(%x24, %x24 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x26 = linalg.mul ins(%x25, %x25 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x27 = linalg.mul ins(%x26, %x26 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x28 = linalg.mul ins(%x27, %x27 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x29 = linalg.mul ins(%x28, %x28 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x30 = linalg.mul ins(%x29, %x29 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x31 = linalg.mul ins(%x30, %x30 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x32 = linalg.mul ins(%x31, %x31 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x33 = linalg.mul ins(%x32, %x32 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x34 = linalg.mul ins(%x33, %x33 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x35 = linalg.mul ins(%x34, %x34 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x36 = linalg.mul ins(%x35, %x35 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x37 = linalg.mul ins(%x36, %x36 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x38 = linalg.mul ins(%x37, %x37 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x39 = linalg.mul ins(%x38, %x38 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %x40 = linalg.mul ins(%x39, %x39 : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  return %x40 : tensor<50x300xf32>
}

// What is read in two places is computed in each.
// CHECK-LABEL: func.func @apart
func.func @apart(%x: tensor<50x50xf32>) -> tensor<50x50xf32> {
  %e = tensor.empty() : tensor<50x50xf32>
  %a = linalg.exp ins(%x : tensor<50x50xf32>) outs(%e : tensor<50x50xf32>) -> tensor<50x50xf32>
  %b = linalg.abs ins(%a : tensor<50x50xf32>) outs(%e : tensor<50x50xf32>) -> tensor<50x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b, %b : tensor<50x50xf32>, tensor<50x50xf32>) outs(%e : tensor<50x50xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<50x50xf32>
  return %r : tensor<50x50xf32>
}

// A sum that starts from what another op computes, which is an operand, too.
// CHECK-LABEL: func.func @started
// CHECK: linalg.exp
// CHECK-NOT: linalg.exp
// CHECK: linalg.reduce
func.func @started(%x: tensor<300xf32>, %y: tensor<300x20xf32>) -> tensor<300xf32> {
  %e = tensor.empty() : tensor<300xf32>
  %a = linalg.exp ins(%x : tensor<300xf32>) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %b = linalg.reduce { arith.addf } ins(%y : tensor<300x20xf32>) outs(%a : tensor<300xf32>) dimensions = [1]
  %r = linalg.mul ins(%b, %b : tensor<300xf32>, tensor<300xf32>) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  return %r : tensor<300xf32>
}

// Both of the two ops before, as a residual block does.
// CHECK-LABEL: func.func @residual
// CHECK-COUNT-3: linalg.add
// CHECK-NOT: linalg.add
func.func @residual(%x: tensor<50x300xf32>) -> tensor<50x300xf32> {
  %e = tensor.empty() : tensor<50x300xf32>
  %a = linalg.add ins(%x, %x : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %b = linalg.add ins(%x, %a : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  %c = linalg.add ins(%a, %b : tensor<50x300xf32>, tensor<50x300xf32>) outs(%e : tensor<50x300xf32>) -> tensor<50x300xf32>
  return %c : tensor<50x300xf32>
}
