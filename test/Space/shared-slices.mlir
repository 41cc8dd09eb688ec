// What several slices of one tensor are read from is one tensor in trials, too:
// as many tensors would take more memory.
// RUN: rm -rf %t && sched-opt %s --auto-schedule="trials=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t" -o %t.mlir
// RUN: cat %t/workloads/*.mlir | FileCheck %s
// RUN: sched-run %s --entry=neighbours --work-dir=%t --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=CHECKED

// CHECKED: check: right
// CHECK-DAG: func.func @neighbours_0_padded(%arg0: tensor<20x50xf32>, %arg1: tensor<20x48xf32>) -> tensor<20x48xf32>
// CHECK-DAG: tensor.extract_slice %arg0[0, 0] [20, 48] [1, 1]
// CHECK-DAG: tensor.extract_slice %arg0[0, 2] [20, 48] [1, 1]
// CHECK-DAG: call @neighbours_0(%extracted_slice, %extracted_slice_0, %arg1)
func.func @neighbours(%image: tensor<20x50xf32>, %other: tensor<20x48xf32>) -> tensor<20x48xf32> {
  %a = tensor.extract_slice %image[0, 0] [20, 48] [1, 1] : tensor<20x50xf32> to tensor<20x48xf32>
  %b = tensor.extract_slice %image[0, 2] [20, 48] [1, 1] : tensor<20x50xf32> to tensor<20x48xf32>
  %empty = tensor.empty() : tensor<20x48xf32>
  %d = linalg.sub ins(%b, %a : tensor<20x48xf32>, tensor<20x48xf32>) outs(%empty : tensor<20x48xf32>) -> tensor<20x48xf32>
  %r = linalg.mul ins(%d, %other : tensor<20x48xf32>, tensor<20x48xf32>) outs(%empty : tensor<20x48xf32>) -> tensor<20x48xf32>
  return %r : tensor<20x48xf32>
}

// The tensor itself and a part of it.
// CHECK-DAG: func.func @part_0_padded(%arg0: tensor<20x20xf64>) -> tensor<20x20xf64>
// CHECK-DAG: call @part_0(%arg0, %extracted_slice)
#rows = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (j)>
func.func @part(%a: tensor<20x20xf64>) -> tensor<20x20xf64> {
  %first = tensor.extract_slice %a[0, 0] [1, 20] [1, 1] : tensor<20x20xf64> to tensor<20xf64>
  %empty = tensor.empty() : tensor<20x20xf64>
  %r = linalg.generic {indexing_maps = [#rows, #first, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%a, %first : tensor<20x20xf64>, tensor<20xf64>) outs(%empty : tensor<20x20xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %d = arith.subf %x, %y : f64
    linalg.yield %d : f64
  } -> tensor<20x20xf64>
  return %r : tensor<20x20xf64>
}
