//===- SpaceGenerator.h - All sketches of a task ----------------*- C++ -*-===//
//
// Applies the sketch rules to a task. Used by the pass schedule-generate-space,
// which prints the result, and by the tuner, which searches it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_SPACEGENERATOR_H
#define SCHEDOPT_SPACE_SPACEGENERATOR_H

#include "SchedOpt/Space/SketchRule.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// Text of a module with one `schedule.space` that holds the sketches of
/// `task`, the most promising first; empty if no rule applies.
std::string writeSpace(const Task &task, const Target &target,
                       llvm::ArrayRef<std::unique_ptr<SketchRule>> rules);

/// The same, parsed into `context`. An error if what a rule wrote is not valid.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
generateSpace(const Task &task, const Target &target,
              llvm::ArrayRef<std::unique_ptr<SketchRule>> rules,
              mlir::MLIRContext *context);

/// Says that no rule applies to `task`, where it is in the user's module.
void remarkNoRule(const Task &task);

} // namespace sched

#endif // SCHEDOPT_SPACE_SPACEGENERATOR_H
