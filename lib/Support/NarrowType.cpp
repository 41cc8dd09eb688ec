//===- NarrowType.cpp - What a widening widens ----------------------------===//

#include "SchedOpt/Support/NarrowType.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sched;

std::optional<NarrowType> sched::getWidenedType(Type from, Operation *op) {
  if (isa<arith::ExtFOp>(op) && from.isBF16())
    return NarrowType::BFloat;
  if (isa<arith::ExtFOp>(op) && from.isF16())
    return NarrowType::Half;
  if (isa<arith::ExtSIOp>(op) && from.isInteger(8))
    return NarrowType::SignedByte;
  if (isa<arith::ExtUIOp>(op) && from.isInteger(8))
    return NarrowType::UnsignedByte;
  if (isa<arith::ExtSIOp>(op) && from.isInteger(16))
    return NarrowType::Short;
  return std::nullopt;
}
