//===- CarriedSums.cpp - Loops that carry a contraction's sums ------------===//

#include "CarriedSums.h"
#include "Buffers.h"
#include "NarrowContraction.h"
#include "SumsTable.h"
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

/// A loop that repeats `nest`, which reads `root`, and a table of what the nest
/// computes in there.
static std::optional<std::pair<scf::ForOp, SumsTable>>
findTable(scf::ForOp nest, Value root) {
  SmallVector<scf::ForOp> around;
  for (auto loop = dyn_cast<scf::ForOp>(nest->getParentOp());
       loop && !mayWriteWithin(loop, root);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    around.push_back(loop);
  // The outermost that repeats the nest.
  for (scf::ForOp loop : llvm::reverse(around))
    if (auto table = SumsTable::find(nest, loop);
        table && table->isRepeatedBy(loop)) {
      if (countBytes(table->getType()) > kMostTableBytes)
        break;
      return std::pair(loop, std::move(*table));
    }
  return std::nullopt;
}

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
  nest->setAttr(kSumsAttrName, b.getUnitAttr());
  return sums;
}

void sched::tabulateSums(scf::ForOp nest) {
  vector::TransferReadOp read;
  nest.walk([&](vector::TransferReadOp op) { read = op; });
  if (!read)
    return;
  auto found = findTable(nest, getRoot(read.getBase()));
  if (!found)
    return;
  auto &[repeater, table] = *found;
  ImplicitLocOpBuilder b(nest.getLoc(), repeater);
  Value memory = memref::AllocOp::create(b, table.getType());
  table.fill(memory, {}, b);
  b.setInsertionPointAfter(repeater);
  memref::DeallocOp::create(b, memory);
  nest->replaceAllUsesWith(table.read(memory, b));
  nest.erase();
}
