//===- MatrixTiles.cpp - Tiles of matrix instructions ---------------------===//
//
// Rule: a tile of the result a block, a tile of it a warp, which multiplies 16
// rows, 8 columns and 16 steps at once (mma.sync). Products of f16 or bf16 are
// exact in f32, so that sums differ from those of threads by their order alone.
//
//===----------------------------------------------------------------------===//

#include "KernelRules.h"
#include "TileWriter.h"

using namespace sched;

/// Steps that one instruction takes; fewer would be mostly zeros.
static constexpr int64_t kSteps = 16;

namespace {
class MatrixTilesRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "matrix_tiles"; }
  bool applies(const Task &task, const Target &) const override {
    if (!isTiledContraction(task))
      return false;
    const ContractionShape &shape = *task.blocks.shape;
    return shape.lhsType == shape.rhsType &&
           (shape.lhsType.isF16() || shape.lhsType.isBF16()) &&
           shape.accType.isF32() && shape.k >= kSteps;
  }
  int getPriority(const Task &, const Target &) const override { return 3; }
  std::string write(const Task &task, const Target &target) const override {
    return TileWriter(task, target, /*isMatrix=*/true).write(getName());
  }
};
} // namespace

std::unique_ptr<SketchRule> sched::createMatrixTilesRule() {
  return std::make_unique<MatrixTilesRule>();
}
