// RUN: sched-opt %s --sched-thread-stack | FileCheck %s
// RUN: sched-opt %s --sched-thread-stack --convert-scf-to-cf | FileCheck %s --check-prefix=BRANCHES

// A buffer of each iteration is one of each thread, and loops can be branches.
// CHECK-LABEL: func.func @buffer(
// CHECK: omp.parallel {
// CHECK-NEXT: %[[BUFFER:.*]] = memref.alloca() : memref<4xf32>
// CHECK: omp.loop_nest
// CHECK-NOT: alloca_scope
// CHECK: memref.store %{{.*}}, %[[BUFFER]]
// BRANCHES-LABEL: func.func @buffer(
// BRANCHES: cf.cond_br
func.func @buffer(%n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.alloca_scope {
          %buffer = memref.alloca() : memref<4xf32>
          scf.for %j = %c0 to %n step %c1 {
            memref.store %value, %buffer[%c0] : memref<4xf32>
          }
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// A task has its own, whichever thread begins it.
// CHECK-LABEL: func.func @task(
// CHECK: omp.task {
// CHECK-NEXT: memref.alloca_scope
// One of a loop in the scope would grow the stack.
// CHECK-LABEL: func.func @inner(
// CHECK: memref.alloca_scope
// How large one is may change from one iteration to the next; and without
// threads a scope may be in a loop.
// CHECK-LABEL: func.func @dynamic(
// CHECK: memref.alloca_scope
// CHECK-LABEL: func.func @alone(
// CHECK: memref.alloca_scope
func.func @task(%value: f32) {
  %c0 = arith.constant 0 : index
  omp.parallel {
    omp.task {
      memref.alloca_scope {
        %buffer = memref.alloca() : memref<4xf32>
        memref.store %value, %buffer[%c0] : memref<4xf32>
      }
      omp.terminator
    }
    omp.terminator
  }
  return
}

func.func @inner(%n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.alloca_scope {
          affine.for %j = 0 to 4 {
            %buffer = memref.alloca() : memref<4xf32>
            memref.store %value, %buffer[%c0] : memref<4xf32>
          }
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

func.func @dynamic(%n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.alloca_scope {
          %buffer = memref.alloca(%i) : memref<?xf32>
          memref.store %value, %buffer[%c0] : memref<?xf32>
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

func.func @alone(%n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  memref.alloca_scope {
    %buffer = memref.alloca() : memref<4xf32>
    memref.store %value, %buffer[%c0] : memref<4xf32>
  }
  return
}
