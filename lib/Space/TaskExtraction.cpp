//===- TaskExtraction.cpp - From a user's module to tasks -----------------===//
//
// The order of things: check the module, give anchors fills of their own, group
// ops, outline each group, merge equal workloads.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/TaskExtraction.h"
#include "DecomposeArgmax.h"
#include "FlattenBranches.h"
#include "FreshOutputs.h"
#include "KeptDimensions.h"
#include "LayoutFree.h"
#include "OrderLoops.h"
#include "ReshapedPads.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "SplitResults.h"
#include "TaskBlocks.h"
#include "TaskGrouping.h"
#include "TaskInputCheck.h"
#include "TaskOutlining.h"
#include "TaskPads.h"
#include "TaskRemarks.h"
#include "UnitIndices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Iterations of the parallel loops around `op`, where they are known.
static int64_t countIterations(Operation *op) {
  int64_t iterations = 1;
  while (auto loop = op->getParentOfType<scf::ForallOp>()) {
    for (auto [lower, upper, step] :
         llvm::zip_equal(loop.getStaticLowerBound(), loop.getStaticUpperBound(),
                         loop.getStaticStep()))
      if (!llvm::is_contained({lower, upper, step}, ShapedType::kDynamic))
        iterations *= llvm::divideCeil(upper - lower, step);
    op = loop;
  }
  return iterations;
}

/// How often an occurrence in `function` runs, as far as calls show.
static int64_t countCalls(func::FuncOp function, ModuleOp module) {
  if (!isOutlinedTask(function))
    return 1;
  int64_t calls = 0;
  if (auto uses = SymbolTable::getSymbolUses(function, module))
    for (const SymbolTable::SymbolUse &use : *uses)
      calls +=
          countIterations(use.getUser()) *
          countCalls(use.getUser()->getParentOfType<func::FuncOp>(), module);
  return std::max<int64_t>(calls, 1);
}

static Task makeTask(TaskGroup &group, func::FuncOp function, ModuleOp module,
                     unsigned index, ArrayRef<linalg::LinalgOp> ops,
                     const llvm::DenseSet<Value> &layoutFree) {
  Task task;
  task.function = function.getName().str();
  task.index = index;
  for (auto [position, op] : llvm::enumerate(ops))
    if (llvm::is_contained(group.ops, op))
      task.opIndices.push_back(position);
  const std::string name = isWholeFunction(group, function)
                               ? task.function
                               : task.function + "_" + std::to_string(index);
  task.module = outlineTask(group, name, layoutFree);
  for (auto [op, role] : llvm::zip_equal(group.ops, group.roles)) {
    task.roles.push_back(role);
    task.extents.emplace_back(op.getStaticLoopRanges());
  }
  task.shape = group.shape;
  task.staged = group.staged;
  task.blocks = makeTaskBlocks(task);

  func::FuncOp outlined = task.getFunction();
  for (unsigned i = 0, e = outlined.getNumArguments(); i != e; ++i)
    task.layoutFree.push_back(
        bool(outlined.getArgAttr(i, mlir::schedule::kLayoutFreeAttrName)));
  // Where the task was outlined before, its pads are in the caller.
  const TaskPads pads = isOutlinedTask(function)
                            ? collectCallPads(function, module)
                            : collectGroupPads(group);
  task.padded = makePaddedModule(outlined, pads, name + "_padded");
  task.flops = countFlops(outlined);
  task.bytes = countTrafficBytes(outlined, pads);
  task.hash = hashWithPads(outlined, pads);
  task.text = describeWorkload(task);
  markBorders(outlined, pads);
  return task;
}

llvm::Expected<std::vector<Task>>
sched::extractTasks(ModuleOp module, const ExtractionOptions &options) {
  llvm::Expected<SmallVector<func::FuncOp>> functions =
      checkTaskInput(module, options.remarks);
  if (!functions)
    return functions.takeError();

  std::vector<Task> tasks;
  llvm::StringMap<size_t> known;
  for (func::FuncOp function : *functions) {
    eraseUnread(function);
    decomposeSoftmax(function);
    orderElementwiseLoops(function);
    flattenBranches(function);
    splitResults(function);
    freshenOutputs(function);
    dropKeptDimensions(function);
    decomposeArgmax(function);
    orderLoops(function);
    padReshapedImages(function);
    dropUnitIndices(function);
    splitSharedInits(function);
    eraseUnread(function);
    SmallVector<linalg::LinalgOp> ops = collectLinalgOps(function);
    std::vector<TaskGroup> groups = groupTasks(ops);
    if (options.remarks)
      remarkOnRest(function, ops, groups);
    llvm::DenseSet<Value> layoutFree =
        collectLayoutFree(function, module, options.remarks);
    const int64_t calls = countCalls(function, module);
    for (auto [index, group] : llvm::enumerate(groups)) {
      Task task = makeTask(group, function, module, index, ops, layoutFree);
      task.weight = 0;
      task.inParallel = function->hasAttr(kInParallelAttrName);
      TaskOccurrence occurrence{task.function, task.index, task.opIndices};
      auto [entry, isNew] = known.try_emplace(
          task.hash + (task.inParallel ? " in parallel" : ""), tasks.size());
      if (isNew)
        tasks.push_back(std::move(task));
      Task &kept = tasks[entry->second];
      kept.occurrences.push_back(std::move(occurrence));
      kept.weight += calls;
    }
  }
  return tasks;
}
