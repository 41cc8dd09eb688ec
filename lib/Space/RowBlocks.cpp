//===- RowBlocks.cpp - Chains computed block of rows by block -------------===//
//
// The chain is found backwards from its last product. Its loops that the rows
// run over are the blocked ones: batches, one at a time, and the rows of a
// batch, many at a time. Of reductions of columns, as in a softmax of channels
// that come before pixels, it is found from the elementwise op that ends them;
// the loops that are not reduced take the place of rows: the innermost, whole
// if there is room for several lines of pixels, then many lines at a time. An
// op belongs to the chain if only the chain reads its result and a block of the
// result needs a block of the last product, no more. Everything else is read
// from outside, as a slice where blocked loops index it. An op that knows its
// place by a blocked loop (`linalg.index`: causal masks) reads the places of
// the block from a constant instead.
//
//===----------------------------------------------------------------------===//

#include "RowBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// What a block of the first product's result may take: half of the smallest
/// second-level cache of today's cores. Smaller results are not blocked at all.
static constexpr int64_t kBlockBytes = 256 << 10;
/// Results that are no larger stay in a second-level cache between the ops.
static constexpr int64_t kCachedBytes = 1 << 20;
/// Fewer rows use what they share too rarely.
static constexpr int64_t kLeastRows = 32;
/// The same of columns: a few vectors of all but the narrowest elements.
static constexpr int64_t kLeastColumns = 64;
/// Enough for a few threads to share.
static constexpr int64_t kLeastBlocks = 16;
/// What every block reads again, as a head's keys and values, may be so many
/// times what it saves, a block of the widest result. With 32 rows, that is a
/// head of 128 columns; layers between which rows are normalised are far wider.
static constexpr int64_t kMostReread = 8;

namespace {
/// For each loop of an op, or each dimension of a tensor, the blocked loop that
/// it is; none where it is not blocked.
using BlockedDims = SmallVector<std::optional<unsigned>, 4>;

/// A tensor from outside, cut to a block by its dimensions.
using Slice = std::pair<Value, BlockedDims>;

class Chain {
public:
  /// The chain that ends in `last`, if it is one worth blocking.
  static std::optional<Chain> match(linalg::LinalgOp last);

  /// Replaces it; the functions for a block are put beside `parent`.
  SmallVector<func::FuncOp> rewrite(func::FuncOp parent, SymbolTable &symbols);

private:
  bool setBlockedLoops();
  bool setBlockedColumns();
  void collectOps();
  bool addOp(linalg::LinalgOp op);
  bool isWorthIt() const;
  /// Whether it ends in a product, and not in reductions of columns.
  bool hasRows() const { return bool(matchContraction(last)); }
  /// Bytes of a row of the widest result.
  int64_t countRowBytes() const;
  /// Bytes from outside that are the same for all rows of a batch.
  int64_t countReread() const;
  /// Lets ops read their places along blocked loops, of which a block has a
  /// part.
  void readPlaces();
  /// Rows of a block.
  int64_t chooseRows() const;

  /// Blocked loops of each dimension of `operand` of `op`; nothing where an
  /// index is more than a loop and depends on a blocked one.
  std::optional<BlockedDims> getBlockedDims(linalg::LinalgOp op,
                                            OpOperand &operand) const;
  int64_t countBlocks(int64_t rows) const;
  SmallVector<int64_t> getBlockShape(RankedTensorType type,
                                     const BlockedDims &dims,
                                     int64_t rows) const;
  func::FuncOp makeFunction(func::FuncOp parent, int64_t rows,
                            ArrayRef<Slice> slices) const;
  SmallVector<Slice> collectSlices() const;
  Value makeLoop(OpBuilder &builder, func::FuncOp callee,
                 ArrayRef<Slice> slices, Value result, int64_t first,
                 int64_t end, int64_t rows) const;
  SmallVector<linalg::LinalgOp> getOpsInOrder() const;

