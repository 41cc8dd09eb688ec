//===- Prefetch.cpp - What passes that fetch ahead share ------------------===//

#include "Prefetch.h"
#include "IndexSum.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

bool sched::isInLargeBuffer(VectorTransferOpInterface transfer, scf::ForOp loop,
                            uint64_t minBytes, bool anyRows) {
  auto type = dyn_cast<MemRefType>(transfer.getBase().getType());
  const AffineMap map = transfer.getPermutationMap();
  if (!type || transfer.getVectorType().getRank() == 0 ||
      transfer.getVectorType().isScalable() ||
      !transfer.getVectorType().getElementType().isIntOrFloat() ||
      !type.areTrailingDimsContiguous(1) ||
      (anyRows
           ? !map.isProjectedPermutation() ||
                 !map.getResults().back().isFunctionOfDim(type.getRank() - 1)
           : !map.isMinorIdentity()))
    return false;
  Value root = getRoot(transfer.getBase());
  auto buffer = dyn_cast<MemRefType>(root.getType());
  return loop.isDefinedOutsideOfLoop(root) && buffer &&
         buffer.hasStaticShape() && buffer.getElementType().isIntOrFloat() &&
         buffer.getElementTypeBitWidth() % 8 == 0 &&
         uint64_t(countBytes(buffer)) >= minBytes;
}

std::optional<TransferPlace>
TransferPlace::get(VectorTransferOpInterface transfer, scf::ForOp loop) {
  SetVector<Operation *> steps;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  SmallVector<Value> values = {transfer.getBase()};
  llvm::append_range(values, transfer.getIndices());
  for (Value value : values)
    if (Operation *op = value.getDefiningOp();
        op && loop->isProperAncestor(op) &&
        failed(getBackwardSlice(op, &steps, options)))
      return std::nullopt;
  // An index that a loop in `loop` carries is another one in each iteration.
  auto isCarried = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    return owner && value.getType().isIntOrIndex() && loop->isAncestor(owner) &&
           argument.getArgNumber() != 0;
  };
  if (llvm::any_of(values, isCarried))
    return std::nullopt;
  for (Operation *op : steps)
    if (op->getNumRegions() != 0 || !isPure(op) ||
        llvm::any_of(op->getOperands(), isCarried))
      return std::nullopt;
  return TransferPlace(transfer, topologicalSort(steps));
}

bool TransferPlace::dependsOn(Value index) const {
  return llvm::is_contained(indices, index) ||
         llvm::any_of(steps, [&](Operation *op) {
           return llvm::is_contained(op->getOperands(), index);
         });
}

std::pair<Value, SmallVector<Value>>
TransferPlace::clone(OpBuilder &builder, IRMapping mapping) const {
  for (Operation *op : steps)
    builder.clone(*op, mapping);
  return {mapping.lookupOrDefault(buffer),
          llvm::map_to_vector(indices, [&](Value index) {
            return mapping.lookupOrDefault(index);
          })};
}

LineGrid::LineGrid(VectorType type)
    : counts(type.getShape()), steps(type.getRank(), 1) {
  const int64_t elements =
      std::max<int64_t>(1, kLineBytes * 8 / type.getElementTypeBitWidth());
  counts.back() = llvm::divideCeil(counts.back(), elements);
  steps.back() = elements;
}

void LineGrid::prefetch(OpBuilder &builder, Location loc, Value buffer,
                        ArrayRef<Value> begins, unsigned locality,
                        bool isWrite) const {
  const int64_t rank = counts.size(), outer = begins.size() - rank;
  for (int64_t i = 0, e = llvm::product_of(counts); i != e; ++i) {
    SmallVector<Value> place(begins);
    int64_t rest = i;
    for (int64_t dim = rank; dim-- > 0;) {
      const int64_t by = rest % counts[dim] * steps[dim];
      rest /= counts[dim];
      if (by == 0)
        continue;
      Value offset = arith::ConstantIndexOp::create(builder, loc, by);
      place[outer + dim] =
          arith::AddIOp::create(builder, loc, place[outer + dim], offset);
    }
    memref::PrefetchOp::create(builder, loc, buffer, place, isWrite, locality,
                               /*isDataCache=*/true);
  }
}

std::optional<int64_t> sched::countTrips(scf::ForOp loop) {
  const auto range = getRange(loop.getInductionVar());
  const auto step = getConstantIntValue(loop.getStep());
  if (!range || !step || !loop.getInductionVar().getType().isIndex())
    return std::nullopt;
  return (range->most - range->least) / *step + 1;
}

static bool hasKnownBounds(scf::ForOp loop) {
  return getConstantIntValue(loop.getLowerBound()) &&
         getConstantIntValue(loop.getUpperBound());
}

ArrayRef<scf::ForOp> sched::takeCountable(ArrayRef<scf::ForOp> loops) {
  const auto *outermost = llvm::find_if_not(loops, hasKnownBounds);
  return loops.take_front(
      std::min<size_t>(loops.size(), outermost - loops.begin() + 1));
}

IRMapping sched::getLater(OpBuilder &builder, Location loc,
                          ArrayRef<scf::ForOp> loops, int64_t ahead) {
  IRMapping later;
  Value isOver;
  for (scf::ForOp loop : loops) {
    const int64_t step = *getConstantIntValue(loop.getStep());
    const Value here = loop.getInductionVar();
    Value by = arith::ConstantIndexOp::create(builder, loc, ahead * step);
    Value next = arith::AddIOp::create(builder, loc, here, by);
    if (isOver)
      next = arith::SelectOp::create(builder, loc, isOver, next, here);
    Value isPast = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, next, loop.getUpperBound());
    Value begin = here;
    if (loop != loops.back()) {
      Value all = arith::ConstantIndexOp::create(builder, loc,
                                                 *countTrips(loop) * step);
      begin = arith::SubIOp::create(builder, loc, next, all);
    }
    later.map(here, arith::SelectOp::create(builder, loc, isPast, begin, next));
    isOver = isPast;
    ahead = 1;
  }
  return later;
}

std::optional<Turn> Turn::get(Builder &builder, ArrayRef<scf::ForOp> loops,
                              bool asIfUncut) {
  Turn turn{builder.getAffineConstantExpr(0), {}};
  for (scf::ForOp loop : loops) {
    const auto trips = countTrips(loop);
    if (!trips)
      return std::nullopt;
    auto addOperand = [&](Value value) {
      turn.operands.push_back(value);
      return builder.getAffineDimExpr(turn.operands.size() - 1);
    };
    const Value index = loop.getInductionVar();
    const AffineExpr at = addOperand(index),
                     begin = asIfUncut ? builder.getAffineConstantExpr(
                                             getRange(index)->least)
                                       : addOperand(loop.getLowerBound());
    const AffineExpr iterations =
        (at - begin).floorDiv(*getConstantIntValue(loop.getStep()));
    turn.number = turn.number + iterations * turn.count;
    turn.count *= *trips;
  }
  return turn;
}
