// What replaces ops of a function before its tasks are cut is seen by no trial of
// a task, so the function is compared as a whole. Here that is a sum of a row that
// is subtracted twice (CheapProducers.cpp).

// RUN: rm -rf %t && split-file %s %t && ln -s sched-worker %t/worker

// A right one is known from its record, and needs no worker a second time.
// RUN: sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/right quiet=true" -o %t/right.mlir 2> %t/right.log
// RUN: FileCheck %s --check-prefix=QUIET --input-file=%t/right.log --allow-empty
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t/right/records.jsonl
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/right.mlir
// RUN: env SCHED_WORKER=/nonexistent sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/right quiet=true" -o %t/again.mlir
// RUN: cmp %t/right.mlir %t/again.mlir
// Without trials nothing is measured, and nothing compared.
// RUN: env SCHED_WORKER=/nonexistent sched-opt %t/two.mlir --auto-schedule="trials=0 threads=1" | FileCheck %s --check-prefix=BOTH

// A rewriting of @whole that divides by another number is found, and undone. @other stays.
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker WRONG_FROM="arith.constant 9.600000e+01" WRONG_TO="arith.constant 9.500000e+01" \
// RUN:   sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/wrong quiet=true" -o %t/wrong.mlir 2> %t/wrong.log
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t/wrong.log
// RUN: FileCheck %s --input-file=%t/wrong.mlir
// RUN: sched-run %t/two.mlir --entry=whole --min-repeat-ms=1 --repeats=1
// So it is where the records are all that there is, and the script cannot be had.
// RUN: sched-opt %t/two.mlir --apply-history-best="threads=1 work-dir=%t/wrong" -o %t/best.mlir 2> %t/best.log
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t/best.log
// RUN: cmp %t/wrong.mlir %t/best.mlir
// RUN: sched-opt %t/two.mlir --apply-history-best="threads=1 work-dir=%t/wrong" --emit=transform -o %t/script 2> %t/script.log
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t/script
// RUN: mlir-opt-22 %t/two.mlir --load-dialect-plugin=%sched_plugin --load-pass-plugin=%sched_plugin --pass-pipeline='builtin.module(transform-preload-library{transform-library-paths=%t/script},transform-interpreter,schedule-drop-script)' -o %t/by-script.mlir
// RUN: FileCheck %s --input-file=%t/by-script.mlir
// RUN: sched-run %t/two.mlir --entry=whole --transform=%t/script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: sched-run %t/two.mlir --entry=other --transform=%t/script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: sched-opt %t/two.mlir --apply-history-best="threads=1 work-dir=%t/wrong" --emit=obj -o %t/best.o

// One that crashes is no better. One whose payload cannot be run is only warned of.
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker WRONG_FAULT=run:crash \
// RUN:   sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true" -o %t/crash.mlir 2> %t/crash.log
// RUN: FileCheck %s --check-prefix=CRASH --input-file=%t/crash.log
// RUN: FileCheck %s --input-file=%t/crash.mlir
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker WRONG_FAULT=reference:memory \
// RUN:   sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true" -o %t/memory.mlir 2> %t/memory.log
// RUN: FileCheck %s --check-prefix=MEMORY --input-file=%t/memory.log
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/memory.mlir

// One that is slower than as it was is put back, and is so from its records.
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker SLOWER=1000 \
// RUN:   sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/slow quiet=true" -o %t/slow.mlir 2> %t/slow.log
// RUN: FileCheck %s --check-prefix=SLOW --input-file=%t/slow.log
// RUN: FileCheck %s --input-file=%t/slow.mlir
// RUN: env SCHED_WORKER=/nonexistent sched-opt %t/two.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/slow quiet=true" -o %t/slow2.mlir 2> %t/slow2.log
// RUN: FileCheck %s --check-prefix=SLOW --input-file=%t/slow2.log
// RUN: cmp %t/slow.mlir %t/slow2.mlir
// RUN: sched-opt %t/two.mlir --apply-history-best="threads=1 work-dir=%t/slow" -o %t/slow3.mlir 2> %t/slow3.log
// RUN: FileCheck %s --check-prefix=SLOW --input-file=%t/slow3.log
// RUN: cmp %t/slow.mlir %t/slow3.mlir
// RUN: sched-run %t/two.mlir --entry=whole --work-dir=%t/slow --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME

// A function that took the place of its calls is there again.
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker SLOWER=1000 \
// RUN:   sched-opt %t/helper.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/helped quiet=true" 2> %t/helped.log | FileCheck %s --check-prefix=HELPER
// RUN: sched-opt %t/helper.mlir --apply-history-best="threads=1 work-dir=%t/helped" | FileCheck %s --check-prefix=HELPER
// RUN: sched-run %t/helper.mlir --work-dir=%t/helped --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker WRONG_FAULT=run:crash \
// RUN:   sched-opt %t/helper.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 quiet=true" 2> %t/helped.log | FileCheck %s --check-prefix=HELPER
// HELPER: func.func @whole(
// HELPER: call @product(
// HELPER: func.func private @product(

