//===- RowByRow.cpp - Reductions of rows, stage by stage ------------------===//
//
// A row stays in the first cache from one stage to the next: softmax, norms,
// sums of rows.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"

using namespace sched;

namespace {
class RowsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "rows"; }
  bool applies(const Task &task, const Target &) const override {
    return isRowByRow(task);
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.widths();
    writer.linesAtOnce(/*isShared=*/false);
    writer.rowsAtOnce();
    writer.blocks();
    writer.fuseRows();
    writer.stages();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createRowsRule() {
  return std::make_unique<RowsRule>();
}
