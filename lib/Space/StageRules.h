//===- StageRules.h - Rules for tasks without a contraction -----*- C++ -*-===//
//
// One rule a file. Read next: StageWriter.h (the pieces of the sketches).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STAGERULES_H
#define SCHEDOPT_LIB_SPACE_STAGERULES_H

#include "SchedOpt/Space/SketchRule.h"

namespace sched {

/// Tiles of all stages at once (ElementwiseTiles.cpp).
std::unique_ptr<SketchRule> createElementwiseRule();
/// Row by row; in a row, stage by stage (RowByRow.cpp).
std::unique_ptr<SketchRule> createRowsRule();
/// Vectors of sums next to each other, a few rows at a time (ColumnSums.cpp).
std::unique_ptr<SketchRule> createColumnsRule();
/// Transposes in blocks of whole cache lines (TransposedBlocks.cpp).
std::unique_ptr<SketchRule> createTransposedBlocksRule();
/// Threads share the reduction of few rows (SharedRows.cpp).
std::unique_ptr<SketchRule> createSharedRowsRule();
/// Threads share the rows that columns sum up (SharedColumns.cpp).
std::unique_ptr<SketchRule> createSharedColumnsRule();

/// A thread streams at least so many bytes. Below, forking costs more than it
/// saves.
constexpr double kBytesPerThread = 1 << 17;

/// A task of that kind.
bool isStaged(const Task &task, StagedKind kind);
/// A task of that kind that is a single op with an init at most.
bool isLoneStage(const Task &task, StagedKind kind);
/// The root's extents and stage.
struct RootStage {
  llvm::ArrayRef<int64_t> extents;
  const StagedShape::Stage &stage;
};
RootStage getRoot(const Task &task);
/// A task of rows, with stages that share its outermost dimensions if there are
/// several.
bool isRowByRow(const Task &task);
/// There are several threads, each with a part of all that `task` reduces, and
/// enough of it.
bool isWorthSharing(const Task &task, const Target &target);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STAGERULES_H