// What it calls is put back for it alone: @other, which others call, too, is fast.
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker SLOWER=1000 \
// RUN:   sched-opt %t/called.mlir --auto-schedule="trials=2 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/called quiet=true" 2> %t/called.log | FileCheck %s --check-prefix=CALLED
// RUN: FileCheck %s --check-prefix=ONLY --input-file=%t/called.log
// RUN: sched-run %t/called.mlir --entry=other --work-dir=%t/called --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: not sched-opt %t/called.mlir --apply-history-best="threads=1 work-dir=%t/called" --emit=transform -o %t/called.script 2>&1 | FileCheck %s --check-prefix=SHARED

// A task that others have, too, is called after one of these then, in scripts, too
// (OutlinedNames.cpp; what a script begins with: ScriptBeginning.cpp).
// RUN: env SCHED_WORKER=%S/Inputs/tampering-worker.py REAL_WORKER=%t/worker SLOWER=1000 \
// RUN:   sched-opt %t/shared.mlir --auto-schedule="trials=4 batch=2 threads=1 min-repeat-ms=1 work-dir=%t/shared quiet=true" --emit=transform -o %t/shared.script 2> %t/shared.log
// RUN: FileCheck %s --check-prefix=NAMES --input-file=%t/shared.script
// RUN: sched-run %t/shared.mlir --entry=other --transform=%t/shared.script --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: sched-run %t/shared.mlir --entry=other --work-dir=%t/shared --threads=1 --min-repeat-ms=1 --repeats=1 | FileCheck %s --check-prefix=SAME
// RUN: sched-opt %t/shared.mlir --apply-history-best="threads=1 work-dir=%t/shared" 2> %t/log | FileCheck %s --check-prefix=APPLIED

// What the user marks is left alone, and its mark with it until the script is applied.
// RUN: sed -e 's/^\(func.func @whole.*\) {$/\1 attributes {schedule.left_to_default} {/' %t/two.mlir > %t/marked.mlir
// RUN: sched-opt %t/marked.mlir --auto-schedule="trials=0 threads=1" | FileCheck %s
// RUN: sched-opt %t/marked.mlir --auto-schedule="trials=0 threads=1" --emit=transform | FileCheck %s --check-prefix=MARKED

// QUIET-NOT: {{error|compared}}
// RIGHT-DAG: "sketch":"whole"{{.*}}"verified":true,"workload":{"hash":"{{.*}}-whole","text":"the whole of @whole"}
// RIGHT-DAG: "sketch":"whole"{{.*}}"verified":true,"workload":{"hash":"{{.*}}-whole","text":"the whole of @other"}

// WARNING: two.mlir:1:1: warning: the scheduled code of @whole is wrong as a whole: wrong-result at check: element [0, 0] of 24x96xf32: got {{.*}}; the function is compiled as it is, without a schedule. Unless its result depends on how numbers in between are rounded, this is a mistake in how sched-opt rewrites it before tasks are cut: please report it with the function and this message
// WARNING-NOT: @other
// SLOW: two.mlir:1:1: remark: compiled as it is, without a schedule: @whole as a whole takes {{.*}} a call so, and {{.*}} with its tasks scheduled
// SLOW-NOT: @other
// SAME: check: right
// CALLED: func.func @other(
// CALLED: vector.transfer_read
// CALLED: func.func private @[[COPY:other[_0-9]+]](
// CALLED-NOT: vector.transfer_read
// CALLED: func.func @whole(
// CALLED: call @[[COPY]](
// CALLED-NOT: vector.transfer_read
// ONLY: called.mlir:{{.*}}: remark: compiled as it is, without a schedule: @whole as a whole takes
// ONLY-NOT: compiled as it is
// CRASH: two.mlir:1:1: warning: the scheduled code of @whole is wrong as a whole: crash at check: {{.*}}; the function is compiled as it is
// MEMORY: two.mlir:1:1: warning: the scheduled code of @whole, which was rewritten before its tasks were cut, was not compared with the function as a whole, but only task by task: the unscheduled function cannot be measured: memory at instantiate
// SCRIPT: // Begins with passes of sched-opt: mlir-opt needs its plugin, --load-pass-plugin.
// SCRIPT: %[[MAIN:.*]]: !transform.any_op {transform.consumed}
// SCRIPT-NEXT: %[[LEFT:.*]] = transform.structured.match ops{["func.func"]} attributes {sym_name = "whole"} in %[[MAIN]]
// SCRIPT-NEXT: transform.annotate %[[LEFT]] "schedule.left_to_default"
// SCRIPT-NEXT: transform.apply_registered_pass "schedule-outline-tasks"{{.*}} to %[[MAIN]]
// SCRIPT-NOT: sym_name = "whole
// SHARED: error: a script cannot leave @other as it is for one of the functions that call it and schedule it for the others; give those that the remarks name the attribute schedule.left_to_default in the input, or emit code instead of a script

// NAMES: sym_name = "whole"
// NAMES-NEXT: schedule.left_to_default
// NAMES-NOT: "whole
// NAMES: sym_name = "other_0"
// NAMES: sym_name = "other_1"
// NAMES-NOT: "whole
// APPLIED-LABEL: func.func @whole(
// APPLIED: linalg.matmul
// APPLIED-LABEL: func.func @other(
// APPLIED-NOT: linalg
// APPLIED: vector.contract
// APPLIED-NOT: linalg

