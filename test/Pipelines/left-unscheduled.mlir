// What every schedule makes slower stays unscheduled, if that is measured: in
// the run that finds it, in the next one, which has it from the records, and
// without any search. LLVM makes products of a power of 100 in a loop, and
// calls of a function in a vector: many times as slow, if the numbers are near
// one. (Denormal products take long in either.)

// RUN: rm -rf %t && mkdir -p %t
// RUN: sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t" --emit=transform -o %t/first.mlir 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: sched-opt %s --auto-schedule="trials=2 threads=1 work-dir=%t" --emit=transform -o %t/second.mlir 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: sched-opt %s --apply-history-best="threads=1 work-dir=%t" --emit=transform -o %t/history.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/first.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/second.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/history.mlir
// RUN: sched-run %s --work-dir=%t --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT

// SAYS-NOT: warning: elementwise
// SAYS: elementwise_{{.*}}: 2 trials{{.*}}; best {{.*}}; left unscheduled, which takes
// SCRIPT: transform.named_sequence @__transform_main
// SCRIPT-NOT: transform.structured
// RIGHT: check: right


#map = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<100x333xf32>) -> tensor<100x333xf32> {
  %n = arith.constant 100 : i32
  %one = arith.constant 1.0 : f32
  %hundredth = arith.constant 0.01 : f32
  %e = tensor.empty() : tensor<100x333xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<100x333xf32>) outs(%e : tensor<100x333xf32>) {
  ^bb0(%x: f32, %o: f32):
    %small = arith.mulf %x, %hundredth : f32
    %base = arith.addf %small, %one : f32
    %v = math.fpowi %base, %n : f32, i32
    linalg.yield %v : f32
  } -> tensor<100x333xf32>
  return %r : tensor<100x333xf32>
}
