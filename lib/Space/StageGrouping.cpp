//===- StageGrouping.cpp - Tasks without a contraction --------------------===//
//
// A staged task grows from its root, the last op, towards what it reads: an op
// joins when all its users are in the task and all access it in a way that lets
// the stages be computed tile by tile:
//
//   elementwise   permutations: a tile of one is a tile of the other;
//   rows          the outermost dimensions are the same everywhere, and what is
//                 inside of them is reduced or mapped: softmax, norms, sums; of
//                 a reduction alone, any dimensions but the innermost;
//   columns       a reduction along outer dimensions, with what it alone reads.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

bool sched::hasVectorElements(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    return !type ||
           ((isLaneType(type.getElementType()) ||
             (type.getElementType().isInteger(1) && op.isAllParallelLoops())) &&
            type.getNumElements() > 0);
  });
}

/// Whether what `op` reads and writes says how long its loops are: upstream
/// forgets an input that is not read, and the loops along it.
static bool readsAlongAllLoops(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand) || op.payloadUsesValueFromOperand(&operand))
      maps.push_back(op.getMatchingIndexingMap(&operand));
  return bool(inversePermutation(concatAffineMaps(maps, op.getContext())));
}

bool sched::isReductionInSomeOrder(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 || !readsAlongAllLoops(op) ||
      op.hasDynamicShape() || op.hasIndexSemantics() || !isMovable(op) ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return false;
  SmallVector<Operation *, 4> combiners;
  return matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
         combiners.size() == 1 &&
         arith::getNeutralElement(combiners.front()).has_value();
}

/// The same, of a form that stages are made of.
static bool isReduction(linalg::LinalgOp op) {
  if (!isReductionInSomeOrder(op) || !op.hasOnlyProjectedPermutations())
    return false;
  // The result has the parallel loops in their order.
  SmallVector<unsigned> parallel;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel)
      parallel.push_back(loop);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return map.getNumResults() == parallel.size() &&
         llvm::all_of(llvm::enumerate(parallel), [&](auto entry) {
           return map.getDimPosition(entry.index()) == entry.value();
         });
}

/// Whether the innermost dimension of `map` is the last loop.
static bool runsAlongLastLoop(AffineMap map) {
  return map.getNumResults() > 0 &&
         map.getDimPosition(map.getNumResults() - 1) + 1 == map.getNumDims();
}

/// What the rules want to know of `op`.
static StagedShape::Stage describe(linalg::LinalgOp op) {
  StagedShape::Stage stage;
  AffineMap widest = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() > widest.getNumResults())
      widest = map;
  }
  if (widest.getNumResults() > 0)
    stage.vectorLoop = widest.getDimPosition(widest.getNumResults() - 1);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    for (unsigned i = 0; i + 1 < map.getNumResults(); ++i)
      if (map.getDimPosition(i) == stage.vectorLoop)
        stage.acrossLoop = map.getDimPosition(map.getNumResults() - 1);
  }
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      stage.reductions.push_back(loop);
  stage.elementType =
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  stage.calls = llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect());
  });
  return stage;
}

/// Whether `op` reduces its last loop, along which its widest operand is
/// contiguous, and any others.
static bool reducesRows(linalg::LinalgOp op) {
  const StagedShape::Stage stage = describe(op);
  return !stage.reductions.empty() &&
         stage.reductions.back() + 1 == op.getNumLoops() &&
         stage.vectorLoop == stage.reductions.back() &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return map.getNumResults() == op.getNumLoops() &&
                  runsAlongLastLoop(map);
         });
}

/// Whether `op` reduces other dimensions than the one that its widest operand
/// and its result are contiguous along.
static bool reducesColumns(linalg::LinalgOp op) {
  const StagedShape::Stage stage = describe(op);
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return result.getNumResults() > 0 &&
         result.getDimPosition(result.getNumResults() - 1) == stage.vectorLoop;
}

/// Whether `op` reduces all of its innermost loops, none further out.
static bool reducesInnermost(linalg::LinalgOp op) {
  const unsigned rows = op.getNumParallelLoops();
  return llvm::all_of(
      llvm::enumerate(op.getIteratorTypesArray()), [&](auto entry) {
        return (entry.value() == utils::IteratorType::reduction) ==
               (entry.index() >= rows);
      });
}

/// How many outermost loops `map` takes in order as its results; none if it
/// takes anything else.
static std::optional<unsigned> getPrefix(AffineMap map) {
  for (unsigned i = 0; i != map.getNumResults(); ++i)
    if (map.getDimPosition(i) != i)
      return std::nullopt;
  return map.getNumResults();
}

namespace {
/// Grows tasks; an op that was given is not given again.
class StageGrouper {
public:
  StageGrouper(ArrayRef<linalg::LinalgOp> ops, const llvm::BitVector &taken)
      : ops(ops) {
    for (auto [position, op] : llvm::enumerate(ops))
      if (!taken.test(position) && !isPackedBefore(op))
        free.insert(op);
  }

  std::vector<TaskGroup> run() {
    std::vector<TaskGroup> groups;
    for (linalg::LinalgOp root : llvm::reverse(ops)) {
      if (!free.contains(root))
        continue;
      if (std::optional<TaskGroup> group = grow(root))
        groups.push_back(std::move(*group));
    }
    return groups;
  }

private:
  std::optional<TaskGroup> grow(linalg::LinalgOp root) {
    if (root->use_empty() || !hasVectorElements(root))
      return std::nullopt;
    if (isReduction(root)) {
      if (reducesRows(root)) {
        if (reducesInnermost(root))
          if (std::optional<TaskGroup> rows = growRows(root, /*deep=*/true))
            return rows;
        return growRows(root, /*deep=*/false);
      }
      if (reducesColumns(root))
        return make(root, collect(root, StagedKind::Columns),
                    StagedKind::Columns, 0);
      return std::nullopt;
    }
    // A fill is no work.
    if (!isElementwise(root) || isa<linalg::FillOp>(root) ||
        root.getNumLoops() == 0)
      return std::nullopt;
    if (std::optional<TaskGroup> rows = growRows(root, /*deep=*/true))
      return rows;
    return make(root, collect(root, StagedKind::Elementwise),
                StagedKind::Elementwise, 0);
  }

