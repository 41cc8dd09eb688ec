//===- SumsTable.cpp - Results of a nest of loops in a buffer -------------===//

#include "SumsTable.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace sched;

std::optional<SumsTable> SumsTable::find(scf::ForOp nest, Operation *around) {
  auto type = nest.getNumResults() != 0
                  ? dyn_cast<VectorType>(nest.getResult(0).getType())
                  : VectorType();
  if (!type || type.getRank() != 1 || !llvm::all_equal(nest->getResultTypes()))
    return std::nullopt;
  SumsTable table(nest, around);
  return table.collect() ? std::optional(std::move(table)) : std::nullopt;
}

/// Whether `value` is defined before `around`, or is a constant.
bool SumsTable::isKnown(Value value) const {
  return getConstantIntValue(value) ||
         !around->isAncestor(value.getParentRegion()->getParentOp());
}

bool SumsTable::collect() {
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return around->isProperAncestor(op); };
  SetVector<Value> used(nest->operand_begin(), nest->operand_end());
  getUsedValuesDefinedAbove(nest.getRegion(), used);
  for (Value value : used)
    if (Operation *op = value.getDefiningOp();
        op && around->isProperAncestor(op) &&
        failed(getBackwardSlice(op, &slice, options)))
      return false;
  for (Operation *op : slice) {
    if (!isPure(op) || op->getNumRegions() != 0)
      return false;
    used.insert(op->operand_begin(), op->operand_end());
  }
  if (!llvm::all_of(used, [&](Value value) { return addIndex(value); }))
    return false;
  llvm::sort(loops, [](const Loop &a, const Loop &b) {
    return a.getOp() == b.getOp()
               ? a.index.getArgNumber() < b.index.getArgNumber()
               : a.getOp()->isProperAncestor(b.getOp());
  });
  return true;
}

/// Whether `value` is none of the arguments within `around` but indices, whose
/// loops are noted, or those of a function, which are noted, too.
bool SumsTable::addIndex(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (!owner || !around->isAncestor(owner) || nest->isAncestor(owner))
    return true;
  if (owner == around && isa<FunctionOpInterface>(owner)) {
    arguments.insert(value);
    return true;
  }
  Loop loop{argument, {}, {}, {}, 0};
  if (auto sequential = dyn_cast<scf::ForOp>(owner)) {
    const auto trips = sequential.getStaticTripCount();
    if (sequential.getInductionVar() != value || !trips ||
        !value.getType().isIndex())
      return false;
    loop = {argument, sequential.getLowerBound(), sequential.getUpperBound(),
            sequential.getStep(), trips->getSExtValue()};
  } else if (auto parallel = dyn_cast<scf::ParallelOp>(owner)) {
    const unsigned number = argument.getArgNumber();
    loop.lower = parallel.getLowerBound()[number];
    loop.upper = parallel.getUpperBound()[number];
    loop.step = parallel.getStep()[number];
    const auto begin = getConstantIntValue(loop.lower),
               end = getConstantIntValue(loop.upper),
               step = getConstantIntValue(loop.step);
    if (!begin || !end || !step || *step <= 0 || *end < *begin)
      return false;
    loop.trips = llvm::divideCeil(*end - *begin, *step);
  } else {
    return false;
  }
  if (!isKnown(loop.lower) || !isKnown(loop.upper) || !isKnown(loop.step))
    return false;
  if (llvm::none_of(loops, [&](const Loop &o) { return o.index == value; }))
    loops.push_back(loop);
  return true;
}

bool SumsTable::isRepeatedBy(Operation *loop) const {
  return llvm::none_of(loops,
                       [&](const Loop &own) { return own.getOp() == loop; });
}

MemRefType SumsTable::getType() {
  auto type = cast<VectorType>(nest.getResult(0).getType());
  SmallVector<int64_t> shape;
  for (const Loop &loop : loops)
    shape.push_back(loop.trips);
  shape.append({nest.getNumResults(), type.getDimSize(0)});
  return MemRefType::get(shape, type.getElementType());
}

static Value getBefore(Value bound, IRMapping &map, ImplicitLocOpBuilder &b) {
  if (auto number = getConstantIntValue(bound))
    return arith::ConstantIndexOp::create(b, *number);
  return map.lookupOrDefault(bound);
}

static Value getIteration(Value index, Value lower, Value step,
                          ImplicitLocOpBuilder &b) {
  Value passed = b.createOrFold<arith::SubIOp>(index, lower);
  return b.createOrFold<arith::DivUIOp>(passed, step);
}

static SmallVector<Value> getPlace(ArrayRef<Value> indices, int64_t result,
                                   ImplicitLocOpBuilder &b) {
  SmallVector<Value> place(indices);
  place.push_back(arith::ConstantIndexOp::create(b, result));
  place.push_back(arith::ConstantIndexOp::create(b, 0));
  return place;
}

void SumsTable::fill(Value table, IRMapping map, ImplicitLocOpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> indices;
  for (const Loop &loop : loops) {
    Value lower = getBefore(loop.lower, map, b),
          upper = getBefore(loop.upper, map, b),
          step = getBefore(loop.step, map, b);
    auto made = scf::ForOp::create(b, lower, upper, step);
    map.map(loop.index, made.getInductionVar());
    b.setInsertionPointToStart(made.getBody());
    indices.push_back(getIteration(made.getInductionVar(), lower, step, b));
  }
  for (Operation *op : slice)
    b.clone(*op, map);
  Operation *copy = b.clone(*nest, map);
  for (auto [i, sum] : llvm::enumerate(copy->getResults()))
    vector::StoreOp::create(b, sum, table, getPlace(indices, i, b));
}

SmallVector<Value> SumsTable::read(Value table, ImplicitLocOpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(nest);
  SmallVector<Value> indices, sums;
  for (const Loop &loop : loops)
    indices.push_back(getIteration(loop.index, loop.lower, loop.step, b));
  const auto type = cast<VectorType>(nest.getResult(0).getType());
  for (unsigned i = 0; i != nest.getNumResults(); ++i)
    sums.push_back(
        vector::LoadOp::create(b, type, table, getPlace(indices, i, b)));
  return sums;
}
