// RUN: sched-opt %s --sched-stream-results=min-bytes=16384 | FileCheck %s
// RUN: sched-opt %s --sched-stream-results=min-bytes=16385 | FileCheck %s --check-prefix=SMALL
// RUN: sched-opt %s --sched-stream-results | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: nontemporal
// SMALL-NOT: sfence

// Rows of 4 lines, of which each is written as one.
// CHECK-LABEL: func @lines
//  CHECK-SAME:     %{{.*}}: memref<64x64xf32>, %[[R:[a-z0-9_]+]]: memref<64x64xf32>)
//       CHECK:   %[[ADDRESS:[a-z0-9_]+]] = memref.extract_aligned_pointer_as_index %[[R]]
//       CHECK:   %[[REST:[a-z0-9_]+]] = arith.andi %[[ADDRESS]], %{{.*}}
//       CHECK:   %[[BEGINS:[a-z0-9_]+]] = arith.cmpi eq, %[[REST]], %{{.*}}
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       %[[V:[a-z0-9_]+]] = vector.load
//       CHECK:       scf.if %[[BEGINS]] {
//  CHECK-NEXT:         vector.store %[[V]], %[[R]]{{.*}} {alignment = 64 : i64, nontemporal = true}
//  CHECK-NEXT:       } else {
//  CHECK-NEXT:         vector.store %[[V]], %[[R]][%{{.*}}, %{{.*}}] :
//  CHECK-NEXT:       }
//       CHECK:   llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
//  CHECK-NEXT:   return
func.func @lines(%x: memref<64x64xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%i, %j] : memref<64x64xf32>, vector<16xf32>
      vector.store %v, %r[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  return
}

// Through a view, at a sum of products; each thread waits for its own.
// CHECK-LABEL: func @threads
//       CHECK:   omp.parallel
//       CHECK:     omp.wsloop
//       CHECK:         vector.store {{.*}}nontemporal = true
//       CHECK:     llvm.call_intrinsic "llvm.x86.sse.sfence"
//  CHECK-NEXT:     omp.terminator
//   CHECK-NOT:   llvm.call_intrinsic
//       CHECK:   return
func.func @threads(%v: vector<16xf32>, %r: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
        %begin = arith.muli %i, %c512 : index
        %row = memref.reinterpret_cast %r to offset: [%begin], sizes: [4, 128], strides: [128, 1]
            : memref<4096xf32> to memref<4x128xf32, strided<[128, 1], offset: ?>>
        scf.for %j = %c0 to %c128 step %c32 {
          %next = arith.addi %j, %c16 : index
          vector.store %v, %row[%c1, %next] : memref<4x128xf32, strided<[128, 1], offset: ?>>, vector<16xf32>
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// What is read again should stay in the caches.
// CHECK-LABEL: func @sums
//   CHECK-NOT:   nontemporal
//   CHECK-NOT:   sfence
func.func @sums(%v: vector<16xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %old = vector.load %r[%c0, %c0] : memref<64x64xf32>, vector<16xf32>
  %new = arith.addf %old, %v : vector<16xf32>
  vector.store %new, %r[%c0, %c0] : memref<64x64xf32>, vector<16xf32>
  return
}

// Half a line, a place in the middle of one, rows that are no whole lines, and
// a place of which nothing is known.
// CHECK-LABEL: func @parts
//   CHECK-NOT:   nontemporal
//   CHECK-NOT:   sfence
func.func @parts(%half: vector<8xf32>, %v: vector<16xf32>, %n: index,
                 %r: memref<64x64xf32>, %odd: memref<64x65xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  vector.store %half, %r[%c0, %c0] : memref<64x64xf32>, vector<8xf32>
  vector.store %v, %r[%c0, %c8] : memref<64x64xf32>, vector<16xf32>
  vector.store %v, %odd[%c1, %c0] : memref<64x65xf32>, vector<16xf32>
  vector.store %v, %r[%c0, %n] : memref<64x64xf32>, vector<16xf32>
  return
}

// Threads that are not OpenMP's yet: nothing would end their stores.
// CHECK-LABEL: func @others
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @others(%v: vector<16xf32>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    vector.store %v, %r[%i, %c0] : memref<64x64xf32>, vector<16xf32>
  }
  return
}

// Lines that were to be fetched before they are written need not be.
// CHECK-LABEL: func @fetched
//   CHECK-NOT:   memref.prefetch
//       CHECK:   nontemporal = true
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
// Those that are fetched to be read are read; and what a function of the module
// itself writes, others read.
// CHECK-LABEL: func @read
//   CHECK-NOT:   nontemporal
//       CHECK:   memref.prefetch
//   CHECK-NOT:   nontemporal
// CHECK-LABEL: func private @own
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @fetched(%v: vector<16xf32>, %r: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    memref.prefetch %r[%i], write, locality<3>, data : memref<4096xf32>
    vector.store %v, %r[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}
func.func @read(%v: vector<16xf32>, %r: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    memref.prefetch %r[%i], read, locality<3>, data : memref<4096xf32>
    vector.store %v, %r[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}
func.func private @own(%v: vector<16xf32>, %r: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    vector.store %v, %r[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}
