//===- ThreadRows.cpp - Threads share reductions --------------------------===//
//
// Rule: a block has some rows, and threads along each of them, which exchange
// their sums; all stages of the row are computed inside, and what one leaves
// for the next stays in registers or shared memory. So for softmax, norms, sums
// of columns, and products with a vector.
//
//===----------------------------------------------------------------------===//

#include "KernelRules.h"
#include "KernelWriter.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Elements of a stage that a thread keeps in registers by default, at most.
constexpr int64_t kKeptInRegisters = 32;

/// The loops of one stage, by what its threads do.
struct StageLoops {
  /// The parallel loop that %rows cuts, and the loop that threads share.
  std::optional<unsigned> row, across;
};

class RowWriter final : KernelWriter {
public:
  RowWriter(const Task &task, const Target &target)
      : KernelWriter(task, target) {}

  std::string write(llvm::StringRef name);

private:
  StageLoops findLoops(unsigned position) const;
  bool isReduction(unsigned position, unsigned loop) const;
  /// The element of the widest operand.
  int64_t countBytes(unsigned position) const;
  void decideThreads();
  void annotateStage(unsigned position);
  /// Points of a stage's loops in a row, but for the loop that threads share.
  int64_t countInner(unsigned position) const;
  /// Where a stage that is read several times is kept; returns the entry.
  std::string decidePlace(unsigned position);
  /// Shared memory in which the warps that share a reduction meet.
  void addMeeting(unsigned position);
  /// Sums of columns: threads along the columns, and along what is summed up.
  bool sumsColumns() const;
  /// The loop of the product with a vector that is parallel and the largest.
  unsigned findProductRow() const;

  int64_t acrossExtent = 1, rowExtent = 1, vectorExtent = 1;
  int64_t defaultAcross = 1, defaultRows = 1, defaultVector = 1;
  llvm::SmallVector<std::string> registers, shared;
  /// Stages with a decision of their place.
  unsigned kept = 0;
};
} // namespace

bool RowWriter::isReduction(unsigned position, unsigned loop) const {
  if (task.blocks.staged)
    return llvm::is_contained(task.blocks.staged->stages[position].reductions,
                              loop);
  if (position != anchor)
    return false;
  const ContractionShape &shape = *task.blocks.shape;
  const unsigned at = llvm::find(shape.loops, loop) - shape.loops.begin();
  return at == ContractionShape::kSteps ||
         (at >= ContractionShape::kFirstOuter &&
          shape.outer[at - ContractionShape::kFirstOuter].isReduction);
}

/// The loop of a product that has no columns, or no rows: that of the others.
unsigned RowWriter::findProductRow() const {
  const ContractionShape &shape = *task.blocks.shape;
  return shape.n >= shape.m ? shape.loops[1] : shape.loops[0];
}

bool RowWriter::sumsColumns() const {
  if (task.blocks.staged)
    return task.blocks.staged->kind == StagedKind::Columns;
  // The matrix is contiguous along the results.
  const ContractionShape &shape = *task.blocks.shape;
  return shape.n >= shape.m ? !shape.rhsTransposed : shape.lhsTransposed;
}

int64_t RowWriter::countBytes(unsigned position) const {
  return countElementBytes(
      task.blocks.staged ? task.blocks.staged->stages[position].elementType
                         : task.blocks.shape->lhsType);
}

