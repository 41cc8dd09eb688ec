//===- ElementwiseTiles.cpp - Tiles of elementwise ops --------------------===//
//
// Chains, copies and small transposes are bound by memory: each thread computes
// whole rows of the result in tiles, with all that the tile needs inside.
//
//===----------------------------------------------------------------------===//

#include "StageRules.h"
#include "StageWriter.h"

using namespace sched;

namespace {
class ElementwiseRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "elementwise"; }
  bool applies(const Task &task, const Target &) const override {
    return isStaged(task, StagedKind::Elementwise);
  }
  int getPriority(const Task &, const Target &) const override { return 1; }
  std::string write(const Task &task, const Target &target) const override {
    StageWriter writer(task, target);
    writer.begin(getName());
    writer.tiles();
    writer.blocks();
    writer.fuseTiles();
    return writer.end();
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createElementwiseRule() {
  return std::make_unique<ElementwiseRule>();
}
