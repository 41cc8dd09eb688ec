// Our passes and pipelines beside upstream's, in stock mlir-opt.

// DEFINE: %{plugin} = --load-dialect-plugin=%sched_plugin --load-pass-plugin=%sched_plugin

// From a space to a script: nothing of the dialect is left.
// RUN: mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(canonicalize,schedule-generate-space{target=cpu:mcpu=znver3 threads=1},schedule-sample{seed=3},convert-schedule-to-transform{sketch=packed},cse)' \
// RUN:   | FileCheck %s --check-prefix=SCRIPT --implicit-check-not='= schedule.' --implicit-check-not='schedule.sketch'

// On to vector code, with upstream's interpreter.
// RUN: mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(schedule-generate-space{target=cpu:mcpu=znver3 threads=1},schedule-sample{seed=3},convert-schedule-to-transform{sketch=plain},transform-interpreter,schedule-drop-script,func.func(loop-invariant-code-motion),canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=VECTOR

// To the LLVM dialect, and on with it.
// RUN: mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(canonicalize,auto-schedule{trials=0 threads=1 quiet=true target=cpu:mcpu=znver3},cse,sched-lower-to-cpu,cse,llvm.func(canonicalize))' \
// RUN:   | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// Single passes of ours within upstream's own lowering.
// RUN: mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(linalg-generalize-named-ops,sched-kernel-abi,sched-bufferize,func.func(convert-linalg-to-affine-loops),canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=AFFINE

// An error of ours is an error of the tool.
// RUN: not mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(schedule-generate-space{target=vax})' -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: not mlir-opt-22 %s %{plugin} --pass-pipeline='builtin.module(auto-schedule{trials=two})' -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VALUE --implicit-check-not=error:
// RUN: not ls %t.none

// VALUE: error: auto-schedule: found trials=two, expected an integer from 0 on{{$}}

// SCRIPT-LABEL: func.func @f
// SCRIPT: linalg.matmul
// SCRIPT: transform.named_sequence @__transform_main
// SCRIPT: transform.structured.pack

// VECTOR-LABEL: func.func @f
// VECTOR-NOT: linalg.
// VECTOR: scf.for
// VECTOR: vector.contract
// VECTOR-NOT: {{linalg.|transform.|schedule.}}

// LLVM: define void @f(ptr noalias readonly %{{.*}}, ptr noalias readonly %{{.*}}, ptr noalias %{{.*}})
// LLVM: call {{.*}}@llvm.fmuladd.v{{[0-9]+}}f32

// AFFINE-LABEL: func.func @f(
// AFFINE-SAME: %[[R:[^:]*]]: memref<30x50xf32> {llvm.noalias})
// AFFINE-NOT: memref.alloc
// AFFINE: affine.for
// AFFINE: affine.store %{{.*}}, %[[R]]

// ERROR: error: unknown target 'vax'
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>) -> tensor<30x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x50xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>)
                     outs(%i : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
