//===- StencilChain.cpp - Ops that read neighbours of each other ----------===//

#include "StencilChain.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Shorter parts of rows are loops of few vectors, with much beside them.
static constexpr int64_t kLeastColumns = 256;
/// Windows that have more are computed slower than they are loaded, and what is
/// computed twice is not worth it.
static constexpr int64_t kMostTaps = 16;
/// Blocks at a known place, as those at borders are: each has a function.
static constexpr unsigned kMostParts = 4;
/// Ops of a chain: each is looked at again for each that is added.
static constexpr size_t kMostOps = 64;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// Whether each loop over a reduction is one over a window: it is added to a
/// loop of the result.
static bool hasWindowsAlone(linalg::LinalgOp op) {
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  int64_t taps = 1;
  for (auto [loop, type] : llvm::enumerate(types)) {
    if (type != utils::IteratorType::reduction)
      continue;
    taps *= op.getStaticLoopRanges()[loop];
    const bool isWindow = llvm::any_of(
        op.getIndexingMapsArray(), [&, loop = loop](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr index) {
            return index.isFunctionOfDim(loop) && !isa<AffineDimExpr>(index);
          });
        });
    if (!isWindow)
      return false;
  }
  return taps <= kMostTaps;
}

/// Whether `op` may be part of a chain.
static bool isStencil(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op->getNumResults() == 1 && isMovable(op) && hasNumbers(op) &&
         !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
         !op->hasAttr(kAloneAttrName) && !isPackedBefore(op) &&
         !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0))
             .isProjectedPermutation() &&
         isa<func::FuncOp>(op->getParentOp()) && hasWindowsAlone(op);
}

/// Whether `op` is one of the elementwise ops that a product computes with its
/// result.
static bool isEpilogue(linalg::LinalgOp op) {
  return sched::isElementwise(op) &&
         llvm::any_of(op.getDpsInputs(), [](Value input) {
           auto producer = input.getDefiningOp<linalg::LinalgOp>();
           return producer && !producer.isAllParallelLoops() &&
                  matchContraction(producer) && !isStencil(producer);
         });
}

static bool isMember(Operation *op) {
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return isMovedBefore(pad) &&
           isFreelyCopied(pad.getConstantPaddingValue()) &&
           isa<func::FuncOp>(op->getParentOp());
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && isStencil(linalgOp) && !isEpilogue(linalgOp);
}

/// A slice of elements that are neighbours, with all dimensions.
static bool isPlainSlice(tensor::ExtractSliceOp slice) {
  return slice.getSourceType().hasStaticShape() &&
         slice.getSourceType().getRank() == slice.getType().getRank() &&
         slice.getType().hasStaticShape() && slice.getOffsets().empty() &&
         slice.hasUnitStride();
}

std::optional<StencilView> StencilChain::getView(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  const BlockedDims &result = getResultDims(op);
  auto type = cast<RankedTensorType>(operand.get().getType());
  StencilView view;
  view.spans.assign(extents.size(), 0);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    view.dims = result;
    for (auto [dim, blocked] : llvm::enumerate(result))
      if (blocked && *blocked < rowLoop &&
          pad.getType().getDimSize(dim) != type.getDimSize(dim))
        return std::nullopt;
  } else {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    const AffineMap map =
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
    BlockedDims loops(linalgOp.getNumLoops());
    for (auto [dim, blocked] : llvm::enumerate(result))
      loops[map.getDimPosition(dim)] = blocked;
    for (AffineExpr index :
         linalgOp.getMatchingIndexingMap(&operand).getResults()) {
      std::optional<unsigned> blocked;
      int64_t span = 0;
      const auto terms = getAffineTerms(index);
      if (!terms && llvm::any_of(llvm::enumerate(loops), [&](auto loop) {
            return loop.value() && index.isFunctionOfDim(loop.index());
          }))
        return std::nullopt;
      for (AffineTerm term : terms.value_or(SmallVector<AffineTerm, 2>())) {
        if (!loops[term.loop]) {
          span += term.coefficient *
                  (linalgOp.getStaticLoopRanges()[term.loop] - 1);
        } else if (blocked || term.coefficient != 1) {
          return std::nullopt;
        } else {
          blocked = loops[term.loop];
        }
      }
      if (blocked && (llvm::is_contained(view.dims, blocked) ||
                      (*blocked < rowLoop && span != 0)))
        return std::nullopt;
      if (blocked)
        view.spans[*blocked] = span;
      view.dims.push_back(blocked);
    }
  }
  view.root = operand.get();
  view.offsets.assign(type.getRank(), 0);
  while (auto slice = view.root.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!isPlainSlice(slice))
      break;
    // Of the loops before the rows, blocks are what the loop is at.
    const bool isWhole =
        llvm::all_of(llvm::enumerate(view.dims), [&](auto dim) {
          return !dim.value() || *dim.value() >= rowLoop ||
                 (slice.getStaticOffset(dim.index()) == 0 &&
                  slice.getSourceType().getDimSize(dim.index()) ==
                      slice.getType().getDimSize(dim.index()));
        });
    if (!isWhole)
      break;
    for (auto [offset, more] :
         llvm::zip_equal(view.offsets, slice.getStaticOffsets()))
      offset += more;
    view.root = slice.getSource();
  }
  return view;
}