  linalg::LinalgOp last;
  /// Extents of the blocked loops; the rows are the last of them.
  SmallVector<int64_t> extents;
  /// Fewer rows of a block are not worth it.
  int64_t leastRows = kLeastRows;
  /// The ops of the chain with their loops, the last product first.
  llvm::MapVector<Operation *, BlockedDims> ops;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool Chain::setBlockedLoops() {
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

bool Chain::setBlockedColumns() {
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

std::optional<BlockedDims> Chain::getBlockedDims(linalg::LinalgOp op,
                                                 OpOperand &operand) const {
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

bool Chain::addOp(linalg::LinalgOp op) {
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

void Chain::collectOps() {
  // Readers come before what they read.
  for (Operation *op = last->getPrevNode(); op; op = op->getPrevNode())
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      addOp(linalgOp);
}

bool Chain::isWorthIt() const {
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

int64_t Chain::countReread() const {
  int64_t bytes = 0;
  for (const auto &[value, dims] : collectSlices()) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!llvm::is_contained(dims, std::optional<unsigned>(extents.size() - 1)))
      bytes += countBytes(type.clone(getBlockShape(type, dims, /*rows=*/1)));
  }
  return bytes;
}

std::optional<Chain> Chain::match(linalg::LinalgOp last) {
  Chain chain;
  chain.last = last;
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

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

int64_t Chain::countBlocks(int64_t rows) const {
  int64_t batches = 1;
  for (int64_t extent : ArrayRef(extents).drop_back())
    batches *= extent;
  return batches * llvm::divideCeil(extents.back(), rows);
}

int64_t Chain::countRowBytes() const {
  const int64_t allRows = countBlocks(/*rows=*/1);
  int64_t rowBytes = 1;
  for (const auto &[op, loops] : ops)
    rowBytes =
        std::max(rowBytes, countBytes(op->getResult(0).getType()) / allRows);
  return rowBytes;
}

int64_t Chain::chooseRows() const {
  const int64_t rows = extents.back();
  const int64_t most = std::clamp<int64_t>(kBlockBytes / countRowBytes(),
                                           std::min(leastRows, rows), rows);
  int64_t parts = llvm::divideCeil(rows, most);
  const int64_t batches = countBlocks(rows);
  if (batches * parts < kLeastBlocks)
    parts = std::max(parts,
                     std::min<int64_t>(llvm::divideCeil(kLeastBlocks, batches),
                                       rows / leastRows));
  // Blocks of one size, if that takes no more than twice as many.
  for (int64_t even = parts; even <= 2 * parts; ++even)
    if (rows % even == 0 && (rows / even >= leastRows || even == parts))
      return rows / even;
  return llvm::divideCeil(rows, parts);
}

SmallVector<int64_t> Chain::getBlockShape(RankedTensorType type,
                                          const BlockedDims &dims,
                                          int64_t rows) const {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, blocked] : llvm::zip_equal(shape, dims))
    if (blocked)
      size = *blocked + 1 == extents.size() ? rows : 1;
  return shape;
}

SmallVector<linalg::LinalgOp> Chain::getOpsInOrder() const {
  return llvm::map_to_vector(llvm::reverse(ops), [](const auto &entry) {
    return cast<linalg::LinalgOp>(entry.first);
  });
}

SmallVector<Slice> Chain::collectSlices() const {
  SmallVector<Slice> slices;
  for (linalg::LinalgOp op : getOpsInOrder())
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<RankedTensorType>(value.getType()) &&
          !ops.contains(value.getDefiningOp()) &&
          !value.getDefiningOp<tensor::EmptyOp>()) {
        Slice slice(value, *getBlockedDims(op, operand));
        if (!llvm::is_contained(slices, slice))
          slices.push_back(std::move(slice));
      }
    }
  return slices;
}

func::FuncOp Chain::makeFunction(func::FuncOp parent, int64_t rows,
                                 ArrayRef<Slice> slices) const {
  OpBuilder builder(parent.getContext());
  const Location loc = last->getLoc();
  auto cut = [&](Value value, const BlockedDims &dims) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.clone(getBlockShape(type, dims, rows));
  };
  SmallVector<Type> types;
  for (const auto &[value, dims] : slices)
    types.push_back(cut(value, dims));
  auto getResultDims = [&](linalg::LinalgOp op) {
    return *getBlockedDims(op, *op.getDpsInitOperand(0));
  };
  Value result = last->getResult(0);
  auto function = func::FuncOp::create(
      builder, loc, (parent.getName() + "_rows").str(),
      builder.getFunctionType(types, cut(result, getResultDims(last))));
  function.setPrivate();
  function->setAttr(kOutlinedAttrName, builder.getUnitAttr());
  function->setAttr(kInParallelAttrName, builder.getUnitAttr());
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);

