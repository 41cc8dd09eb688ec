//===- BlockedReduction.cpp - The reduction in cache blocks ---------------===//
//
// Rule: SSRSRS with a cached result. The reduction is split outside of the
// register tile, so that a panel of the right-hand side fits in L1; partial
// results wait in the cache block, and init and epilogue run on it.
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Shorter reductions fit into L1 whole.
constexpr int64_t kMinReduction = 64;

/// Of the innermost reduction, where it is one of several.
constexpr int64_t kMinBlock = 16;

/// Whether the reduction is long enough to be split; or has outer loops that
/// what computes the left-hand side may be inside of.
bool hasBlocks(const TaskBlocks &blocks) {
  const ContractionShape &shape = *blocks.shape;
  return shape.k > kMinReduction ||
         (shape.k >= kMinBlock &&
          shape.countSteps() > std::max(shape.k, kMinReduction) &&
          llvm::any_of(blocks.producers, [&](const ProducerBlock &producer) {
            return producer.operand == shape.lhsOperand && producer.hasSlices;
          }));
}

class BlockedReduction final : public SketchRule {
public:
  explicit BlockedReduction(bool packed) : packed(packed) {}

  llvm::StringRef getName() const override {
    return packed ? "packed_blocked" : "plain_blocked";
  }

  bool applies(const Task &task, const Target &target) const override {
    return isSchedulableContraction(task) && hasBlocks(task.blocks) &&
           (!packed || canPackRhs(task, target));
  }

  int getPriority(const Task &task, const Target &target) const override {
    return packed == isLargeRhs(task, target) ? 1 : 0;
  }

  std::string write(const Task &task, const Target &target) const override {
    return SketchWriter(task, target, packed)
        .product(getName(), /*blocked=*/true);
  }

private:
  bool packed;
};
} // namespace

std::unique_ptr<SketchRule> sched::createBlockedReduction(bool packed) {
  return std::make_unique<BlockedReduction>(packed);
}
