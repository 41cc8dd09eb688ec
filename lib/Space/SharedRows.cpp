//===- SharedRows.cpp - Threads share what is reduced ---------------------===//
//
// Rule: a sum, a norm or a dot product of fewer rows than there are threads, or
// of a single one. Each thread reduces a part of every row; what they get is
// joined at the end.
//
// Read next: StageWriter.h; SharedColumns.cpp, which does the same for columns.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// With more rows a thread, threads share those.
constexpr int64_t kRowsPerThread = 4;

class SharedRowsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "shared_rows"; }

  bool applies(const Task &task, const Target &target) const override {
    return isLoneStage(task, StagedKind::Rows) &&
           isWorthSharing(task, target) &&
           countRows(task) < kRowsPerThread * target.threads;
  }

  int getPriority(const Task &task, const Target &target) const override {
    return countRows(task) < target.threads ? 2 : 0;
  }

  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.widths();
    writer.blocks();
    writer.sharedRows();
    return writer.end();
  }

private:
  static int64_t countRows(const Task &task) {
    const auto [extents, stage] = getRoot(task);
    int64_t rows = 1;
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (!llvm::is_contained(stage.reductions, dim))
        rows *= extent;
    return rows;
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createSharedRowsRule() {
  return std::make_unique<SharedRowsRule>();
}

void StageWriter::sharedRows() {
  const StagedShape::Stage &stage = rootStage();
  // Parts of the outermost dimension that is large enough are contiguous.
  const unsigned row = stage.reductions.back();
  unsigned dim = row;
  for (unsigned outer : llvm::reverse(stage.reductions))
    if (extents()[outer] >= target.threads)
      dim = outer;
  const bool hasLeft = shareReduction(dim, /*buffered=*/false);
  llvm::SmallVector<unsigned> rows;
  for (unsigned i = 0, e = extents().size(); i != e; ++i)
    if (!llvm::is_contained(stage.reductions, i))
      rows.push_back(i);
  auto tileRows = [&](const std::string &block) {
    if (rows.empty())
      return;
    const std::string where = dimensions(root, rows);
    line("schedule.tile " + function + " \"" + block + "\" fuse []" + where +
         " sizes(" +
         llvm::join(llvm::SmallVector<std::string>(rows.size(), "%one"), ", ") +
         ")");
  };
  tileRows("root");
  splitRow("root", root, dim == row ? " of %t" : "");
  if (hasLeft) {
    tileRows("left_root");
    // What is left of a row is less than one element a thread.
    if (dim != row)
      splitRow("left_root", root);
  }
  tileJoin("%one");
}