StageLoops RowWriter::findLoops(unsigned position) const {
  const Extents &extents = extentsOf(position);
  StageLoops loops;
  // The steps of a product, or the innermost loop of a stage; for columns, the
  // largest reduction.
  auto largest = [&](bool reduction) {
    std::optional<unsigned> best;
    for (unsigned loop = 0; loop != extents.size(); ++loop)
      if (isReduction(position, loop) == reduction &&
          (!best || extents[loop] > extents[*best]))
        best = loop;
    return best;
  };
  if (!task.blocks.staged) {
    if (position == anchor) {
      loops.row = findProductRow();
      loops.across = largest(/*reduction=*/true);
    } else {
      const ContractionShape &shape = *task.blocks.shape;
      loops.row = shape.resultDims[shape.n >= shape.m ? 1 : 0];
    }
    return loops;
  }
  const StagedShape &staged = *task.blocks.staged;
  if (staged.kind == StagedKind::Columns) {
    loops.row = staged.stages[position].vectorLoop;
    if (position == root)
      loops.across = largest(/*reduction=*/true);
    else
      loops.row = extents.size() - 1;
    return loops;
  }
  if (!staged.stages[position].reductions.empty()) {
    for (unsigned loop = 0; loop != extents.size(); ++loop)
      if (!isReduction(position, loop))
        loops.row = loop;
    loops.across = extents.size() - 1;
    return loops;
  }
  if (staged.rowDims > 0 && extents.size() >= staged.rowDims)
    loops.row = staged.rowDims - 1;
  if (extents.size() > staged.rowDims)
    loops.across = extents.size() - 1;
  return loops;
}

void RowWriter::decideThreads() {
  for (unsigned i = 0, e = names.size(); i != e; ++i) {
    const StageLoops loops = findLoops(i);
    if (loops.across)
      acrossExtent = std::max(acrossExtent, extentsOf(i)[*loops.across]);
  }
  const bool columns = sumsColumns();
  const StageLoops loops = findLoops(task.blocks.staged ? root : anchor);
  const Extents &main = extentsOf(task.blocks.staged ? root : anchor);
  if (loops.row)
    rowExtent = main[*loops.row];
  vectorExtent = columns ? rowExtent : acrossExtent;
  const int64_t bytes = countBytes(task.blocks.staged ? root : anchor);
  const auto vectors = listVectors(bytes, vectorExtent);
  const auto pow = [](int64_t value) {
    return int64_t(llvm::PowerOf2Ceil(value));
  };
  defaultVector = vectors.back();
  if (columns) {
    // Lanes next to each other read neighbours.
    const auto along =
        listPowers(1, 128, pow(llvm::divideCeil(rowExtent, defaultVector)));
    const auto across = listPowers(1, 64, pow(acrossExtent));
    defaultRows = pickAtMost(along, 32);
    defaultAcross = pickAtMost(across, 256 / defaultRows);
    // More than one block.
    while (defaultRows > 1 && defaultRows * defaultVector >= rowExtent)
      defaultRows /= 2;
    if (defaultRows * defaultVector >= rowExtent)
      defaultVector = 1;
    decide("vector", vectors, defaultVector);
    decide("threads_rows", along, defaultRows);
    decide("threads_across", across, defaultAcross);
    compute("rows", "product", {"%threads_rows", "%vector"});
    return;
  }
  // A warp for short rows, a block for long ones; several rows a block where
  // these have few threads.
  const auto across =
      listPowers(1, target.gpu.maxBlockThreads, pow(acrossExtent));
  const auto rows = listPowers(1, 32, rowExtent);
  const int64_t vectorsOfRow = llvm::divideCeil(acrossExtent, defaultVector);
  defaultAcross = pickAtMost(
      across, vectorsOfRow <= 32    ? std::min<int64_t>(32, pow(vectorsOfRow))
              : vectorsOfRow <= 512 ? 128
                                    : 256);
  defaultRows = pickAtMost(rows, std::max<int64_t>(128 / defaultAcross, 1));
  while (defaultRows > 1 &&
         (defaultRows >= rowExtent ||
          rowExtent / defaultRows < target.gpu.multiprocessors))
    defaultRows /= 2;
  decide("vector", vectors, defaultVector);
  decide("threads_across", across, defaultAcross);
  decide("rows", rows, defaultRows);
  decide("threads_rows", rows, defaultRows);
  require("rows_for_all", "le", "%threads_rows", "%rows",
          "every thread has a row");
  compute("share_rows", "ceildiv", {"%rows", "%threads_rows"});
  constant("across_extent", acrossExtent);
  compute("lanes", "product", {"%threads_across", "%vector"});
  compute("turns", "ceildiv", {"%across_extent", "%lanes"});
  compute("share", "product", {"%turns", "%vector", "%share_rows"});
}

