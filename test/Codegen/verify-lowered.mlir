// RUN: sched-opt %s --sched-verify-lowered -verify-diagnostics -split-input-file

llvm.func @fine(%a: !llvm.ptr) {
  %n = llvm.mlir.constant(2 : i32) : i32
  omp.parallel num_threads(%n : i32) {
    omp.terminator
  }
  llvm.return
}

// -----

llvm.func @inside(%a: i64) -> i64 {
  // expected-error @below {{'arith.addi' op has no lowering for a CPU; expected ops of linalg, tensor, vector, scf, arith and math}}
  %r = arith.addi %a, %a : i64
  llvm.return %r : i64
}

// -----

// The innermost op is named first: it is what could not be lowered.
func.func @outside() {
  // expected-error @below {{'func.return' op has no lowering for a CPU}}
  return
}
