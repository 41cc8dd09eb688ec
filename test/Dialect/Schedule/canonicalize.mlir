// RUN: sched-opt %s --canonicalize | FileCheck %s

// Every op of the algebra on constants.
// CHECK-LABEL: schedule.sketch @constants
schedule.sketch @constants(%root: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
  %c7 = transform.param.constant 7 : i64 -> !transform.param<i64>
  %minus = transform.param.constant -7 : i64 -> !transform.param<i64>

  // CHECK: %[[P:.*]] = transform.param.constant 42 : i64
  // CHECK: annotate %{{.*}} "product" = %[[P]]
  %product = schedule.product %c2, %c3, %c7
  transform.annotate %root "product" = %product : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 12 : i64
  // CHECK: annotate %{{.*}} "sum" = %[[P]]
  %sum = schedule.sum %c2, %c3, %c7
  transform.annotate %root "sum" = %sum : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 2 : i64
  // CHECK: annotate %{{.*}} "min" = %[[P]]
  %min = schedule.min %c7, %c2, %c3
  transform.annotate %root "min" = %min : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 7 : i64
  // CHECK: annotate %{{.*}} "max" = %[[P]]
  %max = schedule.max %c2, %c7, %c3
  transform.annotate %root "max" = %max : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant -5 : i64
  // CHECK: annotate %{{.*}} "sub" = %[[P]]
  %sub = schedule.sub %c2, %c7
  transform.annotate %root "sub" = %sub : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant -4 : i64
  // CHECK: annotate %{{.*}} "floordiv" = %[[P]]
  %floordiv = schedule.floordiv %minus, %c2
  transform.annotate %root "floordiv" = %floordiv : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant -3 : i64
  // CHECK: annotate %{{.*}} "ceildiv" = %[[P]]
  %ceildiv = schedule.ceildiv %minus, %c2
  transform.annotate %root "ceildiv" = %ceildiv : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 2 : i64
  // CHECK: annotate %{{.*}} "mod" = %[[P]]
  %mod = schedule.mod %minus, %c3
  transform.annotate %root "mod" = %mod : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 0 : i64
  // CHECK: annotate %{{.*}} "by zero" = %[[P]]
  %zero = schedule.floordiv %c7, %c0
  transform.annotate %root "by zero" = %zero : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 1 : i64
  // CHECK: annotate %{{.*}} "cmp" = %[[P]]
  %cmp = schedule.cmp ge %c7, %c3
  transform.annotate %root "cmp" = %cmp : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 0 : i64
  // CHECK: annotate %{{.*}} "and" = %[[P]]
  %and = schedule.and %c7, %c0
  transform.annotate %root "and" = %and : !transform.any_op, !transform.param<i64>
  // CHECK: %[[P:.*]] = transform.param.constant 1 : i64
  // CHECK: annotate %{{.*}} "or" = %[[P]]
  %or = schedule.or %c7, %c0
  transform.annotate %root "or" = %or : !transform.any_op, !transform.param<i64>
}

// A result that does not fit stays.
// CHECK-LABEL: schedule.sketch @overflow
schedule.sketch @overflow(%root: !transform.any_op) {
  %big = transform.param.constant 4611686018427387904 : i64 -> !transform.param<i64>
  // CHECK: schedule.product
  %0 = schedule.product %big, %big
  transform.annotate %root "a" = %0 : !transform.any_op, !transform.param<i64>
}

// CHECK-LABEL: schedule.sketch @variadic
schedule.sketch @variadic(%root: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
  // CHECK: %[[X:.*]] = schedule.sample_categorical "x"
  %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  // CHECK: %[[C9:.*]] = transform.param.constant 9 : i64
  // CHECK: %[[R:.*]] = schedule.product %[[X]], %[[X]], %[[C9]]
  // CHECK: annotate %{{.*}} "combined" = %[[R]]
  %combined = schedule.product %c3, %x, %c3, %x
  transform.annotate %root "combined" = %combined : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "neutral" = %[[X]]
  %neutral = schedule.product %c1, %x
  transform.annotate %root "neutral" = %neutral : !transform.any_op, !transform.param<i64>
  // CHECK: %[[ZERO:.*]] = transform.param.constant 0 : i64
  // CHECK: annotate %{{.*}} "absorbed" = %[[ZERO]]
  %absorbed = schedule.product %c0, %x
  transform.annotate %root "absorbed" = %absorbed : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "sum" = %[[X]]
  %sum = schedule.sum %c0, %x, %c0
  transform.annotate %root "sum" = %sum : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "max" = %[[X]]
  %max = schedule.max %x, %x
  transform.annotate %root "max" = %max : !transform.any_op, !transform.param<i64>
  // 2 is true, but it is not 1: the op has to stay.
  // CHECK: %[[AND:.*]] = schedule.and %[[X]]
  // CHECK: annotate %{{.*}} "and" = %[[AND]]
  %and = schedule.and %c3, %x
  transform.annotate %root "and" = %and : !transform.any_op, !transform.param<i64>
}

// CHECK-LABEL: schedule.sketch @binary
schedule.sketch @binary(%root: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  // CHECK: %[[X:.*]] = schedule.sample_categorical "x"
  %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  // CHECK: annotate %{{.*}} "sub" = %[[X]]
  %sub = schedule.sub %x, %c0
  transform.annotate %root "sub" = %sub : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "floordiv" = %[[X]]
  %floordiv = schedule.floordiv %x, %c1
  transform.annotate %root "floordiv" = %floordiv : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "ceildiv" = %[[X]]
  %ceildiv = schedule.ceildiv %x, %c1
  transform.annotate %root "ceildiv" = %ceildiv : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "select" = %[[X]]
  %select = schedule.select %c1, %x, %c0
  transform.annotate %root "select" = %select : !transform.any_op, !transform.param<i64>
  // CHECK: annotate %{{.*}} "same" = %[[X]]
  %same = schedule.select %x, %x, %x
  transform.annotate %root "same" = %same : !transform.any_op, !transform.param<i64>
}

// Decisions stay even without a use: a trace may name them. A requirement that
// never holds stays too, to be reported.
// CHECK-LABEL: schedule.sketch @kept
schedule.sketch @kept(%root: !transform.any_op) {
  %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
  %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
  // CHECK: schedule.sample_categorical "x"
  %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  // CHECK-NOT: "always"
  schedule.require "always" %c1
  // CHECK: schedule.require "never"
  schedule.require "never" %c0
}
