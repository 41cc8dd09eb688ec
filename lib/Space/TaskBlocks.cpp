//===- TaskBlocks.cpp - A task as its schedule finds it -------------------===//

#include "TaskBlocks.h"
#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "TaskGrouping.h"
#include "TaskOutlining.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Whether `op` only moves or converts elements: it can be done on the way to
/// the multiplication.
static bool isMove(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(),
      [](Operation &inner) { return isa<CastOpInterface>(inner); });
}

/// The loops whose slices of `operand`, which stands behind `reshapes`, are
/// slices of what is before them: none where there is a slice for no loop.
static SmallVector<unsigned> getSlicedLoops(TaskGroup &group,
                                            OpOperand &operand,
                                            ArrayRef<Operation *> reshapes) {
  const AffineMap map = group.anchor.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> loops;
  auto collapse = reshapes.size() == 1
                      ? dyn_cast<tensor::CollapseShapeOp>(reshapes.front())
                      : tensor::CollapseShapeOp();
  if (!map.isProjectedPermutation() || (!reshapes.empty() && !collapse))
    return loops;
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i)
    // Upstream finds the slice of a single dimension only, the place of a loop
    // being unknown.
    if (!collapse || collapse.getReassociationIndices()[i].size() == 1)
      loops.push_back(map.getDimPosition(i));
  return loops;
}

/// Whether `op`'s innermost loop is one of several in an index, and not as it
/// is.
static bool hasStrides(linalg::LinalgOp op) {
  AffineExpr innermost =
      getAffineDimExpr(op.getNumLoops() - 1, op.getContext());
  return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      if (!index.isFunctionOfDim(op.getNumLoops() - 1) || index == innermost)
        return false;
      auto sum = dyn_cast<AffineBinaryOpExpr>(index);
      return !sum || sum.getKind() != AffineExprKind::Add ||
             (sum.getLHS() != innermost && sum.getRHS() != innermost);
    });
  });
}

/// What the anchor reads of `op`; nothing if it does not read it.
static std::optional<ProducerBlock> describeProducer(TaskGroup &group,
                                                     linalg::LinalgOp op) {
  std::optional<ProducerBlock> found;
  for (OpOperand *operand : group.anchor.getDpsInputOperands()) {
    SmallVector<Operation *> reshapes;
    if (lookThroughReshapes(operand->get(), &reshapes) != op.getOperation())
      continue;
    if (found) {
      found->hasSlices = false;
      break;
    }
    ProducerBlock &producer = found.emplace();
    producer.operand = operand->getOperandNumber();
    producer.isReshaped = !reshapes.empty();
    producer.isWindow = isWindow(op);
    producer.hasStrides = hasStrides(op);
    const SmallVector<unsigned> loops =
        getSlicedLoops(group, *operand, reshapes);
    const ContractionShape &shape = *group.shape;
    producer.hasSlices = !loops.empty();
    for (auto [position, loop] : llvm::enumerate(shape.loops)) {
      // The right-hand side's own loop, and m of what is reshaped.
      const bool isFree = position == 1 || (position == 0 && !reshapes.empty());
      producer.hasSlices &= isFree || llvm::is_contained(loops, loop);
    }
  }
  return found;
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
  for (auto [op, role] : llvm::zip_equal(group.ops, group.roles))
    if (role == BlockRole::Producer)
      if (auto producer = describeProducer(group, op))
        blocks.producers.push_back(*producer);
  return blocks;
}

/// The blocks after fusion; with `contraction`, also into the contraction.
/// `apart` keeps its operands.
static std::optional<TaskBlocks>
fuse(const Task &task, ArrayRef<linalg::LinalgOp> ops, bool contraction,
     std::optional<mlir::schedule::OpPosition> apart = std::nullopt) {
  llvm::SetVector<StringRef> names;
  for (auto [op, role] : llvm::zip_equal(ops, task.roles))
    if (!isa<linalg::GenericOp, linalg::FillOp>(op) &&
        (role != BlockRole::Anchor || contraction))
      names.insert(op->getName().getStringRef());
  OwningOpRef<ModuleOp> copy(const_cast<Task &>(task).module->clone());
  func::FuncOp function = *copy->getOps<func::FuncOp>().begin();
  if (failed(mlir::schedule::fuseElementwise(function, names.getArrayRef(),
                                             apart)))
    return std::nullopt;
  std::optional<TaskBlocks> blocks = describe(function);
  // A contraction of a broadcast is one no longer.
  if (!blocks || blocks->staged.has_value() != task.staged.has_value())
    return std::nullopt;
  blocks->isFused = true;
  blocks->apart = apart;
  for (StringRef name : names)
    blocks->generalize.push_back(name.str());
  return blocks;
}

/// `anchor` among `ops`, of which all others but fills become generic.
static mlir::schedule::OpPosition getPosition(ArrayRef<linalg::LinalgOp> ops,
                                              linalg::LinalgOp anchor) {
  mlir::schedule::OpPosition position{anchor->getName().getStringRef().str()};
  if (!isa<linalg::GenericOp>(anchor))
    return position;
  position.count = 0;
  for (linalg::LinalgOp op : ops) {
    if (op == anchor)
      position.number = position.count;
    position.count += !isa<linalg::FillOp>(op);
  }
  return position;
}

