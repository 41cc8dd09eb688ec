// What no kernel computes, whatever its schedule, is said at its place before
// anything is searched, and nothing else.

// RUN: split-file %s %t
// RUN: not sched-opt %t/loop.mlir --auto-schedule="target=nvvm:sm_80 trials=0" 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: loop.mlir:7:8: error: 'scf.for' op is not computed by blocks of threads, and cannot be tied to them; expected linalg ops, scf.forall, and pads, slices and reshapes of tensors. A loop or a branch around ops on tensors is the caller's: write a function of what is inside
// LOOP-NOT: {{note:|trials}}
// RUN: not sched-opt %t/branch.mlir --auto-schedule="target=nvvm:sm_80 trials=0" 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: branch.mlir:5:8: error: 'scf.if' op is not computed by blocks of threads
// BRANCH-NOT: {{note:|trials}}
// RUN: not sched-opt %t/elements.mlir --auto-schedule="target=nvvm:sm_80 trials=0" 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: elements.mlir:1:1: error: 'func.func' op has a tensor of 'f8E4M3FN', which a kernel cannot compute with; expected elements of i1 to i8,
// ELEMENTS-NOT: {{note:|trials}}

// RUN: not sched-opt %t/stride.mlir --auto-schedule="target=nvvm:sm_80 trials=0" 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: stride.mlir:6:8: error: 'tensor.insert_slice' op inserts a slice with a stride that is not constant; expected constants above 0
// STRIDE-NOT: {{error:|trials}}

// A loop that runs once is none.
// RUN: sched-opt %t/once.mlir --auto-schedule="target=nvvm:sm_80 trials=0 quiet" -o /dev/null

// A chip that there is no code for is an error of the option, not of the module.
// RUN: not sched-opt %t/once.mlir --sched-lower-to-nvvm=chip=sm_60 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not sched-opt %t/once.mlir --sched-form-kernels=chip=sm_60 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}chip 'sm_60' in target 'nvvm:sm_60' is too old; expected sm_80 or later, which have asynchronous copies: one of sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120
// CHIP-NOT: {{note:|func}}

//--- loop.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %a) -> tensor<64x64xf32> {
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %p = linalg.matmul ins(%x, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %p : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
//--- branch.mlir
func.func @f(%a: tensor<64xf32>, %which: tensor<1xi1>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<64xf32>
  %w = tensor.extract %which[%c0] : tensor<1xi1>
  %r = scf.if %w -> tensor<64xf32> {
    %p = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %p : tensor<64xf32>
  } else {
    scf.yield %a : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
//--- elements.mlir
func.func @f(%a: tensor<64x64xf8E4M3FN>, %b: tensor<64x64xf32>) -> (tensor<64x64xf8E4M3FN>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.exp ins(%b : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a, %r : tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
}
//--- stride.mlir
func.func @f(%a: tensor<7x5xf32>, %b: tensor<20x19xf32>, %by: tensor<1xindex>) -> tensor<20x19xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<20x19xf32>
  %x = linalg.exp ins(%a : tensor<7x5xf32>) outs(%a : tensor<7x5xf32>) -> tensor<7x5xf32>
  %k = tensor.extract %by[%c0] : tensor<1xindex>
  %s = tensor.insert_slice %x into %b[4, 1] [7, 5] [2, %k] : tensor<7x5xf32> into tensor<20x19xf32>
  %r = linalg.add ins(%s, %b : tensor<20x19xf32>, tensor<20x19xf32>) outs(%e : tensor<20x19xf32>) -> tensor<20x19xf32>
  return %r : tensor<20x19xf32>
}
//--- once.mlir
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%x = %a) -> tensor<64x64xf32> {
    %p = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %p : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
