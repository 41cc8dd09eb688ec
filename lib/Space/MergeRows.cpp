//===- MergeRows.cpp - Rows of several dimensions are one -----------------===//
//
// A convolution with a kernel of 1x1 multiplies each pixel's channels by the
// same matrix, and so does a linear layer with those of each word of each text.
// Images of 7x7 as seven lines of seven pixels are four lines for one thread
// and three for the other; as 49 rows they are shared evenly, and register
// tiles need not end where a line does. Dimensions that the right-hand side
// does not have, and that lie side by side in the left-hand side and in the
// result, become one; so do those of the elementwise ops of the same task. What
// a transpose moves together becomes one as well: the lines of an image of
// 56x56 end in half of a vector each, and its 3136 pixels do not. So does what
// both operands of a product have side by side and sum over, as attention's
// heads and their channels: 12 x 64 steps would be 64 steps 12 times, 64 apart.
// And so do columns, as the pixels of images with their channels outside.
//
// A task without a contraction has vectors along its innermost loop. Where that
// is no whole vectors, as lines of seven pixels, it and the loops side by side
// with it in all that the task reads and writes become one: the pixels that an
// instance's norm or a global pooling sums up, or all numbers that are added.
//
//===----------------------------------------------------------------------===//

#include "MergeRows.h"
#include "KeptDimensions.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <functional>
#include <tuple>

using namespace mlir;
using namespace sched;

/// In a line of more, the vector that is not whole is one of many.
static constexpr int64_t kLongBytes = 8 * kWidestVectorBytes;

/// Loops of one iteration that are added to others, as those of a window of one
/// pixel.
static SmallVector<unsigned> getUnitWindows(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (unsigned loop = 0; loop != extents.size(); ++loop)
    if (extents[loop] == 1 && linalg::isReductionIterator(kinds[loop]) &&
        llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr index) {
            return !isa<AffineDimExpr>(index) && index.isFunctionOfDim(loop);
          });
        }))
      loops.push_back(loop);
  return loops;
}

/// `map` where the only iteration of `loops` is.
static AffineMap fixAtZero(AffineMap map, ArrayRef<unsigned> loops) {
  llvm::DenseMap<AffineExpr, AffineExpr> zeros;
  for (unsigned loop : loops)
    zeros[getAffineDimExpr(loop, map.getContext())] =
        getAffineConstantExpr(0, map.getContext());
  return map.replace(zeros);
}

static std::optional<int64_t> getPosition(AffineMap map, int64_t loop) {
  if (const std::optional<unsigned> at =
          map.getResultPosition(getAffineDimExpr(loop, map.getContext())))
    return *at;
  return std::nullopt;
}

/// The loops, from the outermost on, that lie side by side in `a` and in `b`
/// with `named`, of those that `other` does not have. Empty if `named` is none
/// or no dimension of both.
static ReassociationIndices getNeighbors(AffineMap a, AffineMap b,
                                         AffineMap other, int64_t named) {
  auto isInBoth = [&](int64_t loop) {
    // Of a sum of loops, or with a stride, there is no position.
    return getPosition(a, loop) && getPosition(b, loop) &&
           !other.isFunctionOfDim(loop);
  };
  if (!isInBoth(named))
    return {};
  const int64_t shift = *getPosition(a, named) - *getPosition(b, named);
  auto isBeside = [&](int64_t at) {
    auto loop = dyn_cast<AffineDimExpr>(b.getResult(at));
    return loop && isInBoth(loop.getPosition()) &&
           *getPosition(a, loop.getPosition()) == at + shift;
  };
  int64_t begin = *getPosition(b, named), end = begin + 1;
  while (begin > 0 && isBeside(begin - 1))
    --begin;
  while (end < b.getNumResults() && isBeside(end))
    ++end;
  ReassociationIndices loops;
  for (int64_t at = begin; at != end; ++at)
    loops.push_back(b.getDimPosition(at));
  return loops;
}

namespace {
/// The maps of a product as they are when its windows of one element are gone.
struct ProductMaps {
  AffineMap lhs, rhs, result;

  ProductMaps(linalg::LinalgOp op, const ContractionShape &shape) {
    const SmallVector<unsigned> windows = getUnitWindows(op);
    auto getMap = [&](unsigned operand) {
      return fixAtZero(
          op.getMatchingIndexingMap(op.getDpsInputOperand(operand)), windows);
    };
    lhs = getMap(shape.lhsOperand);
    rhs = getMap(shape.rhsOperand);
    result = op.getIndexingMapsArray().back();
  }
};
} // namespace

