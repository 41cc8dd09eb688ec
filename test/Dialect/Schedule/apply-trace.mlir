// RUN: sched-opt %s --schedule-apply-trace | FileCheck %s

// CHECK-LABEL: schedule.sketch @packed
schedule.sketch @packed(%root: !transform.any_op) {
  // CHECK: sample_categorical "mr" from [4, 5, 6] decided 6 :
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  // A decision made before is made again.
  // CHECK: sample_perfect_tile "i" {{.*}} decided [4, 8, 2] :
  %i:3 = schedule.sample_perfect_tile "i" extent 64 parts 3 decided [64, 1, 1]
    : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  // CHECK: schedule.choose "which" decided 1 {
  // CHECK-NEXT: sample_categorical "left" from [1, 2] :
  // CHECK: sample_categorical "right" from [1, 2] decided 2 :
  schedule.choose "which" {
    %0 = schedule.sample_categorical "left" from [1, 2] decided 1 : !transform.param<i64>
  }, {
    %0 = schedule.sample_categorical "right" from [1, 2] : !transform.param<i64>
  }
}
// CHECK-NOT: schedule.trace
schedule.trace of @packed decisions {mr = 6, i = [4, 8, 2], which = 1, right = 2}

// A trace finds the sketch of its own space, and the only one of its name.
// CHECK-LABEL: schedule.space @a
schedule.space @a workload("a", "a") {
  schedule.sketch @s(%root: !transform.any_op) {
    // CHECK: sample_categorical "mr" from [4, 5, 6] decided 4 :
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  }
  schedule.trace of @s decisions {mr = 4}
}
// CHECK-LABEL: schedule.space @b
schedule.space @b workload("b", "b") {
  schedule.sketch @s(%root: !transform.any_op) {
    // CHECK: sample_categorical "mr" from [4, 5, 6] :
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  }
  schedule.sketch @only(%root: !transform.any_op) {
    // CHECK: sample_categorical "mr" from [4, 5, 6] decided 5 :
    %mr = schedule.sample_categorical "mr" from [4, 5, 6] : !transform.param<i64>
  }
}
schedule.trace of @only decisions {mr = 5}
