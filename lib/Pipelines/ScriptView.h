//===- ScriptView.h - A sketch seen by the code that it makes ---*- C++ -*-===//
//
// For sketches with ops that the loop-nest model does not know: decisions and
// legality are those of the compiled sketch, and the features of a candidate
// are read off the payload after its script was applied (ScheduledModel.h).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_SCRIPTVIEW_H
#define SCHEDOPT_LIB_PIPELINES_SCRIPTVIEW_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Search/ProgramView.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <mutex>

namespace sched {

class ScriptView final : public SketchView {
public:
  using MakeScript =
      std::function<llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>(
          llvm::ArrayRef<uint16_t> choices)>;

  /// Decision vectors of which all codes may be read: at 0.1 to 1 ms each, for
  /// a script of a few ops, not longer than a few candidates are measured.
  static constexpr uint64_t kMostCandidates = 4096;

  /// `program`, compiled as far as the model goes, and `payload`, the only
  /// function of its module, must outlive the view.
  ScriptView(const Program &program, mlir::func::FuncOp payload,
             MakeScript makeScript)
      : program(program), known(program), payload(payload),
        makeScript(std::move(makeScript)) {}

  llvm::ArrayRef<Decision> getDecisions() const override {
    return known.getDecisions();
  }
  void evaluate(llvm::ArrayRef<uint16_t> choices,
                Evaluation &result) const override;
  void describeBlocks(llvm::ArrayRef<uint16_t> choices,
                      std::vector<BlockFeatureVector> &rows) const override;
  bool isLegal(llvm::ArrayRef<uint16_t> choices,
               int *failedRequire) const override {
    return known.isLegal(choices, failedRequire);
  }
  llvm::StringRef getReason(int failedRequire) const override {
    return known.getReason(failedRequire);
  }
  uint64_t hashProgram(llvm::ArrayRef<uint16_t> choices) const override {
    return known.hashProgram(choices);
  }

private:
  /// The loops of a candidate's code; null where they cannot be read, as of a
  /// script that does not apply.
  const Program *find(llvm::ArrayRef<uint16_t> choices) const;
  std::unique_ptr<Program> read(llvm::ArrayRef<uint16_t> choices) const;

  const Program &program;
  ProgramView known;
  /// A handle, which MLIR's accessors do not take as const.
  mutable mlir::func::FuncOp payload;
  MakeScript makeScript;
  /// One candidate is read at a time, and once.
  mutable std::mutex mutex;
  mutable std::map<std::vector<uint16_t>, std::unique_ptr<Program>> programs;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_SCRIPTVIEW_H
