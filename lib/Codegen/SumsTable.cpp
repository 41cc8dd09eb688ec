//===- SumsTable.cpp - Results of a nest of loops in a buffer -------------===//
//
// What leads to the nest is a slice of pure ops and the indices of loops around
// it; to fill the table, both are cloned in loops of their own. Read next:
// PackSums.cpp.
//
//===----------------------------------------------------------------------===//

#include "SumsTable.h"
#include "IndexSum.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
  const std::optional<IndexSteps> steps = getSteps(value);
  if (!steps || !value.getType().isIndex())
    return false;
  // Where bounds vary with other loops, not all of their iterations meet: each
  // index has to be good for itself.
  auto isOwnIndex = [&](Operation *user) {
    return isa<vector::TransferReadOp>(user) ||
           (!slice.contains(user) && !nest->isAncestor(user));
  };
  if (!steps->isExact && !llvm::all_of(value.getUsers(), isOwnIndex))
    return false;
  const Loop loop{argument, steps->least, steps->step, steps->trips};
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

/// Which iteration it is, counted from the least index.
static Value getIteration(Value index, int64_t least, int64_t step,
                          ImplicitLocOpBuilder &b) {
  Value first = arith::ConstantIndexOp::create(b, least),
        passed = b.createOrFold<arith::SubIOp>(index, first),
        size = arith::ConstantIndexOp::create(b, step);
  return b.createOrFold<arith::DivUIOp>(passed, size);
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
    auto made = scf::ForOp::create(
        b, arith::ConstantIndexOp::create(b, loop.least),
        arith::ConstantIndexOp::create(b, loop.least + loop.trips * loop.step),
        arith::ConstantIndexOp::create(b, loop.step));
    map.map(loop.index, made.getInductionVar());
    b.setInsertionPointToStart(made.getBody());
    indices.push_back(
        getIteration(made.getInductionVar(), loop.least, loop.step, b));
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
    indices.push_back(getIteration(loop.index, loop.least, loop.step, b));
  const auto type = cast<VectorType>(nest.getResult(0).getType());
  for (unsigned i = 0; i != nest.getNumResults(); ++i)
    sums.push_back(
        vector::LoadOp::create(b, type, table, getPlace(indices, i, b)));
  return sums;
}
