//===- LaneReduction.cpp - Vectors along the reduction --------------------===//
//
// Rule: few rows times a right-hand side whose rows are contiguous along the
// reduction (N x K weights of a linear layer). Vectors of the result would read
// it by columns; here they run along k. A tile is %nr rows of the right-hand
// side, each with vectors of partial sums of its own: a vector of the left-hand
// side is loaded once for all of them, and the lanes are added up once, when
// the whole reduction is done.
//
// Read next: SketchWriter.h; Rationale.md on products of one row.
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "SketchWriter.h"
#include <algorithm>

using namespace sched;

namespace {
/// With more rows, each element of the right-hand side is used often enough to
/// pay for the shuffles that turn it into columns.
constexpr int64_t kMostRows = 4;
/// Rows of the right-hand side at a time, and vectors of partial sums of each.
constexpr int64_t kRows[] = {1, 2, 4, 8, 16};
constexpr int64_t kPartials[] = {1, 2, 4};
/// Steps below which adding up the lanes is most of the work.
constexpr int64_t kMinSteps = 4;

class LaneReduction final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "lanes"; }

  bool applies(const Task &task, const Target &target) const override {
    if (!isSchedulableContraction(task))
      return false;
    const ContractionShape &shape = *task.blocks.shape;
    return llvm::none_of(
               shape.outer,
               [](const OuterLoop &loop) { return loop.isReduction; }) &&
           shape.unrollable && !shape.overlaps && shape.rhsTransposed &&
           !shape.lhsTransposed && shape.m <= kMostRows && shape.n > 1 &&
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
  // As many independent sums as hide the latency, and a square of lanes: it is
  // added up by the fewest shuffles.
  llvm::SmallVector<int64_t> lhsRows, rhsRows, widths;
  for (int64_t i = 1; i <= m; ++i)
    lhsRows.push_back(i);
  int64_t wanted = 1, most = 1;
  for (int64_t i : rows)
    if (i == 1 || i <= n) {
      rhsRows.push_back(i);
      most = i;
      if (i <= std::max<int64_t>(lanes, 4) && m * i + m + 1 <= registers)
        wanted = i;
    }
  for (int64_t i : partials)
    if (i == 1 || i * lanes * minSteps <= k)
      widths.push_back(i);
  defaultTile = {m, wanted};
  decide("mr", lhsRows, m);
  decide("nr", rhsRows, wanted);
  decide("partials", widths, 1);
  constant("lanes", lanes);
  constant("registers", registers);
  constant("one", 1);
  line("%width = schedule.product %partials, %lanes");
  // A vector of the right-hand side is used once for each row; that of a single
  // row is multiplied from memory.
  line("%accumulators = schedule.product %mr, %nr, %partials");
  line("%held = schedule.product %mr, %partials");
  line("%live = schedule.sum %accumulators, %held, %one");
  line("%fits = schedule.cmp le %live, %registers");
  line("schedule.require \"the accumulators fit in the vector registers\" "
       "%fits");
  const int64_t enough =
      std::min<int64_t>({4, registers / 2, m * most * widths.back()});
  constant("wanted", enough);
  line("%hides = schedule.cmp le %wanted, %accumulators");
  line("schedule.require \"the accumulators hide the latency of FMA\" %hides");
  line("%unit = schedule.product %mr, %one");
}

void SketchWriter::laneReduction() {
  tile(root(), /*fuse=*/true, {{kM, "%mr"}, {kN, "%nr"}});
  line("schedule.split_reduction %f \"anchor\" rank " +
       llvm::Twine(anchorRank()) + " dim " +
       llvm::Twine(task.blocks.shape->loops[kK]) + " extent " + llvm::Twine(k) +
       " width %width rest_width %lanes keep %one");
}
