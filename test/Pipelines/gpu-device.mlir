// On the GPU of this machine: candidates of a product with bias and relu are
// right, and none of them fails. Its sizes divide by no tile.

// REQUIRES: cuda-device, nvptx-registered-target

// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s -o %t/out.mlir \
// RUN:   --auto-schedule="target=nvvm:native trials=16 batch=8 min-repeat-ms=20 work-dir=%t/records" \
// RUN:   2>&1 | FileCheck %s --implicit-check-not=failed --implicit-check-not=error
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t/records/records.jsonl

// CHECK: 16 trials; best {{.*}} GFLOP/s
// RECORD-COUNT-16: "error":"",{{.*}}"verified":true

func.func @f(%a: tensor<333x251xf32>, %b: tensor<251x179xf32>, %bias: tensor<179xf32>) -> tensor<333x179xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<333x179xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<333x179xf32>) -> tensor<333x179xf32>
  %c = linalg.matmul ins(%a, %b : tensor<333x251xf32>, tensor<251x179xf32>)
                     outs(%init : tensor<333x179xf32>) -> tensor<333x179xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<333x179xf32>, tensor<179xf32>) outs(%empty : tensor<333x179xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<333x179xf32>
  return %r : tensor<333x179xf32>
}
