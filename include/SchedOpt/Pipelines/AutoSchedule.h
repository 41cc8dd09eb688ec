//===- AutoSchedule.h - The passes and pipelines of the driver --*- C++ -*-===//
//
// `auto-schedule`: schedule-search, upstream's transform-interpreter,
// schedule-drop-script. `apply-history-best`: the same from records.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_AUTOSCHEDULE_H
#define SCHEDOPT_PIPELINES_AUTOSCHEDULE_H

#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sched {

#define GEN_PASS_DECL
#include "SchedOpt/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "SchedOpt/Pipelines/Passes.h.inc"

/// Attributes of a scheduled module, for the code generator.
constexpr llvm::StringLiteral kTargetAttrName = "schedule.target";
constexpr llvm::StringLiteral kThreadsAttrName = "schedule.threads";
/// The tiles that schedule-winograd rewrote the module with, before its script
/// was made.
constexpr llvm::StringLiteral kWinogradAttrName = "schedule.winograd";

/// Which convolutions schedule-im2col rewrote before that.
constexpr llvm::StringLiteral kImageColumnsAttrName = "schedule.im2col";

/// Of a module that was TOSA, until its script was applied.
constexpr llvm::StringLiteral kLoweredTosaAttrName = "schedule.lowered_tosa";

/// The signal (SIGINT or SIGTERM) that ended a search of this process early, 0
/// if none did. Passes then succeed with the best so far; a tool writes that
/// and exits with 128 + the signal.
int getInterruptSignal();

/// Lets `script` apply to `module` as it was before the search: it begins by
/// marking the functions that the search put back, and with passes of ours
/// where the search rewrote functions for `target` or put some back. True if it
/// begins with passes, which it need not where functions are marked. A function
/// that is put back for one caller and scheduled for another is not marked.
bool prependRewriting(mlir::ModuleOp script, mlir::ModuleOp module,
                      const Target &target);

/// Fails where `module` holds a function both put back and scheduled, for
/// different callers, which no script can do.
llvm::Error checkScriptPutsBack(mlir::ModuleOp module);

/// Removes the search spaces of a module, which code that runs has no use for.
void dropSpaces(mlir::ModuleOp module);

/// Checks the options of the pipeline `name`, one of the two. The error has one
/// line; of an unknown option, it says which ones there are.
llvm::Error checkPipelineOptions(llvm::StringRef name, llvm::StringRef options);

/// The target that the pipeline `name` is given by `options`, which are right.
std::string getPipelineTarget(llvm::StringRef name, llvm::StringRef options);

/// Registers the passes above and the two pipelines.
void registerAutoSchedulePipelines();

} // namespace sched

#endif // SCHEDOPT_PIPELINES_AUTOSCHEDULE_H
