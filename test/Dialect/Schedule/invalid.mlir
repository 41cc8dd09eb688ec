// RUN: sched-opt %s -verify-diagnostics -split-input-file

// Containers

schedule.space @s workload("0", "nothing") {
  // expected-error @below {{'func.func' op is not a sketch or a trace, which is all that a space holds; move it out of space @s}}
  func.func private @other()
}

// -----

// expected-error @below {{has a workload and a matcher; keep the one that says what it is for}}
schedule.space @s workload("0", "nothing") matches(@m) {
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  transform.foreach %root : !transform.any_op {
  ^bb0(%op: !transform.any_op):
    // expected-error @below {{is inside of 'transform.foreach'; move it in front of that, into the sketch or an alternative of schedule.choose}}
    %x = schedule.sample_categorical "x" from [1, 2] : !transform.param<i64>
  }
}

// -----

schedule.space @s workload("0", "nothing") {
  // expected-note @below {{see existing symbol definition here}}
  schedule.sketch @a(%root: !transform.any_op) {}
  // expected-error @below {{redefinition of symbol named 'a'}}
  schedule.sketch @a(%root: !transform.any_op) {}
}

// -----

// expected-error @below {{needs at least one argument, the root of the payload}}
schedule.sketch @a() {}

// -----

// expected-error @below {{has argument #0 of type 'i64'; expected a handle such as !transform.any_op}}
schedule.sketch @a(%root: i64) {}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{of a sketch yields nothing}}
  schedule.yield %root : !transform.any_op
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-note @below {{first used here}}
  %0 = schedule.sample_categorical "t" from [1, 2] : !transform.param<i64>
  schedule.choose "c" {
    // expected-error @below {{repeats the decision name 't'; names are unique in a sketch}}
    %1 = schedule.sample_categorical "t" from [1, 2] : !transform.param<i64>
  }, {
  }
}

// -----

// expected-error @below {{decides 'mr' twice; remove one of them}}
schedule.trace of @a decisions {mr = 1, nr = 2, mr = 3}

// -----

// expected-error @below {{a decision needs a name}}
schedule.trace of @a decisions {"" = 1}

// -----

// expected-error @below {{expected integer value}}
schedule.trace of @a decisions {mr = []}

// -----

func.func @f(%root: !transform.any_op) {
  // expected-error @below {{expects parent op to be one of 'schedule.sketch, schedule.choose'}}
  schedule.yield
}

// -----

// Decisions

