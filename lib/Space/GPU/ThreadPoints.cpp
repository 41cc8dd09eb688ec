//===- ThreadPoints.cpp - Each thread has results of its own --------------===//
//
// Rule: threads share the three innermost dimensions of the result, each with a
// vector or several, and compute all of a window. So for elementwise code,
// poolings and depthwise convolutions, which memory bounds: what matters is
// that lanes next to each other read neighbours, and enough of them.
//
//===----------------------------------------------------------------------===//

#include "KernelRules.h"
#include "KernelWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Threads of a block by default.
constexpr int64_t kThreads = 256;

class PointWriter final : KernelWriter {
public:
  PointWriter(const Task &task, const Target &target)
      : KernelWriter(task, target) {}

  std::string write(llvm::StringRef name);

private:
  /// Dimensions of the root that threads share, the innermost first.
  llvm::SmallVector<unsigned, 3> shared;
};
} // namespace

/// The position of `loop` of a contraction among the dimensions of its result;
/// none of a reduction.
static std::optional<unsigned> findResultDim(const ContractionShape &shape,
                                             unsigned loop) {
  for (auto [i, position] : llvm::enumerate(shape.loops)) {
    const bool isReduction =
        i == ContractionShape::kSteps ||
        (i >= ContractionShape::kFirstOuter &&
         shape.outer[i - ContractionShape::kFirstOuter].isReduction);
    if (position == loop && !isReduction)
      return shape.resultDims[i];
  }
  return std::nullopt;
}

