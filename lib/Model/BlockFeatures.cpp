//===- BlockFeatures.cpp - The features of each block of a nest -----------===//

#include "SchedOpt/Model/BlockFeatures.h"
#include "SchedOpt/Model/NestWalker.h"

using namespace sched;

const FeatureInfo &sched::getBlockFeatureInfo(BlockFeature feature) {
  static constexpr FeatureInfo infos[] = {
#define FEATURE(name, unit, definition) {#name, unit, definition},
#include "SchedOpt/Model/BlockFeatures.def"
  };
  return infos[static_cast<unsigned>(feature)];
}

namespace {

class BlockVisitor {
public:
  BlockVisitor(const LoopNestPlan &nest, std::vector<BlockFeatureVector> &rows)
      : nest(nest), rows(rows), rowOf(nest.blocks.size(), kNone) {}

  void enterLoop(const WalkState &state) {
    trips[state.depth] =
        trips[state.depth - 1] * double(state.loops[state.depth - 1].trips);
  }
  void exitLoop(const WalkState &) {}

  void block(const BlockPlan &block, const WalkState &state) {
    unsigned &row = rowOf[&block - nest.blocks.data()];
    if (row == kNone) {
      row = rows.size();
      rows.emplace_back();
    }
    double points = trips[state.depth];
    for (uint8_t dim : block.dims)
      points *= double(state.extents[dim]);
    BlockFeatureVector &features = rows[row];
    features[BlockFeature::BlockPoints] += points;
    features[BlockFeature::BlockFlops] += points * block.flopsPerPoint;
    features[BlockFeature::BlockCalls] += points * block.callsPerPoint;
  }

private:
  static constexpr unsigned kNone = ~0u;
  const LoopNestPlan &nest;
  std::vector<BlockFeatureVector> &rows;
  std::vector<unsigned> rowOf;
  std::array<double, kMaxLoops + 1> trips{1};
};

} // namespace

void sched::extractBlockFeatures(const LoopNestPlan &nest, const Target &,
                                 llvm::ArrayRef<int64_t> registers,
                                 std::vector<BlockFeatureVector> &rows) {
  BlockVisitor visitor(nest, rows);
  NestWalker<BlockVisitor>(nest, registers, visitor).walk();
}