//===----------------------------------------------------------------------===//
// The chain
//===----------------------------------------------------------------------===//

/// The operands that read `value`, through slices.
static SmallVector<OpOperand *> collectReads(Value value) {
  SmallVector<OpOperand *> reads;
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
      if (slice && isPlainSlice(slice))
        values.push_back(slice);
      else
        reads.push_back(&use);
    }
  return reads;
}

bool StencilChain::add(Operation *op, BlockedDims dims) {
  ops[op] = std::move(dims);
  // All that is blocked has to be seen from everywhere.
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) && !getView(operand)) {
      ops.erase(op);
      return false;
    }
  return true;
}

/// Adds `op`, which reads what the chain computes, as one more that ends it.
bool StencilChain::addOutput(Operation *op) {
  Operation *other = outputs.front();
  if (!isMember(op) || isa<tensor::PadOp>(op) ||
      op->getBlock() != other->getBlock() ||
      cast<RankedTensorType>(op->getResult(0).getType()).getShape() !=
          cast<RankedTensorType>(other->getResult(0).getType()).getShape() ||
      !add(op, getResultDims(other)))
    return false;
  outputs.insert(op);
  return true;
}

/// Adds what computes `operand` of a member, with what else reads it; whether
/// it could.
bool StencilChain::addProducer(OpOperand &operand) {
  const StencilView view = *getView(operand);
  Operation *op = view.root.getDefiningOp();
  if (ops.contains(op) || !isMember(op) ||
      op->getBlock() != operand.getOwner()->getBlock() ||
      llvm::any_of(llvm::seq<unsigned>(extents.size()), [&](unsigned loop) {
        return !llvm::is_contained(view.dims, std::optional<unsigned>(loop));
      }))
    return false;
  StencilChain grown = *this;
  // Each sees the same of it.
  if (!llvm::all_of(collectReads(view.root), [&](OpOperand *read) {
        if (!grown.contains(read->getOwner()) &&
            !grown.addOutput(read->getOwner()))
          return false;
        const auto seen = grown.getView(*read);
        return seen->root == view.root && seen->dims == view.dims;
      }))
    return false;
  if (!grown.add(op, view.dims))
    return false;
  if (!grown.fitsCache()) {
    wasCut = true;
    return false;
  }
  *this = std::move(grown);
  return true;
}

/// Adds ops that only the chain reads, until there are no more.
void StencilChain::grow() {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t member = 0; member != ops.size(); ++member)
      for (OpOperand &operand : ops.begin()[member].first->getOpOperands())
        if (ops.size() < kMostOps &&
            isa<RankedTensorType>(operand.get().getType()))
          isChanged |= addProducer(operand);
  }
}

Operation *StencilChain::getLast() const { return getOpsInOrder().back(); }

SmallVector<Operation *> StencilChain::getOpsInOrder() const {
  SmallVector<Operation *> order(llvm::make_first_range(ops));
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return order;
}

/// Whether a loop in the place of its last op can take the place of all: what
/// is used outside is used after it.
bool StencilChain::isClosed() const {
  Operation *end = getLast();
  return llvm::all_of(ops, [&](const auto &member) {
    Operation *op = member.first;
    return llvm::all_of(op->getResult(0).getUsers(), [&](Operation *user) {
      if (ops.contains(user))
        return true;
      if (outputs.contains(op))
        return user->getBlock() == end->getBlock() &&
               end->isBeforeInBlock(user);
      return isa<tensor::ExtractSliceOp>(user);
    });
  });
}

bool StencilChain::collect(linalg::LinalgOp last, unsigned rows,
                           int64_t columns) {
  rowLoop = rows;
  this->columns = columns;
  auto shape = cast<RankedTensorType>(last->getResult(0).getType()).getShape();
  extents.assign(shape.begin(), shape.begin() + rows + (columns ? 2 : 1));
  BlockedDims dims(shape.size());
  for (unsigned loop = 0; loop != extents.size(); ++loop)
    dims[loop] = loop;
  outputs.insert(last);
  if (!add(last, dims))
    return false;
  grow();
  return isClosed() && isConsistent();
}

