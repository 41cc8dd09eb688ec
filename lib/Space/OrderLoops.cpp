//===- OrderLoops.cpp - Reductions in the order of their result -----------===//
//
// A reduction whose result has its dimensions in another order than the loops
// gets loops in that order: rows are then taken as they are written, wherever
// they are read. What is reduced is where it is read, not outside of all. Where
// columns are reduced, vectors run along what is read: the result, which is
// small, is computed in that order and transposed.
//
// An elementwise op gets the order of its result: rules, and what follows it,
// know it by that. So does a convolution with a window for each channel, whose
// tiles of the result would be transposed for every tap.
//
//
//===----------------------------------------------------------------------===//

#include "OrderLoops.h"
#include "CopyTransposed.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Whether `op` reduces to one result, which each parallel loop indexes.
static bool reducesToOne(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics() || op.hasDynamicShape())
    return false;
  const AffineMap result = op.getIndexingMapsArray().back();
  return result.isProjectedPermutation() &&
         result.getNumResults() == op.getNumParallelLoops();
}

/// Whether loops of `op`, which reduces to one result, are to be in its order.
static bool needsOrder(linalg::GenericOp op) {
  const std::optional<sched::ContractionShape> shape =
      sched::matchContraction(op);
  if (shape)
    return shape->isWindowed;
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
}

/// The dimensions of the result of `op`, a reduction, in the order in which an
/// input with all loops has them; empty if they are, or if vectors do not run
/// along the result.
static SmallVector<int64_t> getReadOrder(linalg::GenericOp op) {
  const AffineMap result = op.getIndexingMapsArray().back();
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isPermutation())
      continue;
    const AffineExpr innermost = map.getResults().back();
    if (!result.getResultPosition(innermost) ||
        result.getResults().back() == innermost)
      return {};
    SmallVector<int64_t> order;
    for (AffineExpr loop : map.getResults())
      if (auto position = result.getResultPosition(loop))
        order.push_back(*position);
    return order;
  }
  return {};
}

/// Computes `op` with the result's dimensions in `order`, and transposes it.
static void transposeResult(linalg::GenericOp op, ArrayRef<int64_t> order) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  auto moved = type.clone(applyPermutation(type.getShape(), order));
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  if (fill) {
    Value empty = tensor::EmptyOp::create(builder, loc, moved.getShape(),
                                          moved.getElementType());
    init->set(linalg::FillOp::create(builder, loc, fill.getInputs(), empty)
                  .getResult(0));
    if (fill->use_empty())
      fill->erase();
  } else {
    init->set(sched::copyTransposed(builder, loc, init->get(), order));
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = AffineMap::get(
      maps.back().getNumDims(), 0,
      applyPermutation(maps.back().getResults(), order), op.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  op->getResult(0).setType(moved);
  builder.setInsertionPointAfter(op);
  Value result = sched::copyTransposed(builder, loc, op->getResult(0),
                                       invertPermutationVector(order));
  op->getResult(0).replaceAllUsesExcept(result, result.getDefiningOp());
}

/// The loops of `op` as an input that has all of them has its dimensions; as
/// they are, where an input or none has these, or none is inside of what is
/// reduced.
static SmallVector<unsigned> getReadLoops(linalg::GenericOp op) {
  SmallVector<unsigned> loops =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  if (llvm::is_sorted(op.getIteratorTypesArray(), [](auto a, auto b) {
        return a == utils::IteratorType::parallel &&
               b == utils::IteratorType::reduction;
      }))
    return loops;
  std::optional<AffineMap> read;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isIdentity())
      return loops;
    if (!read && map.isPermutation())
      read = map;
  }
  if (read)
    for (unsigned &loop : loops)
      loop = read->getDimPosition(loop);
  return loops;
}

/// The loops of `op` as they are read, with the parallel ones, in their places,
/// in the order of the result; empty if they are.
static SmallVector<unsigned> getOrder(linalg::GenericOp op) {
  const AffineMap result = op.getIndexingMapsArray().back();
  const auto types = op.getIteratorTypesArray();
  SmallVector<unsigned> order;
  unsigned next = 0;
  for (unsigned loop : getReadLoops(op))
    order.push_back(types[loop] == utils::IteratorType::parallel
                        ? result.getDimPosition(next++)
                        : loop);
  if (llvm::is_sorted(order))
    order.clear();
  return order;
}

/// Interchanges the loops of `op`; whether they were in another order.
static bool orderLoopsOf(linalg::GenericOp op) {
  const SmallVector<unsigned> order = getOrder(op);
  IRRewriter rewriter(op);
  return !order.empty() &&
         succeeded(linalg::interchangeGenericOp(rewriter, op, order));
}

bool sched::orderElementwiseLoops(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (op.getNumDpsInits() == 1 && op.isAllParallelLoops() &&
        op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
        op.getIndexingMapsArray().back().isPermutation())
      ops.push_back(op);
  });
  bool isChanged = false;
  for (linalg::GenericOp op : ops)
    isChanged |= orderLoopsOf(op);
  return isChanged;
}

bool sched::orderLoops(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (reducesToOne(op) && needsOrder(op))
      ops.push_back(op);
  });
  bool isChanged = false;
  for (linalg::GenericOp op : ops) {
    const SmallVector<int64_t> read = getReadOrder(op);
    if (!read.empty()) {
      transposeResult(op, read);
      isChanged = true;
    }
    isChanged |= orderLoopsOf(op);
  }
  return isChanged;
}