/// The loops of rows that lie side by side in the left-hand side and in the
/// result with the one that the contraction's shape names, which is the largest
/// and may be any of them.
static ReassociationIndices getRows(linalg::LinalgOp op,
                                    const ContractionShape &shape) {
  const ProductMaps maps(op, shape);
  return getNeighbors(maps.lhs, maps.result, maps.rhs, shape.loops.front());
}

/// The same of columns in the right-hand side and the result.
static ReassociationIndices getColumns(linalg::LinalgOp op,
                                       const ContractionShape &shape) {
  const ProductMaps maps(op, shape);
  return getNeighbors(maps.rhs, maps.result, maps.lhs,
                      shape.loops[ContractionShape::kColumns]);
}

/// The same of steps in both operands.
static ReassociationIndices getSteps(linalg::LinalgOp op,
                                     const ContractionShape &shape) {
  const ProductMaps maps(op, shape);
  return getNeighbors(maps.lhs, maps.rhs, maps.result,
                      shape.loops[ContractionShape::kSteps]);
}

namespace {
/// Merges the rows of one task.
class RowMerger {
public:
  explicit RowMerger(TaskGroup &group) : group(group) {}

  /// Whether all ops of the task can have these loops of the anchor merged; if
  /// so, `run` does it.
  bool plan(const ReassociationIndices &rows) {
    loopsOf.clear();
    return planOp(group.anchor, rows) && planEpilogues() && planProducers() &&
           readAlike();
  }

  /// The same of a task without a contraction, whose ops have the loops of
  /// `rows` in common, or what is read of these.
  bool planStages(const ReassociationIndices &rows) {
    loopsOf.clear();
    if (!group.reshapes.empty() || !planOp(group.anchor, rows))
      return false;
    for (size_t planned = 0; planned != loopsOf.size();) {
      planned = loopsOf.size();
      if (!planNeighbors())
        return false;
      // Others of the same loops are merged alike, as the sums of what the
      // anchor divides by them.
      for (linalg::LinalgOp op : group.ops)
        if (planned == loopsOf.size() && !loopsOf.count(op) &&
            !isa<linalg::FillOp>(op) &&
            op.getStaticLoopRanges() == group.anchor.getStaticLoopRanges() &&
            !planOp(op, rows))
          return false;
    }
    return readAlike();
  }

  /// False if nothing could be merged.
  bool run() {
    bool isChanged = false;
    IRRewriter rewriter(group.anchor->getContext());
    for (linalg::LinalgOp op : group.ops) {
      const auto found = loopsOf.find(op);
      if (found == loopsOf.end())
        continue;
      rewriter.setInsertionPoint(op);
      isChanged |= merge(rewriter, op, found->second);
    }
    return isChanged;
  }

private:
  /// The maps of `op` as they are when its windows of one element are gone.
  SmallVector<AffineMap> getMaps(linalg::LinalgOp op) const {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (op == group.anchor)
      for (AffineMap &map : maps)
        map = fixAtZero(map, getUnitWindows(op));
    return maps;
  }

  /// Whether `loops` can be merged in `op`, which then is among the planned.
  bool planOp(linalg::LinalgOp op, const ReassociationIndices &loops) {
    auto [place, isNew] = loopsOf.try_emplace(op, loops);
    if (!isNew)
      return place->second == loops;
    return !op->hasAttr(kAloneAttrName) &&
           llvm::all_of(getMaps(op), [&](AffineMap map) {
             // Dimensions of windows of one element go.
             SmallVector<AffineExpr> indices(map.getResults());
             llvm::erase(indices, getAffineConstantExpr(0, map.getContext()));
             map =
                 AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
             return map.isProjectedPermutation() &&
                    linalg::isDimSequencePreserved(map, loops);
           });
  }

  /// The dimensions that `loops` index by `map`: all or none.
  static ReassociationIndices getDims(AffineMap map,
                                      const ReassociationIndices &loops) {
    ReassociationIndices dims;
    for (int64_t loop : loops)
      if (const std::optional<int64_t> dim = getPosition(map, loop))
        dims.push_back(*dim);
    return dims;
  }

