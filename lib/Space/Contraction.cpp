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

/// Whether `map` reads the matrix (row, column); with `transposed`, as
/// (column, row). Neither if a result is not one of the two dimensions.
static bool isMatrix(AffineMap map, unsigned row, unsigned column,
                     bool &transposed) {
  if (map.getNumResults() != 2)
    return false;
  auto first = dyn_cast<AffineDimExpr>(map.getResult(0));
  auto second = dyn_cast<AffineDimExpr>(map.getResult(1));
  if (!first || !second)
    return false;
  transposed = first.getPosition() == column;
  return transposed
             ? second.getPosition() == row
             : first.getPosition() == row && second.getPosition() == column;
}

std::optional<ContractionShape> sched::matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumLoops() != 3 || op->getNumResults() != 1 ||
      !linalg::isaContractionOpInterface(op) || !isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || !dims->batch.empty() || dims->m.size() != 1 ||
      dims->n.size() != 1 || dims->k.size() != 1)
    return std::nullopt;

  ContractionShape shape;
  unsigned m = dims->m.front(), n = dims->n.front(), k = dims->k.front();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool swapped = false;
  if (!isMatrix(maps[2], m, n, swapped))
    return std::nullopt;
  if (swapped) {
    // The transposed product: C^T = B^T A^T has a contiguous n.
    std::swap(m, n);
    shape.lhsOperand = 1;
    shape.rhsOperand = 0;
  }
  if (!isMatrix(maps[shape.lhsOperand], m, k, shape.lhsTransposed) ||
      !isMatrix(maps[shape.rhsOperand], k, n, shape.rhsTransposed))
    return std::nullopt;

  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  shape.m = extents[m];
  shape.n = extents[n];
  shape.k = extents[k];
  shape.loops = {m, n, k};
  auto element = [&](unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand).getType());
  };
  shape.lhsType = element(shape.lhsOperand);
  shape.rhsType = element(shape.rhsOperand);
  shape.accType = element(2);
  // An empty product is no work; other element types have no vector form.
  if (shape.m < 1 || shape.n < 1 || shape.k < 1 ||
      !shape.lhsType.isIntOrFloat() || !shape.rhsType.isIntOrFloat() ||
      !shape.accType.isIntOrFloat())
    return std::nullopt;
  return shape;
}
