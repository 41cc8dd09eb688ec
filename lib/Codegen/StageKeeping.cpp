//===- StageKeeping.cpp - Which results stay in registers -----------------===//
//
// A stage finds in its registers what the same thread has computed in an
// earlier one, if both go through the same elements and write the loops over
// them out. That is so for reductions wherever it can be, and for what is
// inlined as far as there are few elements; `keep` of an op asks for it
// ("registers"), or for its opposite: what is read from shared memory
// ("shared") or computed again by each reader ("recompute") takes no registers
// in between.
//
//===----------------------------------------------------------------------===//

#include "BlockGroups.h"
#include "SimtOptions.h"
#include "StageLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;
using Keep = SimtOptions::Keep;

/// Registers that a thread has at most, of which no element takes less than
/// one.
static constexpr int64_t kRegisters = 255;

LoopNode sched::getLoopNode(Operation *stage, int64_t number) {
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(stage))
    return {insert.getSource().getAsOpaquePointer(), number};
  return {stage, number};
}

namespace {
class Keeper {
public:
  Keeper(scf::ForallOp loop, StagePlan &plan,
         llvm::function_ref<LoopNode(LoopNode)> getLeader)
      : loop(loop), plan(plan), getLeader(getLeader) {}

  LogicalResult run();

private:
  /// Who reads a result, or what is inlined of it.
  struct Readers {
    llvm::SetVector<Operation *> stages;
    /// There are others, which know nothing of registers.
    bool hasOthers = false;
  };
  using Loops = SmallVector<unsigned>;

  LogicalResult checkWord(linalg::LinalgOp op);
  Readers findReaders(Operation *op);
  /// The loop of `reader`, a stage, that goes through each dimension of
  /// `value`; none where that is in doubt.
  std::optional<Loops> findLoops(Value value, Operation *reader);
  LogicalResult keepReduction(linalg::LinalgOp op);
  LogicalResult keepInlined(linalg::LinalgOp op);
  const LoopLayout &getLoop(Operation *stage, unsigned number) {
    return plan.layouts.find(stage)->second.loops[number];
  }

  scf::ForallOp loop;
  StagePlan &plan;
  llvm::function_ref<LoopNode(LoopNode)> getLeader;
};
} // namespace

LogicalResult Keeper::checkWord(linalg::LinalgOp op) {
  const Keep keep = SimtOptions::getKeep(op);
  const bool isReduction = op.getNumReductionLoops() != 0;
  const bool isStored = llvm::all_of(
      op->getUsers(), llvm::IsaPred<tensor::ParallelInsertSliceOp>);
  if ((keep == Keep::Memory && !isStored) ||
      (keep == Keep::Recompute && isReduction))
    return op->emitError("sched.simt: keep is ")
           << op->getAttrOfType<DictionaryAttr>(SimtOptions::name).get("keep")
           << ", but ops of its block read this "
           << (isReduction ? "reduction" : "result")
           << (isReduction ? "; expected \"registers\" or \"shared\""
                           : "; expected \"registers\", \"shared\" or "
                             "\"recompute\"");
  return success();
}

Keeper::Readers Keeper::findReaders(Operation *op) {
  Readers readers;
  SmallVector<Operation *> open = {op};
  llvm::SmallPtrSet<Operation *, 4> seen;
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers()) {
      if (plan.layouts.count(user)) {
        readers.stages.insert(user);
        continue;
      }
      // What is inlined, its readers read.
      auto inlined = dyn_cast<linalg::LinalgOp>(user);
      if (!inlined || getBlockWork(inlined) != BlockWork::Map ||
          user->getBlock() != loop.getBody())
        readers.hasOthers = true;
      else if (seen.insert(user).second)
        open.push_back(user);
    }
  return readers;
}

std::optional<Keeper::Loops> Keeper::findLoops(Value value, Operation *reader) {
  const unsigned count = plan.layouts.find(reader)->second.loops.size();
  SmallVector<LoopNode> leaders;
  Loops loops;
  const int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim != rank; ++dim) {
    const LoopNode leader = getLeader({value.getAsOpaquePointer(), dim});
    if (llvm::is_contained(leaders, leader))
      return std::nullopt;
    leaders.push_back(leader);
    // By one loop, so that there is no doubt which.
    std::optional<unsigned> found;
    for (unsigned number = 0; number != count; ++number)
      if (getLeader(getLoopNode(reader, number)) == leader) {
        if (found)
          return std::nullopt;
        found = number;
      }
    if (!found)
      return std::nullopt;
    loops.push_back(*found);
  }
  return loops;
}

