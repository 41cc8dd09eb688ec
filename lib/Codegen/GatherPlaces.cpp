//===- GatherPlaces.cpp - Places that a gather computes -------------------===//

#include "GatherPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace sched;

bool sched::dependsOnLoops(linalg::GenericOp op, ValueRange values,
                           int64_t first) {
  return llvm::any_of(values, [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != op.getBlock())
        return false;
      AffineMap map =
          op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
      for (unsigned loop = first; loop != op.getNumLoops(); ++loop)
        if (map.isFunctionOfDim(loop))
          return true;
      return false;
    }
    Operation *inner = value.getDefiningOp();
    if (inner->getBlock() != op.getBlock())
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      return int64_t(index.getDim()) >= first;
    return inner->getNumRegions() != 0 ||
           dependsOnLoops(op, inner->getOperands(), first);
  });
}

/// What `value` is mapped to; computed where it is not yet.
static Value getOnce(IRMapping &mapping, Value value,
                     llvm::function_ref<Value(Value)> compute) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value computed = compute(value);
  mapping.map(value, computed);
  return computed;
}

/// Where an operand with `map` is read at `loops`.
static SmallVector<Value> getPlaces(AffineMap map, ArrayRef<Value> loops) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr dim) {
    return loops[cast<AffineDimExpr>(dim).getPosition()];
  });
}

Value PlaceWriter::get(Value value) {
  return getOnce(mapping, value, [&](Value key) { return compute(key); });
}

Value PlaceWriter::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock())
      return value;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!isa<RankedTensorType>(operand->get().getType()))
      return operand->get();
    return tensor::ExtractOp::create(
        builder, op.getLoc(), operand->get(),
        getPlaces(op.getMatchingIndexingMap(operand), loops));
  }
  Operation *inner = value.getDefiningOp();
  if (inner->getBlock() != op.getBlock())
    return value;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return loops[index.getDim()];
  for (Value operand : inner->getOperands())
    get(operand);
  const unsigned number = cast<OpResult>(value).getResultNumber();
  return builder.clone(*inner, mapping)->getResult(number);
}

/// Where the operand of a block argument is read; nullopt of what is one value
/// for all points.
static std::optional<AffineMap> getMap(linalg::GenericOp op,
                                       BlockArgument argument) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!isa<RankedTensorType>(operand->get().getType()))
    return std::nullopt;
  return op.getMatchingIndexingMap(operand);
}

bool LaneWriter::isOfWholeBytes(Type element) {
  if (isa<FloatType>(element))
    return element.isF16() || element.isBF16() || element.isF32() ||
           element.isF64();
  return element.isInteger(8) || element.isInteger(16) ||
         element.isInteger(32) || element.isInteger(64);
}

bool LaneWriter::isSupported(linalg::GenericOp op, Value value) {
  const unsigned innermost = op.getNumLoops() - 1;
  if (!dependsOnLoops(op, value, innermost))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const auto map = getMap(op, argument);
    const Type type = argument.getType();
    return map && (type.isIndex() || isOfWholeBytes(type)) &&
           map->getDimPosition(map->getNumResults() - 1) == innermost;
  }
  Operation *inner = value.getDefiningOp();
  return isa<linalg::IndexOp>(inner) ||
         (OpTrait::hasElementwiseMappableTraits(inner) &&
          inner->getNumResults() == 1 && isMemoryEffectFree(inner) &&
          llvm::all_of(inner->getOperands(), [&](Value operand) {
            return isSupported(op, operand);
          }));
}

Value LaneWriter::spread(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, op.getLoc(),
                                     getType(value.getType()), value);
}

Value LaneWriter::get(Value value) {
  if (!dependsOnLoops(op, value, op.getNumLoops() - 1))
    return points.get(value);
  return getOnce(mapping, value, [&](Value key) { return compute(key); });
}

Value LaneWriter::compute(Value value) {
  const Location loc = op.getLoc();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value padding = ub::PoisonOp::create(builder, loc, value.getType());
    return vector::TransferReadOp::create(
        builder, loc, getType(value.getType()),
        op.getMatchingOpOperand(argument)->get(),
        getPlaces(*getMap(op, argument), loops), padding, ArrayRef<bool>{true});
  }
  Operation *inner = value.getDefiningOp();
  if (isa<linalg::IndexOp>(inner)) {
    Value step =
        vector::StepOp::create(builder, loc, getType(builder.getIndexType()));
    return arith::AddIOp::create(builder, loc, spread(loops.back()), step);
  }
  OperationState state(loc, inner->getName());
  for (Value operand : inner->getOperands())
    state.operands.push_back(getVector(operand));
  state.types.push_back(getType(value.getType()));
  state.attributes = inner->getDiscardableAttrDictionary();
  state.propertiesAttr = inner->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}
