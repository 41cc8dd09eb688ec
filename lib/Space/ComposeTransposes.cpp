//===- ComposeTransposes.cpp - Transposes of transposes -------------------===//
//
// A convolution with channels first gets them last and its result transposed
// back (ChannelsLast.cpp); a vision transformer goes on with pixels as rows,
//
//   tokens = transpose(reshape(reshape(transpose(rows))))
//
// which are the rows again. Reshapes in between that end with the type that
// they begin with change nothing. Two that the user wrote, and that are no
// identity, stay: what reads them computes both on the way.
//
//===----------------------------------------------------------------------===//

#include "ComposeTransposes.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// An op that only transposes `input`: dimension `order[i]` of it is dimension
/// i of the result.
struct Transpose {
  Value input;
  SmallVector<int64_t> order;

  static std::optional<Transpose> match(Operation *op);
};
} // namespace

std::optional<Transpose> Transpose::match(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInputs() != 1 || linalgOp.getNumDpsInits() != 1 ||
      linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
      linalgOp.hasDynamicShape())
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  OpOperand *input = linalgOp.getDpsInputOperand(0);
  const AffineMap from = linalgOp.getMatchingIndexingMap(input),
                  to = linalgOp.getMatchingIndexingMap(
                      linalgOp.getDpsInitOperand(0));
  if (body->getTerminator()->getOperand(0) != body->getArgument(0) ||
      !from.isPermutation() || !to.isPermutation())
    return std::nullopt;
  Transpose transpose{input->get(), {}};
  for (AffineExpr loop : to.getResults())
    transpose.order.push_back(*from.getResultPosition(loop));
  return transpose;
}

bool sched::composeTransposes(func::FuncOp function) {
  bool isChanged = false;
  IRRewriter rewriter(function);
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const auto last = Transpose::match(op);
    if (!last)
      continue;
    Operation *producer = lookThroughReshapes(last->input, nullptr);
    const auto first = Transpose::match(producer);
    if (!first || producer->getResult(0).getType() != last->input.getType())
      continue;
    const SmallVector<int64_t> order =
        applyPermutation(first->order, ArrayRef(last->order));
    const bool isIdentity = llvm::is_sorted(order);
    if (isIdentity ? !mayPassOn(op, first->input)
                   : !producer->hasAttr(kAloneAttrName))
      continue;
    if (isIdentity) {
      rewriter.replaceOp(op, first->input);
    } else {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<linalg::TransposeOp>(
          op, first->input, op.getDpsInits().front(), order);
    }
    isChanged = true;
  }
  return isChanged;
}
