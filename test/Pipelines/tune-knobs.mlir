// A transform script with tunable ops of upstream's is searched as it is: its
// knobs and alternatives are decisions, and what is written is the script with
// the values that won.

// RUN: rm -rf %t && split-file %s %t

// Nothing measured: the values that come first, of the alternative that formulas
// hold to be faster. Upstream's own interpreter runs
// the script.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/script.mlir trials=0 cost-model=analytic threads=1 quiet=true" --emit=transform -o %t/best.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/best.mlir
// RUN: mlir-opt-22 %t/payload.mlir --transform-preload-library='transform-library-paths=%t/best.mlir' --transform-interpreter | FileCheck %s --check-prefix=TILED

// SCRIPT-NOT: tune.
// SCRIPT: transform.structured.tile_using_for %{{.*}} tile_sizes [{{8|16}}, {{16|32}}]
// SCRIPT-NOT: tune.

// TILED-LABEL: func.func @f
// TILED-COUNT-2: scf.for
// TILED: linalg.matmul

// All 2 * 2 + 2 * 1 candidates are measured, each once, and the answer is one of
// them; the records lead back to it.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/script.mlir trials=16 batch=8 threads=1 min-repeat-ms=1 quiet=true work-dir=%t/records" --emit=transform -o %t/won.mlir
// RUN: grep -o "trace of [^}]*" %t/records/records.jsonl | sort -u | count 6
// RUN: FileCheck %s --check-prefix=RECORDS --input-file=%t/records/records.jsonl
// RUN: sched-opt %t/payload.mlir --apply-history-best="space=%t/script.mlir threads=1 work-dir=%t/records" --emit=transform -o %t/again.mlir
// RUN: diff %t/won.mlir %t/again.mlir
// RUN: sched-run %t/payload.mlir --work-dir=%t/records --space=%t/script.mlir --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=RIGHT
// RUN: not sched-run %t/payload.mlir --space=%t/script.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not sched-run %t/payload.mlir --work-dir=%t/records --threads=1 2>&1 | FileCheck %s --check-prefix=WHOSE

// RIGHT: check: right
// ALONE: error: --space goes with --work-dir, the records of a search in it
// WHOSE: error: {{.*}}are of another space
// RECORDS-DAG: @__transform_main decisions {rows = {{8|16}}, how = 0, columns = {{16|32}}}
// RECORDS-DAG: @__transform_main decisions {rows = {{8|16}}, how = 1, steps = 4}

// The same with script and payload in one file.
// RUN: sed -e '/^module/,/^}/!d' %t/script.mlir | sed -e '$d' > %t/both.mlir && cat %t/payload.mlir >> %t/both.mlir && echo '}' >> %t/both.mlir
// RUN: sched-opt %t/both.mlir --auto-schedule="trials=0 threads=1 quiet=true" -o %t/one.mlir
// RUN: FileCheck %s --check-prefix=TILED --input-file=%t/one.mlir

// What is selected stays so.
// RUN: sed -e 's/"rows">/"rows"> = 16 from/' %t/script.mlir > %t/selected.mlir
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/selected.mlir trials=0 threads=1 quiet=true" --emit=transform | FileCheck %s --check-prefix=SELECTED
// SELECTED: tile_sizes [16,

// An op that the loop-nest model does not know costs a remark, not the search.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/unknown.mlir trials=8 batch=8 threads=1 min-repeat-ms=1 work-dir=%t/unknown" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/unknown.mlir trials=0 threads=1 quiet=true" -o %t/unknown.out.mlir
// RUN: FileCheck %s --check-prefix=PADDED --input-file=%t/unknown.out.mlir
// RUN: FileCheck %s --check-prefix=VERIFIED --input-file=%t/unknown/records.jsonl

// UNKNOWN: unknown.mlir:8:{{[0-9]+}}: remark: 'transform.structured.pad' has no loop model: what the search knows of a candidate of @pad before it is measured is read off its code
// UNKNOWN-NOT: remark: 'transform
// PADDED-LABEL: func.func @f
// PADDED: scf.for
// 7 does not divide 48: a loop-nest that knows no pads would have none of it.
// VERIFIED-DAG: {rows = 7}{{.*}}"verified":true
// VERIFIED-DAG: {rows = 5}{{.*}}"verified":true

// What the search knows is then read off the scheduled code: it prefers columns
// in vectors, though the first value is another one, and though the model has
// passed over what tiles them. Of too many candidates nothing is read.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/inside.mlir trials=0 threads=1 quiet=true" --emit=transform 2>%t/inside.err | FileCheck %s --check-prefix=INSIDE
// RUN: FileCheck %s --check-prefix=INSIDE-REMARK --input-file=%t/inside.err
// RUN: %python -c "import sys; values = str(list(range(1, 70))); print(open(sys.argv[1]).read().replace('[4]', values).replace('[1, 16]', values))" %t/inside.mlir > %t/many-inside.mlir
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/many-inside.mlir trials=0 threads=1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY-INSIDE
// INSIDE: tile_sizes [4, 16]
// INSIDE-REMARK: remark: 'transform.foreach' has no loop model: {{.*}} is read off its code
// MANY-INSIDE: remark: 'transform.foreach' has no loop model: {{.*}} leaves that out, as there are too many to read their code

