//===- Passes.h - Passes of the space layer ---------------------*- C++ -*-===//
//
// Thin glue around this layer's functions; options are in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_PASSES_H
#define SCHEDOPT_SPACE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sched {

#define GEN_PASS_DECL
#include "SchedOpt/Space/Passes.h.inc"

/// Registers the passes of this layer with the command line of a tool.
void registerSpacePasses();

} // namespace sched

#endif // SCHEDOPT_SPACE_PASSES_H
