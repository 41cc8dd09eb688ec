// RUN: sched-opt %s --sched-thread-buffers | FileCheck %s

// CHECK-LABEL: func.func @large(
// Two threads' 100000 floats, in whole pages of memory.
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 4096 : i64} : memref<802816xi8>
// CHECK: scf.forall (%[[ID:.*]]) in (2)
// CHECK: %[[BYTES:.*]] = arith.constant 401408 : index
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[BYTES]]
// CHECK: %[[OWN:.*]] = memref.view %[[ALL]][%[[OFFSET]]][] : memref<802816xi8> to memref<100000xf32>
// CHECK: memref.store %{{.*}}, %[[OWN]]
// Small ones stay where they are.
// CHECK: memref.alloc() : memref<16xf32>
func.func @large(%x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%t) in (2) {
    %a = memref.alloc() : memref<100000xf32>
    memref.store %x, %a[%c0] : memref<100000xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.store %x, %b[%c0] : memref<16xf32>
  }
  return
}

// Nobody knows how many threads there are.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: memref.view
// CHECK: scf.forall
// CHECK: memref.alloc() : memref<100000xf32>
func.func @dynamic(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  scf.forall (%t) in (%n) {
    %a = memref.alloc() : memref<100000xf32>
    memref.store %x, %a[%c0] : memref<100000xf32>
  }
  return
}
