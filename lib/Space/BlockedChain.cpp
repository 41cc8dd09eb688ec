//===- BlockedChain.cpp - Finds ops to compute block by block -------------===//
//
// The chain is found backwards from its last product. Its loops that the rows
// run over are the blocked ones: batches, one at a time, and the rows of a
// batch, many at a time. Of reductions of columns, as in a softmax of channels
// that come before pixels, it is found from the elementwise op that ends them;
// the loops that are not reduced take the place of rows: the innermost, whole
// if there is room for several lines of pixels, then many lines at a time. An
// op belongs to the chain if only the chain reads its result and a block of the
// result needs a block of the last product, no more.
//
//===----------------------------------------------------------------------===//

#include "BlockedChain.h"
#include "TaskGrouping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace sched;

/// What a block of the first product's result may take: half of the smallest
/// second-level cache of today's cores. Smaller results are not blocked at all.
static constexpr int64_t kBlockBytes = 256 << 10;
/// Fewer rows use what they share too rarely.
static constexpr int64_t kLeastRows = 32;
/// The same of columns: a few vectors of all but the narrowest elements.
static constexpr int64_t kLeastColumns = 64;
/// What every block reads again, as a head's keys and values, may be so many
/// times what it saves, a block of the widest result. With 32 rows, that is a
/// head of 128 columns; layers between which rows are normalised are far wider.
static constexpr int64_t kMostReread = 8;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

bool BlockedChain::hasRows() const { return bool(matchContraction(last)); }

int64_t BlockedChain::countBlocks(int64_t rows) const {
  int64_t batches = 1;
  for (int64_t extent : ArrayRef(extents).drop_back())
    batches *= extent;
  return batches * llvm::divideCeil(extents.back(), rows);
}

int64_t BlockedChain::countRowBytes() const {
  const int64_t allRows = countBlocks(/*rows=*/1);
  int64_t rowBytes = 1;
  for (const auto &[op, loops] : ops)
    rowBytes =
        std::max(rowBytes, countBytes(op->getResult(0).getType()) / allRows);
  return rowBytes;
}

int64_t BlockedChain::chooseRows() const {
  const int64_t rows = extents.back();
  const int64_t most = std::clamp<int64_t>(kBlockBytes / countRowBytes(),
                                           std::min(leastRows, rows), rows);
  int64_t parts = llvm::divideCeil(rows, most);
  const int64_t batches = countBlocks(rows);
  if (batches * parts < kLeastBlocks)
    parts = std::max(parts,
                     std::min<int64_t>(llvm::divideCeil(kLeastBlocks, batches),
                                       rows / leastRows));
  if (rows % parts == 0)
    return rows / parts;
  return findEvenRows(rows, parts, leastRows)
      .value_or(llvm::divideCeil(rows, parts));
}

std::optional<int64_t> sched::findEvenRows(int64_t rows, int64_t parts,
                                           int64_t least) {
  for (int64_t even = parts; even <= 2 * parts; ++even)
    if (rows % even == 0 && rows / even >= least)
      return rows / even;
  return std::nullopt;
}

SmallVector<int64_t> BlockedChain::getBlockShape(RankedTensorType type,
                                                 const BlockedDims &dims,
                                                 int64_t rows) const {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, blocked] : llvm::zip_equal(shape, dims))
    if (blocked)
      size = *blocked + 1 == extents.size() ? rows : 1;
  return shape;
}

SmallVector<linalg::LinalgOp> BlockedChain::getOpsInOrder() const {
  return llvm::map_to_vector(llvm::reverse(ops), [](const auto &entry) {
    return cast<linalg::LinalgOp>(entry.first);
  });
}

