//===- OutlineTasks.cpp - A function for each task ------------------------===//

#include "SchedOpt/Space/OutlineTasks.h"
#include "ChannelsLast.h"
#include "CheapProducers.h"
#include "ComposeTransposes.h"
#include "ComputeParts.h"
#include "ConvolutionPhases.h"
#include "DecomposeArgmax.h"
#include "ExchangeSides.h"
#include "ExpandBatches.h"
#include "FewColumnSums.h"
#include "FewColumns.h"
#include "FlattenBranches.h"
#include "FreshOutputs.h"
#include "InlineHelpers.h"
#include "JoinEpilogues.h"
#include "JoinGroups.h"
#include "JoinLines.h"
#include "JoinPatches.h"
#include "JoinReaders.h"
#include "JoinTaps.h"
#include "KeptDimensions.h"
#include "LayoutFree.h"
#include "MergeColumns.h"
#include "MergePixels.h"
#include "MergeRows.h"
#include "MoveChannels.h"
#include "NarrowOperands.h"
#include "OrderLoops.h"
#include "PartialSums.h"
#include "ReadOnce.h"
#include "ReshapedPads.h"
#include "RowBlocks.h"
#include "ScalarOperands.h"
#include "ScaleLater.h"
#include "ScaleTerms.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Space/ZeroPoints.h"
#include "SchedOpt/Support/DotProduct.h"
#include "SingleLines.h"
#include "SingleProducts.h"
#include "SplitResults.h"
#include "StackParts.h"
#include "StencilBlocks.h"
#include "StridedRows.h"
#include "TakePlanes.h"
#include "TaskGrouping.h"
#include "TaskInputCheck.h"
#include "TaskOutlining.h"
#include "TaskPads.h"
#include "UnitIndices.h"
#include "WideSums.h"
#include "WidenRows.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace sched;

/// Whether a call of one can be a call of the other. Tasks with the same
/// workload may still differ in the order of arguments or in their constants.
static bool isSameFunction(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a->hasAttr(kInParallelAttrName) == b->hasAttr(kInParallelAttrName) &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// Takes ops out that compute nothing: a script of their task would look for
/// them after they were folded away. Returns whether there were any.
static bool dropPassingOps(func::FuncOp function) {
  bool changed = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const OpOperand *operand = findPassed(op);
    if (!operand)
      continue;
    const Value passed = operand->get();
    if (!mayPassOn(op, passed))
      continue;
    op->getResult(0).replaceAllUsesWith(passed);
    op->erase();
    changed = true;
  }
  return changed;
}

namespace {
/// Outlines the tasks of one module.
class Outliner {
public:
  Outliner(ModuleOp module, const OutlineOptions &options)
      : module(module), isForCPU(options.kind == Target::Kind::CPU),
        hasTiles(isForCPU && options.tiles), widensHalf(options.widenHalf),
        widensBytes(options.widenBytes), widensUnsigned(options.widenUnsigned),
        symbols(module) {}

  /// What became of a function.
  struct Outcome {
    /// Its ops were replaced by others, not only moved.
    bool isRewritten = false;
    /// Functions that were made of a part of it and are to be taken apart in
    /// their turn.
    SmallVector<func::FuncOp> parts;
  };

