//===- Passes.h - Passes of the code generator ------------------*- C++ -*-===//
//
// Generated from Passes.td. Read next: CPU.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_PASSES_H
#define SCHEDOPT_CODEGEN_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sched {

#define GEN_PASS_DECL
#include "SchedOpt/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "SchedOpt/Codegen/Passes.h.inc"

} // namespace sched

#endif // SCHEDOPT_CODEGEN_PASSES_H
