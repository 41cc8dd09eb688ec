//===- SumLanes.cpp - The lanes of partial results joined -----------------===//
//
// A tile of partial sums has one row for each result, and its lanes are added
// up in the end. Upstream transposes such a tile and adds its columns one to
// the other: as many additions as lanes, each of which waits for the one
// before. Here two rows become one, whose halves are the sums of the halves of
// each, until one row has all results; what lanes are left to it are folded.
// That is three instructions for each result but the last, and as many steps
// that wait for one another as halving takes from all lanes to one.
//
// Halves are first those of each part of 128 bits, as the instructions shuffle
// within these, and then one half of the parts and the other.
//
//===----------------------------------------------------------------------===//

#include "SumLanes.h"
#include "TransposeTiles.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace sched;

namespace {
/// Rows that become fewer. Each is so many blocks of slices of `unit` elements,
/// and the slices of a block are to be added up.
class Rows {
public:
  Rows(SmallVector<Value> rows, vector::CombiningKind kind,
       PatternRewriter &rewriter, Location loc)
      : rows(std::move(rows)), kind(kind), rewriter(rewriter), loc(loc) {}

  /// The sums of all rows one after the other, and any after those. A register
  /// has `most` lanes, and a part of 128 bits `part`.
  Value sum(int64_t most, int64_t part);
  Value add(Value first, Value second);

private:
  int64_t countLanes() const {
    return cast<VectorType>(rows.front().getType()).getNumElements();
  }
  /// How the slices of two rows follow one another in one: one of each by
  /// turns, or all of the second row's after the first's.
  enum class Order { ByTurns, RowAfterRow };
  enum class Half { Lower, Upper };
  /// Of each block of `first`, and of `second` unless it is null, one half of
  /// its slices.
  Value takeHalf(Value first, Value second, Half half, Order order);
  /// The sum of both halves.
  Value addHalves(Value first, Value second, Order order);
  /// Adds the halves of two rows each, which become blocks of one row.
  void joinPairs(Order order);
  /// Adds the halves of each row.
  void fold();
  void setLayout(int64_t blocks, int64_t unit) {
    this->blocks = blocks;
    this->unit = unit;
  }
  int64_t countSlices() const { return countLanes() / (blocks * unit); }

  SmallVector<Value> rows;
  vector::CombiningKind kind;
  PatternRewriter &rewriter;
  Location loc;
  int64_t blocks = 1, unit = 1;
};

Value Rows::takeHalf(Value first, Value second, Half half, Order order) {
  const int64_t lanes = countLanes(), slices = countSlices();
  const int64_t sources = second ? 2 : 1;
  SmallVector<int64_t> mask;
  const auto take = [&](int64_t source, int64_t block, int64_t slice) {
    if (half == Half::Upper)
      slice += slices / 2;
    for (int64_t i = 0; i != unit; ++i)
      mask.push_back(source * lanes + (block * slices + slice) * unit + i);
  };
  if (order == Order::ByTurns) {
    for (int64_t block = 0; block != blocks; ++block)
      for (int64_t slice = 0; slice != slices / 2; ++slice)
        for (int64_t source = 0; source != sources; ++source)
          take(source, block, slice);
  } else {
    for (int64_t source = 0; source != sources; ++source)
      for (int64_t block = 0; block != blocks; ++block)
        for (int64_t slice = 0; slice != slices / 2; ++slice)
          take(source, block, slice);
  }
  return vector::ShuffleOp::create(rewriter, loc, first,
                                   second ? second : first, mask);
}

Value Rows::add(Value first, Value second) {
  arith::FastMathFlagsAttr flags;
  // Which of two zeros is left open, as in VectorArithmetic.cpp.
  if (kind == vector::CombiningKind::MAXIMUMF ||
      kind == vector::CombiningKind::MINIMUMF)
    flags = arith::FastMathFlagsAttr::get(rewriter.getContext(),
                                          arith::FastMathFlags::nsz);
  return vector::makeArithReduction(rewriter, loc, kind, first, second, flags);
}

Value Rows::addHalves(Value first, Value second, Order order) {
  return add(takeHalf(first, second, Half::Lower, order),
             takeHalf(first, second, Half::Upper, order));
}

void Rows::joinPairs(Order order) {
  if (rows.size() % 2 == 1)
    rows.push_back(ub::PoisonOp::create(rewriter, loc, rows[0].getType()));
  SmallVector<Value> joined;
  for (size_t i = 0; i != rows.size(); i += 2)
    joined.push_back(addHalves(rows[i], rows[i + 1], order));
  rows = std::move(joined);
}

void Rows::fold() {
  SmallVector<Value> folded;
  for (Value row : rows)
    folded.push_back(addHalves(row, {}, Order::RowAfterRow));
  rows = std::move(folded);
}

Value Rows::sum(int64_t most, int64_t part) {
  // Whole registers are added to one another without a shuffle.
  while (countLanes() > most) {
    setLayout(1, countLanes() / 2);
    fold();
  }
  // Results in a part, then results in a row.
  int64_t inPart = 1;
  for (; rows.size() > 1 && inPart != part; inPart *= 2) {
    setLayout(countLanes() / part, inPart);
    joinPairs(Order::ByTurns);
  }
  int64_t groups = 1;
  for (; rows.size() > 1 && groups * part != countLanes(); groups *= 2) {
    setLayout(groups, part);
    joinPairs(Order::RowAfterRow);
  }
  setLayout(groups, part);
  while (countLanes() != groups * part)
    fold();
  setLayout(1, inPart);
  while (groups == 1 && countLanes() != inPart)
    fold();
  return concatenate(std::move(rows), rewriter, loc);
}

/// What leaves any value of `type` as it is; none where that is not known.
TypedAttr getNeutral(Type type, vector::CombiningKind kind,
                     PatternRewriter &rewriter, Location loc) {
  using vector::CombiningKind;
  std::optional<arith::AtomicRMWKind> same;
  const bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    same = isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
    break;
  case CombiningKind::MUL:
    same = isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
    break;
  case CombiningKind::MAXIMUMF:
    same = arith::AtomicRMWKind::maximumf;
    break;
  case CombiningKind::MINIMUMF:
    same = arith::AtomicRMWKind::minimumf;
    break;
  case CombiningKind::MAXSI:
    same = arith::AtomicRMWKind::maxs;
    break;
  case CombiningKind::MINSI:
    same = arith::AtomicRMWKind::mins;
    break;
  case CombiningKind::MAXUI:
    same = arith::AtomicRMWKind::maxu;
    break;
  case CombiningKind::MINUI:
    same = arith::AtomicRMWKind::minu;
    break;
  case CombiningKind::MAXNUMF:
  case CombiningKind::MINNUMF:
    // Of a number and none it is the number.
    return rewriter.getFloatAttr(
        type, APFloat::getNaN(cast<FloatType>(type).getFloatSemantics()));
  default:
    return {};
  }
  return arith::getIdentityValueAttr(*same, type, rewriter, loc);
}