  /// `isChanged`: ops were put into `function` before.
  Outcome run(func::FuncOp function, bool isChanged) {
    Outcome outcome;
    isChanged |= eraseUnread(function);
    decomposeSoftmax(function);
    isChanged |= orderElementwiseLoops(function);
    isChanged |= flattenBranches(function);
    isChanged |= takeScalarsAsTensors(function);
    isChanged |= splitResults(function);
    isChanged |= freshenOutputs(function);
    isChanged |= dropKeptDimensions(function);
    isChanged |= dropPassingOps(function);
    isChanged |= splitOffZeroPoints(function);
    if (isForCPU) {
      isChanged |= widenSums(function, widensHalf);
      isChanged |= stackParts(function);
      isChanged |= moveChannels(function);
      isChanged |= takePlanes(function);
      isChanged |= computeParts(function);
    }
    isChanged |= joinReaders(function);
    if (isForCPU)
      outcome.isRewritten |= moveChannelsLast(function);
    isChanged |= composeTransposes(function);
    isChanged |= splitIntoPhases(function);
    if (isForCPU)
      isChanged |= fuseReadOnce(function);
    isChanged |= addLines(function);
    isChanged |= reduceSingleProducts(function);
    if (isForCPU) {
      isChanged |= transposeFewColumns(function);
      if (hasTiles) {
        isChanged |= joinPatches(function);
        isChanged |= joinTaps(function);
      }
      isChanged |= exchangeSides(function);
      if (widensBytes || widensUnsigned)
        isChanged |= widenRows(function, /*onlyUnsigned=*/!widensBytes);
      isChanged |= arrangeNarrowOperands(function);
      isChanged |= gatherStridedRows(function);
      isChanged |= joinGroups(function);
      isChanged |= sumFewColumns(function);
    }
    if (hasTiles)
      isChanged |= joinLines(function);
    isChanged |= mergeColumns(function);
    if (isForCPU) {
      isChanged |= mergePixels(function);
      // What reads an operand by zero is of no task as yet.
      isChanged |= dropUnitIndices(function);
      splitSharedInits(function);
      isChanged |= expandBatches(function);
      // Before rows are merged: reshapes would end the chains.
      outcome.parts = blockRows(function, symbols);
      llvm::append_range(outcome.parts, blockStencils(function, symbols));
      isChanged |= mergeRows(function);
    }
    isChanged |= joinEpilogues(function);
    isChanged |= padReshapedImages(function);
    isChanged |= decomposeArgmax(function);
    isChanged |= orderLoops(function);
    isChanged |= dropUnitIndices(function);
    isChanged |= copyCheapProducers(function);
    if (isForCPU)
      isChanged |= scaleTermsOfColumns(function);
    else
      isChanged |= makePartialSums(function);
    splitSharedInits(function);
    // Such as fills that others took the place of.
    eraseUnread(function);
    // What is left: blocks of rows end with their product.
    isChanged |= scaleAfterProducts(function);
    outline(function, isChanged);
    outcome.isRewritten |= isChanged || !outcome.parts.empty();
    return outcome;
  }

private:
  /// A function that is one task stays as it is, unless it `isChanged`: scripts
  /// apply to what the user wrote.
  void outline(func::FuncOp function, bool isChanged) {
    const bool inParallel = function->hasAttr(kInParallelAttrName);
    std::vector<TaskGroup> groups = groupTasks(collectLinalgOps(function));
    if (!isChanged && groups.size() == 1 &&
        isWholeFunction(groups.front(), function))
      return;
    // Of the marks as they are now: calls take the arguments' uses over.
    llvm::DenseSet<Value> layoutFree =
        collectLayoutFree(function, module, /*remarks=*/false);
    const Block::iterator place = std::next(Block::iterator(function));
    for (auto [index, group] : llvm::enumerate(groups)) {
      SmallVector<Value> arguments = collectArguments(group);
      OwningOpRef<ModuleOp> task = outlineTask(
          group, (function.getName() + "_" + Twine(index)).str(), layoutFree);
      auto outlined = *task->getOps<func::FuncOp>().begin();
      const std::string hash = hashWithPads(outlined, collectGroupPads(group));
      if (inParallel)
        outlined->setAttr(kInParallelAttrName,
                          UnitAttr::get(outlined.getContext()));
      func::FuncOp callee = insert(outlined, hash, place);
      replace(group, callee, arguments);
    }
  }

  /// Moves `outlined`, of the workload `hash`, into the module, or finds its
  /// like there.
  func::FuncOp insert(func::FuncOp outlined, StringRef hash,
                      Block::iterator place) {
    auto &known = functions[hash];
    for (func::FuncOp function : known)
      if (isSameFunction(function, outlined))
        return function;
    outlined->remove();
    outlined.setPrivate();
    outlined->setAttr(kOutlinedAttrName, UnitAttr::get(outlined.getContext()));
    // Renames where the user has a function of that name.
    symbols.insert(outlined, place);
    known.push_back(outlined);
    return outlined;
  }

  static void replace(const TaskGroup &group, func::FuncOp callee,
                      ValueRange arguments) {
    // All other ops of the group come before the one that computes its result.
    Operation *last = Value(group.result).getDefiningOp();
    OpBuilder builder(last);
    auto call = func::CallOp::create(builder, group.anchor->getLoc(), callee,
                                     arguments);
    Value(group.result).replaceAllUsesWith(call.getResult(0));
    SmallVector<Operation *> ops = collectOps(group);
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  ModuleOp module;
  bool isForCPU, hasTiles, widensHalf, widensBytes, widensUnsigned;
  SymbolTable symbols;
  /// What was outlined, by workload.
  llvm::StringMap<SmallVector<func::FuncOp>> functions;
};
} // namespace

OutlineOptions OutlineOptions::of(const Target &target) {
  const DotProducts dots = findDotProducts(target);
  auto widens = [&](NarrowType type) { return dots.widensRows(type, type); };
  return {target.kind, dots.hasTiles(), addsHalfInFloat(target),
          widens(NarrowType::SignedByte), widens(NarrowType::UnsignedByte)};
}

SmallVector<llvm::StringRef, 3> OutlineOptions::getNames() const {
  SmallVector<llvm::StringRef, 3> names;
  if (kind == Target::Kind::NVVM)
    names.push_back("gpu");
  if (tiles)
    names.push_back("tiles");
  if (widenHalf)
    names.push_back("widen-half");
  if (widenBytes)
    names.push_back("widen-bytes");
  else if (widenUnsigned)
    names.push_back("widen-unsigned");
  return names;
}

llvm::Error sched::outlineTasks(ModuleOp module, llvm::StringSet<> *rewritten,
                                const OutlineOptions &options) {
  llvm::Expected<SmallVector<func::FuncOp>> functions =
      checkTaskInput(module, /*remarks=*/false);
  if (!functions)
    return functions.takeError();
  const llvm::SmallPtrSet<Operation *, 8> hadCalls =
      inlineHelpers(module, *functions);
  Outliner outliner(module, options);
  SmallVector<func::FuncOp> rest(llvm::reverse(*functions));
  while (!rest.empty()) {
    func::FuncOp function = rest.pop_back_val();
    Outliner::Outcome outcome =
        outliner.run(function, hadCalls.contains(function));
    if (outcome.isRewritten && rewritten)
      rewritten->insert(function.getName());
    rest.append(outcome.parts);
    // Constants and empty tensors that went into the tasks.
    eraseUnread(function);
  }
  return llvm::Error::success();
}