LogicalResult Keeper::keepReduction(linalg::LinalgOp op) {
  const Keep keep = SimtOptions::getKeep(op);
  if (keep == Keep::Shared)
    return success();
  auto refuse = [&](const Twine &why) -> LogicalResult {
    if (keep != Keep::Registers)
      return success();
    return op->emitError("sched.simt: keep is \"registers\", but ")
           << why << "; expected \"shared\"";
  };
  SmallVector<std::pair<Operation *, unsigned>> through;
  // Results of a loop over elements are in the loop.
  int64_t elements = 1;
  for (auto [number, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel) {
      const LoopLayout &own = getLoop(op, number);
      elements *= own.countSteps() * own.vector;
      through.push_back({op, number});
    }
  const int64_t most = getUnrollLimit(plan.blockSize) / 2;
  if (elements > most)
    return refuse("a thread has " + Twine(elements) + " results, and keeps " +
                  Twine(most) + " at most");
  const Readers readers = findReaders(op);
  if (readers.hasOthers)
    return refuse("an op of the block that is no stage reads it");
  for (OpResult result : op->getResults()) {
    const AffineMap map = op.getIndexingMapMatchingResult(result);
    for (Operation *reader : readers.stages) {
      const std::optional<Loops> loops = findLoops(result, reader);
      const bool isAlike =
          loops &&
          llvm::all_of(llvm::enumerate(map.getResults()), [&](auto entry) {
            auto own = dyn_cast<AffineDimExpr>(entry.value());
            return own && getLoop(op, own.getPosition()) ==
                              getLoop(reader, (*loops)[entry.index()]);
          });
      if (!isAlike)
        return refuse("other threads read it than compute it");
      for (unsigned number : *loops)
        through.push_back({reader, number});
    }
  }
  for (auto [stage, number] : through)
    plan.writtenOut[stage].set(number);
  plan.inRegisters.insert(op);
  return success();
}

LogicalResult Keeper::keepInlined(linalg::LinalgOp op) {
  const Keep keep = SimtOptions::getKeep(op);
  if (keep != Keep::Registers && keep != Keep::Recompute)
    return success();
  const Readers readers = findReaders(op);
  // One reader has its elements when it has computed them.
  if (readers.stages.size() < 2)
    return success();
  if (keep == Keep::Recompute) {
    plan.inLoops.insert(readers.stages.begin(), readers.stages.end());
    return success();
  }
  const ArrayRef<Operation *> stages = readers.stages.getArrayRef();
  for (OpResult result : op->getResults())
    for (size_t i = 0; i != stages.size(); ++i)
      for (Operation *second : stages.drop_front(i + 1)) {
        Operation *first = stages[i];
        const std::optional<Loops> loops = findLoops(result, first),
                                   others = findLoops(result, second);
        if (!loops || !others ||
            !llvm::all_of(llvm::zip_equal(*loops, *others), [&](auto pair) {
              return getLoop(first, std::get<0>(pair)) ==
                     getLoop(second, std::get<1>(pair));
            }))
          continue;
        int64_t elements = 1;
        for (auto [number, other] : llvm::zip_equal(*loops, *others)) {
          const LoopLayout &own = getLoop(first, number);
          elements *= own.countSteps() * own.vector;
          plan.writtenOut[first].set(number);
          plan.writtenOut[second].set(other);
        }
        if (elements > kRegisters)
          return op->emitError(
                     "sched.simt: keep is \"registers\", but a thread "
                     "has ")
                 << elements << " elements of it and " << kRegisters
                 << " registers at most; expected \"shared\" or \"recompute\", "
                    "or more threads";
      }
  return success();
}

LogicalResult Keeper::run() {
  for (auto op : loop.getBody()->getOps<linalg::LinalgOp>()) {
    if (!plan.layouts.count(op) && getBlockWork(op) != BlockWork::Map)
      continue;
    if (failed(checkWord(op)) ||
        failed(plan.layouts.count(op) == 0 ? keepInlined(op)
               : op.getNumReductionLoops() ? keepReduction(op)
                                           : success()))
      return failure();
  }
  return success();
}

LogicalResult
sched::keepResults(scf::ForallOp loop, StagePlan &plan,
                   llvm::function_ref<LoopNode(LoopNode)> getLeader) {
  return Keeper(loop, plan, getLeader).run();
}
