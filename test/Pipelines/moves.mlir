// What only moves elements: a copy has a schedule, a pad, a concatenation and a
// gather need none to run on all threads.

// RUN: split-file %s %t
// RUN: sched-opt %t/copy.mlir --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=transform -o %t.script.mlir
// RUN: mlir-opt-22 %t/copy.mlir --transform-preload-library='transform-library-paths=%t.script.mlir' \
// RUN:   --transform-interpreter | FileCheck %t/copy.mlir
// RUN: sched-run %t/copy.mlir --transform=%t.script.mlir --threads=2 --repeats=1 --min-repeat-ms=1 --json \
// RUN:   | FileCheck %s --check-prefix=RAN
// RAN: "verified": true

// RUN: sched-opt %t/moves.mlir --auto-schedule="trials=0 threads=2 target=cpu:mcpu=znver3 quiet=true" --emit=llvm \
// RUN:   | FileCheck %t/moves.mlir

//--- copy.mlir
// CHECK-LABEL: func.func @f
// CHECK: scf.forall
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
func.func @f(%a: tensor<509x1021xf32>) -> tensor<509x1021xf32> {
  %e = tensor.empty() : tensor<509x1021xf32>
  %r = linalg.copy ins(%a : tensor<509x1021xf32>) outs(%e : tensor<509x1021xf32>) -> tensor<509x1021xf32>
  return %r : tensor<509x1021xf32>
}

//--- moves.mlir
// CHECK-LABEL: define void @pad(
// CHECK: @__kmpc_fork_call
func.func @pad(%x: tensor<2x113x127x13xf32>) -> tensor<2x115x129x13xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x113x127x13xf32> to tensor<2x115x129x13xf32>
  return %p : tensor<2x115x129x13xf32>
}
// CHECK-LABEL: define void @concat(
// CHECK-NOT: aligned_alloc
// CHECK: @__kmpc_fork_call
func.func @concat(%x: tensor<997x131xf32>, %y: tensor<997x57xf32>) -> tensor<997x188xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<997x131xf32>, tensor<997x57xf32>) -> tensor<997x188xf32>
  return %c : tensor<997x188xf32>
}
// CHECK-LABEL: define void @gather(
// CHECK: @__kmpc_fork_call
func.func @gather(%t: tensor<3001x257xf32>, %p: tensor<1009x1xi32>) -> tensor<1009x257xf32> {
  %r = tensor.gather %t[%p] gather_dims([0])
    : (tensor<3001x257xf32>, tensor<1009x1xi32>) -> tensor<1009x257xf32>
  return %r : tensor<1009x257xf32>
}
// Rows that something is computed from are read where they are.
// CHECK-LABEL: define void @gather_add(
// CHECK-NOT: aligned_alloc
// CHECK: fadd <{{[0-9]+}} x float>
func.func @gather_add(%t: tensor<3001x257xf32>, %p: tensor<1009x1xi32>, %x: tensor<1009x257xf32>) -> tensor<1009x257xf32> {
  %r = tensor.gather %t[%p] gather_dims([0])
    : (tensor<3001x257xf32>, tensor<1009x1xi32>) -> tensor<1009x257xf32>
  %e = tensor.empty() : tensor<1009x257xf32>
  %a = linalg.add ins(%r, %x : tensor<1009x257xf32>, tensor<1009x257xf32>) outs(%e : tensor<1009x257xf32>) -> tensor<1009x257xf32>
  return %a : tensor<1009x257xf32>
}
