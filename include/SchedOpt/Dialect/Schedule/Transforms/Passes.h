//===- Passes.h - Passes on schedules ---------------------------*- C++ -*-===//
//
// Generated from Passes.td, and what the passes do as functions.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_H
#define SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::transform {
class NamedSequenceOp;
} // namespace mlir::transform

namespace mlir::schedule {

#define GEN_PASS_DECL
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"

/// Fills in the open decisions of `sketch` so that its requirements hold.
/// `bits` gives 64 uniform bits. An error that names the requirement which
/// failed most often where none of `maxTries` draws is legal.
LogicalResult sampleSketch(SketchOp sketch, llvm::function_ref<uint64_t()> bits,
                           unsigned maxTries);

/// Turns each sequence of `module` with knobs or alternatives, be it in one
/// that it includes, and each sequence for which `isScript` holds into a sketch
/// of its name. What they include is inlined, and removed where it has a
/// decision. Errors are reported at the ops that a sketch cannot have.
LogicalResult importKnobs(
    ModuleOp module,
    llvm::function_ref<bool(transform::NamedSequenceOp)> isScript = nullptr);

#define GEN_PASS_REGISTRATION
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_PASSES_H
