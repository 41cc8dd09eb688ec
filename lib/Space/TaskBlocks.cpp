//===- TaskBlocks.cpp - A task as its schedule finds it -------------------===//

#include "TaskBlocks.h"
#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "TaskGrouping.h"
#include "TaskOutlining.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace sched;

/// Whether `op` only moves or converts elements: it can be done on the way to
/// the multiplication.
static bool isMove(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(),
      [](Operation &inner) { return isa<CastOpInterface>(inner); });
}

/// What `function` holds, if it is one task.
static std::optional<TaskBlocks> describe(func::FuncOp function) {
  std::vector<TaskGroup> groups = groupTasks(collectLinalgOps(function));
  if (groups.size() != 1 || !isWholeFunction(groups.front(), function))
    return std::nullopt;
  TaskGroup &group = groups.front();
  TaskBlocks blocks;
  blocks.shape = group.shape;
  blocks.staged = group.staged;
  for (auto [op, role] : llvm::zip_equal(group.ops, group.roles)) {
    blocks.roles.push_back(role);
    blocks.extents.emplace_back(op.getStaticLoopRanges());
    if (role == BlockRole::Init)
      blocks.hasPlainInit = isa<linalg::FillOp, linalg::GenericOp>(op);
  }
  llvm::SmallPtrSet<Operation *, 2> producers;
  for (Value input : group.anchor.getDpsInputs())
    if (auto producer = input.getDefiningOp<linalg::LinalgOp>())
      producers.insert(producer);
  blocks.directProducers = producers.size();
  return blocks;
}

/// The blocks after fusion; with `contraction`, also into the contraction.
static std::optional<TaskBlocks>
fuse(const Task &task, ArrayRef<linalg::LinalgOp> ops, bool contraction) {
  llvm::SetVector<StringRef> names;
  for (auto [op, role] : llvm::zip_equal(ops, task.roles))
    if (!isa<linalg::GenericOp, linalg::FillOp>(op) &&
        (role != BlockRole::Anchor || contraction))
      names.insert(op->getName().getStringRef());
  OwningOpRef<ModuleOp> copy(const_cast<Task &>(task).module->clone());
  func::FuncOp function = *copy->getOps<func::FuncOp>().begin();
  if (failed(mlir::schedule::fuseElementwise(function, names.getArrayRef())))
    return std::nullopt;
  std::optional<TaskBlocks> blocks = describe(function);
  // A contraction of a broadcast is one no longer.
  if (!blocks || blocks->staged.has_value() != task.staged.has_value())
    return std::nullopt;
  blocks->isFused = true;
  for (StringRef name : names)
    blocks->generalize.push_back(name.str());
  return blocks;
}

TaskBlocks sched::makeTaskBlocks(const Task &task) {
  TaskBlocks unfused;
  if (auto described = describe(task.getFunction()))
    unfused = *std::move(described);
  if (task.staged) {
    // Generic ops throughout: named ones keep their unit dimensions, and have
    // no partial results. What fusion makes something else of has no sketch.
    auto blocks =
        fuse(task, collectLinalgOps(task.getFunction()), /*contraction=*/true);
    return blocks ? *std::move(blocks) : TaskBlocks();
  }
  unsigned epilogues = 0, producers = 0, others = 0;
  bool allMove = true, isGeneric = false;
  SmallVector<linalg::LinalgOp> ops = collectLinalgOps(task.getFunction());
  for (auto [op, role] : llvm::zip_equal(ops, task.roles)) {
    epilogues += role == BlockRole::Epilogue;
    others += role == BlockRole::Other;
    if (role == BlockRole::Anchor)
      isGeneric = isa<linalg::GenericOp>(op);
    if (role != BlockRole::Producer)
      continue;
    ++producers;
    allMove &= isMove(op);
  }
  if (epilogues <= 1 && producers == 0 && others == 0 && unfused.hasPlainInit)
    return unfused;
  if (producers > 0 && allMove)
    if (auto blocks = fuse(task, ops, /*contraction=*/true))
      return *std::move(blocks);
  // A generic contraction would take in what is computed, and compute it again
  // for every element of the result.
  if (producers == 0 || !isGeneric)
    if (auto blocks = fuse(task, ops, /*contraction=*/false))
      return *std::move(blocks);
  return unfused;
}
