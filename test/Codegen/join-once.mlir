// RUN: sched-opt %s --sched-join-once | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: omp.wsloop nowait
func.func @last(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// What follows may read what another thread wrote.
// CHECK-LABEL: func.func @not_last(
// CHECK: omp.wsloop {
// CHECK: omp.wsloop nowait
func.func @not_last(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