struct SumLanes : OpRewritePattern<vector::MultiDimReductionOp> {
  SumLanes(MLIRContext *context, int64_t vectorBytes)
      : OpRewritePattern(context, /*benefit=*/10), vectorBytes(vectorBytes) {}

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    const VectorType type = op.getSourceVectorType();
    const SmallVector<bool> isReduced = op.getReductionMask();
    if (op.isMasked() || type.isScalable() || isReduced.front() ||
        !type.getElementType().isIntOrFloat() || !llvm::is_sorted(isReduced))
      return failure();
    const int64_t bits = type.getElementTypeBitWidth();
    int64_t lanes = 1;
    for (auto [extent, reduced] : llvm::zip_equal(type.getShape(), isReduced))
      lanes *= reduced ? extent : 1;
    const int64_t count = type.getNumElements() / lanes;
    if (!llvm::is_contained({8, 16, 32, 64}, bits) ||
        int64_t(llvm::PowerOf2Ceil(lanes)) * bits < kPartBits)
      return failure();
    TypedAttr neutral;
    if (!llvm::isPowerOf2_64(lanes)) {
      neutral = getNeutral(type.getElementType(), op.getKind(), rewriter,
                           op.getLoc());
      if (!neutral)
        return failure();
    }
    const Location loc = op.getLoc();
    const Value matrix = rewriter.createOrFold<vector::ShapeCastOp>(
        loc, VectorType::get({count, lanes}, type.getElementType()),
        op.getSource());
    SmallVector<Value> rows;
    for (int64_t i = 0; i != count; ++i)
      rows.push_back(vector::ExtractOp::create(rewriter, loc, matrix,
                                               ArrayRef<int64_t>{i}));
    if (neutral) {
      const auto row = VectorType::get({lanes}, type.getElementType());
      Value none = arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(row, neutral));
      const auto mask = llvm::to_vector(
          llvm::seq<int64_t>(0, int64_t(llvm::PowerOf2Ceil(lanes))));
      for (Value &value : rows)
        value = vector::ShuffleOp::create(rewriter, loc, value, none, mask);
    }
    Rows tile(std::move(rows), op.getKind(), rewriter, loc);
    Value sums = tile.sum(std::max<int64_t>(vectorBytes * 8, kPartBits) / bits,
                          kPartBits / bits);
    sums = rewriter.createOrFold<vector::ShapeCastOp>(
        loc, op.getDestType(), takePart(sums, 0, count, rewriter, loc));
    rewriter.replaceOp(op, tile.add(sums, op.getAcc()));
    return success();
  }

private:
  static constexpr int64_t kPartBits = 128;
  int64_t vectorBytes;
};
} // namespace

void sched::populateSumLanesPatterns(RewritePatternSet &patterns,
                                     int64_t vectorBytes) {
  patterns.add<SumLanes>(patterns.getContext(), vectorBytes);
}
