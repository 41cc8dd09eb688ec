//===- Contraction.cpp - Which ops can be anchors -------------------------===//
//
// Read next: TaskGrouping.h.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Upstream's contractions may use any pair of ring operations (and/or among
/// them) and any unary op on the way; the register tiles are made for
/// multiplying and adding.
static bool isMultiplyAdd(Block &body) {
  unsigned products = 0, sums = 0;
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::MulFOp, arith::MulIOp>(op))
      ++products;
    else if (isa<arith::AddFOp, arith::AddIOp>(op))
      ++sums;
    else if (!isa<CastOpInterface>(op))
      return false;
  }
  return products == 1 && sums == 1;
}

/// The position of `loop` among the results of `map`.
static std::optional<unsigned> getPosition(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// The largest of `loops`, of equals the innermost in `map`.
static unsigned pickLargest(ArrayRef<unsigned> loops, ArrayRef<int64_t> extents,
                            AffineMap map) {
  return *llvm::max_element(loops, [&](unsigned a, unsigned b) {
    return std::pair(extents[a], getPosition(map, a)) <
           std::pair(extents[b], getPosition(map, b));
  });
}

bool ContractionShape::isMatmul() const {
  return outer.empty() && lhsOperand == 0 &&
         llvm::equal(loops, ArrayRef<unsigned>{0, 1, 2});
}

std::optional<ContractionShape> sched::matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || !linalg::isaContractionOpInterface(op) ||
      !isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const AffineMap result = maps[2];

  ContractionShape shape;
  // Vectors run along the innermost dimension of the result: where it comes
  // from operand 0, the product is the transposed one, C^T = B^T A^T.
  const unsigned n = result.getDimPosition(result.getNumResults() - 1);
  if (llvm::is_contained(dims->m, n))
    std::swap(shape.lhsOperand, shape.rhsOperand);
  else if (!llvm::is_contained(dims->n, n))
    return std::nullopt;
  const AffineMap lhs = maps[shape.lhsOperand], rhs = maps[shape.rhsOperand];
  const unsigned m =
      pickLargest(shape.lhsOperand == 0 ? dims->m : dims->n, extents, result);
  const unsigned k = pickLargest(dims->k, extents, lhs);

  shape.m = extents[m];
  shape.n = extents[n];
  shape.k = extents[k];
  shape.loops = {m, n, k};
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (llvm::is_contained(ArrayRef<unsigned>{m, n, k}, loop))
      continue;
    shape.loops.push_back(loop);
    shape.outer.push_back(
        {extents[loop], type == utils::IteratorType::reduction});
  }
  for (unsigned loop : shape.loops)
    shape.resultDims.push_back(getPosition(result, loop).value_or(0));
  shape.lhsTransposed = getPosition(lhs, m) > getPosition(lhs, k);
  shape.rhsTransposed = getPosition(rhs, k) > getPosition(rhs, n);
  auto element = [&](unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand).getType());
  };
  shape.lhsType = element(shape.lhsOperand);
  shape.rhsType = element(shape.rhsOperand);
  shape.accType = element(2);
  // An empty product is no work; other element types have no vector form.
  if (llvm::is_contained(extents, 0) || !shape.lhsType.isIntOrFloat() ||
      !shape.rhsType.isIntOrFloat() || !shape.accType.isIntOrFloat())
    return std::nullopt;
  return shape;
}
