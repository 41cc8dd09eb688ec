//===- BlockCoverage.cpp - What a loop over blocks writes -----------------===//
//
// Offsets and sizes of tiles are computed for the iterations of the loops that
// they depend on. Dimensions that depend on different loops are covered each by
// itself; those that share a loop are looked at together, as boxes.
//
//===----------------------------------------------------------------------===//

#include "BlockCoverage.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace sched;

namespace {
/// The variables of the loop; their trips, lower bounds and steps.
struct Iterations {
  mutable scf::ForallOp loop;
  SmallVector<int64_t> trips, lows, steps;
  /// What the variables are now.
  llvm::DenseMap<Value, int64_t> values;

  explicit Iterations(scf::ForallOp loop);
  void set(unsigned loopNumber, int64_t trip) {
    values[loop.getInductionVar(loopNumber)] =
        lows[loopNumber] + trip * steps[loopNumber];
  }
  std::optional<int64_t> evaluate(OpFoldResult value) const;
  /// Adds the loops that `value` depends on.
  void findLoops(OpFoldResult value, llvm::BitVector &loops) const;
};

/// Part of a dimension.
struct Part {
  int64_t begin, end;
};
using Box = SmallVector<Part>;
} // namespace

/// Iterations, and parts of a result, beyond which nothing is proven.
static constexpr int64_t maxBoxes = 1 << 20;

Iterations::Iterations(scf::ForallOp loop) : loop(loop) {
  for (int64_t i = 0; i != loop.getRank(); ++i) {
    lows.push_back(*getConstantIntValue(loop.getMixedLowerBound()[i]));
    steps.push_back(*getConstantIntValue(loop.getMixedStep()[i]));
    const int64_t high = *getConstantIntValue(loop.getMixedUpperBound()[i]);
    trips.push_back(llvm::divideCeil(high - lows[i], steps[i]));
    set(i, 0);
  }
}

std::optional<int64_t> Iterations::evaluate(OpFoldResult folded) const {
  if (const auto literal = getConstantIntValue(folded))
    return literal;
  const Value value = cast<Value>(folded);
  if (auto found = values.find(value); found != values.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    const std::optional<int64_t> number = dim.getConstantIndex();
    if (!type || !number || type.isDynamicDim(*number))
      return std::nullopt;
    return type.getDimSize(*number);
  }
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    const std::optional<int64_t> number = evaluate(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  AffineMap map;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto least = dyn_cast<affine::AffineMinOp>(op))
    map = least.getAffineMap();
  else if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    map = most.getAffineMap();
  if (map) {
    SmallVector<Attribute> literals, results;
    const Type type = IndexType::get(loop.getContext());
    for (int64_t operand : operands)
      literals.push_back(IntegerAttr::get(type, operand));
    if (failed(map.constantFold(literals, results)))
      return std::nullopt;
    std::optional<int64_t> result;
    for (Attribute each : results) {
      const int64_t number = cast<IntegerAttr>(each).getInt();
      result = !result                        ? number
               : isa<affine::AffineMinOp>(op) ? std::min(*result, number)
                                              : std::max(*result, number);
    }
    return result;
  }
  if (operands.size() != 2)
    return std::nullopt;
  const int64_t a = operands[0], b = operands[1];
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  if (a >= 0 && b > 0) {
    if (isa<arith::DivSIOp, arith::DivUIOp>(op))
      return a / b;
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return a % b;
  }
  return std::nullopt;
}

void Iterations::findLoops(OpFoldResult folded, llvm::BitVector &loops) const {
  const auto value = dyn_cast<Value>(folded);
  if (!value)
    return;
  for (unsigned i = 0; i != trips.size(); ++i)
    if (value == loop.getInductionVar(i))
      loops.set(i);
  if (Operation *op = value.getDefiningOp(); op && !isa<tensor::DimOp>(op))
    for (Value operand : op->getOperands())
      findLoops(operand, loops);
}