std::string PointWriter::write(llvm::StringRef name) {
  begin(name);
  const bool isWindowed = task.blocks.shape.has_value();
  // The root's loops by dimensions of the result: of a contraction alone, some
  // are reductions.
  const bool isAnchor = isWindowed && root == anchor;
  llvm::SmallVector<std::pair<unsigned, int64_t>> results; // loop, extent
  for (unsigned loop = 0, e = extents().size(); loop != e; ++loop)
    if (!isAnchor || findResultDim(*task.blocks.shape, loop))
      results.push_back({loop, extents()[loop]});
  if (isAnchor)
    llvm::sort(results, [&](const auto &a, const auto &b) {
      return *findResultDim(*task.blocks.shape, a.first) <
             *findResultDim(*task.blocks.shape, b.first);
    });
  for (auto [loop, extent] : llvm::reverse(results))
    if (extent > 1 && shared.size() < 3)
      shared.push_back(loop);

  const int64_t inner = extents()[shared.front()];
  const int64_t bytes = countElementBytes(
      isWindowed ? task.blocks.shape->accType
                 : task.blocks.staged->stages[root].elementType);
  // What is read across is contiguous along another dimension.
  const bool isAcross =
      !isWindowed && task.blocks.staged->stages[root].acrossLoop.has_value();
  const auto vectors = listVectors(bytes, inner);
  int64_t total = 1;
  for (auto [loop, extent] : results)
    total *= extent;
  // A small result is spread over multiprocessors first.
  int64_t vector = isAcross ? 1 : vectors.back();
  while (vector > 1 && total / vector < kThreads * target.gpu.multiprocessors)
    vector /= 2;
  decide("vector", vectors, vector);

  static constexpr llvm::StringLiteral kAxes[] = {"x", "y", "z"};
  static constexpr int64_t kMost[] = {1024, 64, 64};
  int64_t left = kThreads;
  bool isCut =
      results.size() > shared.size() &&
      llvm::any_of(results, [&](const auto &result) {
        return result.second > 1 && !llvm::is_contained(shared, result.first);
      });
  llvm::SmallVector<int64_t, 3> defaults;
  for (auto [i, loop] : llvm::enumerate(shared)) {
    const int64_t points =
        llvm::divideCeil(extents()[loop], i == 0 ? vector : 1);
    const int64_t wanted =
        isAcross && i == 0
            ? 32
            : std::min<int64_t>(left, llvm::PowerOf2Ceil(points));
    const int64_t count = pickAtMost(listPowers(1, kMost[i], points), wanted);
    defaults.push_back(count);
    left = std::max<int64_t>(left / count, 1);
    isCut |= count * (i == 0 ? vector : 1) < extents()[loop];
  }
  for (unsigned i = shared.size(); !isCut && i-- > 0;)
    if (defaults[i] > 1) {
      defaults[i] /= 2;
      isCut = defaults[i] * (i == 0 ? vector : 1) < extents()[shared[i]];
    }
  llvm::SmallVector<std::string> all;
  for (auto [i, loop] : llvm::enumerate(shared)) {
    const std::string axis = kAxes[i].str();
    const int64_t points =
        llvm::divideCeil(extents()[loop], i == 0 ? vectors.front() : 1);
    decide("threads_" + axis, listPowers(1, kMost[i], points), defaults[i]);
    all.push_back("%threads_" + axis);
    if (i < 2) {
      decide("each_" + axis, listPowers(1, 8, points), 1);
      compute("size_" + axis, "product",
              i == 0 ? llvm::ArrayRef<std::string>{"%threads_x", "%each_x",
                                                   "%vector"}
                     : llvm::ArrayRef<std::string>{"%threads_y", "%each_y"});
    } else {
      compute("size_" + axis, "product", {"%threads_" + axis, "%one"});
    }
  }
  all.push_back("%one");
  compute("threads", "product", all);
  if (total >= target.gpu.warp) {
    constant("few", 16);
    require("enough_threads", "le", "%few", "%threads",
            "a block has half a warp at least");
  }
  limits("%threads", "", "");
  nameBlocks();
  inlineProducers();

  llvm::SmallVector<TileLoop> grid;
  auto sizeOf = [&](unsigned loop, const char *what) -> std::string {
    const auto *at = llvm::find(shared, loop);
    return at == shared.end()
               ? "%one"
               : std::string("%") + what + kAxes[at - shared.begin()].str();
  };
  for (auto [loop, extent] : results)
    grid.push_back({loop, extent, sizeOf(loop, "size_")});
  tileGrid(grid, /*stages=*/!isWindowed);

  for (unsigned i = 0, e = names.size(); i != e; ++i) {
    const BlockRole role = task.blocks.roles[i];
    if (role == BlockRole::Stage) {
      annotate(names[i], "keep = \"recompute\"");
      continue;
    }
    if (role != BlockRole::Root && role != BlockRole::Anchor &&
        role != BlockRole::Epilogue)
      continue;
    llvm::SmallVector<std::string> threads;
    unsigned along = 0;
    for (unsigned loop = 0, rank = extentsOf(i).size(); loop != rank; ++loop) {
      // As a loop of the root.
      std::optional<unsigned> rootLoop = loop;
      if (isWindowed && i == anchor && !isAnchor)
        rootLoop = findResultDim(*task.blocks.shape, loop);
      threads.push_back(rootLoop ? sizeOf(*rootLoop, "threads_") : "%one");
      if (rootLoop == shared.front())
        along = loop;
    }
    const std::string alongName = "along_" + names[i];
    constant(alongName, along);
    annotate(names[i], "threads = [" + llvm::join(threads, ", ") +
                           "], vector = %vector, along = %" + alongName);
  }
  return end();
}

namespace {
class ThreadPointsRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "thread_points"; }
  bool applies(const Task &task, const Target &) const override {
    const TaskBlocks &blocks = task.blocks;
    if (blocks.shape) {
      // Of the result's loops, one has more than one point.
      const ContractionShape &shape = *blocks.shape;
      llvm::SmallVector<int64_t> results{shape.m, shape.n};
      for (const OuterLoop &loop : shape.outer)
        if (!loop.isReduction)
          results.push_back(loop.extent);
      return shape.isWindowed && hasGrid(results) &&
             llvm::count(blocks.roles, BlockRole::Anchor) == 1 &&
             llvm::count(blocks.roles, BlockRole::Init) <= 1;
    }
    if (!blocks.staged || blocks.staged->kind != StagedKind::Elementwise)
      return false;
    const auto root = llvm::find(blocks.roles, BlockRole::Root);
    return root != blocks.roles.end() &&
           hasGrid(blocks.extents[root - blocks.roles.begin()]);
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    return PointWriter(task, target).write(getName());
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createThreadPointsRule() {
  return std::make_unique<ThreadPointsRule>();
}
