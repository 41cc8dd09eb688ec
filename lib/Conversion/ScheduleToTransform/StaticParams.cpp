//===- StaticParams.cpp - Literals in place of parameters -----------------===//

#include "StaticParams.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::schedule;

/// A list of sizes: `statics`, in which each dynamic entry stands for the next
/// operand of `params`. Returns the list with constants filled in, and drops
/// their operands.
static SmallVector<int64_t> fillIn(MutableOperandRange params,
                                   ArrayRef<int64_t> statics) {
  SmallVector<int64_t> sizes(statics);
  unsigned next = 0;
  for (int64_t &size : sizes) {
    if (!ShapedType::isDynamic(size))
      continue;
    FailureOr<int64_t> value = getConstantParam(params[next].get());
    if (failed(value)) {
      ++next;
      continue;
    }
    size = *value;
    params.erase(next);
  }
  return sizes;
}

void mlir::schedule::makeParamsStatic(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([](transform::TileUsingForOp op) {
        op.setStaticSizes(
            fillIn(op.getDynamicSizesMutable(), op.getStaticSizes()));
      })
      .Case([](transform::TileUsingForallOp op) {
        op.setStaticNumThreads(
            fillIn(op.getNumThreadsMutable(), op.getStaticNumThreads()));
        op.setStaticTileSizes(
            fillIn(op.getTileSizesMutable(), op.getStaticTileSizes()));
      })
      .Case([](transform::FuseOp op) {
        op.setStaticTileSizes(
            fillIn(op.getTileSizesMutable(), op.getStaticTileSizes()));
        op.setStaticTileInterchange(fillIn(op.getTileInterchangeMutable(),
                                           op.getStaticTileInterchange()));
      })
      .Case([](transform::PadOp op) {
        op.setStaticPadToMultipleOf(fillIn(op.getPadToMultipleOfMutable(),
                                           op.getStaticPadToMultipleOf()));
      })
      .Case([](transform::PadTilingInterfaceOp op) {
        op.setStaticPaddingSizes(
            fillIn(op.getPaddingSizesMutable(), op.getStaticPaddingSizes()));
      })
      .Case([](transform::VectorizeOp op) {
        op.setStaticVectorSizes(
            fillIn(op.getVectorSizesMutable(), op.getStaticVectorSizes()));
      });
}
