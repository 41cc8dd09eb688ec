// Lanes are neighbours along the vectors, wherever that loop is: a row times a
// matrix of 64 x 128 reads each sector of it once.
// RUN: sched-run %s --entry=f --target=nvvm:sm_80 --emulate | FileCheck %s
// CHECK: global memory: 41472 bytes in 1104 sectors of 32
// CHECK: check: right
func.func @f(%x: tensor<64xf32>, %m: tensor<64x128xf32>) -> tensor<128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %r = linalg.vecmat {sched.simt = {threads = [8, 32], vector = 4, along = 0}}
    ins(%x, %m : tensor<64xf32>, tensor<64x128xf32>) outs(%i : tensor<128xf32>) -> tensor<128xf32>
  return %r : tensor<128xf32>
}
