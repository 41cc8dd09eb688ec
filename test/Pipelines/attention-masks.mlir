// Attention with a causal mask by the place of an element, and with masks that
// are read, the same for all batches and heads: in blocks of rows, with numbers
// compared to those of the function as it is.

// RUN: split-file %s %t
// RUN: sched-opt %t/causal.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/causal.script
// RUN: sched-run %t/causal.mlir --transform=%t/causal.script --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-opt %t/causal.mlir --schedule-outline-tasks | FileCheck %s --check-prefix=BLOCKS
// RUN: sched-opt %t/read.mlir --auto-schedule="trials=0 threads=2 quiet=true" --emit=transform -o %t/read.script
// RUN: sched-run %t/read.mlir --transform=%t/read.script --threads=2 --repeats=1 --min-repeat-ms=1 --json | FileCheck %s
// RUN: sched-opt %t/read.mlir --schedule-outline-tasks | FileCheck %s --check-prefixes=BLOCKS,READ

// CHECK: "verified": true
// BLOCKS-NOT: x2x239x301
// BLOCKS-NOT: tensor<2x239x301
// BLOCKS: scf.forall (
// READ: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [{{[0-9]+}}, 301] [1, 1] : tensor<239x301xf32>
// BLOCKS: func.func private @f_rows

//--- causal.mlir
#all = affine_map<(b, m, n) -> (b, m, n)>
func.func @f(%q: tensor<2x239x24xf32>, %k: tensor<2x24x301xf32>, %v: tensor<2x301x24xf32>) -> tensor<2x239x24xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %offset = arith.constant 62 : index
  %e = tensor.empty() : tensor<2x239x301xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x239x24xf32>, tensor<2x24x301xf32>) outs(%i : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %c = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x239x301xf32>) outs(%e : tensor<2x239x301xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    // The last query sees all keys.
    %end = arith.addi %m, %offset : index
    %sees = arith.cmpi ule, %n, %end : index
    %0 = arith.select %sees, %a, %lowest : f32
    linalg.yield %0 : f32
  } -> tensor<2x239x301xf32>
  %w = linalg.softmax dimension(2) ins(%c : tensor<2x239x301xf32>) outs(%e : tensor<2x239x301xf32>) -> tensor<2x239x301xf32>
  %e2 = tensor.empty() : tensor<2x239x24xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x239x301xf32>, tensor<2x301x24xf32>) outs(%i2 : tensor<2x239x24xf32>) -> tensor<2x239x24xf32>
  return %r : tensor<2x239x24xf32>
}

//--- read.mlir
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#mask = affine_map<(b, h, m, n) -> (0, 0, m, n)>
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
func.func @f(%q: tensor<1x2x239x24xf32>, %k: tensor<1x2x301x24xf32>, %v: tensor<1x2x301x24xf32>, %mask: tensor<1x1x239x301xf32>) -> tensor<1x2x239x24xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<1x2x239x301xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x239x301xf32>) -> tensor<1x2x239x301xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<1x2x239x24xf32>, tensor<1x2x301x24xf32>)
                       outs(%i : tensor<1x2x239x301xf32>) -> tensor<1x2x239x301xf32>
  %c = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<1x2x239x301xf32>, tensor<1x1x239x301xf32>) outs(%e : tensor<1x2x239x301xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %scale : f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x239x301xf32>
  %w = linalg.softmax dimension(3) ins(%c : tensor<1x2x239x301xf32>) outs(%e : tensor<1x2x239x301xf32>) -> tensor<1x2x239x301xf32>
  %e2 = tensor.empty() : tensor<1x2x239x24xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x2x239x24xf32>) -> tensor<1x2x239x24xf32>
  %r = linalg.contract indexing_maps = [#q, #v, #s] ins(%w, %v : tensor<1x2x239x301xf32>, tensor<1x2x301x24xf32>)
                       outs(%i2 : tensor<1x2x239x24xf32>) -> tensor<1x2x239x24xf32>
  return %r : tensor<1x2x239x24xf32>
}
