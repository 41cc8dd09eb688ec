// RUN: sched-opt %s --schedule-export-knobs | FileCheck %s --check-prefix=EXPORT
// RUN: sched-opt %s --schedule-export-knobs | mlir-opt-22 --verify-each | FileCheck %s --check-prefix=EXPORT
// RUN: sched-opt %s --schedule-export-knobs --schedule-import-knobs | FileCheck %s
// RUN: sched-opt %S/Inputs/included-knobs.mlir --schedule-import-knobs | FileCheck %s --check-prefix=INCLUDED

// What a script includes is part of it; what it includes twice is there twice,
// and what has no knob stays for others. A knob inside of another op is decided
// in front of it.
// INCLUDED-LABEL: schedule.sketch @__transform_main(
// INCLUDED-SAME: %[[ROOT:.*]]: !transform.any_op)
// INCLUDED-NEXT: %[[ROWS:.*]] = schedule.sample_categorical "rows" from [4, 8]
// INCLUDED-NEXT: %[[INSIDE:.*]] = schedule.sample_categorical "inside" from [1, 2]
// INCLUDED-NEXT: transform.foreach %[[ROOT]]
// INCLUDED: transform.annotate %{{.*}} "chosen" = %[[INSIDE]]
// INCLUDED: %[[FIRST:.*]] = transform.structured.match ops{["linalg.matmul"]} in %[[ROOT]]
// INCLUDED-NEXT: %[[SECOND:.*]] = transform.structured.match ops{["linalg.matmul"]} in %[[FIRST]]
// INCLUDED-NEXT: transform.structured.tile_using_for %[[SECOND]] tile_sizes [%[[ROWS]]]
// INCLUDED-NEXT: }
// INCLUDED: transform.named_sequence @find(
// INCLUDED-NOT: transform.named_sequence

// EXPORT: module attributes {transform.with_named_sequence}
// EXPORT-LABEL: transform.named_sequence @s(
// EXPORT: transform.tune.knob<"mr"> options = [4, 5, 6]
// EXPORT-SAME: schedule.default = array<i64: 5>
// EXPORT-SAME: schedule.weights = array<f64: 1.000000e+00, 1.000000e+00, 2.000000e+00>
// EXPORT: transform.tune.knob<"nr"> = 8 : i64 from options = [8, 16]
// EXPORT: transform.tune.alternatives<"which"> selected_region = 0
// EXPORT: transform.yield
// EXPORT-NOT: schedule.space
schedule.space @space workload("0", "nothing") {
  // CHECK-LABEL: schedule.sketch @s(
  schedule.sketch @s(%root: !transform.any_op) {
    // CHECK: sample_categorical "mr" from [4, 5, 6] weights [1.000000e+00, 1.000000e+00, 2.000000e+00] default 5 :
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] weights [1.0, 1.0, 2.0]
      default 5 : !transform.param<i64>
    // A tile comes back as a list of its sizes.
    // CHECK: sample_categorical "nr" from [8, 16] decided 8 :
    %nr = schedule.sample_tile "nr" extent 100 min 8 max 16 multiple_of 8
      decided 8 : !transform.param<i64>
    // CHECK: schedule.choose "which" decided 0 : !transform.any_op {
    %r = schedule.choose "which" decided 0 : !transform.any_op {
      // CHECK-NEXT: sample_categorical "in" from [1, 2]
      %in = schedule.sample_categorical "in" from [1, 2] : !transform.param<i64>
      // CHECK-NEXT: schedule.yield
      schedule.yield %root : !transform.any_op
    }, {
      schedule.yield %root : !transform.any_op
    }
    // CHECK: tile_using_for %{{.*}} tile_sizes [%{{.*}}, %{{.*}}]
    %t, %l:2 = transform.structured.tile_using_for %r tile_sizes [%mr, %nr]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  }
}
