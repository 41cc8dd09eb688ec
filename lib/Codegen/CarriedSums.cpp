//===- CarriedSums.cpp - Loops that carry a contraction's sums ------------===//

#include "CarriedSums.h"
#include "Buffers.h"
#include "NarrowContraction.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace sched;

SmallVector<scf::ForOp> sched::getCarryingLoops(vector::ContractionOp op) {
  SmallVector<scf::ForOp> loops;
  Value sums = op.getAcc(), result = op.getResult();
  while (auto argument = dyn_cast<BlockArgument>(sums)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    if (!init || !argument.hasOneUse() || !result.hasOneUse() ||
        loop.getTiedLoopYieldedValue(argument)->get() != result)
      break;
    loops.push_back(loop);
    sums = init->get();
    result = loop.getTiedLoopResult(init);
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

OpOperand &sched::getInitialSums(ArrayRef<scf::ForOp> loops,
                                 vector::ContractionOp op) {
  OpOperand *init = nullptr;
  Value sums = op.getAcc();
  for (scf::ForOp loop : llvm::reverse(loops)) {
    init = loop.getTiedLoopInit(cast<BlockArgument>(sums));
    sums = init->get();
  }
  return *init;
}

/// Whether `op`, by itself, may write to the buffer `root`. What becomes an
/// instruction works on registers.
static bool mayWrite(Operation *op, Value root) {
  if (isMemoryEffectFree(op) ||
      isa<LLVM::CallIntrinsicOp, memref::PrefetchOp>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  // Those of linalg have effects of their own besides those of their bodies.
  if (!effects)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  return llvm::any_of(found, [&](const MemoryEffects::EffectInstance &effect) {
    if (isa<MemoryEffects::Read, MemoryEffects::Allocate>(effect.getEffect()))
      return false;
    Value written = effect.getValue();
    if (!written || !isa<MemRefType>(written.getType()))
      return true;
    Value other = getRoot(written);
    return other == root || !isOwnBuffer(other) || !isOwnBuffer(root);
  });
}

static bool mayWriteWithin(Operation *loop, Value root) {
  return loop
      ->walk([&](Operation *op) {
        return mayWrite(op, root) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Loops like those that carry the sums, with nothing but what leads to a read.
class Copier {
public:
  Copier(ArrayRef<scf::ForOp> loops, vector::TransferReadOp read,
         ImplicitLocOpBuilder &b, SumStep step)
      : loops(loops), read(read), b(b), step(step) {}

  /// Whether all that leads to the read can be computed again.
  bool prepare() {
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    options.filter = [&](Operation *op) {
      return loops.front()->isProperAncestor(op) &&
             !llvm::is_contained(loops, op);
    };
    if (failed(getBackwardSlice(read.getOperation(), &slice, options)))
      return false;
    for (scf::ForOp loop : loops.drop_front())
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        if (failed(getBackwardSlice(bound, &slice, options)))
          return false;
    return llvm::all_of(slice,
                        [&](Operation *op) {
                          return (op == read ||
                                  (isPure(op) && op->getNumRegions() == 0)) &&
                                 llvm::all_of(op->getOperands(),
                                              [&](Value value) {
                                                return isKnown(value);
                                              });
                        }) &&
           llvm::all_of(loops.drop_front(), [&](scf::ForOp loop) {
             return isKnown(loop.getLowerBound()) &&
                    isKnown(loop.getUpperBound()) && isKnown(loop.getStep());
           });
  }

  /// The sums after loop number `depth` and those in it, at `b`.
  SmallVector<Value> copy(size_t depth, ValueRange sums) {
    scf::ForOp loop = loops[depth];
    auto made = scf::ForOp::create(b, map.lookupOrDefault(loop.getLowerBound()),
                                   map.lookupOrDefault(loop.getUpperBound()),
                                   map.lookupOrDefault(loop.getStep()), sums);
    made.setUnsignedCmp(loop.getUnsignedCmp());
    map.map(loop.getInductionVar(), made.getInductionVar());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    SmallVector<Value> next(made.getRegionIterArgs());
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (slice.contains(&op))
        b.clone(op, map);
      else if (depth + 1 != loops.size() && &op == loops[depth + 1])
        next = copy(depth + 1, next);
    }
    if (depth + 1 == loops.size())
      next = step(map.lookup(read.getResult()), next);
    scf::YieldOp::create(b, next);
    return made.getResults();
  }

private:
  /// Whether `value` is no argument of the loops but an index of theirs.
  bool isKnown(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument ||
        !loops.front()->isAncestor(argument.getOwner()->getParentOp()))
      return true;
    return llvm::any_of(loops, [&](scf::ForOp loop) {
      return loop.getInductionVar() == value;
    });
  }

  ArrayRef<scf::ForOp> loops;
  vector::TransferReadOp read;
  ImplicitLocOpBuilder &b;
  SumStep step;
  SetVector<Operation *> slice;
  IRMapping map;
};
} // namespace

/// Moves `nest`, which reads `root`, out of the loops around it that do not
/// change what it computes.
static void hoist(scf::ForOp nest, Value root) {
  while (auto around = dyn_cast<scf::ForOp>(nest->getParentOp())) {
    moveLoopInvariantCode(
        &around.getRegion(),
        [&](Value value, Region *) {
          return around.isDefinedOutsideOfLoop(value);
        },
        [&](Operation *op, Region *) {
          return op == nest ? !mayWriteWithin(around, root) : isPure(op);
        },
        [&](Operation *op, Region *) { around.moveOutOfLoop(op); });
    if (nest->getParentOp() == around)
      return;
  }
}

/// A table of more bytes would push out of the caches what the loops read.
static constexpr int64_t kMostTableBytes = 256 << 10;

namespace {
/// A nest of loops whose results vary with some of the loops around it and not
/// with others: the results for all iterations of the former, in a buffer.
class Table {
public:
  Table(scf::ForOp nest, Value root) : nest(nest), root(root) {}

  /// Whether one of the loops around repeats the nest, and what leads to it can
  /// be computed before that loop.
  bool prepare() {
    auto type = dyn_cast<VectorType>(nest.getResult(0).getType());
    if (!type || type.getRank() != 1 ||
        !llvm::all_equal(nest->getResultTypes()))
      return false;
    SmallVector<scf::ForOp> around;
    for (Operation *op = nest->getParentOp();;) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop || mayWriteWithin(loop, root))
        break;
      around.push_back(loop);
      op = loop->getParentOp();
    }
    // The outermost that repeats the nest.
    for (scf::ForOp loop : llvm::reverse(around)) {
      repeater = loop;
      if (findWays() && !llvm::is_contained(varying, repeater))
        return countBytes() <= kMostTableBytes;
    }
    return false;
  }

  /// What the nest computes, read from the table.
  SmallVector<Value> make(ImplicitLocOpBuilder &b) {
    auto type = cast<VectorType>(nest.getResult(0).getType());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(repeater);
    Value table = memref::AllocOp::create(b, getType());
    IRMapping map;
    SmallVector<Value> indices;
    for (scf::ForOp loop : varying) {
      auto made = scf::ForOp::create(b, loop.getLowerBound(),
                                     loop.getUpperBound(), loop.getStep());
      made.setUnsignedCmp(loop.getUnsignedCmp());
      map.map(loop.getInductionVar(), made.getInductionVar());
      b.setInsertionPointToStart(made.getBody());
      indices.push_back(getIteration(made, b));
    }
    for (Operation *op : slice)
      b.clone(*op, map);
    Operation *copy = b.clone(*nest, map);
    for (auto [i, sum] : llvm::enumerate(copy->getResults()))
      vector::StoreOp::create(b, sum, table, getPlace(indices, i, b));
    b.setInsertionPointAfter(repeater);
    memref::DeallocOp::create(b, table);

    b.setInsertionPoint(nest);
    indices.clear();
    for (scf::ForOp loop : varying)
      indices.push_back(getIteration(loop, b));
    SmallVector<Value> sums;
    for (unsigned i = 0; i != nest.getNumResults(); ++i)
      sums.push_back(
          vector::LoadOp::create(b, type, table, getPlace(indices, i, b)));
    return sums;
  }

private:
  MemRefType getType() {
    auto type = cast<VectorType>(nest.getResult(0).getType());
    SmallVector<int64_t> shape;
    for (scf::ForOp loop : varying)
      shape.push_back(loop.getStaticTripCount()->getSExtValue());
    shape.append({nest.getNumResults(), type.getDimSize(0)});
    return MemRefType::get(shape, type.getElementType());
  }

  int64_t countBytes() { return sched::countBytes(getType()); }

  /// Finds what leads to the nest within `repeater`: pure ops and the indices
  /// of loops of known extent.
  bool findWays() {
    slice.clear();
    varying.clear();
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    options.filter = [&](Operation *op) {
      return repeater->isProperAncestor(op);
    };
    SetVector<Value> used(nest->operand_begin(), nest->operand_end());
    getUsedValuesDefinedAbove(nest.getRegion(), used);
    for (Value value : used)
      if (Operation *op = value.getDefiningOp();
          op && repeater->isProperAncestor(op) &&
          failed(getBackwardSlice(op, &slice, options)))
        return false;
    for (Operation *op : slice) {
      if (!isPure(op) || op->getNumRegions() != 0)
        return false;
      used.insert(op->operand_begin(), op->operand_end());
    }
    return llvm::all_of(used, [&](Value value) { return isIndex(value); }) &&
           sortLoops();
  }

  /// Whether `value` is none of the arguments within `repeater` but indices;
  /// their loops are noted.
  bool isIndex(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    if (!owner || !repeater->isAncestor(owner))
      return true;
    auto loop = dyn_cast<scf::ForOp>(owner);
    if (!loop || loop.getInductionVar() != value)
      return false;
    if (!llvm::is_contained(varying, loop))
      varying.push_back(loop);
    return true;
  }

  /// The outermost first; whether all have a known extent and known bounds.
  bool sortLoops() {
    llvm::sort(varying, [](scf::ForOp a, scf::ForOp b) {
      return a->isProperAncestor(b);
    });
    return llvm::all_of(varying, [&](scf::ForOp loop) {
      return loop.getStaticTripCount() &&
             loop.getInductionVar().getType().isIndex() &&
             llvm::all_of(loop->getOperands().take_front(3), [&](Value bound) {
               return repeater.isDefinedOutsideOfLoop(bound);
             });
    });
  }

  static Value getIteration(scf::ForOp loop, ImplicitLocOpBuilder &b) {
    Value passed =
        arith::SubIOp::create(b, loop.getInductionVar(), loop.getLowerBound());
    return arith::DivUIOp::create(b, passed, loop.getStep());
  }

  static SmallVector<Value> getPlace(ArrayRef<Value> indices, int64_t result,
                                     ImplicitLocOpBuilder &b) {
    SmallVector<Value> place(indices);
    place.push_back(arith::ConstantIndexOp::create(b, result));
    place.push_back(arith::ConstantIndexOp::create(b, 0));
    return place;
  }

  scf::ForOp nest, repeater;
  Value root;
  SetVector<Operation *> slice;
  SmallVector<scf::ForOp> varying;
};
} // namespace

static bool isNonEmpty(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && buffer.hasStaticShape() && buffer.getNumElements() > 0;
}

SmallVector<Value> sched::sumBefore(ArrayRef<scf::ForOp> loops,
                                    vector::TransferReadOp read,
                                    ValueRange zeros, ImplicitLocOpBuilder &b,
                                    SumStep step) {
  Value root = getRoot(read.getBase());
  Copier copier(loops, read, b, step);
  if (loops.empty() || !loops.front()->isProperAncestor(read) ||
      // Loops of no trips may be left before it is read all the same: it must
      // not be one that then is empty.
      !isNonEmpty(root.getType()) || mayWriteWithin(loops.front(), root) ||
      !copier.prepare())
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loops.front());
  SmallVector<Value> sums = copier.copy(0, zeros);
  auto nest = sums.front().getDefiningOp<scf::ForOp>();
  hoist(nest, root);
  // Columns that an inner loop goes over, for rows of an outer one.
  Table table(nest, root);
  if (!table.prepare())
    return sums;
  sums = table.make(b);
  nest.erase();
  return sums;
}
