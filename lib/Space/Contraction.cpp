//===- Contraction.cpp - Which ops can be anchors -------------------------===//
//
// Read next: TaskGrouping.h.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "SchedOpt/Support/Target.h"
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

// Upstream's contractions may use any pair of ring operations, which the
// register tiles are not made for.
bool sched::isMultiplyAdd(Block &body) {
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

/// The input that `body` combines with its output, without reading the other:
/// a pooling. None if the body does anything else.
static std::optional<unsigned> matchPooling(Block &body) {
  if (body.getNumArguments() != 3 ||
      body.getTerminator()->getNumOperands() != 1)
    return std::nullopt;
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 ||
      !arith::getNeutralElement(combiner).has_value())
    return std::nullopt;
  const unsigned term = combiner->getOperand(0) == body.getArgument(2);
  if (combiner->getOperand(1 - term) != body.getArgument(2))
    return std::nullopt;
  Value value = skipCasts(combiner->getOperand(term));
  for (unsigned input : {0, 1})
    if (value == body.getArgument(input) &&
        body.getArgument(1 - input).use_empty())
      return input;
  return std::nullopt;
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

/// The loop of `rows` whose points are a register tile's rows: the largest, or
/// of a window's one further inside that is nearly as large, as rows far from
/// each other fall into the same sets of a cache. A loop over images, which
/// shares its index with none over taps, gives way to pixels that share theirs
/// with none either, as StridedRows.cpp leaves them, side by side.
static unsigned pickRows(ArrayRef<unsigned> rows, ArrayRef<int64_t> extents,
                         const Access &result, const Access &lhs) {
  unsigned picked = pickLargest(rows, extents, result);
  const int64_t largest = extents[picked];
  const bool isAlone = lhs.isAlone(picked);
  if (isAlone && !lhs.hasSums())
    return picked;
  for (unsigned loop : rows)
    if (lhs.isAlone(loop) == isAlone &&
        result.find(loop) > result.find(picked) &&
        ContractionShape::suitsRows(extents[loop], largest))
      picked = loop;
  return picked;
}

/// Steps that lie beside each other are read line by line from as many on.
static constexpr int64_t kFewestSteps = 16;

/// The loop of `steps` that a register tile takes them of: the largest, or one
/// further inside in the left-hand side that has enough of them. Of groups of
/// weights with a scale each, say, the steps within a group.
static unsigned pickSteps(ArrayRef<unsigned> steps, ArrayRef<int64_t> extents,
                          const Access &lhs) {
  unsigned picked = pickLargest(steps, extents, lhs);
  for (unsigned loop : steps)
    if (lhs.find(loop) > lhs.find(picked) && extents[loop] >= kFewestSteps)
      picked = loop;
  return picked;
}

bool ContractionShape::isMatmul() const {
  return outer.empty() && unrollable && lhsOperand == 0 &&
         llvm::equal(loops, ArrayRef<unsigned>{0, 1, 2});
}

/// The parallel loops that index `own` and not `other`, but for `n`.
static SmallVector<unsigned> getRows(linalg::LinalgOp op, const Access &own,
                                     const Access *other, unsigned n) {
  SmallVector<unsigned> rows;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel && loop != n && own.uses(loop) &&
        (!other || !other->uses(loop)))
      rows.push_back(loop);
  return rows;
}

namespace {
/// A match in the making: the roles of operands and loops.
struct Roles {
  unsigned lhs = 0;
  bool isWindowed = false;
  unsigned n = 0;
  SmallVector<unsigned> rows;
};
} // namespace

/// The roles in a product of matrices, or of what is one inside of other loops.
/// Vectors run along the innermost dimension of the result: where it comes from
/// operand 0, the product is the transposed one, C^T = B^T A^T.
static std::optional<Roles>
matchProduct(linalg::LinalgOp op, ArrayRef<Access> inputs, AffineMap result) {
  Roles roles;
  roles.n = result.getDimPosition(result.getNumResults() - 1);
  roles.lhs = inputs[0].uses(roles.n);
  const Access &lhs = inputs[roles.lhs], &rhs = inputs[1 - roles.lhs];
  if (lhs.uses(roles.n) || !rhs.uses(roles.n) || rhs.getStep(roles.n) != 1)
    return std::nullopt;
  roles.rows = getRows(op, lhs, &rhs, roles.n);
  if (roles.rows.empty())
    return std::nullopt;
  return roles;
}

/// Rows of windows that are worth a register tile of their own, however many
/// images there are.
static constexpr int64_t kFewestWindows = 4;

/// The roles where each lane reads a window of its own in operand `image`: a
/// depthwise convolution or a pooling.
static std::optional<Roles> matchWindows(linalg::LinalgOp op,
                                         ArrayRef<Access> inputs,
                                         AffineMap result, unsigned image) {
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Roles roles;
  roles.lhs = image;
  roles.isWindowed = true;
  for (unsigned i = 0; i != result.getNumResults(); ++i)
    if (i == 0 || extents[result.getDimPosition(i)] > 1)
      roles.n = result.getDimPosition(i);
  const Access &lhs = inputs[image], &rhs = inputs[1 - image];
  if (!lhs.hasSums() || !lhs.uses(roles.n) || lhs.getStep(roles.n) != 1 ||
      (rhs.uses(roles.n) && rhs.getStep(roles.n) != 1))
    return std::nullopt;
  // The lanes are next to each other in memory.
  auto type = cast<RankedTensorType>(op->getOperand(image).getType());
  if (llvm::any_of(type.getShape().drop_front(*lhs.find(roles.n) + 1),
                   [](int64_t extent) { return extent > 1; }))
    return std::nullopt;
  roles.rows = getRows(op, lhs, &rhs, roles.n);
  if (roles.rows.empty())
    roles.rows = getRows(op, lhs, nullptr, roles.n);
  if (roles.rows.empty())
    return std::nullopt;
  // Windows next to each other share pixels, those of different images do not.
  SmallVector<unsigned> sliding;
  llvm::copy_if(roles.rows, std::back_inserter(sliding), [&](unsigned loop) {
    return !lhs.isAlone(loop) && extents[loop] >= kFewestWindows;
  });
  if (!sliding.empty())
    roles.rows = sliding;
  return roles;
}