SmallVector<BlockedSlice> BlockedChain::collectSlices() const {
  SmallVector<BlockedSlice> slices;
  for (linalg::LinalgOp op : getOpsInOrder())
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<RankedTensorType>(value.getType()) &&
          !ops.contains(value.getDefiningOp()) &&
          !value.getDefiningOp<tensor::EmptyOp>()) {
        BlockedSlice slice(value, *getBlockedDims(op, operand));
        if (!llvm::is_contained(slices, slice))
          slices.push_back(std::move(slice));
      }
    }
  return slices;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool BlockedChain::setBlockedLoops() {
  std::optional<ContractionShape> shape = matchContraction(last);
  if (!shape || !isMovable(last) || last.hasIndexSemantics())
    return false;
  OpOperand &lhs = last->getOpOperand(shape->lhsOperand);
  const AffineMap map = last.getMatchingIndexingMap(&lhs);
  if (!map.isProjectedPermutation())
    return false;
  BlockedDims loops(last.getNumLoops());
  auto add = [&](unsigned loop, int64_t extent) {
    loops[loop] = extents.size();
    extents.push_back(extent);
  };
  for (auto [index, outer] : llvm::enumerate(shape->outer)) {
    const unsigned loop = shape->loops[ContractionShape::kFirstOuter + index];
    if (!outer.isReduction && map.isFunctionOfDim(loop))
      add(loop, outer.extent);
  }
  add(shape->loops[0], shape->m);
  ops[last] = loops;
  return true;
}

/// Whether `value` is computed from reductions, and otherwise elementwise.
static bool isReduced(Value value) {
  llvm::SmallSetVector<Operation *, 8> seen;
  seen.insert(value.getDefiningOp());
  for (size_t i = 0; i != seen.size(); ++i) {
    auto op = dyn_cast_if_present<linalg::LinalgOp>(seen[i]);
    if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1)
      continue;
    if (op.getNumReductionLoops() > 0 && !matchContraction(op))
      return true;
    if (sched::isElementwise(op))
      for (Value input : op.getDpsInputs())
        seen.insert(input.getDefiningOp());
  }
  return false;
}

bool BlockedChain::setBlockedColumns() {
  if (!sched::isElementwise(last) || !isMovable(last) ||
      last.hasIndexSemantics() || last.getNumLoops() == 0)
    return false;
  // Loops that the reductions before went over.
  llvm::SmallBitVector reduced(last.getNumLoops());
  for (OpOperand *operand : last.getDpsInputOperands()) {
    const AffineMap map = last.getMatchingIndexingMap(operand);
    if (map.getNumResults() < last.getNumLoops() && isReduced(operand->get()))
      for (unsigned loop = 0; loop != last.getNumLoops(); ++loop)
        if (!map.isFunctionOfDim(loop))
          reduced.set(loop);
  }
  if (reduced.none() || reduced.test(last.getNumLoops() - 1))
    return false;
  const SmallVector<int64_t> shape = last.getStaticLoopRanges();
  int64_t bytes =
      std::max(1u, getElementTypeOrSelf(last->getResult(0).getType())
                           .getIntOrFloatBitWidth() /
                       8);
  for (unsigned loop : reduced.set_bits())
    bytes *= shape[loop];
  // Whole lines as long as several of them are a block.
  unsigned rows = last.getNumLoops() - 1;
  while (rows > 0 && !reduced.test(rows - 1) &&
         bytes * shape[rows] * 2 <= kBlockBytes)
    bytes *= shape[rows--];
  BlockedDims loops(last.getNumLoops());
  for (unsigned loop = 0; loop <= rows; ++loop)
    if (!reduced.test(loop)) {
      loops[loop] = extents.size();
      extents.push_back(shape[loop]);
    }
  // A line is vectors enough; of a single one, a part has to be.
  leastRows = rows + 1 == last.getNumLoops() ? kLeastColumns : 1;
  if (bytes * std::min(leastRows, shape[rows]) > kCachedBytes)
    return false;
  ops[last] = loops;
  return true;
}

