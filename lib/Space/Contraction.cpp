//===- Contraction.cpp - Which ops can be anchors -------------------------===//
//
// Read next: TaskGrouping.h.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace sched;

/// `value` before casts.
static Value skipCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<CastOpInterface>(op) || op->getNumOperands() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether `body` adds the product of its two inputs to its output; casts of
/// the inputs are allowed. Upstream's contractions may use any pair of ring
/// operations, which the register tiles are not made for.
static bool isMultiplyAdd(Block &body) {
  if (body.getNumArguments() != 3 ||
      body.getTerminator()->getNumOperands() != 1)
    return false;
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  const unsigned term = sum->getOperand(0) == body.getArgument(2);
  if (sum->getOperand(1 - term) != body.getArgument(2))
    return false;
  Operation *product = skipCasts(sum->getOperand(term)).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  Value first = skipCasts(product->getOperand(0)),
        second = skipCasts(product->getOperand(1));
  if (first == body.getArgument(1))
    std::swap(first, second);
  return first == body.getArgument(0) && second == body.getArgument(1);
}

namespace {
/// How an operand or the result is indexed by the loops.
class Access {
public:
  /// An access whose indices are no sums of loops has no terms, nor has one
  /// where a loop is in two indices: a diagonal is no tile of the operand.
  explicit Access(AffineMap map) {
    for (AffineExpr index : map.getResults()) {
      auto sum = getAffineTerms(index);
      if (!sum ||
          llvm::any_of(*sum, [&](AffineTerm term) { return uses(term.loop); }))
        return;
      indices.push_back(*std::move(sum));
    }
    valid = true;
  }

  bool isValid() const { return valid; }
  bool hasSums() const {
    return llvm::any_of(
        indices, [](ArrayRef<AffineTerm> sum) { return sum.size() > 1; });
  }
  /// The dimension that `loop` indexes; none if none does.
  std::optional<unsigned> find(unsigned loop) const {
    for (auto [i, sum] : llvm::enumerate(indices))
      if (llvm::any_of(sum, [&](AffineTerm t) { return t.loop == loop; }))
        return i;
    return std::nullopt;
  }
  bool uses(unsigned loop) const { return find(loop).has_value(); }
  /// Distance of neighbours along `loop`, in elements of its dimension.
  int64_t getStep(unsigned loop) const {
    for (AffineTerm term : indices[*find(loop)])
      if (term.loop == loop)
        return term.coefficient;
    llvm_unreachable("the loop is in its sum");
  }
  /// Whether `loop` indexes its dimension without any other loop.
  bool isAlone(unsigned loop) const { return indices[*find(loop)].size() == 1; }

private:
  SmallVector<SmallVector<AffineTerm, 2>> indices;
  bool valid = false;
};
} // namespace

/// The largest of `loops`, of equals the innermost in `access`.
static unsigned pickLargest(ArrayRef<unsigned> loops, ArrayRef<int64_t> extents,
                            const Access &access) {
  return *llvm::max_element(loops, [&](unsigned a, unsigned b) {
    return std::pair(extents[a], access.find(a)) <
           std::pair(extents[b], access.find(b));
  });
}

/// The loops of a convolution over volumes. The loop-nest model has room for
/// these and for what packing adds.
static constexpr unsigned kMaxLoops = 9;

bool ContractionShape::isMatmul() const {
  return outer.empty() && unrollable && lhsOperand == 0 &&
         llvm::equal(loops, ArrayRef<unsigned>{0, 1, 2});
}

std::optional<ContractionShape> sched::matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
      !isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const Access accesses[] = {Access(maps[0]), Access(maps[1])};
  const Access result(maps[2]);
  if (!accesses[0].isValid() || !accesses[1].isValid() ||
      !maps[2].isProjectedPermutation() || maps[2].getNumResults() == 0)
    return std::nullopt;

  ContractionShape shape;
  // Vectors run along the innermost dimension of the result: where it comes
  // from operand 0, the product is the transposed one, C^T = B^T A^T.
  const unsigned n = maps[2].getDimPosition(maps[2].getNumResults() - 1);
  if (accesses[0].uses(n))
    std::swap(shape.lhsOperand, shape.rhsOperand);
  const Access &lhs = accesses[shape.lhsOperand],
               &rhs = accesses[shape.rhsOperand];
  if (lhs.uses(n) || !rhs.uses(n) || rhs.getStep(n) != 1)
    return std::nullopt;
  SmallVector<unsigned> rows, steps, lonelySteps;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::parallel) {
      if (lhs.uses(loop) && !rhs.uses(loop))
        rows.push_back(loop);
      continue;
    }
    if (!lhs.uses(loop) || !rhs.uses(loop))
      return std::nullopt;
    steps.push_back(loop);
    if (lhs.isAlone(loop) && rhs.isAlone(loop) && lhs.getStep(loop) == 1 &&
        rhs.getStep(loop) == 1)
      lonelySteps.push_back(loop);
  }
  if (rows.empty() || steps.empty())
    return std::nullopt;
  shape.overlaps = lhs.hasSums() || rhs.hasSums();
  shape.unrollable = !lonelySteps.empty();
  const unsigned m = pickLargest(rows, extents, result);
  const unsigned k =
      pickLargest(shape.unrollable ? lonelySteps : steps, extents, lhs);

  shape.m = extents[m];
  shape.n = extents[n];
  shape.k = extents[k];
  shape.rowStep = lhs.getStep(m);
  shape.loops = {m, n, k};
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (llvm::is_contained(ArrayRef<unsigned>{m, n, k}, loop))
      continue;
    shape.loops.push_back(loop);
    shape.outer.push_back(
        {extents[loop], type == utils::IteratorType::reduction});
  }
  for (unsigned loop : shape.loops)
    shape.resultDims.push_back(result.find(loop).value_or(0));
  shape.lhsTransposed = lhs.find(m) > lhs.find(k);
  shape.rhsTransposed = rhs.find(k) > rhs.find(n);
  auto element = [&](unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand).getType());
  };
  shape.lhsType = element(shape.lhsOperand);
  shape.rhsType = element(shape.rhsOperand);
  shape.accType = element(2);
  // An empty product is no work.
  if (llvm::is_contained(extents, 0) || extents.size() > kMaxLoops ||
      !isLaneType(shape.lhsType) || !isLaneType(shape.rhsType) ||
      !isLaneType(shape.accType))
    return std::nullopt;
  return shape;
}
