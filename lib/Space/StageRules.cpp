//===- StageRules.cpp - What rules without a contraction ask --------------===//
//
// Such tasks are bound by memory or by math functions: what matters is that
// every thread streams whole rows, that vectors are whole, and that nothing
// goes through memory between stages. Each rule is a file of its own.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

bool sched::isStaged(const Task &task, StagedKind kind) {
  return task.blocks.staged && task.blocks.staged->kind == kind;
}

bool sched::isLoneStage(const Task &task, StagedKind kind) {
  return isStaged(task, kind) &&
         !llvm::is_contained(task.blocks.roles, BlockRole::Stage);
}

RootStage sched::getRoot(const Task &task) {
  const unsigned root = llvm::find(task.blocks.roles, BlockRole::Root) -
                        task.blocks.roles.begin();
  return {task.blocks.extents[root], task.blocks.staged->stages[root]};
}

bool sched::isRowByRow(const Task &task) {
  if (!isStaged(task, StagedKind::Rows))
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