  IRMapping made;
  for (linalg::LinalgOp op : getOpsInOrder()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (!made.contains(value))
        builder.clone(*value.getDefiningOp(), made);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType())) {
        if (!made.contains(value))
          builder.clone(*value.getDefiningOp(), made);
        operands.push_back(made.lookup(value));
        continue;
      }
      if (ops.contains(value.getDefiningOp())) {
        operands.push_back(made.lookup(value));
        continue;
      }
      BlockedDims dims = *getBlockedDims(op, operand);
      if (value.getDefiningOp<tensor::EmptyOp>()) {
        RankedTensorType type = cut(value, dims);
        operands.push_back(tensor::EmptyOp::create(
            builder, loc, type.getShape(), type.getElementType()));
        continue;
      }
      const Slice slice(value, dims);
      operands.push_back(
          body->getArgument(llvm::find(slices, slice) - slices.begin()));
    }
    Operation *copy = mlir::clone(
        builder, op, cut(op->getResult(0), getResultDims(op)), operands);
    for (Region &region : copy->getRegions())
      region.walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(made.lookupOrDefault(operand.get()));
      });
    made.map(op->getResult(0), copy->getResult(0));
  }
  func::ReturnOp::create(builder, loc, made.lookup(result));
  return function;
}

Value Chain::makeLoop(OpBuilder &builder, func::FuncOp callee,
                      ArrayRef<Slice> slices, Value result, int64_t first,
                      int64_t end, int64_t rows) const {
  const Location loc = last->getLoc();
  SmallVector<OpFoldResult> lower(extents.size(), builder.getIndexAttr(0)),
      upper = getAsIndexOpFoldResult(builder.getContext(), extents),
      step(extents.size(), builder.getIndexAttr(1));
  lower.back() = builder.getIndexAttr(first);
  upper.back() = builder.getIndexAttr(end);
  step.back() = builder.getIndexAttr(rows);
  auto loop = scf::ForallOp::create(builder, loc, lower, upper, step, result,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  // Of the part of `value` that a block has.
  auto getPlace = [&](Value value, const BlockedDims &dims) {
    SmallVector<OpFoldResult> offsets;
    for (std::optional<unsigned> blocked : dims)
      offsets.push_back(blocked ? OpFoldResult(loop.getInductionVar(*blocked))
                                : OpFoldResult(builder.getIndexAttr(0)));
    auto sizes = getAsIndexOpFoldResult(
        builder.getContext(),
        getBlockShape(cast<RankedTensorType>(value.getType()), dims, rows));
    SmallVector<OpFoldResult> strides(dims.size(), builder.getIndexAttr(1));
    return std::make_tuple(offsets, sizes, strides);
  };
  SmallVector<Value> arguments;
  for (const auto &[value, dims] : slices) {
    auto [offsets, sizes, strides] = getPlace(value, dims);
    arguments.push_back(tensor::ExtractSliceOp::create(
        builder, loc, value, offsets, sizes, strides));
  }
  auto call = func::CallOp::create(builder, loc, callee, arguments);
  linalg::LinalgOp op = last;
  auto [offsets, sizes, strides] =
      getPlace(result, *getBlockedDims(op, *op.getDpsInitOperand(0)));
  builder.setInsertionPointToStart(loop.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, call.getResult(0),
                                        loop.getRegionIterArgs().front(),
                                        offsets, sizes, strides);
  return loop.getResult(0);
}

/// `op` with the place along each of `loops` as an input: a constant that the
/// loop indexes. `op` itself is erased.
static linalg::GenericOp readPlacesOf(linalg::GenericOp op,
                                      ArrayRef<unsigned> loops) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  const unsigned numInputs = op.getNumDpsInputs();
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned loop : loops) {
    const int64_t extent = op.getStaticLoopRanges()[loop];
    auto type = RankedTensorType::get({extent}, llvm::isInt<32>(extent)
                                                    ? builder.getI32Type()
                                                    : builder.getI64Type());
    SmallVector<APInt> places;
    for (int64_t place = 0; place != extent; ++place)
      places.emplace_back(type.getElementTypeBitWidth(), place);
    maps.insert(
        maps.begin() + inputs.size(),
        AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(loop)));
    inputs.push_back(arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, places)));
  }
  auto reader = linalg::GenericOp::create(builder, loc, op.getResultTypes(),
                                          inputs, op.getOutputs(), maps,
                                          op.getIteratorTypesArray());
  reader->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  reader.getRegion().takeBody(op.getRegion());
  Block *body = reader.getBody();
  builder.setInsertionPointToStart(body);
  for (auto [index, loop] : llvm::enumerate(loops)) {
    Value input = inputs[numInputs + index];
    BlockArgument element = body->insertArgument(
        numInputs + index, getElementTypeOrSelf(input), loc);
    Value place = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), element);
    reader->walk([&, loop = loop](linalg::IndexOp old) {
      if (old.getDim() == loop)
        old.replaceAllUsesWith(place);
    });
  }
  op.replaceAllUsesWith(reader.getResults());
  op.erase();
  return reader;
}