std::optional<BlockedDims>
BlockedChain::getBlockedDims(linalg::LinalgOp op, OpOperand &operand) const {
  const AffineMap map = op.getMatchingIndexingMap(&operand);
  const BlockedDims &loops = ops.find(op)->second;
  BlockedDims dims;
  for (AffineExpr index : map.getResults()) {
    if (auto loop = dyn_cast<AffineDimExpr>(index)) {
      dims.push_back(loops[loop.getPosition()]);
      continue;
    }
    for (auto [loop, blocked] : llvm::enumerate(loops))
      if (blocked && index.isFunctionOfDim(loop))
        return std::nullopt;
    dims.push_back(std::nullopt);
  }
  return dims;
}

/// Whether every blocked loop is one of `dims`, and only one.
static bool hasEach(const BlockedDims &dims, unsigned count) {
  for (unsigned blocked = 0; blocked != count; ++blocked)
    if (llvm::count(dims, std::optional<unsigned>(blocked)) != 1)
      return false;
  return true;
}

bool BlockedChain::addOp(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op->use_empty() || !isMovable(op) ||
      (op.hasIndexSemantics() && !isa<linalg::GenericOp>(op)))
    return false;
  // The same block for each reader.
  std::optional<BlockedDims> block;
  for (OpOperand &use : op->getUses()) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!reader || !ops.contains(reader))
      return false;
    auto dims = getBlockedDims(reader, use);
    if (!dims || (block && *block != *dims))
      return false;
    block = std::move(dims);
  }
  const AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // Else every block would compute it again.
  if (!hasEach(*block, extents.size()) || !map.isProjectedPermutation())
    return false;
  BlockedDims loops(op.getNumLoops());
  for (auto [index, blocked] : llvm::zip_equal(map.getResults(), *block))
    loops[cast<AffineDimExpr>(index).getPosition()] = blocked;
  ops[op] = loops;
  if (llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        return getBlockedDims(op, operand);
      }))
    return true;
  ops.erase(op);
  return false;
}

void BlockedChain::collectOps() {
  // Readers come before what they read.
  for (Operation *op = last->getPrevNode(); op; op = op->getPrevNode())
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      addOp(linalgOp);
}

bool BlockedChain::isWorthIt() const {
  if (!hasRows())
    return countBytes(last->getResult(0).getType()) > kCachedBytes &&
           llvm::any_of(ops, [](const auto &entry) {
             return cast<linalg::LinalgOp>(entry.first).getNumReductionLoops() >
                    0;
           });
  bool hasProduct = false, hasReduction = false;
  int64_t bytes = 0;
  for (const auto &[op, loops] : ops) {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    if (linalgOp == last || linalgOp.getNumReductionLoops() == 0)
      continue;
    if (matchContraction(linalgOp)) {
      hasProduct = true;
      bytes = std::max(bytes, countBytes(op->getResult(0).getType()));
    } else {
      hasReduction = true;
    }
  }
  return hasProduct && hasReduction && bytes > kBlockBytes &&
         countReread() <= kMostReread * countRowBytes() * chooseRows();
}

int64_t BlockedChain::countReread() const {
  int64_t bytes = 0;
  for (const auto &[value, dims] : collectSlices()) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!llvm::is_contained(dims, std::optional<unsigned>(extents.size() - 1)))
      bytes += countBytes(type.clone(getBlockShape(type, dims, /*rows=*/1)));
  }
  return bytes;
}

std::optional<BlockedChain> BlockedChain::match(linalg::LinalgOp last) {
  BlockedChain chain;
  chain.last = last;
  chain.leastRows = kLeastRows;
  if (chain.hasRows() ? !chain.setBlockedLoops() : !chain.setBlockedColumns())
    return std::nullopt;
  for (OpOperand &operand : last->getOpOperands())
    if (!chain.getBlockedDims(last, operand))
      return std::nullopt;
  chain.collectOps();
  if (!chain.isWorthIt() || chain.countBlocks(chain.chooseRows()) == 1)
    return std::nullopt;
  return chain;
}
