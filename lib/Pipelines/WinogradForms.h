//===- WinogradForms.h - Directly, or by Winograd's transforms --*- C++ -*-===//
//
// The form of a convolution is chosen before tasks are cut, as each form has
// tasks of its own: by a measurement of both, which goes into the records, or
// else by a rule. A record of a form has the workload of the convolution's task
// with kFormSuffix behind it, and the tile as its trace; 0 is the direct form.
//
// Read next: Space/Winograd.h; docs/Rationale.md has the figures.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_WINOGRADFORMS_H
#define SCHEDOPT_LIB_PIPELINES_WINOGRADFORMS_H

#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "SchedOpt/Tuning/CandidateMeasurer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace sched {

/// The option `winograd`.
struct WinogradOption {
  /// Otherwise `tile` serves all convolutions; 0: none.
  bool isAuto = false;
  int64_t tile = 0;

  /// Of `auto`, `off`, `2` or `4`.
  static llvm::Expected<WinogradOption> parse(llvm::StringRef text);
};

/// A convolution of a module that can be rewritten.
struct WinogradTask {
  /// Key and readable form of the task that it is computed directly in, its
  /// arithmetic operations, and that task in one public function.
  std::string hash, text;
  double flops = 0;
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  mlir::Location loc;
  /// suggestWinogradTile, or 0 where the task cannot be rewritten by itself.
  int64_t suggested = 0;
};

/// One for each of collectWinogradConvolutions(module), in the same order.
/// Empty where the tasks of `module` cannot be extracted, which is reported
/// when they are needed.
std::vector<WinogradTask> collectWinogradTasks(mlir::ModuleOp module,
                                               const Target &target);

/// The tile of the fastest form that `records` know of `task`.
std::optional<int64_t> findWinogradForm(const Database &records,
                                        const WinogradTask &task,
                                        const Target &target);

/// What two forms of a task took, and how many trials both had.
struct FormComparison {
  int64_t tile = 0;
  double directS = 0, winogradS = 0;
  /// Why the form by tiles is not used, if it failed.
  std::string problem;
  /// Empty where the run was stopped.
  std::vector<Record> records;
};

/// Measures the direct form of `task` and that with its suggested tile, taking
/// turns. `search` finds a script for a module with one function, whose tasks
/// it outlines.
llvm::Expected<FormComparison> compareWinogradForms(
    const WinogradTask &task, const Target &target, WorkerPool &pool,
    MeasureTask measure,
    llvm::function_ref<
        llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>(mlir::ModuleOp)>
        search);

/// Rewrites `module` and notes that on it (kWinogradAttrName).
void applyWinogradForms(mlir::ModuleOp module, llvm::ArrayRef<int64_t> tiles,
                        const Target &target);

/// Lets `script`, which is for what schedule-winograd with `tiles` and
/// schedule-outline-tasks make of a module, begin with these passes.
void prependWinograd(mlir::ModuleOp script, llvm::ArrayRef<int64_t> tiles,
                     llvm::StringRef target, int threads);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_WINOGRADFORMS_H