  bool planEpilogues() {
    Value value = group.anchor->getResult(0);
    ReassociationIndices dims = getDims(
        group.anchor.getIndexingMapsArray().back(), loopsOf[group.anchor]);
    // The result has no steps: epilogues stay as they are.
    if (dims.empty())
      return true;
    for (auto [groupOp, role] : llvm::zip_equal(group.ops, group.roles)) {
      linalg::LinalgOp op = groupOp;
      if (role != BlockRole::Epilogue)
        continue;
      for (OpOperand &operand : op->getOpOperands()) {
        if (operand.get() != value)
          continue;
        const AffineMap map = op.getMatchingIndexingMap(&operand);
        ReassociationIndices loops;
        for (int64_t dim : dims)
          loops.push_back(map.getDimPosition(dim));
        if (!planOp(op, loops))
          return false;
      }
      const auto planned = loopsOf.find(op);
      if (planned == loopsOf.end())
        return false;
      dims = getDims(op.getIndexingMapsArray().back(), planned->second);
      value = op->getResult(0);
    }
    return value == group.result;
  }

  /// What the planned ops read of others of the task. The last come first.
  bool planProducers() {
    for (linalg::LinalgOp reader : llvm::reverse(group.ops)) {
      const auto found = loopsOf.find(reader);
      if (found == loopsOf.end())
        continue;
      const ReassociationIndices loops = found->second;
      const SmallVector<AffineMap> maps = getMaps(reader);
      for (auto [map, value] : llvm::zip_equal(maps, reader->getOperands())) {
        const ReassociationIndices dims = getDims(map, loops);
        Operation *producer = value.getDefiningOp();
        if (dims.empty() || !producer || isa<linalg::FillOp>(producer))
          continue;
        if (llvm::is_contained(group.reshapes, producer))
          return false;
        auto op = dyn_cast<linalg::LinalgOp>(producer);
        if (!op || !llvm::is_contained(group.ops, op) || loopsOf.count(op))
          continue;
        ReassociationIndices own;
        const AffineMap result = op.getIndexingMapsArray().back();
        if (!sched::isElementwise(op))
          return false;
        for (int64_t dim : dims)
          own.push_back(result.getDimPosition(dim));
        if (!planOp(op, own))
          return false;
      }
    }
    return true;
  }

  /// Plans what is read by planned ops, and what reads them.
  bool planNeighbors() {
    for (linalg::LinalgOp reader : group.ops) {
      const SmallVector<AffineMap> maps = getMaps(reader);
      for (auto [map, value] : llvm::zip_equal(maps, reader->getOperands())) {
        auto producer = value.getDefiningOp<linalg::LinalgOp>();
        if (!producer || isa<linalg::FillOp>(producer) ||
            !llvm::is_contained(group.ops, producer))
          continue;
        const AffineMap result = producer.getIndexingMapsArray().back();
        // Not by reference: planning moves them.
        if (const auto found = loopsOf.find(reader); found != loopsOf.end()) {
          const ReassociationIndices loops = found->second;
          if (!planDims(producer, result, getDims(map, loops)))
            return false;
        }
        if (const auto found = loopsOf.find(producer); found != loopsOf.end()) {
          const ReassociationIndices loops = found->second;
          if (!planDims(reader, map, getDims(result, loops)))
            return false;
        }
      }
    }
    return true;
  }

  /// Plans the loops of `op` that index `dims` by `map`, if there are any.
  bool planDims(linalg::LinalgOp op, AffineMap map, ArrayRef<int64_t> dims) {
    ReassociationIndices loops;
    for (int64_t dim : dims) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
      if (!loop)
        return false;
      loops.push_back(loop.getPosition());
    }
    return loops.empty() || planOp(op, loops);
  }

  /// Whether what is merged is read merged, wherever ops of the task read it.
  bool readAlike() {
    for (linalg::LinalgOp reader : group.ops) {
      const auto found = loopsOf.find(reader);
      const auto loops =
          found == loopsOf.end() ? ReassociationIndices() : found->second;
      const SmallVector<AffineMap> maps = getMaps(reader);
      for (auto [map, value] : llvm::zip_equal(maps, reader->getOperands())) {
        auto op = value.getDefiningOp<linalg::LinalgOp>();
        const auto planned = op ? loopsOf.find(op) : loopsOf.end();
        if (planned != loopsOf.end() &&
            getDims(map, loops) !=
                getDims(op.getIndexingMapsArray().back(), planned->second))
          return false;
      }
    }
    return true;
  }

