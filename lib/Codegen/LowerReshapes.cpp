//===- LowerReshapes.cpp - Reshapes as views of the same memory -----------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace sched {
#define GEN_PASS_DEF_LOWERRESHAPESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Replaces `reshape` of `source`, unless its shape or a stride is only known
/// at run time.
static void lower(Operation *reshape, Value source) {
  auto type = cast<MemRefType>(reshape->getResult(0).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return;
  OpBuilder builder(reshape);
  const Location loc = reshape->getLoc();
  OpFoldResult begin = builder.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    begin = memref::ExtractStridedMetadataOp::create(builder, loc, source)
                .getOffset();
  auto view = memref::ReinterpretCastOp::create(
      builder, loc, type, source, begin,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      getAsIndexOpFoldResult(builder.getContext(), strides));
  reshape->getResult(0).replaceAllUsesWith(view);
  reshape->erase();
}

namespace {
struct LowerReshapes : sched::impl::LowerReshapesPassBase<LowerReshapes> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
        lower(expand, expand.getSrc());
      else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
        lower(collapse, collapse.getSrc());
    });
  }
};
} // namespace
