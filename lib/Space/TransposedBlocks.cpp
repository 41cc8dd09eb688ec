//===- TransposedBlocks.cpp - Large transposes in blocks ------------------===//
//
// Rule: an elementwise op of tensors larger than a cache that reads one of them
// across its vectors, as a transpose does. Squares of vectors alone use up a
// part of each cache line, and the line is gone when the next part is wanted,
// the sooner where rows lie a power of two apart. So squares go together in
// blocks of whole lines on both sides.
//
// Read next: StageWriter.h.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Lines of what is read, and of what is written, in a block, at most and, if
/// they stay in L1, by default: each element of the latter is in another row of
/// what is read, and in another page where rows are long. 16 transposes of
/// 1024x1024 took 2.0 times as long where it was 4 lines of 64 rows (AVX-512,
/// two threads).
constexpr int64_t kReadLines = 8, kWrittenLines = 2;
constexpr int64_t kLines[] = {1, 2, 4, 8};
/// Of a row of a square by default, which are two squares then: with the next
/// ones fetched ahead, both are stored before the next rows are loaded.
constexpr int64_t kVectors = 2;

int64_t getLineElements(const StagedShape::Stage &stage, const Target &target) {
  return std::max<int64_t>(1, target.cacheLineBytes /
                                  countBytes(stage.elementType));
}

/// Of what is read and written for each element of the result.
int64_t countPointBytes(const Task &task, const StagedShape::Stage &stage) {
  mlir::func::FuncOp function = task.getFunction();
  auto result = llvm::cast<mlir::ShapedType>(function.getResultTypes()[0]);
  int64_t bytes = countBytes(stage.elementType);
  for (mlir::Type type : function.getArgumentTypes())
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
        shaped && shaped.getNumElements() == result.getNumElements())
      bytes += countBytes(shaped.getElementType());
  return bytes;
}

class TransposedBlocksRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "transposed_blocks"; }

  bool applies(const Task &task, const Target &target) const override {
    if (!isLoneStage(task, StagedKind::Elementwise) ||
        task.bytes <= target.l2Bytes)
      return false;
    const auto [extents, stage] = getRoot(task);
    const int64_t line = getLineElements(stage, target);
    return stage.acrossLoop && extents[stage.vectorLoop] > line &&
           extents[*stage.acrossLoop] > line;
  }

  int getPriority(const Task &, const Target &) const override { return 2; }

  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.tiles(kVectors);
    writer.blocks();
    writer.transposedBlocks();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createTransposedBlocksRule() {
  return std::make_unique<TransposedBlocksRule>();
}

void StageWriter::transposedBlocks() {
  const StagedShape::Stage &stage = rootStage();
  const unsigned across = *stage.acrossLoop;
  const int64_t elements = getLineElements(stage, target);
  auto getSizes = [&](int64_t extent, int64_t lines) {
    llvm::SmallVector<int64_t> sizes;
    for (int64_t i : kLines)
      if (i <= lines && i * elements <= extent)
        sizes.push_back(i * elements);
    return sizes;
  };
  const auto rows = getSizes(extents()[across], kReadLines);
  const auto columns = getSizes(extents()[stage.vectorLoop], kWrittenLines);
  const int64_t most = target.l1Bytes / countPointBytes(task, stage);
  const int64_t column = std::min(kWrittenLines * elements, columns.back());
  int64_t row = std::min(kReadLines * elements, rows.back());
  while (row * column > most && row > elements)
    row /= 2;
  decide("row_block", rows, row);
  decide("column_block", columns, column);
  line("%block = schedule.product %row_block, %column_block");
  constant("most_of_block", std::max(most, row * column));
  line("%stays = schedule.cmp le %block, %most_of_block");
  line("schedule.require \"the block stays in the first level of caches\" "
       "%stays");
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<std::string> sizes;
  for (unsigned dim = 0, e = extents().size(); dim != e; ++dim) {
    dims.push_back(dim);
    sizes.push_back(dim == stage.vectorLoop || dim == across ? "%zero"
                                                             : "%one");
  }
  threads(dims, stage.vectorLoop);
  // Work is shared here; the blocks have an order of their own.
  std::string where = dimensions(root, dims);
  line("schedule.fuse_stages " + function + " \"root\" stages []" + where +
       " sizes(" + llvm::join(sizes, ", ") +
       ") which %parallel_dim threads %t");
  // In the order of what is read, or of what is written.
  const bool acrossIsFirst = across < stage.vectorLoop;
  line("%outer, %inner = schedule.sample_permutation \"block_order\" of 2 "
       "default " +
       std::string(acrossIsFirst ? "[1, 0]" : "[0, 1]") +
       " : !transform.param<i64>, !transform.param<i64>");
  where = dimensions(root, {std::min(across, stage.vectorLoop),
                            std::max(across, stage.vectorLoop)});
  line("schedule.tile " + function + " \"root\" fuse []" + where +
       (acrossIsFirst ? " sizes(%row_block, %column_block)"
                      : " sizes(%column_block, %row_block)") +
       " order(%outer, %inner)");
  line("schedule.tile " + function + " \"root\" fuse []" + where +
       (acrossIsFirst ? " sizes(%rows, %width)" : " sizes(%width, %rows)") +
       " order(%outer, %inner)");
}
