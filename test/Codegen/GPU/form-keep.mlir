// What several stages of a row read is in registers, in shared memory, or
// computed again: 96 elements a thread, more than are written out unasked.

// RUN: sed s/WORD/registers/ %s | sched-opt --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=REGISTERS
// RUN: sed s/WORD/shared/ %s | sched-opt --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=SHARED
// RUN: sed s/WORD/recompute/ %s | sched-opt --sched-form-kernels --canonicalize --cse | FileCheck %s --check-prefix=RECOMPUTE

// RUN: sed s/WORD/registers/ %s > %t.registers.mlir
// RUN: sched-run %t.registers.mlir --entry=softmax --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sed s/WORD/shared/ %s > %t.shared.mlir
// RUN: sched-run %t.shared.mlir --entry=softmax --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RUN: sed s/WORD/recompute/ %s > %t.recompute.mlir
// RUN: sched-run %t.recompute.mlir --entry=softmax --target=nvvm:sm_80 --emulate | FileCheck %s --check-prefix=RIGHT
// RIGHT: check: right

// Computed once, by code without a loop, which the last stage uses again.
// REGISTERS-LABEL: gpu.func @softmax_kernel_0
// REGISTERS: scf.for
// REGISTERS: arith.maximumf
// REGISTERS-NOT: scf.for
// REGISTERS-COUNT-24: math.exp {{.*}} : vector<4xf32>
// REGISTERS-NOT: {{scf.for|math.exp}}
// REGISTERS-COUNT-24: vector.store
// REGISTERS: gpu.return

// A stage of its own, which stores 4 vectors at a time.
// SHARED-LABEL: gpu.func @softmax_kernel_0
// SHARED: %[[ROW:.*]] = memref.view {{.*}} to memref<3072xf32, #gpu.address_space<workgroup>>
// SHARED: scf.for
// SHARED: arith.maximumf
// SHARED: scf.for
// SHARED-COUNT-4: math.exp
// SHARED: vector.store %{{.*}}, %[[ROW]]
// SHARED: loop_annotation
// SHARED-NEXT: gpu.barrier
// SHARED-NOT: math.exp
// SHARED: vector.load %[[ROW]]
// SHARED: gpu.return

// By both readers, 4 vectors at a time; in loops, as LLVM is not to write out any
// where there are several stages.
// RECOMPUTE: #[[$UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// RECOMPUTE: #[[$ROLLED:.*]] = #llvm.loop_annotation<unroll = #[[$UNROLL]]>
// RECOMPUTE-LABEL: gpu.func @softmax_kernel_0
// RECOMPUTE: arith.maximumf
// RECOMPUTE: scf.for
// RECOMPUTE-COUNT-4: math.exp
// RECOMPUTE-NOT: math.exp
// RECOMPUTE: } {loop_annotation = #[[$ROLLED]]}
// RECOMPUTE: scf.for
// RECOMPUTE-COUNT-4: math.exp
// RECOMPUTE-NOT: math.exp
// RECOMPUTE: } {loop_annotation = #[[$ROLLED]]}

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<8x3072xf32>) -> tensor<8x3072xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<8x3072xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %d) -> (tensor<8x3072xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [1, 3072] [1, 1] : tensor<8x3072xf32> to tensor<1x3072xf32>
    %e = tensor.empty() : tensor<1xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %m = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%xs : tensor<1x3072xf32>) outs(%f : tensor<1xf32>) attrs = {sched.simt = {threads = [1, 32], vector = 4}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<1xf32>
    %t = tensor.empty() : tensor<1x3072xf32>
    %p = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %m : tensor<1x3072xf32>, tensor<1xf32>) outs(%t : tensor<1x3072xf32>)
      attrs = {sched.simt = {threads = [1, 32], vector = 4, keep = "WORD"}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.subf %a, %b : f32
      %u = math.exp %s : f32
      linalg.yield %u : f32
    } -> tensor<1x3072xf32>
    %g = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %q = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<1x3072xf32>) outs(%g : tensor<1xf32>) attrs = {sched.simt = {threads = [1, 32], vector = 4}} {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<1xf32>
    %os = tensor.extract_slice %o[%i, 0] [1, 3072] [1, 1] : tensor<8x3072xf32> to tensor<1x3072xf32>
    %n = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<1x3072xf32>, tensor<1xf32>) outs(%os : tensor<1x3072xf32>)
      attrs = {sched.simt = {threads = [1, 32], vector = 4}} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.divf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<1x3072xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 3072] [1, 1] : tensor<1x3072xf32> into tensor<8x3072xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<8x3072xf32>
}