// A script may consume its root, and need no knob.
// RUN: sched-opt %t/payload.mlir --auto-schedule="space=%t/whole.mlir trials=0 threads=1 quiet=true" -o %t/whole.out.mlir
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=%t/whole.out.mlir
// WHOLE-LABEL: func.func @f
// WHOLE: linalg.generic

// What is no sketch is said at its place, and so is a script without anything to
// tune that stands with the payload.
// RUN: sed -e '/^module/,/^}/!d' %t/whole.mlir | sed -e '$d' > %t/own.mlir && cat %t/payload.mlir >> %t/own.mlir && echo '}' >> %t/own.mlir
// RUN: not sched-opt %t/own.mlir --auto-schedule="trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: own.mlir:2:3: error: @__transform_main is in the way of the script of the search; give it a transform.tune.knob to have it tuned, name its file with space=FILE instead, or remove it
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/twice.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/rootless.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=ROOTLESS
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/roots.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=ROOTS
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/words.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=WORDS
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/nothing.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not sched-opt %t/payload.mlir --auto-schedule="space=%t/many.mlir trials=0 threads=1" 2>&1 | FileCheck %s --check-prefix=MANY
// TWICE: twice.mlir:4:{{[0-9]+}}: error: {{.*}}repeats the decision name 'k'; names are unique in a sketch
// ROOTLESS: rootless.mlir:2:3: error: {{.*}}needs at least one argument, the root of the payload
// ROOTS: roots.mlir:2:3: error: @s takes 2 handles; a search has one to give, the root
// WORDS: words.mlir:3:{{[0-9]+}}: error: {{.*}}expected a list of integers, the only ones that a decision takes
// NOTHING: nothing.mlir:3:{{[0-9]+}}: error: {{.*}}decision 'k' has an empty domain
// MANY: many.mlir:2:3: error: sketch @s does not compile: {{.*}}has more than 64 combinations of alternatives

//--- payload.mlir
func.func @f(%a: tensor<48x64xf32>, %b: tensor<64x32xf32>, %c: tensor<48x32xf32>) -> tensor<48x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<48x64xf32>, tensor<64x32xf32>)
                     outs(%c : tensor<48x32xf32>) -> tensor<48x32xf32>
  return %r : tensor<48x32xf32>
}

//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_columns(%op: !transform.any_op {transform.consumed}, %rows: !transform.any_param {transform.readonly}) {
    %columns = transform.tune.knob<"columns"> options = [16, 32] -> !transform.any_param
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%rows, %columns]
      : (!transform.any_op, !transform.any_param, !transform.any_param)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows = transform.tune.knob<"rows"> options = [8, 16] -> !transform.any_param
    transform.tune.alternatives<"how"> {
      transform.include @tile_columns failures(propagate) (%op, %rows) : (!transform.any_op, !transform.any_param) -> ()
      transform.yield
    }, {
      %steps = transform.tune.knob<"steps"> options = [4] -> !transform.any_param
      %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%rows, 0, %steps]
        : (!transform.any_op, !transform.any_param, !transform.any_param)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.yield
  }
}

//--- inside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @inside(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows = transform.tune.knob<"rows"> options = [4] -> !transform.any_param
    transform.foreach %ops : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %columns = transform.tune.knob<"columns"> options = [1, 16] -> !transform.any_param
      %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%rows, %columns]
        : (!transform.any_op, !transform.any_param, !transform.any_param)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

//--- unknown.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @pad(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows = transform.tune.knob<"rows"> options = [5, 7] -> !transform.any_param
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%rows]
      : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    // Tails get the size of the other tiles.
    %padded, %pad, %copy = transform.structured.pad %t {
      padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
      padding_dimensions = [0, 1, 2]
    } : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %lowered = transform.structured.vectorize_children_and_apply_patterns %function : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- whole.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %new = transform.apply_registered_pass "linalg-generalize-named-ops" to %root : (!transform.any_op) -> !transform.any_op
    %clean = transform.apply_registered_pass "canonicalize" to %new : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"k"> options = [1] -> !transform.any_param
    %b = transform.tune.knob<"k"> options = [1] -> !transform.any_param
    transform.yield
  }
}

//--- rootless.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s() {
    %a = transform.tune.knob<"k"> options = [1] -> !transform.any_param
    transform.yield
  }
}

//--- roots.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}, %other: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"k"> options = [1] -> !transform.any_param
    transform.yield
  }
}

//--- words.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"k"> options = ["one"] -> !transform.any_param
    transform.yield
  }
}

//--- nothing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"k"> options = [] -> !transform.any_param
    transform.yield
  }
}

//--- many.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {
    transform.tune.alternatives<"a"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"b"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"c"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"d"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"e"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"f"> { transform.yield }, { transform.yield }
    transform.tune.alternatives<"g"> { transform.yield }, { transform.yield }
    transform.yield
  }
}