module {
  // expected-error @below {{is a decision outside of a sketch; put it into a schedule.sketch}}
  %0 = schedule.sample_categorical "t" from [1, 2] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs a name for its decision}}
  %0 = schedule.sample_categorical "" from [1, 2] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mr' cannot be 7; its domain is [4, 5, 6]; choose one of its entries}}
  %0 = schedule.sample_categorical "mr" from [4, 5, 6] decided 7 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mr' cannot be [4, 5]; its domain is [4, 5, 6]}}
  %0 = schedule.sample_categorical "mr" from [4, 5, 6] default [4, 5] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mr' has an empty domain; widen its bounds}}
  %0 = schedule.sample_categorical "mr" from [] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{lists the value 4 twice; give it a weight instead}}
  %0 = schedule.sample_categorical "mr" from [4, 6, 4] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs one weight an entry; found 1 weights for 2 entries}}
  %0 = schedule.sample_categorical "mr" from [4, 6] weights [1.0] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs positive weights; found 0.000000e+00; remove the entry to rule it out}}
  %0 = schedule.sample_categorical "mr" from [4, 6] weights [1.0, 0.0] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{result #0 must be 64-bit integer parameter, but got '!transform.any_op'}}
  %0 = schedule.sample_categorical "mr" from [4, 6] : !transform.any_op
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs 1 <= min <= max; found min 8 and max 4}}
  %0 = schedule.sample_tile "mc" extent 64 min 8 max 4 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs a positive multiple_of; found 0}}
  %0 = schedule.sample_tile "mc" extent 64 min 1 max 4 multiple_of 0 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mc' has an empty domain; widen its bounds}}
  %0 = schedule.sample_tile "mc" extent 7 min 8 max 16 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mc' has a domain of more than 65535 entries; narrow its bounds}}
  %0 = schedule.sample_tile "mc" extent 1000000 min 1 max 1000000 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'mc' needs an extent of 1 to 4294967296; found 0}}
  %0 = schedule.sample_tile "mc" extent 0 min 1 max 4 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs one result a part; found 3 parts and 2 results}}
  %0:2 = schedule.sample_perfect_tile "i" extent 64 parts 3 : !transform.param<i64>, !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs a positive max_innermost; found 0}}
  %0:2 = schedule.sample_perfect_tile "i" extent 64 parts 2 max_innermost 0 : !transform.param<i64>, !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'i' cannot be [8, 4]; its domain is [[3, 2], [6, 1]]; choose one of its entries}}
  %0:2 = schedule.sample_perfect_tile "i" extent 6 parts 2 max_innermost 2 decided [8, 4] : !transform.param<i64>, !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs 1 to 8 positions; found 9}}
  %0 = schedule.sample_permutation "o" of 9 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs one result a position; found 2 positions and 1 results}}
  %0 = schedule.sample_permutation "o" of 2 : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{lists the place 'root' twice}}
  %0 = schedule.sample_compute_location "at" from ["root", "root"] : !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{decision 'c' cannot be 2; its domain is [0, 1]}}
  schedule.choose "c" decided 2 {
  }, {
  }
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  %0 = schedule.choose "c" : !transform.any_op {
    schedule.yield %root : !transform.any_op
  }, {
    // expected-error @below {{of alternative 1 yields (), but 'c' has the results ('!transform.any_op')}}
    schedule.yield
  }
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs at least one alternative}}
  "schedule.choose"() <{decision_name = "c"}> : () -> ()
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  %p = transform.param.constant 4 : i64 -> !transform.param<i64>
  // expected-error @below {{needs one extent: a number or a parameter}}
  %0 = "schedule.sample_tile"(%p) <{decision_name = "t", extent = 4, min = 1, max = 4}>
    : (!transform.param<i64>) -> !transform.param<i64>
}

// -----

// Algebra and actions

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs at least one operand}}
  %0 = "schedule.product"() : () -> !transform.param<i64>
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-note @below {{prior use here}}
  %0 = transform.param.constant "s" -> !transform.any_param
  // expected-error @below {{expects different type than prior uses: '!transform.param<i64>' vs '!transform.any_param'}}
  %1 = schedule.product %0, %0
}

// -----

schedule.sketch @a(%root: !transform.any_op) {
  // expected-error @below {{needs one position a dimension}}
  %0 = schedule.interchange %root by ()
}

// -----

// Attributes

// expected-error @below {{target needs a power of two for vector_bytes; found 24}}
#bytes = #schedule.target<cpu, vector_bytes = 24>

// -----

// expected-error @below {{target needs a power of two for line; found 0}}
#line = #schedule.target<cpu, line = 0>

// -----

// expected-error @below {{target needs a positive l1; found -1}}
#cache = #schedule.target<cpu, l1 = -1>

// -----

// expected-error @below {{target of kind cpu has no parameter warp; remove it}}
#foreign = #schedule.target<cpu, warp = 32>

// -----

// expected-error @below {{target of kind cpu has no parameter arch; use mcpu instead}}
#arch = #schedule.target<cpu, arch = "sm_90">

// -----

// expected-error @below {{target of kind nvvm needs arch, for example arch = "sm_90a"}}
#gpu = #schedule.target<nvvm, multiprocessors = 1, shared_memory = 1, registers = 1, max_threads = 32, warp = 32>

// -----

// expected-error @below {{target needs a positive multiprocessors; found 0}}
#gpu = #schedule.target<nvvm, arch = "sm_90">

// -----

// expected-error @below {{target of kind nvvm has no parameter cores; remove it}}
#gpu = #schedule.target<nvvm, arch = "sm_90", cores = 2, multiprocessors = 1, shared_memory = 1, registers = 1, max_threads = 32, warp = 32>

// -----

// expected-error @below {{a decision needs a name}}
#decision = #schedule.decision<"" = 1>
