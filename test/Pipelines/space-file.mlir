// The whole space by hand, in a file: schedule.spaces, each of which says what
// it is for, by workload, name or matcher.

// RUN: rm -rf %t && split-file %s %t

// Two products and a sum: the first by name, the second by what a matcher
// accepts, the sum by the rules, with a remark.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/spaces.mlir trials=0 threads=1 quiet=true" --emit=transform -o %t/best.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t/best.mlir

// REMARK: payload.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: no space of '{{.*}}spaces.mlir' is for the task @g ({{.*}}): the one that the rules make is searched
// REMARK-NOT: {{warning|error}}:

// CHECK: sym_name = "f_0"
// CHECK: tile_sizes [2, 4]
// CHECK: sym_name = "f_1"
// CHECK: tile_sizes [0, 8]
// CHECK: sym_name = "g"

// By the readable form of the workload, before anything else.
// RUN: cat %t/by-text.mlir %t/spaces.mlir > %t/all.mlir
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/all.mlir trials=0 threads=1 quiet=true" --emit=transform -o %t/best.mlir 2>&1 | FileCheck %s --check-prefix=CLOSER
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t/best.mlir
// CLOSER: all.mlir:{{[0-9]+}}:1: warning: the space @f_0 is not used: another space says more closely that it is for the same task
// TEXT: sym_name = "f_0"
// TEXT: tile_sizes [6]

// What is wrong is said, at its place.
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/none.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/payload.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/other.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: cat %t/other.mlir %t/spaces.mlir > %t/more.mlir
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/more.mlir trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/two.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/loose.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=LOOSE
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/no-matcher.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=NOMATCHER
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/wide-matcher.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/syntax.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=SYNTAX --implicit-check-not=error:
// RUN: touch %t/records.jsonl
// RUN: not sched-opt %t/payload.mlir --apply-history-best="space=%t/none.mlir threads=1 work-dir=%t" 2>&1 | FileCheck %s --check-prefix=NOFILE

// NOFILE: error: space: cannot open input file '{{.*}}none.mlir': No such file or directory
// EMPTY: error: space: found none in '{{.*}}payload.mlir'; expected a schedule.space, a schedule.sketch, a script @__transform_main, or a transform.named_sequence with transform.tune.knob or transform.tune.alternatives
// OTHER: other.mlir:2:1: warning: the space @h is not used: the module has no task of that name; it has @f_0, @f_1, @g
// OTHER: other.mlir:5:1: warning: the space @attention is not used: @is_batch accepts no op of a task (the last answer: {{.+}})
// OTHER: error: space: no space of '{{.*}}other.mlir' is for a task of the module (@f_0, @f_1, @g)
// UNUSED: more.mlir:2:1: warning: the space @h is not used: the module has no task of that name; it has @f_0, @f_1, @g
// TWO: two.mlir:6:1: error: the spaces @a and @b are both for the task matmul_{{.*}}; let the workload or a narrower matcher say which
// LOOSE: loose.mlir:1:1: error: @s is in no schedule.space, which would say what it is for, and the module has the tasks @f_0, @f_1, @g; put it into a schedule.space of that name
// NOMATCHER: no-matcher.mlir:1:1: error: the matcher @nobody of space @a is not a transform.named_sequence with a body that stands beside the space
// WIDE: wide-matcher.mlir:2:1: error: the matcher @wide of space @a takes 2 arguments; expected one, the handle of an op
// SYNTAX: syntax.mlir:1:{{[0-9]+}}: error:

// A script that the loop-nest model knows not to apply is an error.
// RUN: not sched-opt %t/one.mlir --auto-schedule="space=%t/cannot.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=CANNOT
// CANNOT: cannot.mlir:1:1: error: sketch @s does not compile: 'transform.split_handle' op splits a handle of 1 blocks into 2

// Another one is a failed trial with its reason; where no candidate applies, the
// task stays as it was.
// RUN: sched-opt %t/one.mlir --auto-schedule="space=%t/fails.mlir trials=4 batch=4 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/fails" -o %t/fails.out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: FileCheck %s --check-prefix=REASON --input-file=%t/fails/records.jsonl
// RUN: FileCheck %s --check-prefix=LEFT --input-file=%t/fails.out.mlir
// FAILS: one.mlir:{{[0-9]+}}:{{[0-9]+}}: warning: task {{.*}} is left to the default, without a schedule: {{.*}}
// REASON: "message":"script:{{[0-9]+}}:{{[0-9]+}}: transform applied to the wrong op kind
// LEFT: linalg.matmul

