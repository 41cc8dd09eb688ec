// RUN: sched-opt %s --convert-schedule-to-transform=sketch=b | FileCheck %s
// RUN: not sched-opt %s --convert-schedule-to-transform 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not sched-opt %s --convert-schedule-to-transform=sketch=d 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: transform.named_sequence @__transform_main
// CHECK-NEXT: transform.debug.emit_remark_at %{{.*}}, "b"
// CHECK-NOT: schedule
// TWO: error: module has the decided sketches [@a, @b]; say which with the option sketch=NAME
// NONE: error: module has no sketch @d; it has [@a, @b, @c]
schedule.sketch @a(%root: !transform.any_op) {
  transform.debug.emit_remark_at %root, "a" : !transform.any_op
}
schedule.sketch @b(%root: !transform.any_op) {
  transform.debug.emit_remark_at %root, "b" : !transform.any_op
}
schedule.sketch @c(%root: !transform.any_op) {
  %0 = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
}
schedule.trace of @c decisions {x = 1}
