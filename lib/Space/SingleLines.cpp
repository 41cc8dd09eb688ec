//===- SingleLines.cpp - Windows along one line ---------------------------===//
//
// A convolution or a pooling of a signal without channels has one parallel
// loop, which its vectors run along; register tiles have rows as well. So it
// gets a dimension of lines, of which there is one,
//
//   result[w] += signal[w + k] * taps[k]
//   result[l, w] += signal[l, w + k] * taps[k]
//
// as reshapes of the signal and the result.
//
//===----------------------------------------------------------------------===//

#include "SingleLines.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// The dimension of lines goes first: dimension 0 becomes two.
static SmallVector<ReassociationIndices> getGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  for (int64_t dim = 1; dim != rank; ++dim)
    groups.push_back({dim + 1});
  return groups;
}

/// `value` with a first dimension of one element. What is the same everywhere
/// needs no reshape.
static Value expand(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill && !value.getDefiningOp<tensor::EmptyOp>())
    return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                         getGroups(type.getRank()));
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return fill ? linalg::FillOp::create(builder, loc, fill.value(), empty)
                    .getResult(0)
              : empty;
}

/// `op` with a loop over one line outside of its own; its result is that line.
static linalg::GenericOp addLine(OpBuilder &builder, linalg::GenericOp op) {
  const Location loc = op.getLoc();
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  const AffineExpr line = builder.getAffineDimExpr(0);
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (auto [map, operand] :
       llvm::zip_equal(op.getIndexingMapsArray(), op->getOperands())) {
    AffineMap shifted = map.shiftDims(1);
    const bool isAlong = map.isFunctionOfDim(parallel.front());
    maps.push_back(isAlong ? shifted.insertResult(line, 0) : shifted);
    operands.push_back(isAlong ? expand(builder, loc, operand) : operand);
  }
  SmallVector<utils::IteratorType> types = {utils::IteratorType::parallel};
  llvm::append_range(types, op.getIteratorTypesArray());
  const ValueRange all = operands;
  auto lines =
      linalg::GenericOp::create(builder, loc, all.back().getType(),
                                all.drop_back(), all.take_back(), maps, types);
  IRMapping mapping;
  op.getRegion().cloneInto(&lines.getRegion(), mapping);
  return lines;
}

/// Whether `op` is of windows along its one parallel loop, in the innermost
/// dimension of a signal.
static bool isSingleLine(linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != 1 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != 2 || matchContraction(op))
    return false;
  const AffineMap result = op.getIndexingMapsArray().back();
  return result.isProjectedPermutation() && result.getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.getRank() != 0;
         });
}

bool sched::addLines(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!isSingleLine(op))
      continue;
    IRRewriter rewriter(op);
    auto generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    linalg::GenericOp lines = addLine(rewriter, *generic);
    if (auto shape = matchContraction(lines); !shape || !shape->isWindowed) {
      rewriter.eraseOp(lines);
      continue;
    }
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        *generic, generic->getResultTypes().front(), lines.getResult(0),
        getGroups(1));
    isChanged = true;
  }
  return isChanged;
}