  /// A task of rows, if there is a reduction in it and all agree on the rows.
  /// Unless it is `deep`, only the root may be one, of any loops.
  std::optional<TaskGroup> growRows(linalg::LinalgOp root, bool deep) {
    llvm::SetVector<Operation *> members =
        collect(root, deep ? StagedKind::Rows : StagedKind::Columns);
    std::optional<unsigned> rowDims;
    for (Operation *member : members) {
      auto op = cast<linalg::LinalgOp>(member);
      if (op.getNumReductionLoops() == 0)
        continue;
      const unsigned outer = op.getNumParallelLoops();
      if (rowDims && *rowDims != outer)
        return std::nullopt;
      rowDims = outer;
    }
    if (!rowDims)
      return std::nullopt;
    for (Operation *member : members)
      if (cast<RankedTensorType>(member->getResult(0).getType()).getRank() <
          int64_t(*rowDims))
        return std::nullopt;
    return make(root, members, StagedKind::Rows, *rowDims);
  }

  /// `root` and all that may be computed with it.
  llvm::SetVector<Operation *> collect(linalg::LinalgOp root, StagedKind kind) {
    llvm::SetVector<Operation *> members;
    members.insert(root);
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i != members.size(); ++i) {
        auto user = cast<linalg::LinalgOp>(members[i]);
        for (OpOperand &operand : user->getOpOperands()) {
          auto op = operand.get().getDefiningOp<linalg::LinalgOp>();
          if (op && !members.contains(op) && mayJoin(op, kind, members))
            changed |= members.insert(op);
        }
      }
    }
    return members;
  }

  bool mayJoin(linalg::LinalgOp op, StagedKind kind,
               const llvm::SetVector<Operation *> &members) {
    if (!free.contains(op) || op->getNumResults() != 1 ||
        op->hasAttr(kAloneAttrName) ||
        op->getBlock() != members.front()->getBlock() || !hasVectorElements(op))
      return false;
    const bool isMap = isElementwise(op);
    if (!isMap && !(kind == StagedKind::Rows && isReduction(op) &&
                    reducesRows(op) && reducesInnermost(op)))
      return false;
    return llvm::all_of(op->getUses(), [&](OpOperand &use) {
      auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (!user || !members.contains(user) ||
          !user.payloadUsesValueFromOperand(&use))
        return false;
      AffineMap map = user.getMatchingIndexingMap(&use);
      if (kind == StagedKind::Rows)
        return getPrefix(map).has_value();
      // What starts a reduction is as large as its result.
      return map.isPermutation() || (user.isDpsInit(&use) && isMap);
    });
  }

  std::optional<TaskGroup> make(linalg::LinalgOp root,
                                const llvm::SetVector<Operation *> &members,
                                StagedKind kind, unsigned rowDims) {
    TaskGroup group;
    group.anchor = root;
    group.staged.emplace();
    group.staged->kind = kind;
    group.staged->rowDims = rowDims;
    group.result = root->getResult(0);
    for (linalg::LinalgOp op : ops) {
      if (!members.contains(op))
        continue;
      free.erase(op);
      group.ops.push_back(op);
      group.roles.push_back(op == root   ? BlockRole::Root
                            : isInit(op) ? BlockRole::Init
                                         : BlockRole::Stage);
      group.staged->stages.push_back(describe(op));
      llvm::SmallPtrSet<Operation *, 4> readers, passed;
      collectReaders(op, root, members, readers, passed);
      group.staged->stages.back().readers = readers.size();
    }
    return group;
  }

  /// Reductions and the root, as far as they read `op` or what is elementwise
  /// in between, which is `passed` once.
  static void collectReaders(Operation *op, Operation *root,
                             const llvm::SetVector<Operation *> &members,
                             llvm::SmallPtrSetImpl<Operation *> &readers,
                             llvm::SmallPtrSetImpl<Operation *> &passed) {
    for (Operation *user : op->getUsers()) {
      if (!members.contains(user))
        continue;
      if (user == root ||
          cast<linalg::LinalgOp>(user).getNumReductionLoops() != 0)
        readers.insert(user);
      else if (passed.insert(user).second)
        collectReaders(user, root, members, readers, passed);
    }
  }

  /// Whether reductions start from `op`, and nothing else reads it.
  static bool isInit(linalg::LinalgOp op) {
    return llvm::all_of(op->getUses(), [](OpOperand &use) {
      auto user = cast<linalg::LinalgOp>(use.getOwner());
      return user.getNumReductionLoops() > 0 && user.isDpsInit(&use);
    });
  }

  ArrayRef<linalg::LinalgOp> ops;
  llvm::DenseSet<Operation *> free;
};
} // namespace

std::vector<TaskGroup> sched::groupStages(ArrayRef<linalg::LinalgOp> ops,
                                          const llvm::BitVector &taken) {
  return StageGrouper(ops, taken).run();
}

void sched::decomposeSoftmax(func::FuncOp function) {
  SmallVector<linalg::SoftmaxOp> ops;
  function.walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
  for (linalg::SoftmaxOp op : ops) {
    IRRewriter rewriter(op);
    auto parts = op.decomposeOperation(rewriter);
    // It fails on buffers alone, which the check of the module rejects.
    if (succeeded(parts))
      rewriter.replaceOp(op, *parts);
  }
}
