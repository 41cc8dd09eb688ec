// RUN: sched-opt %s | sched-opt | FileCheck %s
// RUN: sched-opt %s --mlir-print-op-generic | sched-opt | FileCheck %s

// CHECK-LABEL: schedule.space @mm workload("9f3c", "matmul_8x8x8_f32")
// CHECK-SAME: target(<cpu, mcpu = "znver3", vector_bytes = 32>) {
schedule.space @mm workload("9f3c", "matmul_8x8x8_f32")
    target(#schedule.target<cpu, mcpu = "znver3", vector_bytes = 32>) {
  // CHECK: schedule.sketch @plain(%{{.*}}: !transform.any_op) {
  schedule.sketch @plain(%root: !transform.any_op) {
    // CHECK-NEXT: schedule.sample_categorical "mr" from [4, 6] : !transform.param<i64>
    // CHECK-NEXT: }
    %mr = schedule.sample_categorical "mr" from [4, 6] : !transform.param<i64>
  }
  // CHECK: schedule.trace of @plain decisions {mr = 6}
  schedule.trace of @plain decisions {mr = 6}
}

// A space may be without a target and without sketches.
// CHECK-LABEL: schedule.space @empty workload("0", "nothing") {
// CHECK-NEXT: }
schedule.space @empty workload("0", "nothing") {
}

// For the task of its name, and for those that a matcher accepts.
// CHECK-LABEL: schedule.space @f_0 {
// CHECK-NEXT: }
schedule.space @f_0 {
}
// CHECK-LABEL: schedule.space @products matches(@is_product) target(<cpu, mcpu = "znver3">) {
schedule.space @products matches(@is_product) target(#schedule.target<cpu, mcpu = "znver3">) {
}

// CHECK-LABEL: schedule.sketch @decisions(
// CHECK-SAME: %[[ROOT:.*]]: !transform.any_op, %{{.*}}: !transform.op<"func.func">)
// CHECK-SAME: attributes {note = "kept"}
schedule.sketch @decisions(%root: !transform.any_op, %f: !transform.op<"func.func">)
    attributes {note = "kept"} {
  // CHECK: %[[N:.*]] = transform.param.constant 24
  %n = transform.param.constant 24 : i64 -> !transform.param<i64>
  // CHECK: sample_categorical "mr" from [4, 5, 6]
  // CHECK-SAME: weights [1.000000e+00, 1.000000e+00, 2.000000e+00] default 6 decided 5
  %mr = schedule.sample_categorical "mr" from [4, 5, 6] weights [1.0, 1.0, 2.0]
    default 6 decided 5 : !transform.param<i64>
  // CHECK: sample_tile "mc" extent 1024 min 16 max 512 multiple_of 16 or_full default 32
  %mc = schedule.sample_tile "mc" extent 1024 min 16 max 512 multiple_of 16
    or_full default 32 : !transform.param<i64>
  // CHECK: sample_tile "nc" extent(%[[N]]) min 1 max 64 :
  %nc = schedule.sample_tile "nc" extent(%n) min 1 max 64 : !transform.param<i64>
  // CHECK: sample_perfect_tile "i" extent 128 parts 3 max_innermost 16 decided [4, 8, 4]
  %i:3 = schedule.sample_perfect_tile "i" extent 128 parts 3 max_innermost 16
    decided [4, 8, 4]
    : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  // CHECK: sample_perfect_tile "j" extent(%[[N]]) parts 2 :
  %j:2 = schedule.sample_perfect_tile "j" extent(%n) parts 2
    : !transform.param<i64>, !transform.param<i64>
  // CHECK: sample_permutation "order" of 2 default [1, 0] :
  %o:2 = schedule.sample_permutation "order" of 2 default [1, 0]
    : !transform.param<i64>, !transform.param<i64>
  // CHECK: sample_compute_location "epilogue" from ["root", "tile"] decided 1 :
  %at = schedule.sample_compute_location "epilogue" from ["root", "tile"]
    decided 1 : !transform.param<i64>
  // CHECK: schedule.choose "which" weights [3.000000e+00, 1.000000e+00] decided 1 : !transform.any_op {
  // CHECK-NEXT: schedule.choose "inner" {
  // CHECK-NEXT: }, {
  // CHECK-NEXT: }
  // CHECK-NEXT: schedule.yield %[[ROOT]] : !transform.any_op
  // CHECK-NEXT: }, {
  // CHECK-NEXT: schedule.yield %[[ROOT]] : !transform.any_op
  // CHECK-NEXT: }
  %r = schedule.choose "which" weights [3.0, 1.0] decided 1 : !transform.any_op {
    schedule.choose "inner" {
    }, {
    }
    schedule.yield %root : !transform.any_op
  }, {
    schedule.yield %root : !transform.any_op
  }
  // A terminator may be written out.
  schedule.yield
}

