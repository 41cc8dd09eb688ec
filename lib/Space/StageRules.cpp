//===- StageRules.cpp - Rules for tasks without a contraction -------------===//
//
// Each is bound by memory or by math functions: what matters is that every
// thread streams whole rows, that vectors are whole, and that nothing goes
// through memory between stages.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

static bool isKind(const Task &task, StagedKind kind) {
  return task.blocks.staged && task.blocks.staged->kind == kind;
}

bool sched::isLoneStage(const Task &task, StagedKind kind) {
  return isKind(task, kind) &&
         !llvm::is_contained(task.blocks.roles, BlockRole::Stage);
}

RootStage sched::getRoot(const Task &task) {
  const unsigned root = llvm::find(task.blocks.roles, BlockRole::Root) -
                        task.blocks.roles.begin();
  return {task.blocks.extents[root], task.blocks.staged->stages[root]};
}

bool sched::isRowByRow(const Task &task) {
  if (!isKind(task, StagedKind::Rows))
    return false;
  // Several stages go by rows of their outermost dimensions.
  const StagedShape &shape = *task.blocks.staged;
  return !llvm::is_contained(task.blocks.roles, BlockRole::Stage) ||
         llvm::all_of(shape.stages, [&](const StagedShape::Stage &stage) {
           return stage.reductions.empty() ||
                  stage.reductions.front() >= shape.rowDims;
         });
}

bool sched::isWorthSharing(const Task &task, const Target &target) {
  return target.threads > 1 && task.bytes >= kBytesPerThread * target.threads &&
         llvm::all_of(
             llvm::zip_equal(task.blocks.staged->stages, task.blocks.extents),
             [&](const auto &block) {
               const llvm::ArrayRef<int64_t> extents = std::get<1>(block);
               const auto &reductions = std::get<0>(block).reductions;
               return reductions.empty() ||
                      llvm::any_of(reductions, [&](unsigned dim) {
                        return extents[dim] >= target.threads;
                      });
             });
}

namespace {
class ElementwiseRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "elementwise"; }
  bool applies(const Task &task, const Target &) const override {
    return isKind(task, StagedKind::Elementwise);
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.tiles();
    writer.blocks();
    writer.fuseTiles();
    return writer.end();
  }
};

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
    writer.rowsAtOnce();
    writer.blocks();
    writer.fuseRows();
    writer.stages();
    return writer.end();
  }
};

class ColumnsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "columns"; }
  bool applies(const Task &task, const Target &) const override {
    // What did not fuse into the reduction would be computed as a whole.
    return isKind(task, StagedKind::Columns) &&
           !llvm::is_contained(task.blocks.roles, BlockRole::Stage);
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

std::unique_ptr<SketchRule> sched::createElementwiseRule() {
  return std::make_unique<ElementwiseRule>();
}

std::unique_ptr<SketchRule> sched::createRowsRule() {
  return std::make_unique<RowsRule>();
}

std::unique_ptr<SketchRule> sched::createColumnsRule() {
  return std::make_unique<ColumnsRule>();
}
