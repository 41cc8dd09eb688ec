//===- ProgramView.h - A Program as the search sees it ----------*- C++ -*-===//
//
// Adapts Model's Program to SketchView. Read next: SearchSpace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_PROGRAMVIEW_H
#define SCHEDOPT_SEARCH_PROGRAMVIEW_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Search/SearchSpace.h"

namespace sched {

class ProgramView final : public SketchView {
public:
  /// `program` must outlive the view.
  explicit ProgramView(const Program &program) : program(program) {}

  llvm::ArrayRef<Decision> getDecisions() const override {
    return program.getDecisions();
  }
  void evaluate(llvm::ArrayRef<uint16_t> choices,
                Evaluation &result) const override {
    program.evaluate(choices, result);
  }
  void describeBlocks(llvm::ArrayRef<uint16_t> choices,
                      std::vector<BlockFeatureVector> &rows) const override {
    program.describeBlocks(choices, rows);
  }
  bool isLegal(llvm::ArrayRef<uint16_t> choices,
               int *failedRequire) const override {
    return program.isLegal(choices, failedRequire);
  }
  llvm::StringRef getReason(int failedRequire) const override {
    return program.getReason(failedRequire);
  }
  uint64_t hashProgram(llvm::ArrayRef<uint16_t> choices) const override {
    return program.hash(choices);
  }

private:
  const Program &program;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_PROGRAMVIEW_H
