//===- SharedReduction.cpp - Threads share the steps of a product ---------===//
//
// Rule: a product whose result has too few register tiles for the threads, and
// a long reduction. Each thread computes a part of the steps of the whole
// result; the results are added at the end, and what follows the product is
// computed after that.
//
// Read next: SketchWriter.h; SharedRows.cpp (reductions of one operand).
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "DefaultTile.h"
#include "SketchWriter.h"
#include "llvm/Support/MathExtras.h"

using namespace sched;

namespace {
/// With more register tiles a thread, threads share those.
constexpr int64_t kTilesPerThread = 4;
/// Steps a thread, below which adding up the results is too much of the work.
constexpr int64_t kStepsPerThread = 64;

int64_t countTiles(const ContractionShape &shape, const Target &target) {
  const DefaultTile tile = chooseDefaultTile(shape, target);
  const int64_t columns =
      tile.vectors * std::min(shape.countLanes(target), shape.n);
  return llvm::divideCeil(shape.m, tile.rows) *
         llvm::divideCeil(shape.n, columns);
}

class SharedReduction final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "shared"; }

  bool applies(const Task &task, const Target &target) const override {
    if (target.threads < 2 || !isSchedulableContraction(task))
      return false;
    const ContractionShape &shape = *task.blocks.shape;
    return shape.outer.empty() && shape.rowStep == 1 &&
           task.blocks.producers.empty() &&
           shape.k >= kStepsPerThread * target.threads &&
           task.flops >= kFlopsPerThread * target.threads &&
           countTiles(shape, target) < kTilesPerThread * target.threads;
  }

  int getPriority(const Task &task, const Target &target) const override {
    return countTiles(*task.blocks.shape, target) < target.threads ? 4 : 0;
  }

  std::string write(const Task &task, const Target &target) const override {
    SketchWriter writer(task, target, /*packed=*/false);
    writer.begin(getName());
    writer.registerTile();
    writer.sharedReduction();
    writer.tileOutside();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createSharedReduction() {
  return std::make_unique<SharedReduction>();
}

void SketchWriter::sharedReduction() {
  nameBlocks();
  matchFunction("f");
  const ContractionShape &shape = *task.blocks.shape;
  llvm::SmallVector<int64_t> threads;
  bool hasLeft = false;
  for (int64_t t = 2; t <= target.threads; ++t)
    if (target.threads % t == 0) {
      threads.push_back(t);
      hasLeft |= k % t != 0;
    }
  decide("t", threads, threads.back());
  line("schedule.share_reduction %f \"anchor\" rank " +
       llvm::Twine(anchorRank()) + " dim " + llvm::Twine(shape.loops[kK]) +
       " extent " + llvm::Twine(k) + " threads %t");
  line("%r0, %r1 = schedule.sample_permutation \"tile_order\" of 2 default "
       "[1, 0] : !transform.param<i64>, !transform.param<i64>");
  for (const char *block : {"anchor", "left_anchor"}) {
    if (!hasLeft && block != llvm::StringRef("anchor"))
      continue;
    tile(block, /*fuse=*/false, {{kM, "%mr"}, {kN, "%nr"}}, " order(%r0, %r1)");
    tile(block, /*fuse=*/false, {{kK, "%ku"}});
  }
  for (const char *block : {"start_anchor", "join_anchor"})
    line("schedule.tile %f \"" + llvm::StringRef(block) +
         "\" fuse [] rank 3 dims [" + llvm::Twine(shape.resultDims[kM]) + ", " +
         llvm::Twine(shape.resultDims[kN]) +
         "] extents(%m, %n) sizes(%one, %lanes)");
}