void Chain::readPlaces() {
  llvm::MapVector<Operation *, BlockedDims> readers;
  for (auto &[op, dims] : ops) {
    const BlockedDims &blocked = dims;
    SmallVector<unsigned> loops;
    op->walk([&](linalg::IndexOp place) {
      if (blocked[place.getDim()] && !llvm::is_contained(loops, place.getDim()))
        loops.push_back(place.getDim());
    });
    Operation *reader = op;
    if (!loops.empty())
      reader = readPlacesOf(cast<linalg::GenericOp>(op), loops);
    readers[reader] = blocked;
  }
  ops = std::move(readers);
}

SmallVector<func::FuncOp> Chain::rewrite(func::FuncOp parent,
                                         SymbolTable &symbols) {
  readPlaces();
  const int64_t rows = chooseRows(), all = extents.back(),
                whole = all / rows * rows;
  const SmallVector<Slice> slices = collectSlices();
  OpBuilder builder(last);
  auto type = cast<RankedTensorType>(last->getResult(0).getType());
  Value result = tensor::EmptyOp::create(
      builder, last->getLoc(), type.getShape(), type.getElementType());
  SmallVector<func::FuncOp> functions;
  auto add = [&](int64_t first, int64_t end, int64_t size) {
    func::FuncOp function = makeFunction(parent, size, slices);
    // Renames where there is a function of that name.
    symbols.insert(function, std::next(Block::iterator(parent)));
    functions.push_back(function);
    result = makeLoop(builder, function, slices, result, first, end, size);
  };
  add(0, whole, rows);
  if (whole != all)
    add(whole, all, all - whole);
  last->getResult(0).replaceAllUsesWith(result);
  for (const auto &[op, loops] : ops)
    op->erase();
  return functions;
}

SmallVector<func::FuncOp> sched::blockRows(func::FuncOp function,
                                           SymbolTable &symbols) {
  SmallVector<func::FuncOp> made;
  if (function->hasAttr(kInParallelAttrName))
    return made;
  SmallVector<linalg::LinalgOp> candidates = collectLinalgOps(function);
  // From the end, as a chain ends in its last product.
  while (!candidates.empty()) {
    linalg::LinalgOp op = candidates.pop_back_val();
    // In a loop of the user's, what is around a block is not known.
    if (op->getParentOp() != function.getOperation())
      continue;
    if (std::optional<Chain> chain = Chain::match(op)) {
      made.append(chain->rewrite(function, symbols));
      candidates = collectLinalgOps(function);
    }
  }
  return made;
}