// BOTH-LABEL: func.func @whole(
// BOTH: vector.transfer_read
// BOTH-LABEL: func.func @other(
// BOTH: vector.transfer_read

// CHECK-LABEL: func.func @whole(
// CHECK-NOT: vector
// CHECK: linalg.generic
// CHECK-NOT: vector
// CHECK-LABEL: func.func @other(
// CHECK: vector.transfer_read
// CHECK-NOT: schedule.

// MARKED: structured.match{{.*}}sym_name = "other_0"
// MARKED-NOT: sym_name = "whole

//--- shared.mlir
func.func @whole(%x: tensor<32x40xf32>, %w: tensor<40x64xf32>, %v: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<32x64xf32>
  %ia = linalg.fill ins(%z : f32) outs(%ea : tensor<32x64xf32>) -> tensor<32x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<32x40xf32>, tensor<40x64xf32>) outs(%ia : tensor<32x64xf32>) -> tensor<32x64xf32>
  %eb = tensor.empty() : tensor<32x32xf32>
  %ib = linalg.fill ins(%z : f32) outs(%eb : tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = linalg.matmul ins(%a, %v : tensor<32x64xf32>, tensor<64x32xf32>) outs(%ib : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %b : tensor<32x32xf32>
}
func.func @other(%x: tensor<32x40xf32>, %w: tensor<40x64xf32>, %v: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<32x64xf32>
  %ia = linalg.fill ins(%z : f32) outs(%ea : tensor<32x64xf32>) -> tensor<32x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<32x40xf32>, tensor<40x64xf32>) outs(%ia : tensor<32x64xf32>) -> tensor<32x64xf32>
  %eb = tensor.empty() : tensor<32x48xf32>
  %ib = linalg.fill ins(%z : f32) outs(%eb : tensor<32x48xf32>) -> tensor<32x48xf32>
  %b = linalg.matmul ins(%a, %v : tensor<32x64xf32>, tensor<64x48xf32>) outs(%ib : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %b : tensor<32x48xf32>
}

//--- two.mlir
func.func @whole(%x: tensor<24x96xf32>) -> tensor<24x96xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 96.0 : f32
  %tiny = arith.constant 1.0e-5 : f32
  %er = tensor.empty() : tensor<24xf32>
  %e = tensor.empty() : tensor<24x96xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%er : tensor<24xf32>) -> tensor<24xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<24x96xf32>) outs(%f0 : tensor<24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  %centred = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sum : tensor<24x96xf32>, tensor<24xf32>) outs(%e : tensor<24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<24x96xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%centred : tensor<24x96xf32>) outs(%f0 : tensor<24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%centred, %squares : tensor<24x96xf32>, tensor<24xf32>) outs(%e : tensor<24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.divf %b, %n : f32
    %t = arith.addf %v, %tiny : f32
    %r = math.rsqrt %t : f32
    %c = arith.mulf %a, %r : f32
    linalg.yield %c : f32
  } -> tensor<24x96xf32>
  return %result : tensor<24x96xf32>
}
func.func @other(%x: tensor<24x96xf32>) -> tensor<24x96xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 48.0 : f32
  %tiny = arith.constant 2.0e-5 : f32
  %er = tensor.empty() : tensor<24xf32>
  %e = tensor.empty() : tensor<24x96xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%er : tensor<24xf32>) -> tensor<24xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<24x96xf32>) outs(%f0 : tensor<24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  %centred = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sum : tensor<24x96xf32>, tensor<24xf32>) outs(%e : tensor<24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<24x96xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%centred : tensor<24x96xf32>) outs(%f0 : tensor<24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%centred, %squares : tensor<24x96xf32>, tensor<24xf32>) outs(%e : tensor<24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.divf %b, %n : f32
    %t = arith.addf %v, %tiny : f32
    %r = math.rsqrt %t : f32
    %c = arith.mulf %a, %r : f32
    linalg.yield %c : f32
  } -> tensor<24x96xf32>
  return %result : tensor<24x96xf32>
}

//--- helper.mlir
func.func private @product(%x: tensor<24x96xf32>, %w: tensor<96x96xf32>) -> tensor<24x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x96xf32>) -> tensor<24x96xf32>
  %r = linalg.matmul ins(%x, %w : tensor<24x96xf32>, tensor<96x96xf32>) outs(%f : tensor<24x96xf32>) -> tensor<24x96xf32>
  return %r : tensor<24x96xf32>
}
func.func @whole(%x: tensor<24x96xf32>, %w: tensor<96x96xf32>) -> tensor<24x96xf32> {
  %a = call @product(%x, %w) : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
  %b = call @product(%a, %w) : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
  return %b : tensor<24x96xf32>
}

//--- called.mlir
func.func @other(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%x, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  %q = linalg.matmul ins(%p, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %q : tensor<32x32xf32>
}
func.func @whole(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = call @other(%x, %y) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%a, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %p : tensor<32x32xf32>
}