int64_t RowWriter::countInner(unsigned position) const {
  const std::optional<unsigned> across = findLoops(position).across;
  int64_t points = 1;
  for (unsigned loop = task.blocks.staged->rowDims,
                e = extentsOf(position).size();
       loop < e; ++loop)
    if (loop != across)
      points *= extentsOf(position)[loop];
  return points;
}

std::string RowWriter::decidePlace(unsigned position) {
  const std::string &name = names[position], keep = "keep_" + name;
  const int64_t bytes = countBytes(position), inner = countInner(position);
  const int64_t own =
      llvm::divideCeil(acrossExtent, defaultAcross * defaultVector) *
      defaultVector * inner;
  decide(keep, {0, 1, 2},
         own <= std::max(kKeptInRegisters, kVectorsAtOnce * defaultVector) ? 0
                                                                           : 2);
  if (kept++ == 0) {
    constant("elements_at_once", kElementsAtOnce);
    constant("vectors_at_once", kVectorsAtOnce);
    compute("of_vectors", "product", {"%vectors_at_once", "%vector"});
    compute("at_once", "max", {"%elements_at_once", "%of_vectors"});
  }
  constant("inner_" + name, inner);
  compute("own_" + name, "product", {"%share", "%inner_" + name});
  // With fewer elements, what is computed again is what is in registers.
  constant("again_" + name, 2);
  line("%keeps_" + name + " = schedule.cmp lt %" + keep + ", %again_" + name);
  line("%turns_" + name + " = schedule.cmp lt %at_once, %own_" + name);
  compute("differs_" + name, "or", {"%keeps_" + name, "%turns_" + name});
  line("schedule.require \"a thread has more elements than it computes at a "
       "time, where it keeps none\" %differs_" +
       name);

  constant("words_" + name, llvm::divideCeil(bytes, 4));
  line("%in_registers_" + name + " = schedule.cmp eq %" + keep + ", %zero");
  compute("registers_" + name, "product",
          {"%in_registers_" + name, "%own_" + name, "%words_" + name});
  registers.push_back("%registers_" + name);
  constant("row_bytes_" + name,
           bytes * inner * extentsOf(position)[*findLoops(position).across]);
  line("%in_shared_" + name + " = schedule.cmp eq %" + keep + ", %one");
  compute("shared_" + name, "product",
          {"%in_shared_" + name, "%rows", "%row_bytes_" + name});
  shared.push_back("%shared_" + name);
  return "keep = %" + keep + " of [\"registers\", \"shared\", \"recompute\"]";
}

void RowWriter::addMeeting(unsigned position) {
  bool reduces = false;
  for (unsigned loop = 0, e = extentsOf(position).size(); loop != e; ++loop)
    reduces |= isReduction(position, loop);
  const BlockRole role = task.blocks.roles[position];
  if (!reduces || !findLoops(position).across || role == BlockRole::Init ||
      role == BlockRole::Producer || role == BlockRole::Other)
    return;
  const std::string &name = names[position];
  constant(
      "sum_bytes_" + name,
      countElementBytes(task.blocks.staged
                            ? task.blocks.staged->stages[position].elementType
                            : task.blocks.shape->accType));
  compute("meeting_" + name, "product",
          {"%meets", "%threads", "%results", "%sum_bytes_" + name});
  shared.push_back("%meeting_" + name);
}

void RowWriter::annotateStage(unsigned position) {
  const BlockRole role = task.blocks.roles[position];
  if (role == BlockRole::Init || role == BlockRole::Producer ||
      role == BlockRole::Other)
    return;
  const StageLoops loops = findLoops(position);
  // What is computed of a row's sums goes by the threads that have them.
  if (!sumsColumns() && !loops.across)
    return;
  const unsigned rank = extentsOf(position).size();
  llvm::SmallVector<std::string> threads(rank, "%one");
  if (loops.row)
    threads[*loops.row] = "%threads_rows";
  if (loops.across)
    threads[*loops.across] = "%threads_across";
  const std::optional<unsigned> along =
      sumsColumns() ? loops.row : loops.across;
  std::string entries = "threads = [" + llvm::join(threads, ", ") +
                        "], vector = " + (along ? "%vector" : "%one");
  if (along) {
    const std::string name = "along_" + names[position];
    constant(name, *along);
    entries += ", along = %" + name;
  }
  // What other stages read again, and is as large as a row.
  if (role == BlockRole::Stage && loops.across &&
      task.blocks.staged->stages[position].reductions.empty() &&
      task.blocks.staged->stages[position].readers > 1)
    entries += ", " + decidePlace(position);
  annotate(names[position], entries);
}

