// What sched-run refuses, and a schedule that changes the result: each an error
// and an exit status that is not 0.

// RUN: rm -rf %t && split-file %s %t
// RUN: not sched-run %t/in.mlir --entry=h 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not sched-run %t/in.mlir 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not sched-run %t/in.mlir --entry=g 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not sched-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not sched-run %S/Inputs/check-run.py 2>&1 | FileCheck %s --check-prefix=NOT-MLIR
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NO-SCRIPT
// RUN: not sched-run %t/in.mlir --entry=f --transform=%S/Inputs/check-run.py 2>&1 | FileCheck %s --check-prefix=BAD-SCRIPT
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/in.mlir 2>&1 | FileCheck %s --check-prefix=NO-ENTRY
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/fails.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not sched-run %t/alone.mlir --transform=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/wrong.mlir --work-dir=%t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not sched-run %t/in.mlir --entry=f --repeats=0 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not sched-run %t/in.mlir --entry=f --target=vax 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not sched-run %t/in.mlir --entry=f --target=cpu:mcpu=pwr9,triple=powerpc64le-linux-gnu 2>&1 | FileCheck %s --check-prefix=FOREIGN
// REQUIRES: powerpc-registered-target

// ENTRY: sched-run: error: found no function @h, only @f, @g
// WHICH: sched-run: error: found the functions @f, @g; name one with --entry
// SHAPE: sched-run: error: found tensor<?xf32> in the signature of @g, expected tensors of static shape
// MISSING: sched-run: error: cannot read '{{.*}}none.mlir'
// NOT-MLIR: check-run.py:1:1: error:
// NOT-MLIR: sched-run: error: {{.*}}is not MLIR
// NO-SCRIPT: sched-run: error: cannot read '{{.*}}none.mlir'
// BAD-SCRIPT: sched-run: error: the script '{{.*}}check-run.py' is not MLIR
// NO-ENTRY: sched-run: error: the script '{{.*}}in.mlir' has no @__transform_main
// FAILS: sched-run: error: the script '{{.*}}fails.mlir' does not apply to the input
// OTHERS: sched-run: error: the script '{{.*}}other.mlir' is for @elsewhere_0, and the input has no such function or task; give the input that it was made for
// BOTH: sched-run: error: found --transform and --work-dir, expected one of them
// OPTION: sched-run: error: --threads starts at 0, --repeats at 1
// TARGET: sched-run: error: unknown target 'vax'
// FOREIGN: sched-run: error: found target 'cpu:mcpu=pwr9,{{.*}}', whose code this machine cannot run

// A script that changes the constant that the sum starts from. It is said on
// both channels, and such code is not timed.
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/wrong.mlir --threads=1 --min-repeat-ms=1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not sched-run %t/in.mlir --entry=f --transform=%t/wrong.mlir --threads=1 --min-repeat-ms=1 --json 2>/dev/null | FileCheck %s --check-prefix=JSON

// WRONG-NOT: speed-up
// WRONG: check: WRONG, max relative error
// WRONG: sched-run: error: wrong result:
// JSON: "costs_s": []
// JSON: "error": "{{.+}}"
// JSON: "verified": false

//--- in.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @g(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

//--- wrong.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "f"} in %root
      : (!transform.any_op) -> !transform.any_op
    %zero = transform.structured.match ops{["arith.constant"]} in %f
      : (!transform.any_op) -> !transform.any_op
    %one = transform.param.constant 1.0 : f32 -> !transform.any_param
    transform.annotate %zero "value" = %one : !transform.any_op, !transform.any_param
    transform.yield
  }
}

//--- fails.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [4] : !transform.any_op
    transform.yield
  }
}

//--- other.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "elsewhere_0"} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

//--- alone.mlir
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
