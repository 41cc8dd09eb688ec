//===- StencilBlocks.cpp - Stencils computed block by block ---------------===//
//
// Ops that read neighbours of what others compute, as filters of an image do
// after each other, are tasks of their own: an element would be computed for
// each that reads it. But what passes between them are images that no cache
// holds. So a chain of them becomes a loop over blocks of rows of its results,
// whose body computes of each tensor the rows that the block takes, those that
// its neighbours take, too, again (overlapped tiling):
//
//   loop over blocks:
//     rows = @f_rows(rows of the image and those beside them)
//
// A block at the border of a padded tensor has a function of its own.
//
//===----------------------------------------------------------------------===//

#include "StencilBlocks.h"
#include "BlockFunction.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "StencilChain.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// Writes the function of the blocks of one part, and its loop.
class PartWriter {
public:
  PartWriter(const StencilChain &chain, const StencilPart &part)
      : chain(chain), part(part), boxes(*chain.getBoxes(part)),
        loc(chain.getLast()->getLoc()) {
    for (const auto &[value, dims] : chain.collectTensors())
      if (!chain.contains(value.getDefiningOp()))
        sources[value] = dims;
  }

  func::FuncOp makeFunction(func::FuncOp parent);
  /// Computes its rows of `results`, one an output.
  SmallVector<Value> makeLoop(OpBuilder &builder, func::FuncOp callee,
                              ValueRange results);

private:
  RankedTensorType getBlockType(Value value, const BlockedDims &dims) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.clone(getStencilShape(type, dims, boxes.lookup(value)));
  }
  Value getRead(OpBuilder &builder, OpOperand &operand,
                ArrayRef<HaloRange> read);
  Value clonePad(OpBuilder &builder, tensor::PadOp pad);

  const StencilChain &chain;
  const StencilPart &part;
  const StencilChain::Boxes boxes;
  const Location loc;
  /// Tensors from outside, with their blocked loops: the arguments.
  StencilChain::Tensors sources;
  /// What a block has of each tensor.
  IRMapping made;
};
} // namespace

/// What the block has of `read`, of the tensor that is `operand`.
Value PartWriter::getRead(OpBuilder &builder, OpOperand &operand,
                          ArrayRef<HaloRange> read) {
  const StencilView view = *chain.getView(operand);
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<int64_t> shape = getStencilShape(type, view.dims, read);
  if (view.root.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  Value block = made.lookup(view.root);
  const HaloBox own = boxes.lookup(view.root);
  SmallVector<OpFoldResult> offsets;
  bool isAll =
      cast<RankedTensorType>(block.getType()).getShape() == ArrayRef(shape);
  for (auto [dim, blocked] : llvm::enumerate(view.dims)) {
    const int64_t offset =
        view.offsets[dim] +
        (blocked ? read[*blocked].low - own[*blocked].low : 0);
    offsets.push_back(builder.getIndexAttr(offset));
    isAll &= offset == 0;
  }
  if (isAll)
    return block;
  return tensor::ExtractSliceOp::create(
      builder, loc, block, offsets,
      getAsIndexOpFoldResult(builder.getContext(), shape),
      SmallVector<OpFoldResult>(shape.size(), builder.getIndexAttr(1)));
}

Value PartWriter::clonePad(OpBuilder &builder, tensor::PadOp pad) {
  const BlockedDims &dims = chain.getResultDims(pad);
  const HaloBox own = boxes.lookup(pad.getResult()),
                read = *chain.getRead(pad.getSourceMutable(), own, part);
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  for (auto [dim, blocked] : llvm::enumerate(dims)) {
    if (!blocked)
      continue;
    // Of what is read before it is cut to the tensor.
    const HaloRange range = own[*blocked], inside = read[*blocked];
    const int64_t above = inside.low - (range.low - pad.getStaticLow()[dim]);
    low[dim] = builder.getIndexAttr(above);
    high[dim] = builder.getIndexAttr(range.size() - above - inside.size());
  }
  Value source = getRead(builder, pad.getSourceMutable(), read);
  if (cast<RankedTensorType>(source.getType()) == getBlockType(pad, dims))
    return source;
  Value padding = builder.clone(*pad.getConstantPaddingValue().getDefiningOp())
                      ->getResult(0);
  return tensor::PadOp::create(builder, loc, getBlockType(pad, dims), source,
                               low, high, padding);
}

func::FuncOp PartWriter::makeFunction(func::FuncOp parent) {
  OpBuilder builder(parent.getContext());
  SmallVector<Type> arguments, results;
  for (const auto &[value, dims] : sources)
    arguments.push_back(getBlockType(value, dims));
  for (Operation *op : chain.getOutputs())
    results.push_back(getBlockType(op->getResult(0), chain.getResultDims(op)));
  func::FuncOp function = makeBlockFunction(parent, loc, arguments, results);
  Block *body = &function.getBody().front();
  builder.setInsertionPointToStart(body);
  for (auto [source, argument] : llvm::zip_equal(sources, body->getArguments()))
    made.map(source.first, argument);
  for (Operation *op : chain.getOpsInOrder()) {
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      made.map(pad.getResult(), clonePad(builder, pad));
      continue;
    }
    const Value result = op->getResult(0);
    const HaloBox own = boxes.lookup(result);
    made.map(result,
             cloneToBlock(builder, cast<linalg::LinalgOp>(op),
                          getBlockType(result, chain.getResultDims(op)), made,
                          [&](OpOperand &operand) {
                            return getRead(builder, operand,
                                           *chain.getRead(operand, own, part));
                          }));
  }
  SmallVector<Value> returned;
  for (Operation *op : chain.getOutputs())
    returned.push_back(made.lookup(op->getResult(0)));
  func::ReturnOp::create(builder, loc, returned);
  return function;
}

