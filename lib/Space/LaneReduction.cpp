//===- LaneReduction.cpp - Vectors along the reduction --------------------===//
//
// Rule: few rows times a right-hand side whose rows are contiguous along the
// reduction (N x K weights of a linear layer), or many rows and few columns.
// Vectors of the result would read it by columns; here they run along k. A tile
// is %nr rows of the right-hand side, each with vectors of partial sums of its
// own: a vector of the left-hand side is loaded once for all of them, and the
// lanes are added up once, when the whole reduction is done.
//
// Read next: SketchWriter.h; Rationale.md on products of one row.
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "SketchWriter.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// With more rows, each element of the right-hand side is used often enough to
/// pay for the shuffles that turn it into columns.
constexpr int64_t kMostRows = 4;
/// Rows at a time, of the side that has more; vectors of partial sums of each
/// pair.
constexpr int64_t kRows[] = {1, 2, 4, 8, 16};
constexpr int64_t kPartials[] = {1, 2, 4};
/// Steps below which adding up the lanes is most of the work.
constexpr int64_t kMinSteps = 4;

/// Vectors of the result would be partly empty, and the columns fit in
/// registers together: their vectors and partial sums, and one vector of a row.
bool hasFewColumns(const ContractionShape &shape, const Target &target) {
  return shape.n < shape.countLanes(target) && shape.m > kMostRows &&
         2 * shape.n + 1 <= target.vectorRegisters &&
         // Tails of the steps are not unrolled by rows.
         (shape.rowStep == 1 || shape.k % shape.countLanes(target) == 0);
}

/// A product of few rows, with nothing around its steps. One of a single column
/// is a plain reduction.
bool hasFewRows(const ContractionShape &shape) {
  return shape.m <= kMostRows && shape.n > 1 && !shape.overlaps &&
         llvm::none_of(shape.outer,
                       [](const OuterLoop &loop) { return loop.isReduction; });
}

class LaneReduction final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "lanes"; }

  bool applies(const Task &task, const Target &target) const override {
    if (!isSchedulableContraction(task))
      return false;
    const ContractionShape &shape = *task.blocks.shape;
    return (hasFewRows(shape) || hasFewColumns(shape, target)) &&
           shape.hasContiguousSteps &&
           shape.k >= kMinSteps * shape.countLanes(target) &&
           task.blocks.producers.empty();
  }

  // Panels that are packed beforehand are no faster.
  int getPriority(const Task &, const Target &) const override { return 4; }

  std::string write(const Task &task, const Target &target) const override {
    SketchWriter writer(task, target, /*packed=*/false);
    writer.begin(getName());
    writer.laneTile(kRows, kPartials, kMinSteps);
    writer.blocks(/*inBlocks=*/false);
    writer.parallel();
    writer.batches(/*canMove=*/false);
    writer.laneReduction();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createLaneReduction() {
  return std::make_unique<LaneReduction>();
}

void SketchWriter::laneTile(llvm::ArrayRef<int64_t> rows,
                            llvm::ArrayRef<int64_t> partials,
                            int64_t minSteps) {
  const int64_t registers = target.vectorRegisters;
  const bool manyRows = m > kMostRows;
  // As many independent sums as hide the latency, up to the lanes of a vector:
  // more are joined by no fewer instructions each.
  llvm::SmallVector<int64_t> lhsRows, rhsRows, widths;
  int64_t wantedLhs = manyRows ? 1 : m, wantedRhs = manyRows ? n : 1;
  if (manyRows) {
    rhsRows.push_back(n);
    for (int64_t i : rows)
      if (i <= m) {
        lhsRows.push_back(i);
        if (i * n + n + 1 <= registers)
          wantedLhs = i;
      }
  } else {
    for (int64_t i = 1; i <= m; ++i)
      lhsRows.push_back(i);
    for (int64_t i : rows)
      if (i == 1 || i <= n) {
        rhsRows.push_back(i);
        if (i <= std::max<int64_t>(lanes, 4) && m * i + m + 1 <= registers)
          wantedRhs = i;
      }
  }
  for (int64_t i : partials)
    if (i == 1 || i * lanes * minSteps <= k)
      widths.push_back(i);
  defaultTile = {wantedLhs, wantedRhs};
  decide("mr", lhsRows, wantedLhs);
  decide("nr", rhsRows, wantedRhs);
  decide("partials", widths, 1);
  constant("lanes", lanes);
  constant("registers", registers);
  constant("one", 1);
  line("%width = schedule.product %partials, %lanes");
  // A vector of the side with more rows is used once for each row of the
  // other; with a single one there, it is multiplied from memory.
  line("%accumulators = schedule.product %mr, %nr, %partials");
  line(std::string("%held = schedule.product ") + (manyRows ? "%nr" : "%mr") +
       ", %partials");
  line("%live = schedule.sum %accumulators, %held, %one");
  line("%fits = schedule.cmp le %live, %registers");
  line("schedule.require \"the accumulators fit in the vector registers\" "
       "%fits");
  const int64_t enough = std::min<int64_t>(
      {4, registers / 2, lhsRows.back() * rhsRows.back() * widths.back()});
  constant("wanted", enough);
  line("%hides = schedule.cmp le %wanted, %accumulators");
  line("schedule.require \"the accumulators hide the latency of FMA\" %hides");
  line("%unit = schedule.product %mr, %one");
}

void SketchWriter::laneReduction() {
  tile(root(), /*fuse=*/true, {{kM, "%mr"}, {kN, "%nr"}});
  const ContractionShape &shape = *task.blocks.shape;
  const std::string window =
      llvm::join(llvm::map_range(outerLoops(/*reductions=*/true),
                                 [&](unsigned axis) {
                                   return std::to_string(shape.loops[axis]);
                                 }),
                 ", ");
  line("schedule.split_reduction %f \"anchor\" rank " +
       llvm::Twine(anchorRank()) + " dim " + llvm::Twine(shape.loops[kK]) +
       " extent " + llvm::Twine(k) +
       (window.empty() ? "" : " around [" + window + "]") +
       " width %width rest_width %lanes keep %one");
}
