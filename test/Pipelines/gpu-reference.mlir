// What kernels are compared with is the payload as it is, where that is not much
// to compute: a sum of f16 then has the tolerance of what its own roundings do,
// and none is guessed for it (0.22 for so many terms).

// REQUIRES: nvptx-registered-target
// RUN: rm -rf %t && mkdir %t
// RUN: echo kernel=nothing > %t/idle
// RUN: env %fake_gpu SCHED_FAKE_CUDA=%t/idle sched-opt %s -o %t/out.mlir \
// RUN:   --auto-schedule="target=nvvm:native trials=2 batch=2 jobs=1 min-repeat-ms=1" 2>&1 | FileCheck %s
// CHECK: 2 x wrong-result (check): element [0, 0] of 65x33xf16: {{.*}}, tolerance 0.0{{[0-9]+$}}

func.func @f(%a: tensor<65x767xf16>, %b: tensor<767x33xf16>) -> tensor<65x33xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<65x33xf16>
  %i = linalg.fill ins(%z : f16) outs(%e : tensor<65x33xf16>) -> tensor<65x33xf16>
  %r = linalg.matmul ins(%a, %b : tensor<65x767xf16>, tensor<767x33xf16>) outs(%i : tensor<65x33xf16>) -> tensor<65x33xf16>
  return %r : tensor<65x33xf16>
}
