//===- SharedRows.cpp - Threads share what is reduced ---------------------===//
//
// Rule: a sum, a norm or a dot product of fewer rows than there are threads, or
// of a single one, with what follows: a mean, a softmax, a layer norm. Each
// thread reduces a part of every row; what they get is joined, and is at hand
// for the next stage.
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
    return isRowByRow(task) && isWorthSharing(task, target) &&
           countRows(task) < kRowsPerThread * target.threads;
  }

  int getPriority(const Task &task, const Target &target) const override {
    return countRows(task) < target.threads ? 2 : 0;
  }

  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.widths();
    writer.linesAtOnce(/*isShared=*/true);
    writer.blocks();
    writer.sharedRows();
    return writer.end();
  }

private:
  static int64_t countRows(const Task &task) {
    const auto [extents, stage] = getRoot(task);
    int64_t rows = 1;
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (stage.reductions.empty() ? dim < task.blocks.staged->rowDims
                                   : !llvm::is_contained(stage.reductions, dim))
        rows *= extent;
    return rows;
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createSharedRowsRule() {
  return std::make_unique<SharedRowsRule>();
}

unsigned StageWriter::getSharedDim(unsigned position) const {
  const Extents &extents = task.blocks.extents[position];
  const StagedShape::Stage &stage = shape.stages[position];
  // Parts of the outermost dimension that is large enough are contiguous.
  unsigned dim = stage.reductions.back();
  for (unsigned outer : llvm::reverse(stage.reductions))
    if (extents[outer] >= target.threads)
      dim = outer;
  return dim;
}

void StageWriter::shareRow(unsigned position, llvm::ArrayRef<int64_t> counts) {
  const StagedShape::Stage &stage = shape.stages[position];
  const unsigned row = stage.reductions.back(), dim = getSharedDim(position);
  const std::string &name = names[position];
  const bool hasLeft =
      shareReduction(position, dim, /*buffered=*/false, counts);
  llvm::SmallVector<unsigned> rows;
  for (unsigned i = 0, e = task.blocks.extents[position].size(); i != e; ++i)
    if (!llvm::is_contained(stage.reductions, i))
      rows.push_back(i);
  auto tileRows = [&](const std::string &block) {
    if (rows.empty())
      return;
    const std::string where = dimensions(position, rows);
    line("schedule.tile " + function + " \"" + block + "\" fuse []" + where +
         " sizes(" +
         llvm::join(llvm::SmallVector<std::string>(rows.size(), "%one"), ", ") +
         ")");
  };
  tileRows(name);
  splitRow(name, position, dim == row ? " of %t" : "");
  if (hasLeft) {
    tileRows("left_" + name);
    // What is left of a row is less than one element a thread.
    if (dim != row)
      splitRow("left_" + name, position);
  }
  tileJoin(position, "%one");
}

void StageWriter::spreadRow(unsigned position) {
  const unsigned rank = task.blocks.extents[position].size();
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<std::string> sizes;
  for (unsigned dim = 0; dim != rank; ++dim) {
    dims.push_back(dim);
    sizes.push_back(dim + 1 == rank ? "%width" : "%one");
  }
  const std::string last = dimensions(position, {rank - 1});
  line("schedule.tile_parallel " + function + " \"" + names[position] +
       "\" fuse []" + last + " units(%width) which %zero threads %t");
  const std::string where = dimensions(position, dims);
  line("schedule.tile " + function + " \"" + names[position] + "\" fuse []" +
       where + " sizes(" + llvm::join(sizes, ", ") + ")");
}

void StageWriter::sharedRows() {
  llvm::SmallVector<int64_t> shared;
  for (auto [i, stage] : llvm::enumerate(shape.stages))
    if (!stage.reductions.empty())
      shared.push_back(task.blocks.extents[i][getSharedDim(i)]);
  const llvm::SmallVector<int64_t> counts = decideShares(shared);
  // What has an element a row is too little for more than one thread.
  for (auto [i, stage] : llvm::enumerate(shape.stages))
    if (!stage.reductions.empty())
      shareRow(i, counts);
    else if (task.blocks.extents[i].size() > shape.rowDims &&
             task.blocks.roles[i] != BlockRole::Init)
      spreadRow(i);
}