SmallVector<Value> PartWriter::makeLoop(OpBuilder &builder, func::FuncOp callee,
                                        ValueRange results) {
  ArrayRef<int64_t> extents = chain.getExtents();
  SmallVector<OpFoldResult> lower(extents.size(), builder.getIndexAttr(0)),
      upper = getAsIndexOpFoldResult(builder.getContext(), extents),
      step(extents.size(), builder.getIndexAttr(1));
  const unsigned rowLoop = chain.getRowLoop();
  for (unsigned each = 0; each != extents.size(); ++each)
    if (each != rowLoop)
      step[each] = builder.getIndexAttr(chain.getBlockSize(each));
  lower[rowLoop] = builder.getIndexAttr(part.first);
  upper[rowLoop] = builder.getIndexAttr(part.end);
  step[rowLoop] = builder.getIndexAttr(part.size);
  auto loop = scf::ForallOp::create(builder, loc, lower, upper, step, results,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  // Of what the block has of `value`: its place, sizes and strides.
  auto getPlace = [&](Value value, const BlockedDims &dims) {
    auto type = cast<RankedTensorType>(value.getType());
    const HaloBox box = boxes.lookup(value);
    SmallVector<OpFoldResult> offsets;
    for (std::optional<unsigned> blocked : dims) {
      if (!blocked) {
        offsets.push_back(builder.getIndexAttr(0));
      } else if (*blocked == rowLoop && part.isOneBlock()) {
        offsets.push_back(builder.getIndexAttr(box[*blocked].low));
      } else {
        const AffineExpr place = builder.getAffineDimExpr(0);
        offsets.push_back(affine::makeComposedFoldedAffineApply(
            builder, loc, place + box[*blocked].low,
            {OpFoldResult(loop.getInductionVar(*blocked))}));
      }
    }
    return std::make_tuple(
        offsets,
        getAsIndexOpFoldResult(builder.getContext(),
                               getStencilShape(type, dims, box)),
        SmallVector<OpFoldResult>(dims.size(), builder.getIndexAttr(1)));
  };
  SmallVector<Value> arguments;
  for (const auto &[value, dims] : sources) {
    auto [offsets, sizes, strides] = getPlace(value, dims);
    arguments.push_back(tensor::ExtractSliceOp::create(
        builder, loc, value, offsets, sizes, strides));
  }
  auto call = func::CallOp::create(builder, loc, callee, arguments);
  for (auto [op, computed, all] : llvm::zip_equal(
           chain.getOutputs(), call.getResults(), loop.getRegionIterArgs())) {
    builder.setInsertionPoint(loop.getTerminator());
    auto [offsets, sizes, strides] =
        getPlace(op->getResult(0), chain.getResultDims(op));
    builder.setInsertionPointToEnd(loop.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(builder, loc, computed, all, offsets,
                                          sizes, strides);
  }
  return llvm::to_vector_of<Value>(loop.getResults());
}

static SmallVector<func::FuncOp>
rewrite(const StencilChain &chain, func::FuncOp parent, SymbolTable &symbols) {
  SmallVector<func::FuncOp> functions;
  OpBuilder builder(chain.getLast());
  SmallVector<Value> results;
  for (Operation *op : chain.getOutputs()) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    results.push_back(tensor::EmptyOp::create(
        builder, op->getLoc(), type.getShape(), type.getElementType()));
  }
  for (const StencilPart &part : chain.getParts()) {
    PartWriter writer(chain, part);
    func::FuncOp function = writer.makeFunction(parent);
    // Renames where there is a function of that name.
    symbols.insert(function, std::next(Block::iterator(parent)));
    functions.push_back(function);
    results = writer.makeLoop(builder, function, results);
  }
  for (auto [op, result] : llvm::zip_equal(chain.getOutputs(), results))
    op->getResult(0).replaceUsesWithIf(result, [&](OpOperand &use) {
      return !chain.contains(use.getOwner());
    });
  // Slices of members are read by members alone.
  SmallVector<Operation *> dead = chain.getOpsInOrder();
  for (Operation *op : llvm::reverse(dead)) {
    SmallVector<Operation *> slices(op->getResult(0).getUsers());
    for (size_t i = 0; i != slices.size(); ++i)
      llvm::append_range(slices, slices[i]->getResult(0).getUsers());
    for (Operation *slice : llvm::reverse(slices))
      slice->erase();
    op->erase();
  }
  return functions;
}

SmallVector<func::FuncOp> sched::blockStencils(func::FuncOp function,
                                               SymbolTable &symbols) {
  SmallVector<func::FuncOp> made;
  if (function->hasAttr(kInParallelAttrName))
    return made;
  const llvm::DenseSet<Operation *> ends = StencilChain::collectEnds(function);
  SmallVector<linalg::LinalgOp> candidates = llvm::filter_to_vector(
      collectLinalgOps(function), [&](linalg::LinalgOp op) {
        return op->getParentOp() == function.getOperation() &&
               ends.contains(op);
      });
  // From the end, as a chain ends in what nothing of it reads.
  while (!candidates.empty()) {
    linalg::LinalgOp op = candidates.pop_back_val();
    std::optional<StencilChain> chain = StencilChain::match(op);
    if (!chain)
      continue;
    llvm::erase_if(candidates, [&](linalg::LinalgOp other) {
      return chain->contains(other);
    });
    made.append(rewrite(*chain, function, symbols));
  }
  return made;
}
