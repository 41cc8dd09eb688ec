// What is said of functions that are not run is said where they are tuned.
// RUN: rm -rf %t && mkdir %t
// RUN: sched-opt %s --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/tuned.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/log
// RUN: sched-run %s --entry=run --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sched-run %s --entry=other --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 2>&1 | FileCheck %s --check-prefix=OTHER
// BOTH: remark: {{.*}} found in @other:
// ALONE-NOT: remark
// ALONE: check: right
// OTHER: remark: {{.*}} found in @other:
// OTHER: check: right

func.func @run(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @other(%x: tensor<64xi1>, %s: tensor<i1>) -> tensor<i1> {
  %r = linalg.reduce ins(%x : tensor<64xi1>) outs(%s : tensor<i1>) dimensions = [0]
    (%a: i1, %o: i1) {
      %q = arith.ori %a, %o : i1
      linalg.yield %q : i1
    }
  return %r : tensor<i1>
}
