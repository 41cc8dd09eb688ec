//===- RowBlocks.cpp - Chains computed block of rows by block -------------===//
//
// What is read from outside of a chain is a slice where blocked loops index it.
// An op that knows its place by a blocked loop (`linalg.index`: causal masks)
// reads the places of the block from a constant instead.
//
//===----------------------------------------------------------------------===//

#include "RowBlocks.h"
#include "BlockFunction.h"
#include "BlockedChain.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

func::FuncOp BlockedChain::makeFunction(func::FuncOp parent, int64_t rows,
                                        ArrayRef<BlockedSlice> slices) const {
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
  func::FuncOp function =
      makeBlockFunction(parent, loc, types, cut(result, getResultDims(last)));
  Block *body = &function.getBody().front();
  builder.setInsertionPointToStart(body);

  IRMapping made;
  for (linalg::LinalgOp op : getOpsInOrder()) {
    auto getTensor = [&](OpOperand &operand) -> Value {
      Value value = operand.get();
      if (ops.contains(value.getDefiningOp()))
        return made.lookup(value);
      BlockedDims dims = *getBlockedDims(op, operand);
      if (value.getDefiningOp<tensor::EmptyOp>()) {
        RankedTensorType type = cut(value, dims);
        return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
      }
      const BlockedSlice slice(value, dims);
      return body->getArgument(llvm::find(slices, slice) - slices.begin());
    };
    made.map(op->getResult(0),
             cloneToBlock(builder, op, cut(op->getResult(0), getResultDims(op)),
                          made, getTensor));
  }
  func::ReturnOp::create(builder, loc, made.lookup(result));
  return function;
}

Value BlockedChain::makeLoop(OpBuilder &builder, func::FuncOp callee,
                             ArrayRef<BlockedSlice> slices, Value result,
                             int64_t first, int64_t end, int64_t rows) const {
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

void BlockedChain::readPlaces() {
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

SmallVector<func::FuncOp> BlockedChain::rewrite(func::FuncOp parent,
                                                SymbolTable &symbols) {
  readPlaces();
  const int64_t rows = chooseRows(), all = extents.back(),
                whole = all / rows * rows;
  const SmallVector<BlockedSlice> slices = collectSlices();
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
    if (std::optional<BlockedChain> chain = BlockedChain::match(op)) {
      made.append(chain->rewrite(function, symbols));
      candidates = collectLinalgOps(function);
    }
  }
  return made;
}