// CHECK-LABEL: schedule.sketch @algebra
schedule.sketch @algebra(%root: !transform.any_op) {
  %a, %b = schedule.sample_perfect_tile "t" extent 24 parts 2
    : !transform.param<i64>, !transform.param<i64>
  // CHECK: %[[A:.*]]:2 = schedule.sample_perfect_tile
  // CHECK: schedule.product %[[A]]#0, %[[A]]#1, %[[A]]#0
  %product = schedule.product %a, %b, %a
  // CHECK: schedule.sum %[[A]]#0, %[[A]]#1
  %sum = schedule.sum %a, %b
  // CHECK: schedule.min %[[A]]#0
  %min = schedule.min %a
  // CHECK: schedule.max %[[A]]#0, %[[A]]#1
  %max = schedule.max %a, %b
  // CHECK: schedule.sub %[[A]]#0, %[[A]]#1
  %sub = schedule.sub %a, %b
  // CHECK: schedule.floordiv %[[A]]#0, %[[A]]#1
  %floor = schedule.floordiv %a, %b
  // CHECK: schedule.ceildiv %[[A]]#0, %[[A]]#1
  %ceil = schedule.ceildiv %a, %b
  // CHECK: schedule.mod %[[A]]#0, %[[A]]#1
  %mod = schedule.mod %a, %b
  // CHECK: %[[LE:.*]] = schedule.cmp le %[[A]]#0, %[[A]]#1
  %le = schedule.cmp le %a, %b
  // CHECK: %[[NE:.*]] = schedule.cmp ne
  %ne = schedule.cmp ne %a, %b
  // CHECK: schedule.and %[[LE]], %[[NE]]
  %and = schedule.and %le, %ne
  // CHECK: schedule.or %[[LE]], %[[NE]]
  %or = schedule.or %le, %ne
  // CHECK: schedule.select %[[LE]], %[[A]]#0, %[[A]]#1
  %select = schedule.select %le, %a, %b
  // CHECK: schedule.require "a is at most b" %[[LE]]
  schedule.require "a is at most b" %le
}

// CHECK-LABEL: schedule.sketch @actions
schedule.sketch @actions(%root: !transform.any_op) {
  // CHECK: %[[F:.*]] = schedule.sample_categorical "f"
  %f = schedule.sample_categorical "f" from [0, 1] : !transform.param<i64>
  // CHECK: schedule.unroll %{{.*}} by %[[F]]
  schedule.unroll %root by %f
  // CHECK: schedule.interchange %{{.*}} by(%[[F]], %[[F]])
  %new = schedule.interchange %root by (%f, %f)
}

// CHECK: schedule.trace of @decisions decisions {mr = 6, i = [4, 8, 2], "a b" = -1}
schedule.trace of @decisions decisions {"mr" = 6, i = [4, 8, 2], "a b" = [-1]}
// CHECK: schedule.trace of @"odd name" decisions {}
schedule.trace of @"odd name" decisions {}

// CHECK-LABEL: module @attributes
// CHECK-SAME: test.cpu = #schedule.target<cpu>
// CHECK-SAME: test.decision = #schedule.decision<"i" = [4, 8, 2]>
// CHECK-SAME: test.gpu = #schedule.target<nvvm, arch = "sm_90a", multiprocessors = 132, shared_memory = 233472, registers = 65536, max_threads = 1024, warp = 32>
// CHECK-SAME: test.one = #schedule.decision<"mr" = 6>
// CHECK-SAME: test.zen = #schedule.target<cpu, triple = "x86_64-linux-gnu", mcpu = "znver3", cores = 2, threads = 2, vector_bytes = 32, fma_ports = 2, l2 = 524288, l3 = 33554432>
module @attributes attributes {
  test.cpu = #schedule.target<cpu>,
  test.decision = #schedule.decision<"i" = [4, 8, 2]>,
  test.gpu = #schedule.target<nvvm, arch = "sm_90a", multiprocessors = 132,
    shared_memory = 233472, registers = 65536, max_threads = 1024, warp = 32>,
  test.one = #schedule.decision<"mr" = 6>,
  test.zen = #schedule.target<cpu, triple = "x86_64-linux-gnu", mcpu = "znver3",
    cores = 2, threads = 2, vector_bytes = 32, vector_registers = 16,
    fma_ports = 2, fma_latency = 4, l1 = 32768, l2 = 524288, l3 = 33554432,
    line = 64>
} {
}
