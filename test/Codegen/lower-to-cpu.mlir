// RUN: sched-opt %s --sched-lower-to-cpu=threads=2 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: sched-opt %s --sched-lower-to-cpu | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: sched-opt %s --sched-lower-to-cpu=threads=2 | mlir-translate --mlir-to-llvmir \
// RUN:   | FileCheck %s --check-prefix=CALL

// One pointer a tensor, inputs then results; what does not alias is marked.
// CHECK-LABEL: llvm.func @parallel(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[R:[^:]*]]: !llvm.ptr {llvm.noalias})
// TWO: %[[N:.*]] = llvm.mlir.constant(2 : i32)
// TWO: omp.parallel num_threads(%[[N]] : i32)
// TWO: omp.loop_nest
// ONE-NOT: omp.
// CHECK: llvm.getelementptr {{.*}}%[[A]]
// CHECK: llvm.getelementptr {{.*}}%[[R]]
// ONE-NOT: omp.
// CHECK: llvm.return{{$}}

// CALL: define void @parallel(ptr noalias readonly %{{[0-9]+}}, ptr noalias %{{[0-9]+}})
// CALL: call void @__kmpc_push_num_threads({{.*}}, i32 2)
// CALL: call void {{.*}}@__kmpc_fork_call(
func.func @parallel(%a: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x8xf32>
  %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%o = %e) -> tensor<64x8xf32> {
    %x = tensor.extract_slice %a[%i, 0] [32, 8] [1, 1] : tensor<64x8xf32> to tensor<32x8xf32>
    %y = tensor.extract_slice %o[%i, 0] [32, 8] [1, 1] : tensor<64x8xf32> to tensor<32x8xf32>
    %z = linalg.exp ins(%x : tensor<32x8xf32>) outs(%y : tensor<32x8xf32>) -> tensor<32x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %o[%i, 0] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<64x8xf32>
    }
  }
  return %r : tensor<64x8xf32>
}

// What is called is inlined, and gone; what a call needs of memory is freed.
// CHECK-LABEL: llvm.func @calls(
// CHECK: %[[BUFFER:.*]] = llvm.call @aligned_alloc(
// CHECK-NOT: llvm.call @callee
// CHECK: llvm.call @free(
// CHECK-NOT: @callee
func.func @calls(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %t = call @callee(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.transpose ins(%t : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  return %r : tensor<64x64xf32>
}
func.func private @callee(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