  static bool merge(IRRewriter &rewriter, linalg::LinalgOp op,
                    ReassociationIndices loops) {
    auto generic = makeGeneric(rewriter, op);
    if (failed(generic))
      return false;
    const SmallVector<unsigned> windows = getUnitWindows(*generic);
    if (!windows.empty()) {
      linalg::ControlDropUnitDims control;
      control.controlFn = [&](Operation *) { return windows; };
      FailureOr<linalg::DropUnitDimsResult> dropped =
          linalg::dropUnitDims(rewriter, *generic, control);
      if (failed(dropped))
        return false;
      rewriter.replaceOp(*generic, dropped->replacements);
      generic = cast<linalg::GenericOp>(dropped->resultOp);
      for (int64_t &loop : loops)
        loop -= llvm::count_if(
            windows, [&](unsigned window) { return int64_t(window) < loop; });
      rewriter.setInsertionPoint(*generic);
    }
    FailureOr<linalg::CollapseResult> merged =
        linalg::collapseOpIterationDims(*generic, {loops}, rewriter);
    if (failed(merged))
      return false;
    rewriter.replaceOp(*generic, merged->results);
    foldReshapes(rewriter,
                 SmallVector<Value>(merged->collapsedOp->getOperands()));
    return true;
  }

  TaskGroup &group;
  /// The loops to be merged, by op.
  llvm::SmallMapVector<Operation *, ReassociationIndices, 4> loopsOf;
};
} // namespace

/// Parts of `rows`, at least two loops of several iterations side by side:
/// those with the most points come first, and of equals the longest.
static SmallVector<ReassociationIndices> getParts(ArrayRef<int64_t> rows,
                                                  ArrayRef<int64_t> extents) {
  SmallVector<std::tuple<int64_t, size_t, size_t>> parts;
  for (size_t begin = 0; begin != rows.size(); ++begin) {
    int64_t points = 1, several = 0;
    for (size_t end = begin; end != rows.size(); ++end) {
      points *= extents[rows[end]];
      several += extents[rows[end]] != 1;
      if (several > 1)
        parts.emplace_back(points, end + 1 - begin, begin);
    }
  }
  llvm::sort(parts, std::greater<>());
  return llvm::map_to_vector(parts, [&](const auto &part) {
    const auto [points, length, begin] = part;
    return ReassociationIndices(rows.slice(begin, length));
  });
}

using Plan = bool (RowMerger::*)(const ReassociationIndices &);

/// Merges the first part of `rows` that is wanted and that all ops of the task
/// can have merged, by `plan`.
static bool
mergePart(TaskGroup &group, ArrayRef<int64_t> rows,
          llvm::function_ref<bool(const ReassociationIndices &)> isWanted,
          Plan plan = &RowMerger::plan) {
  for (const ReassociationIndices &part :
       getParts(rows, group.anchor.getStaticLoopRanges())) {
    RowMerger merger(group);
    if (!isWanted(part) || !(merger.*plan)(part))
      continue;
    return merger.run();
  }
  return false;
}

/// Merges of the loops that `get` names of a product.
template <ReassociationIndices (*get)(linalg::LinalgOp,
                                      const ContractionShape &)>
static bool mergeOfProduct(TaskGroup &group) {
  return group.shape && !group.shape->isWindowed &&
         mergePart(group, get(group.anchor, *group.shape),
                   [](const ReassociationIndices &) { return true; });
}

/// Merges what lies side by side before and after a transpose: of the rows
/// that tiles are taken of, before or after it.
static bool mergeTransposed(TaskGroup &group) {
  // Places of elements would have to be divided.
  if (!group.staged || group.staged->kind != StagedKind::Elementwise ||
      llvm::any_of(group.ops,
                   [](linalg::LinalgOp op) { return op.hasIndexSemantics(); }))
    return false;
  // Only of ops with the root's loops.
  llvm::SmallPtrSet<Operation *, 4> alike = {group.anchor};
  llvm::SmallSet<int64_t, 4> ofTiles;
  for (auto [op, stage] :
       llvm::reverse(llvm::zip_equal(group.ops, group.staged->stages))) {
    if (!alike.contains(op))
      continue;
    for (OpOperand *input : linalg::LinalgOp(op).getDpsInputOperands())
      if (Operation *producer = input->get().getDefiningOp();
          producer &&
          linalg::LinalgOp(op).getMatchingIndexingMap(input).isIdentity())
        alike.insert(producer);
    if (stage.acrossLoop) {
      ofTiles.insert(stage.vectorLoop);
      ofTiles.insert(*stage.acrossLoop);
    }
  }
  const auto loops =
      llvm::to_vector(llvm::seq<int64_t>(group.anchor.getNumLoops()));
  return mergePart(group, loops, [&](const ReassociationIndices &part) {
    return llvm::any_of(part, [&](int64_t i) { return ofTiles.contains(i); });
  });
}

