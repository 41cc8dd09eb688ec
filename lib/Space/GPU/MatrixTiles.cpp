//===- MatrixTiles.cpp - Tiles of matrix instructions ---------------------===//
//
// Rule: a tile of the result a block, a tile of it a warp, which multiplies 16
// rows, 8 columns and 16 steps at once (mma.sync). Products of f16 or bf16 are
// exact in f32, so that sums differ from those of threads by their order alone.
// Operands of f32 are rounded to tf32 first, 8 steps at once: only where the
// target allows it.
//
//===----------------------------------------------------------------------===//

#include "KernelRules.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "TileWriter.h"

using namespace sched;

namespace {
class MatrixTilesRule final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "matrix_tiles"; }
  bool applies(const Task &task, const Target &target) const override {
    if (!isTiledContraction(task))
      return false;
    const ContractionShape &shape = *task.blocks.shape;
    const mlir::Type type = shape.lhsType;
    const bool isKnown = type.isF16() || type.isBF16() ||
                         (type.isF32() && allowsTensorFloat(target));
    // With fewer steps, an instruction would multiply mostly zeros.
    return isKnown && type == shape.rhsType && shape.accType.isF32() &&
           shape.k >= countMatrixSteps(type);
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