/// Whether `value` is a sum, or the least of sums, of multiples of the loops'
/// variables. Over iterations it then lies above the line between its ends.
static bool isConcave(OpFoldResult folded, bool isLinear) {
  const auto value = dyn_cast<Value>(folded);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || getConstantIntValue(folded))
    return true;
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  auto least = dyn_cast<affine::AffineMinOp>(op);
  if (!apply && (!least || isLinear))
    return false;
  const AffineMap map = apply ? apply.getAffineMap() : least.getAffineMap();
  bool linear = true;
  for (AffineExpr result : map.getResults()) {
    linear &= result.isPureAffine();
    result.walk([&](AffineExpr expr) {
      linear &=
          !llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv,
                               AffineExprKind::CeilDiv},
                              expr.getKind());
    });
  }
  return linear && llvm::all_of(op->getOperands(), [](Value operand) {
           return isConcave(operand, /*isLinear=*/true);
         });
}

/// Whether boxes cover [0, size) of each dimension; nothing if there are too
/// many parts to tell.
static std::optional<bool> covers(ArrayRef<Box> boxes,
                                  ArrayRef<int64_t> sizes) {
  SmallVector<SmallVector<int64_t>> edges;
  int64_t cells = 1;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    SmallVector<int64_t> &each = edges.emplace_back();
    each = {0, size};
    for (const Box &box : boxes)
      for (int64_t edge : {box[dim].begin, box[dim].end})
        each.push_back(std::clamp<int64_t>(edge, 0, size));
    llvm::sort(each);
    each.erase(llvm::unique(each), each.end());
    cells *= each.size() - 1;
    if (cells > maxBoxes)
      return std::nullopt;
  }
  llvm::BitVector covered(cells);
  for (const Box &box : boxes) {
    SmallVector<int64_t> starts = {0};
    for (auto [dim, part] : llvm::enumerate(box)) {
      SmallVector<int64_t> next;
      const ArrayRef<int64_t> each = edges[dim];
      for (int64_t start : starts)
        for (size_t i = llvm::lower_bound(each, part.begin) - each.begin();
             i + 1 < each.size() && each[i] < part.end; ++i)
          next.push_back(start * int64_t(each.size() - 1) + int64_t(i));
      starts = std::move(next);
    }
    for (int64_t cell : starts)
      covered.set(cell);
  }
  return covered.all();
}

/// Whether `inserts` write all of `dims`, in iterations of `loops`.
static std::optional<bool> covers(ArrayRef<tensor::ParallelInsertSliceOp> from,
                                  ArrayRef<int64_t> dims,
                                  const llvm::BitVector &loops,
                                  Iterations &iterations) {
  SmallVector<tensor::ParallelInsertSliceOp> inserts(from);
  const SmallVector<unsigned> numbers(loops.set_bits());
  SmallVector<int64_t> sizes;
  for (int64_t dim : dims)
    sizes.push_back(inserts.front().getDestType().getDimSize(dim));
  auto find = [&](tensor::ParallelInsertSliceOp insert,
                  Box &box) -> LogicalResult {
    for (int64_t dim : dims) {
      const auto offset = iterations.evaluate(insert.getMixedOffsets()[dim]),
                 size = iterations.evaluate(insert.getMixedSizes()[dim]),
                 stride = getConstantIntValue(insert.getMixedStrides()[dim]);
      if (!offset || !size || !stride || (*stride != 1 && *size > 1))
        return failure();
      box.push_back({*offset, *offset + *size});
    }
    return success();
  };
  int64_t count = inserts.size();
  for (unsigned number : numbers)
    count = std::min(maxBoxes + 1, count * iterations.trips[number]);

  // Of tiles in a row the first two and the last two tell of all.
  if (dims.size() == 1 && numbers.size() == 1 && inserts.size() == 1 &&
      isConcave(inserts[0].getMixedOffsets()[dims[0]], /*isLinear=*/true) &&
      isConcave(inserts[0].getMixedSizes()[dims[0]], /*isLinear=*/false)) {
    const int64_t trips = iterations.trips[numbers[0]];
    SmallVector<Part> parts;
    bool follow = true;
    for (int64_t trip : {int64_t(0), std::min<int64_t>(1, trips - 1),
                         std::max<int64_t>(trips - 2, 0), trips - 1}) {
      iterations.set(numbers[0], trip);
      Box box;
      if (failed(find(inserts[0], box)))
        return std::nullopt;
      parts.push_back(box[0]);
    }
    follow &= parts[0].begin <= 0 && parts[3].end >= sizes[0];
    follow &= trips < 2 || (parts[1].begin <= parts[0].end &&
                            parts[3].begin <= parts[2].end);
    if (follow)
      return true;
  }
  if (count > maxBoxes)
    return std::nullopt;

  SmallVector<Box> boxes;
  SmallVector<int64_t> trip(numbers.size());
  while (true) {
    for (auto [number, each] : llvm::zip_equal(numbers, trip))
      iterations.set(number, each);
    for (tensor::ParallelInsertSliceOp insert : inserts)
      if (failed(find(insert, boxes.emplace_back())))
        return std::nullopt;
    size_t i = 0;
    for (; i != trip.size(); ++i) {
      if (++trip[i] != iterations.trips[numbers[i]])
        break;
      trip[i] = 0;
    }
    if (i == trip.size())
      return covers(boxes, sizes);
  }
}