/// The loop that the anchor's vectors run along, if it is too short for whole
/// vectors: the innermost of what has most of its loops.
static std::optional<int64_t> getShortLoop(linalg::LinalgOp anchor) {
  const SmallVector<AffineMap> maps = anchor.getIndexingMapsArray();
  const auto *widest = llvm::max_element(maps, [](AffineMap a, AffineMap b) {
    return a.getNumResults() < b.getNumResults();
  });
  if (widest->getNumResults() < 2)
    return std::nullopt;
  auto loop = dyn_cast<AffineDimExpr>(widest->getResults().back());
  const Type type = getElementTypeOrSelf(
      anchor->getOperand(std::distance(maps.begin(), widest)));
  if (!loop || !type.isIntOrFloat())
    return std::nullopt;
  const int64_t bits = anchor.getStaticLoopRanges()[loop.getPosition()] *
                       type.getIntOrFloatBitWidth();
  return bits % (8 * kWidestVectorBytes) == 0 || bits > 8 * kLongBytes
             ? std::nullopt
             : std::optional<int64_t>(loop.getPosition());
}

/// Whether a part of a larger tensor is read by `group`, or is what it writes:
/// merged, it would have to be copied.
static bool isOfParts(TaskGroup &group) {
  return llvm::any_of(group.ops,
                      [](linalg::LinalgOp op) {
                        return llvm::any_of(op->getOperands(), [](Value value) {
                          return isa_and_present<tensor::ExtractSliceOp>(
                              lookThroughReshapes(value, nullptr));
                        });
                      }) ||
         llvm::any_of(group.result.getUsers(), [](Operation *user) {
           return isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp,
                      tensor::ConcatOp>(user);
         });
}

/// Merges the loops of a task without a contraction with the innermost, if that
/// is short.
static bool mergeStages(TaskGroup &group) {
  if (!group.staged ||
      llvm::any_of(group.ops,
                   [](linalg::LinalgOp op) {
                     return op.hasIndexSemantics() || op.hasDynamicShape();
                   }) ||
      isOfParts(group))
    return false;
  const std::optional<int64_t> inner = getShortLoop(group.anchor);
  if (!inner)
    return false;
  const SmallVector<utils::IteratorType> kinds =
      group.anchor.getIteratorTypesArray();
  const auto loops =
      llvm::to_vector(llvm::seq<int64_t>(group.anchor.getNumLoops()));
  return mergePart(
      group, loops,
      [&](const ReassociationIndices &part) {
        return llvm::is_contained(part, *inner) &&
               llvm::all_of(part, [&](int64_t loop) {
                 return kinds[loop] == kinds[*inner];
               });
      },
      &RowMerger::planStages);
}

/// Merges rows of `function` by `merge` once a task; whether there were any.
static bool mergeOnce(func::FuncOp function, bool (*merge)(TaskGroup &)) {
  bool isChanged = false;
  std::vector<TaskGroup> groups = groupTasks(collectLinalgOps(function));
  for (TaskGroup &group : groups)
    isChanged |= merge(group);
  return isChanged;
}

bool sched::mergeRows(func::FuncOp function) {
  bool isChanged = mergeOnce(function, mergeOfProduct<getRows>);
  isChanged |= mergeOnce(function, mergeOfProduct<getColumns>);
  isChanged |= mergeOnce(function, mergeOfProduct<getSteps>);
  // There may be several parts: (a, b, c, d) may become (c, d, a, b).
  while (mergeOnce(function, mergeTransposed))
    isChanged = true;
  if (mergeOnce(function, mergeStages)) {
    shareReshapes(function);
    isChanged = true;
  }
  return isChanged;
}
