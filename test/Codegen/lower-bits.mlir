// RUN: sched-opt %s --sched-lower-bits | FileCheck %s

// CHECK-LABEL: llvm.func @plain(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr, %[[B:[^:]*]]: !llvm.ptr
// CHECK: %[[BYTES:.*]] = llvm.load %[[A]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK: %[[ZERO:.*]] = llvm.mlir.zero : vector<8xi8>
// CHECK: %[[BITS:.*]] = llvm.icmp "ne" %[[BYTES]], %[[ZERO]] : vector<8xi8>
// CHECK: %[[XOR:.*]] = llvm.xor %[[BITS]], %{{.*}} : vector<8xi1>
// CHECK: %[[WIDE:.*]] = llvm.zext %[[XOR]] : vector<8xi1> to vector<8xi8>
// CHECK: llvm.store %[[WIDE]], %[[B]] {alignment = 1 : i64} : vector<8xi8>, !llvm.ptr
llvm.func @plain(%a: !llvm.ptr, %b: !llvm.ptr, %m: vector<8xi1>) {
  %x = llvm.load %a {alignment = 1 : i64} : !llvm.ptr -> vector<8xi1>
  %y = llvm.xor %x, %m : vector<8xi1>
  llvm.store %y, %b {alignment = 1 : i64} : vector<8xi1>, !llvm.ptr
  llvm.return
}

// The mask itself is no memory.
// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[M:[^:]*]]: vector<8xi1>, %[[O:[^:]*]]: vector<8xi1>
// CHECK: %[[WO:.*]] = llvm.zext %[[O]]
// CHECK: %[[BYTES:.*]] = llvm.intr.masked.load %{{.*}}, %[[M]], %[[WO]] {{.*}} -> vector<8xi8>
// CHECK: %[[BITS:.*]] = llvm.icmp "ne" %[[BYTES]]
// CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]]
// CHECK: llvm.intr.masked.store %[[WIDE]], %{{.*}}, %[[M]] {{.*}} : vector<8xi8>
llvm.func @masked(%a: !llvm.ptr, %m: vector<8xi1>, %o: vector<8xi1>) {
  %x = llvm.intr.masked.load %a, %m, %o {alignment = 1 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi1>) -> vector<8xi1>
  llvm.intr.masked.store %x, %a, %m {alignment = 1 : i32} : vector<8xi1>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @scattered(
// CHECK: %[[BYTES:.*]] = llvm.intr.masked.gather {{.*}} -> vector<8xi8>
// CHECK: %[[BITS:.*]] = llvm.icmp "ne" %[[BYTES]]
// CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]]
// CHECK: llvm.intr.masked.scatter %[[WIDE]]
llvm.func @scattered(%a: vector<8x!llvm.ptr>, %m: vector<8xi1>) {
  %x = llvm.intr.masked.gather %a, %m, %m {alignment = 1 : i32} : (vector<8x!llvm.ptr>, vector<8xi1>, vector<8xi1>) -> vector<8xi1>
  llvm.intr.masked.scatter %x, %a, %m {alignment = 1 : i32} : vector<8xi1>, vector<8xi1> into vector<8x!llvm.ptr>
  llvm.return
}

// A buffer of vectors is LLVM's own; other vectors and a single bit are stored
// as they are.
// CHECK-LABEL: llvm.func @own(
// CHECK-NOT: {{llvm.icmp|llvm.zext}}
// CHECK: llvm.return
llvm.func @own(%x: vector<8xi1>, %f: !llvm.ptr, %i: i64) -> vector<8xi1> {
  %n = llvm.mlir.constant(4 : i64) : i64
  %a = llvm.alloca %n x vector<8xi1> : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<8xi1>
  llvm.store %x, %p : vector<8xi1>, !llvm.ptr
  %y = llvm.load %a : !llvm.ptr -> vector<8xi1>
  %v = llvm.load %f : !llvm.ptr -> vector<8xi32>
  llvm.store %v, %f : vector<8xi32>, !llvm.ptr
  %b = llvm.load %f : !llvm.ptr -> i1
  llvm.store %b, %f : i1, !llvm.ptr
  llvm.return %y : vector<8xi1>
}
