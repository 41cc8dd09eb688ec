//===- SharedColumns.cpp - Threads share the rows that columns sum --------===//
//
// Rule: sums of columns. Each thread adds up a part of the rows, which are
// contiguous in memory, in a buffer of its own; the buffers are added at the
// end. It serves few columns, which threads could not share.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Rows that a thread gets at least for every thread whose sums it joins.
constexpr int64_t kRowsPerJoin = 8;

class SharedColumnsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "shared_columns"; }

  bool applies(const Task &task, const Target &target) const override {
    if (!isLoneStage(task, StagedKind::Columns) ||
        !isWorthSharing(task, target))
      return false;
    const auto [extents, stage] = getRoot(task);
    int64_t columns = 1, rows = 1;
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (!llvm::is_contained(stage.reductions, dim))
        columns *= extent;
      else
        rows = std::max(rows, extent);
    // A thread's sums stay in its cache.
    return columns * countBytes(stage.elementType) * target.threads <=
               target.l2Bytes / 2 &&
           rows >= kRowsPerJoin * target.threads * target.threads;
  }

  int getPriority(const Task &task, const Target &target) const override {
    const auto [extents, stage] = getRoot(task);
    const int64_t columns = extents[stage.vectorLoop];
    return columns * countBytes(stage.elementType) <
                   target.threads * target.cacheLineBytes
               ? 2
               : 0;
  }

  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.tiles();
    writer.blocks();
    writer.sharedColumns();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createSharedColumnsRule() {
  return std::make_unique<SharedColumnsRule>();
}

void StageWriter::sharedColumns() {
  const bool hasLeft = shareReduction(root, *rowLoop(), /*buffered=*/true,
                                      decideShares(extents()[*rowLoop()]));
  tileColumns("root");
  if (hasLeft)
    tileColumns("left_root");
  tileInit();
  tileJoin(root, "%width_lanes");
}