//--- payload.mlir
func.func @f(%a: tensor<12x16xf32>, %b: tensor<16x24xf32>, %c: tensor<12x24xf32>, %d: tensor<24x8xf32>, %e: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x24xf32>) outs(%c : tensor<12x24xf32>) -> tensor<12x24xf32>
  %s = linalg.matmul ins(%r, %d : tensor<12x24xf32>, tensor<24x8xf32>) outs(%e : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %s : tensor<12x8xf32>
}
func.func @g(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

//--- one.mlir
func.func @f(%a: tensor<12x16xf32>, %b: tensor<16x24xf32>, %c: tensor<12x24xf32>) -> tensor<12x24xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x24xf32>) outs(%c : tensor<12x24xf32>) -> tensor<12x24xf32>
  return %r : tensor<12x24xf32>
}

//--- spaces.mlir
module attributes {transform.with_named_sequence} {
schedule.space @f_0 {
  schedule.sketch @tiles(%root: !transform.any_op) {
    %m = schedule.sample_categorical "m" from [2] : !transform.param<i64>
    %n = schedule.sample_categorical "n" from [4] : !transform.param<i64>
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%m, %n]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  }
}
// Of 8 columns.
transform.named_sequence @is_narrow(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.include @is_product failures(propagate) (%op) : (!transform.any_op) -> ()
  %n = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.param<i64> {
  ^bb0(%struct: !transform.any_op):
    %dims = transform.match.structured.dim %struct[1] : (!transform.any_op) -> !transform.param<i64>
    transform.match.structured.yield %dims : !transform.param<i64>
  }
  %eight = transform.param.constant 8 : i64 -> !transform.param<i64>
  transform.match.param.cmpi eq %n, %eight : !transform.param<i64>
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly}) {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield
}
schedule.space @narrow matches(@is_narrow) {
  schedule.sketch @columns(%root: !transform.any_op) {
    %n = schedule.sample_categorical "n" from [8] : !transform.param<i64>
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, %n]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  }
}
}

//--- by-text.mlir
schedule.space @closer workload("", "matmul_12x24x16_f32(accumulate)") {
  schedule.sketch @rows(%root: !transform.any_op) {
    %m = schedule.sample_categorical "m" from [6] : !transform.param<i64>
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%m]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  }
}

//--- other.mlir
module attributes {transform.with_named_sequence} {
schedule.space @h {
  schedule.sketch @s(%root: !transform.any_op) {}
}
schedule.space @attention matches(@is_batch) {
  schedule.sketch @s(%root: !transform.any_op) {}
}
transform.named_sequence @is_batch(%op: !transform.any_op {transform.readonly}) {
  transform.match.operation_name %op ["linalg.batch_matmul"] : !transform.any_op
  transform.yield
}
}

//--- two.mlir
module attributes {transform.with_named_sequence} {
schedule.space @a matches(@any) {
  schedule.sketch @s(%root: !transform.any_op) {}
}
// More of the same.
schedule.space @b matches(@any) {
  schedule.sketch @s(%root: !transform.any_op) {}
}
transform.named_sequence @any(%op: !transform.any_op {transform.readonly}) {
  transform.yield
}
}

//--- loose.mlir
schedule.sketch @s(%root: !transform.any_op) {}

//--- no-matcher.mlir
schedule.space @a matches(@nobody) {
  schedule.sketch @s(%root: !transform.any_op) {}
}

//--- wide-matcher.mlir
module attributes {transform.with_named_sequence} {
transform.named_sequence @wide(%op: !transform.any_op {transform.readonly}, %other: !transform.any_op {transform.readonly}) {
  transform.yield
}
schedule.space @a matches(@wide) {
  schedule.sketch @s(%root: !transform.any_op) {}
}
}

//--- syntax.mlir
schedule.space @a matches(3) {}

//--- cannot.mlir
schedule.sketch @s(%root: !transform.any_op) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.split_handle %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}

//--- fails.mlir
schedule.sketch @s(%root: !transform.any_op) {
  %m = schedule.sample_categorical "m" from [2, 4] : !transform.param<i64>
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %op tile_sizes [%m]
    : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  // Of generic ops only.
  %i = transform.structured.interchange %t iterator_interchange = [1, 0, 2] : (!transform.any_op) -> !transform.any_op
}
