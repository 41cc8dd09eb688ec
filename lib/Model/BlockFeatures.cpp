//===- BlockFeatures.cpp - The features of each block of a nest -----------===//

#include "SchedOpt/Model/BlockFeatures.h"
#include "BlockVisitor.h"
#include "SchedOpt/Model/KernelFeatures.h"

using namespace sched;

const FeatureInfo &sched::getBlockFeatureInfo(BlockFeature feature) {
  static constexpr FeatureInfo infos[] = {
#define FEATURE(name, unit, definition) {#name, unit, definition},
#include "SchedOpt/Model/BlockFeatures.def"
  };
  return infos[static_cast<unsigned>(feature)];
}

void sched::extractBlockFeatures(const LoopNestPlan &nest, const Target &target,
                                 llvm::ArrayRef<int64_t> registers,
                                 std::vector<BlockFeatureVector> &rows) {
  if (target.kind == Target::Kind::NVVM)
    return extractKernelRows(nest, target, registers, rows);
  BlockVisitor visitor(nest, target, registers, rows);
  NestWalker<BlockVisitor>(nest, registers, visitor).walk();
  visitor.finish();
}
