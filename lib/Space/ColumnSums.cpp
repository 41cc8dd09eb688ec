//===- ColumnSums.cpp - Reductions of columns -----------------------------===//
//
// Sums that lie next to each other are vectors, which a few rows at a time are
// added to.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"

using namespace sched;

namespace {
class ColumnsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "columns"; }
  bool applies(const Task &task, const Target &) const override {
    // What did not fuse into the reduction would be computed as a whole.
    return isLoneStage(task, StagedKind::Columns);
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.tiles();
    writer.blocks();
    writer.columns();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createColumnsRule() {
  return std::make_unique<ColumnsRule>();
}