static LogicalResult checkResult(scf::ForallOp loop, OpResult result) {
  SmallVector<tensor::ParallelInsertSliceOp> inserts;
  const BlockArgument output =
      loop.getTiedBlockArgument(loop.getTiedOpOperand(result));
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
        insert && insert.getDest() == output)
      inserts.push_back(insert);
  const int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  if (rank == 0 && !inserts.empty())
    return success();
  std::optional<bool> covered = !inserts.empty();
  if (!inserts.empty()) {
    Iterations iterations(loop);
    // Dimensions of one class share a loop.
    llvm::EquivalenceClasses<int64_t> classes;
    SmallVector<llvm::BitVector> loops(
        rank, llvm::BitVector(iterations.trips.size()));
    for (int64_t dim = 0; dim != rank; ++dim) {
      classes.insert(dim);
      for (tensor::ParallelInsertSliceOp insert : inserts) {
        iterations.findLoops(insert.getMixedOffsets()[dim], loops[dim]);
        iterations.findLoops(insert.getMixedSizes()[dim], loops[dim]);
      }
      for (int64_t other = 0; other != dim; ++other)
        if (inserts.size() > 1 || loops[dim].anyCommon(loops[other]))
          classes.unionSets(dim, other);
    }
    for (int64_t dim = 0; dim != rank && covered.value_or(false); ++dim) {
      if (classes.getLeaderValue(dim) != dim)
        continue;
      SmallVector<int64_t> dims;
      llvm::BitVector common(iterations.trips.size());
      for (int64_t other = 0; other != rank; ++other)
        if (classes.getLeaderValue(other) == dim) {
          dims.push_back(other);
          common |= loops[other];
        }
      covered = covers(inserts, dims, common, iterations);
    }
  }
  if (covered.value_or(false))
    return success();
  Operation *at = inserts.empty() ? loop.getOperation() : inserts[0];
  return at->emitError("a loop over blocks must write all of its result, of ")
         << result.getType() << "; found tiles that "
         << (covered ? "leave some of it as it was"
                     : "are not known to cover it")
         << ": insert tiles that cover it, and copy what stays as it was by a "
            "linalg op";
}

LogicalResult sched::checkCoverage(scf::ForallOp loop) {
  for (auto [output, result] :
       llvm::zip_equal(loop.getOutputs(), loop->getResults()))
    if (!output.getDefiningOp<tensor::EmptyOp>() &&
        failed(checkResult(loop, result)))
      return failure();
  return success();
}
