//===- PartialSums.cpp - Large sums in two tasks --------------------------===//
//
// On a GPU a row is one block's. A reduction of many elements to few is taken
// in two steps instead, as it is where nothing is scheduled: sums of parts, a
// block or several each, and the sum of these. They are two tasks, each with
// its own schedule; what reads all elements again is a third one, as it has
// work for all blocks.
//
// Where what follows goes through the same rows again, as in a softmax, all of
// it is one kernel otherwise: several more kernels pay for long rows only.
//
//===----------------------------------------------------------------------===//

#include "PartialSums.h"
#include "SchedOpt/Codegen/SplitSums.h"
#include "TaskGrouping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Elements of a row for which a multiprocessor takes longer than all the
/// kernels take to start that its stages become (docs/Rationale.md).
static constexpr int64_t kLongRow = 1 << 19;
/// What is computed of the sums has few elements for each of them.
static constexpr int64_t kFewElements = 32;

/// Whether something that is computed of `op`'s result goes through many
/// elements again.
static bool isSpreadAgain(linalg::LinalgOp op, int64_t most) {
  llvm::SetVector<Operation *> computed;
  computed.insert(op);
  for (unsigned i = 0; i != computed.size(); ++i)
    for (Operation *user : computed[i]->getUsers()) {
      auto reader = dyn_cast<linalg::LinalgOp>(user);
      if (!reader || !computed.insert(reader))
        continue;
      int64_t iterations = 1;
      for (int64_t extent : reader.getStaticLoopRanges())
        iterations *= extent;
      if (iterations > most)
        return true;
    }
  return false;
}

bool sched::makePartialSums(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  IRRewriter rewriter(function.getContext());
  const SmallVector<SplitSum> sums =
      splitLargeSums(rewriter, function.getBody().front(),
                     [](linalg::LinalgOp op, SumShape shape) {
                       return shape.steps >= kLongRow ||
                              !isSpreadAgain(op, kFewElements * shape.points);
                     });
  for (const SplitSum &sum : sums) {
    linalg::LinalgOp rest = sum.rest, parts = sum.parts, whole = sum.whole;
    if (rest)
      rest->setAttr(kAloneAttrName, rewriter.getUnitAttr());
    parts->setAttr(kAloneAttrName, rewriter.getUnitAttr());
    auto result = cast<RankedTensorType>(whole->getResult(0).getType());
    if (isSpreadAgain(whole, kFewElements * result.getNumElements()))
      whole->setAttr(kAloneAttrName, rewriter.getUnitAttr());
  }
  return !sums.empty();
}