/// Whether all see the same dimensions of each tensor.
bool StencilChain::isConsistent() const {
  llvm::DenseMap<Value, BlockedDims> seen;
  for (const auto &[op, dims] : ops)
    seen[op->getResult(0)] = dims;
  for (Operation *op : llvm::make_first_range(ops))
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType())) {
        const StencilView view = *getView(operand);
        if (!view.root.getDefiningOp<tensor::EmptyOp>() &&
            seen.try_emplace(view.root, view.dims).first->second != view.dims)
          return false;
      }
  return true;
}

//===----------------------------------------------------------------------===//
// Whether it is worth it
//===----------------------------------------------------------------------===//

/// Whether elements of what `op` computes are read in several places, by
/// windows or by slices that overlap.
static bool hasNeighbours(Operation *op) {
  const Value result = op->getResult(0);
  int64_t elements = 0;
  bool isSliced = false, isWindowed = false;
  for (OpOperand *read : collectReads(result)) {
    auto type = cast<RankedTensorType>(read->get().getType());
    elements += type.getNumElements();
    isSliced |= type != result.getType();
    if (auto reader = dyn_cast<linalg::LinalgOp>(read->getOwner()))
      isWindowed |=
          !reader.getMatchingIndexingMap(read).isProjectedPermutation();
    else if (isa<tensor::PadOp>(read->getOwner()))
      isWindowed |= hasNeighbours(read->getOwner());
  }
  const int64_t all = cast<RankedTensorType>(result.getType()).getNumElements();
  return isWindowed || (isSliced && 2 * elements > 3 * all);
}

llvm::DenseSet<Operation *> StencilChain::collectEnds(func::FuncOp function) {
  int64_t bytes = 0;
  llvm::DenseSet<Operation *> starts, ends;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (isMember(op) && !isa<linalg::FillOp>(op.getOperation()) &&
        hasNeighbours(op)) {
      starts.insert(op);
      bytes += countBytes(op->getResult(0).getType());
    }
  if (bytes <= kCachedBytes)
    return ends;
  for (Operation &op : function.getBody().front())
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          Operation *producer = operand.getDefiningOp();
          return starts.contains(producer) || ends.contains(producer);
        }))
      ends.insert(&op);
  return ends;
}

/// Whether tensors that have neighbours do not stay in a cache between two ops,
/// and blocks of all tensors do.
bool StencilChain::isWorthIt() const {
  int64_t bytes = 0;
  bool hasStencil = false;
  for (Operation *op : llvm::make_first_range(ops)) {
    if (outputs.contains(op) || isa<linalg::FillOp, tensor::PadOp>(op))
      continue;
    const bool isOwn = hasNeighbours(op);
    hasStencil |= isOwn;
    if (isOwn || !op->getResult(0).hasOneUse())
      bytes += countBytes(op->getResult(0).getType());
  }
  const int64_t rows = extents[rowLoop];
  return hasStencil && bytes > kCachedBytes && getBoxes({0, rows, rows}) &&
         fitsCache();
}

std::optional<StencilChain> StencilChain::find(linalg::LinalgOp last,
                                               unsigned rows, int64_t columns) {
  StencilChain chain;
  if (!chain.collect(last, rows, columns) || !chain.isWorthIt())
    return std::nullopt;
  const SmallVector<StencilPart> parts = chain.getParts();
  const bool isBlocked = parts.size() > 1 || !parts.front().isOneBlock() ||
                         rows > 0 || columns > 0;
  if (!isBlocked || parts.size() > kMostParts ||
      !llvm::all_of(parts, [&](const StencilPart &part) {
        return chain.getBoxes(part).has_value();
      }))
    return std::nullopt;
  return chain;
}

std::optional<StencilChain> StencilChain::match(linalg::LinalgOp last) {
  if (!isMember(last) || isa<linalg::FillOp>(last.getOperation()))
    return std::nullopt;
  auto type = cast<RankedTensorType>(last->getResult(0).getType());
  // The outermost dimension of which blocks fit a cache has the rows; where
  // more of the ops have room with parts of the next one, it is cut, too.
  for (unsigned rows = 0; rows != type.getRank(); ++rows) {
    if (type.getDimSize(rows) == 1)
      continue;
    std::optional<StencilChain> best = find(last, rows, /*columns=*/0);
    const int64_t all =
        rows + 1 < type.getRank() ? type.getDimSize(rows + 1) : 0;
    for (int64_t parts = 2; all / parts >= kLeastColumns; ++parts) {
      if (best && !best->wasCut && best->fitsSmallCache())
        break;
      if (all % parts != 0)
        continue;
      std::optional<StencilChain> chain = find(last, rows, all / parts);
      if (chain &&
          (!best || chain->ops.size() > best->ops.size() ||
           (chain->ops.size() == best->ops.size() && !best->fitsSmallCache())))
        best = std::move(chain);
    }
    if (best)
      return best;
  }
  return std::nullopt;
}