std::string RowWriter::write(llvm::StringRef name) {
  begin(name);
  decideThreads();
  compute("threads", "product", {"%threads_rows", "%threads_across"});
  nameBlocks();
  inlineProducers();

  const std::optional<unsigned> row = findLoops(root).row;
  llvm::SmallVector<TileLoop> grid;
  for (unsigned loop = 0, e = extents().size(); loop != e; ++loop) {
    if (isReduction(root, loop))
      continue;
    // Inside of a row there is no grid.
    if (task.blocks.staged && !sumsColumns() &&
        task.blocks.staged->stages[root].reductions.empty() &&
        loop >= task.blocks.staged->rowDims)
      continue;
    grid.push_back({loop, extents()[loop], loop == row ? "%rows" : "%one"});
  }
  const bool hasBlocks =
      llvm::any_of(grid, [](const TileLoop &loop) { return loop.extent > 1; });
  if (hasBlocks)
    tileGrid(grid, /*stages=*/task.blocks.staged.has_value());
  // Registers for what is kept there, and shared memory for the rest.
  constant("base_registers", 48);
  registers = {"%base_registers", "%zero"};
  shared = {"%zero", "%zero"};
  for (unsigned i = 0, e = names.size(); i != e; ++i)
    annotateStage(i);

  // Sums that threads of several warps share meet in shared memory: one of each
  // thread for each result that it has a part of.
  constant("warp", target.gpu.warp);
  line(std::string("%is_far = schedule.cmp lt %warp, %") +
       (sumsColumns() ? "threads" : "threads_across"));
  line("%is_shared = schedule.cmp lt %one, %threads_across");
  compute("meets", "and", {"%is_far", "%is_shared"});
  compute("results", "product",
          {"%one", sumsColumns() ? "%vector" : "%share_rows"});
  for (unsigned i = 0, e = names.size(); i != e; ++i)
    addMeeting(i);
  compute("registers", "sum", registers);
  compute("shared", "sum", shared);
  limits("%threads", "%registers", "%shared");
  return end();
}

/// A product with rows or columns alone.
static bool isVectorProduct(const Task &task) {
  if (!task.blocks.shape)
    return false;
  const ContractionShape &shape = *task.blocks.shape;
  return !shape.isWindowed && (shape.m == 1 || shape.n == 1) &&
         llvm::all_of(shape.outer,
                      [](const OuterLoop &loop) {
                        return loop.isReduction || loop.isShared ||
                               loop.extent == 1;
                      }) &&
         llvm::count(task.blocks.roles, BlockRole::Anchor) == 1 &&
         llvm::count(task.blocks.roles, BlockRole::Init) <= 1;
}

namespace {
class ThreadRowsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "thread_rows"; }
  bool applies(const Task &task, const Target &) const override {
    if (isVectorProduct(task))
      return true;
    if (!task.blocks.staged)
      return false;
    const StagedShape &staged = *task.blocks.staged;
    switch (staged.kind) {
    case StagedKind::Elementwise:
      return false;
    case StagedKind::Columns:
      // What did not fuse into the reduction would be computed as a whole.
      return !llvm::is_contained(task.blocks.roles, BlockRole::Stage);
    case StagedKind::Rows:
      return !llvm::is_contained(task.blocks.roles, BlockRole::Stage) ||
             llvm::all_of(staged.stages, [&](const StagedShape::Stage &stage) {
               return stage.reductions.empty() ||
                      stage.reductions.front() >= staged.rowDims;
             });
    }
    return false;
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    return RowWriter(task, target).write(getName());
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createThreadRowsRule() {
  return std::make_unique<ThreadRowsRule>();
}
