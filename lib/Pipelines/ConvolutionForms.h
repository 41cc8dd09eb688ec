//===- ConvolutionForms.h - How convolutions are computed -------*- C++ -*-===//
//
// Directly, by Winograd's transforms, or as a product with the image's columns.
// The form of a convolution is chosen before tasks are cut, as each form has
// tasks of its own: by a measurement of both, which goes into the records, or
// else by a rule. A record of a form has the workload of the convolution's task
// with kFormSuffix behind it, and as its trace the tile, 0 if it is direct, or
// that it has columns.
//
// Read next: Space/Winograd.h and ImageColumns.h; docs/Rationale.md has the
// figures.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_CONVOLUTIONFORMS_H
#define SCHEDOPT_LIB_PIPELINES_CONVOLUTIONFORMS_H

#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "SchedOpt/Tuning/CandidateMeasurer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <vector>

namespace sched {

/// A form is Winograd's tile, 2 or 4, or one of these.
inline constexpr int64_t kDirectForm = 0, kColumnsForm = 1;

/// The options `winograd` and `im2col`.
struct FormOptions {
  /// Otherwise `tile` serves all convolutions; 0: none.
  bool triesWinograd = false;
  int64_t tile = 0;
  /// Columns are tried, or serve all convolutions that they can.
  bool triesColumns = false, takesColumns = false;

  /// Of `auto`, `off`, `2` or `4`, and of `off`, `auto` or `on`. For a GPU
  /// `auto` is `off`: what is known of the forms is of CPUs.
  static llvm::Expected<FormOptions> parse(llvm::StringRef winograd,
                                           llvm::StringRef columns,
                                           const Target &target);

  /// Whether a form is looked for, for each convolution.
  bool chooses() const {
    return tile == 0 && !takesColumns && (triesWinograd || triesColumns);
  }
};

/// A convolution of a module that can be rewritten.
struct ConvolutionTask {
  /// Key and readable form of the task that it is computed directly in, its
  /// arithmetic operations, and that task in one public function.
  std::string hash, text;
  double flops = 0;
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  mlir::Location loc;
  /// suggestWinogradTile, or 0 where the task cannot be rewritten by itself.
  int64_t suggested = 0;
  /// Whether it may be a product with columns.
  bool hasColumns = false;

  /// What it can be computed by, the direct form first.
  llvm::SmallVector<int64_t> getForms() const;
};

/// One for each convolution of `module` that has another form by `options`, in
/// program order.
/// Empty where the tasks of `module` cannot be extracted, which is reported
/// when they are needed.
std::vector<ConvolutionTask>
collectConvolutionTasks(mlir::ModuleOp module, const Target &target,
                        const FormOptions &options);

/// The fastest form of `task` by `records`, where these have at least two.
std::optional<int64_t> findConvolutionForm(const Database &records,
                                           const ConvolutionTask &task,
                                           const Target &target);

/// Whether `record` is of a form, and not of a task.
bool isFormRecord(const Record &record);

/// How it is computed, for reports.
std::string describeForm(int64_t form);

/// What the forms of a task took.
struct FormComparison {
  /// The fastest, and the median of each; none where it failed.
  int64_t best = kDirectForm;
  llvm::SmallVector<std::pair<int64_t, double>> seconds;
  /// Why another form is not used, if one failed.
  std::string problem;
  /// Empty where the run was stopped.
  std::vector<Record> records;
};

/// Measures all forms of `task`, taking turns. `search` finds a script for a
/// module with one function, whose tasks it outlines.
llvm::Expected<FormComparison> compareConvolutionForms(
    const ConvolutionTask &task, const Target &target, WorkerPool &pool,
    MeasureTask measure,
    llvm::function_ref<
        llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>(mlir::ModuleOp)>
        search);

/// Gives the convolutions of `module` that `options` are about their `forms`,
/// in program order, the last of which serves all that are left; notes the
/// rewritings on it (kImageColumnsAttrName, kWinogradAttrName). Adds the names
/// of the functions that change to `rewritten`.
void applyConvolutionForms(mlir::ModuleOp module, llvm::ArrayRef<int64_t> forms,
                           const Target &target, const FormOptions &options,
                           llvm::StringSet<> &rewritten);

/// Gives `again`, which `module` was before, the rewritings noted on that.
void applyNotedForms(mlir::ModuleOp again, mlir::ModuleOp module,
                     const Target &target);

/// Takes the convolutions of `functions`, which are compiled as they are after
/// all, out of the rewritings noted on `module`. `original`, which it was
/// before, gets them marked with kLeftToDefaultAttrName.
void dropConvolutionForms(mlir::ModuleOp module, mlir::ModuleOp original,
                          const llvm::StringSet<> &functions,
                          const Target &target);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_CONVOLUTIONFORMS_H