/// The roles of operands and loops; none if no sketch fits.
static std::optional<Roles>
matchRoles(linalg::LinalgOp op, ArrayRef<Access> inputs, AffineMap result) {
  if (!isMultiplyAdd(*op.getBlock())) {
    auto image = matchPooling(*op.getBlock());
    return image ? matchWindows(op, inputs, result, *image) : std::nullopt;
  }
  // Columns of one element are no vectors.
  auto product = matchProduct(op, inputs, result);
  if (product && op.getStaticLoopRanges()[product->n] > 1)
    return product;
  for (unsigned image : {0, 1})
    if (auto roles = matchWindows(op, inputs, result, image))
      return roles;
  return product;
}

int64_t ContractionShape::countLanes(const Target &target) const {
  const int64_t bytes = std::max(1u, accType.getIntOrFloatBitWidth() / 8);
  return std::max<int64_t>(1, target.vectorBytes / bytes);
}

int64_t ContractionShape::countSteps() const {
  int64_t steps = k;
  for (const OuterLoop &loop : outer)
    if (loop.isReduction)
      steps *= loop.extent;
  return steps;
}

/// See ContractionShape::panelLoops. The product is op's operand 0 times
/// operand 1, which `rhs` indexes.
static SmallVector<unsigned, 4> getPanelLoops(const ContractionShape &shape,
                                              AffineMap rhs) {
  SmallVector<unsigned, 4> loops;
  if (shape.lhsOperand == 0 && shape.unrollable && !shape.isWindowed &&
      rhs.isProjectedPermutation())
    for (unsigned i = 0, e = rhs.getNumResults(); i != e; ++i)
      loops.push_back(rhs.getDimPosition(i));
  return loops;
}

std::optional<ContractionShape> sched::matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op.getNumDpsInputs() != 2)
    return std::nullopt;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const Access accesses[] = {Access(maps[0]), Access(maps[1])};
  const Access result(maps[2]);
  if (!accesses[0].isValid() || !accesses[1].isValid() ||
      !maps[2].isProjectedPermutation() || maps[2].getNumResults() == 0)
    return std::nullopt;
  const std::optional<Roles> roles = matchRoles(op, accesses, maps[2]);
  if (!roles)
    return std::nullopt;

  ContractionShape shape;
  shape.isWindowed = roles->isWindowed;
  shape.lhsOperand = roles->lhs;
  shape.rhsOperand = 1 - roles->lhs;
  const Access &lhs = accesses[shape.lhsOperand],
               &rhs = accesses[shape.rhsOperand];
  SmallVector<unsigned> steps, lonelySteps;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::parallel)
      continue;
    if (!lhs.uses(loop) || !rhs.uses(loop))
      return std::nullopt;
    steps.push_back(loop);
    if (lhs.isAlone(loop) && rhs.isAlone(loop) && lhs.getStep(loop) == 1 &&
        rhs.getStep(loop) == 1)
      lonelySteps.push_back(loop);
  }
  if (steps.empty())
    return std::nullopt;
  shape.overlaps = lhs.hasSums() || rhs.hasSums();
  shape.unrollable = !lonelySteps.empty() && !shape.isWindowed;
  const unsigned m = pickRows(roles->rows, extents, result, lhs), n = roles->n;
  const unsigned k =
      pickSteps(shape.unrollable ? lonelySteps : steps, extents, lhs);

  shape.m = extents[m];
  shape.n = extents[n];
  shape.k = extents[k];
  shape.rowStep = lhs.getStep(m);
  shape.loops = {m, n, k};
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (llvm::is_contained(ArrayRef<unsigned>{m, n, k}, loop))
      continue;
    shape.loops.push_back(loop);
    const bool inLhs = lhs.uses(loop), inRhs = rhs.uses(loop);
    shape.outer.push_back({extents[loop],
                           type == utils::IteratorType::reduction,
                           inLhs && inRhs, !inLhs && inRhs, inLhs || inRhs});
  }
  for (unsigned loop : shape.loops)
    shape.resultDims.push_back(result.find(loop).value_or(0));
  auto isInnermost = [&](const Access &access, unsigned operand) {
    return access.find(k) == maps[operand].getNumResults() - 1;
  };
  shape.hasContiguousSteps = shape.unrollable &&
                             isInnermost(lhs, shape.lhsOperand) &&
                             isInnermost(rhs, shape.rhsOperand);
  if (!shape.isWindowed) {
    shape.lhsTransposed = lhs.find(m) > lhs.find(k);
    shape.rhsTransposed = rhs.find(k) > rhs.find(n);
  }
  shape.panelLoops = getPanelLoops(shape, maps[shape.rhsOperand]);
  auto element = [&](unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand).getType());
  };
  shape.lhsType = element(shape.lhsOperand);
  shape.rhsType = element(shape.rhsOperand);
  shape.accType = element(2);
  // An empty product is no work.
  if (llvm::is_contained(extents, 0) || extents.size() > kMaxContractionLoops ||
      !isLaneType(shape.lhsType) || !isLaneType(shape.rhsType) ||
      !isLaneType(shape.accType))
    return std::nullopt;
  return shape;
}
