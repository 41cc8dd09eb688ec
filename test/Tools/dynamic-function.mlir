// A function whose shapes are not known is left as it is beside others, and is
// no part of compiled code. Alone, it is an error.
// RUN: rm -rf %t && split-file %s %t
// RUN: sched-opt %t/both.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/work" -o %t/tuned.mlir 2> %t/log
// RUN: FileCheck %s --check-prefix=LEFT --input-file=%t/log
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/tuned.mlir
// RUN: sched-opt %t/both.mlir --apply-history-best="threads=1 work-dir=%t/work" --emit=asm --emit-header=%t/both.h -o %t/both.s 2> %t/log
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t/log
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/both.s
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/both.h
// RUN: sched-run %t/both.mlir --entry=fixed --work-dir=%t/work --threads=1 --repeats=1 --min-repeat-ms=1 | FileCheck %s --check-prefix=RIGHT
// RUN: not sched-opt %t/alone.mlir --auto-schedule="trials=2 quiet=true" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not ls %t/none.mlir
// LEFT: both.mlir:{{[0-9]+}}:{{[0-9]+}}: warning: @any is left as it is
// LEFT: note: argument #0 of @any: expected ranked tensors of static shape; found 'tensor<?xf32>'; dynamic shapes are not schedulable: write one function for each shape
// TUNED-LABEL: func.func @fixed(
// TUNED: vector
// TUNED-LABEL: func.func @any(
// TUNED: linalg.exp
// OUT: warning: @any is left out of what is compiled, as it has tensors of dynamic shape
// ASM-NOT: any
// ASM: fixed
// ASM-NOT: any
// RIGHT: check: right
// ALONE: error: argument #0 of @any: expected ranked tensors of static shape

//--- both.mlir
func.func @fixed(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- alone.mlir
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