/// Loops of `anchor` that a script slices it by so that nothing is fused into
/// it: those of rows and columns, and one for each other operand that an op of
/// the task makes. None if no parallel loop slices such an operand.
static std::optional<SmallVector<int64_t, 4>>
getApartLoops(linalg::LinalgOp anchor, const ContractionShape &shape,
              ArrayRef<linalg::LinalgOp> ops) {
  SmallVector<int64_t, 4> loops = {shape.loops[0], shape.loops[1]};
  const auto iterators = anchor.getIteratorTypesArray();
  for (OpOperand *operand : anchor.getDpsInputOperands()) {
    auto producer = dyn_cast_if_present<linalg::LinalgOp>(
        lookThroughReshapes(operand->get(), /*reshapes=*/nullptr));
    const AffineMap map = anchor.getMatchingIndexingMap(operand);
    auto slices = [&](int64_t loop) { return map.isFunctionOfDim(loop); };
    if (!producer || !llvm::is_contained(ops, producer) ||
        llvm::any_of(loops, slices))
      continue;
    int64_t loop = 0;
    while (loop != anchor.getNumLoops() &&
           (iterators[loop] != utils::IteratorType::parallel || !slices(loop)))
      ++loop;
    if (loop == anchor.getNumLoops())
      return std::nullopt;
    loops.push_back(loop);
  }
  return loops;
}

/// The blocks after fusion of all but `anchor`, which keeps its operands.
static std::optional<TaskBlocks> fuseApart(const Task &task,
                                           ArrayRef<linalg::LinalgOp> ops,
                                           linalg::LinalgOp anchor) {
  auto loops = getApartLoops(anchor, *task.shape, ops);
  if (!loops)
    return std::nullopt;
  auto blocks =
      fuse(task, ops, /*contraction=*/false, getPosition(ops, anchor));
  if (blocks)
    blocks->apartLoops = *std::move(loops);
  return blocks;
}

TaskBlocks sched::makeTaskBlocks(const Task &task) {
  TaskBlocks unfused;
  if (auto described = describe(task.getFunction()))
    unfused = *std::move(described);
  if (task.staged) {
    // A copy as a generic op would be folded away.
    const SmallVector<linalg::LinalgOp> stages =
        collectLinalgOps(task.getFunction());
    if (stages.size() == 1 && isa<linalg::CopyOp>(stages.front()) &&
        findPassed(stages.front()))
      return unfused;
    // Generic ops throughout: named ones keep their unit dimensions, and have
    // no partial results. What fusion makes something else of has no sketch.
    auto blocks = fuse(task, stages, /*contraction=*/true);
    return blocks ? *std::move(blocks) : TaskBlocks();
  }
  unsigned epilogues = 0, producers = 0, others = 0;
  bool allMove = true, isGeneric = false;
  std::optional<unsigned> anchor;
  SmallVector<linalg::LinalgOp> ops = collectLinalgOps(task.getFunction());
  for (auto [position, op] : llvm::enumerate(ops)) {
    const BlockRole role = task.roles[position];
    epilogues += role == BlockRole::Epilogue;
    others += role == BlockRole::Other;
    if (role == BlockRole::Anchor) {
      isGeneric = isa<linalg::GenericOp>(op);
      anchor = position;
    }
    if (role != BlockRole::Producer)
      continue;
    ++producers;
    allMove &= isMove(op);
  }
  if (epilogues <= 1 && producers == 0 && others == 0 && unfused.hasPlainInit) {
    // What only passes its operand on, as a transpose to the same order, is
    // folded away before its turn comes: the blocks are those without it.
    auto blocks = fuse(task, ops, /*contraction=*/false);
    return blocks && blocks->roles.size() < unfused.roles.size()
               ? *std::move(blocks)
               : unfused;
  }
  // Producers of producers.
  const bool isChain = producers != unfused.producers.size();
  if (llvm::any_of(unfused.producers,
                   [](const ProducerBlock &p) { return p.isReshaped; })) {
    // Fusion would pull the reshape through the contraction, whose m would then
    // be several loops.
    if (epilogues <= 1 && !isChain && others == 0 && unfused.hasPlainInit)
      return unfused;
    auto blocks = fuseApart(task, ops, ops[*anchor]);
    return blocks ? *std::move(blocks) : unfused;
  }
  if (producers > 0 && allMove)
    if (auto blocks = fuse(task, ops, /*contraction=*/true))
      return *std::move(blocks);
  // A generic contraction would take in what is computed, and compute it again
  // for every element of the result. It is kept apart where some op would
  // vanish, and where a chain is to become one producer.
  const bool isApart = producers > 0 && isGeneric;
  if (!isApart || isChain || llvm::any_of(ops, findPassed))
    if (auto blocks = isApart ? fuseApart(task, ops, ops[*anchor])
                              : fuse(task, ops, /*contraction=*/false))
      return *std::move(blocks);
  return unfused;
}
