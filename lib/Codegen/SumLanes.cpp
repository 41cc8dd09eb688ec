//===- SumLanes.cpp - The lanes of partial results joined -----------------===//
//
// A tile of partial sums has one row for each result, and its lanes are added
// up in the end. Upstream transposes such a tile and adds its columns one to
// the other: as many additions as lanes, each of which waits for the one
// before. Here two rows become one, whose halves are the sums of the halves of
// each, until one row has all results; what lanes are left to it are folded.
// That is three instructions for each result but the last, and as many steps
// that wait as the number of lanes has bits.
//
// Halves are first those of each part of 128 bits, as the instructions shuffle
// within these, and then halves of the parts.
//
//===----------------------------------------------------------------------===//

#include "SumLanes.h"
#include "TransposeTiles.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

  /// The sums of all rows one after the other, and any after those.
  Value sum(int64_t most, int64_t part);

private:
  int64_t countLanes() const {
    return cast<VectorType>(rows.front().getType()).getNumElements();
  }
  /// Of each block of `first`, and of `second` unless it is null, one half of
  /// its slices: those of the two by turns, or all of the second after the
  /// first's.
  Value takeHalf(Value first, Value second, bool upper, bool byTurns);
  /// Adds the halves of two rows each, which become blocks of one row.
  void joinPairs(bool byTurns);
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

Value Rows::takeHalf(Value first, Value second, bool upper, bool byTurns) {
  const int64_t lanes = countLanes(), slices = countSlices();
  const int64_t sources = second ? 2 : 1;
  SmallVector<int64_t> mask;
  const auto take = [&](int64_t source, int64_t block, int64_t slice) {
    if (upper)
      slice += slices / 2;
    for (int64_t i = 0; i != unit; ++i)
      mask.push_back(source * lanes + (block * slices + slice) * unit + i);
  };
  if (byTurns) {
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

void Rows::joinPairs(bool byTurns) {
  if (rows.size() % 2 == 1)
    rows.push_back(ub::PoisonOp::create(rewriter, loc, rows[0].getType()));
  SmallVector<Value> joined;
  for (size_t i = 0; i != rows.size(); i += 2)
    joined.push_back(vector::makeArithReduction(
        rewriter, loc, kind, takeHalf(rows[i], rows[i + 1], false, byTurns),
        takeHalf(rows[i], rows[i + 1], true, byTurns)));
  rows = std::move(joined);
}

void Rows::fold() {
  SmallVector<Value> folded;
  for (Value row : rows)
    folded.push_back(vector::makeArithReduction(
        rewriter, loc, kind, takeHalf(row, {}, false, false),
        takeHalf(row, {}, true, false)));
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
    joinPairs(true);
  }
  int64_t groups = 1;
  for (; rows.size() > 1 && groups * part != countLanes(); groups *= 2) {
    setLayout(groups, part);
    joinPairs(false);
  }
  setLayout(groups, part);
  while (countLanes() != groups * part)
    fold();
  setLayout(1, inPart);
  while (groups == 1 && countLanes() != inPart)
    fold();
  return concatenate(std::move(rows), rewriter, loc);
}

struct SumLanes : OpRewritePattern<vector::MultiDimReductionOp> {
  SumLanes(MLIRContext *context, int64_t vectorBytes)
      : OpRewritePattern(context, /*benefit=*/10), vectorBytes(vectorBytes) {}

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    const VectorType type = op.getSourceVectorType();
    const SmallVector<bool> isReduced = op.getReductionMask();
    if (op.isMasked() || type.isScalable() || type.getRank() < 2 ||
        !type.getElementType().isIntOrFloat() || !isReduced.back() ||
        llvm::count(isReduced, true) != 1)
      return failure();
    const int64_t bits = type.getElementTypeBitWidth();
    const int64_t lanes = type.getShape().back();
    const int64_t count = type.getNumElements() / lanes;
    if (!llvm::is_contained({8, 16, 32, 64}, bits) ||
        !llvm::isPowerOf2_64(lanes) || lanes * bits < kPartBits)
      return failure();
    const Location loc = op.getLoc();
    const Value matrix = rewriter.createOrFold<vector::ShapeCastOp>(
        loc, VectorType::get({count, lanes}, type.getElementType()),
        op.getSource());
    SmallVector<Value> rows;
    for (int64_t i = 0; i != count; ++i)
      rows.push_back(vector::ExtractOp::create(rewriter, loc, matrix,
                                               ArrayRef<int64_t>{i}));
    Value sums = Rows(std::move(rows), op.getKind(), rewriter, loc)
                     .sum(std::max<int64_t>(vectorBytes * 8, kPartBits) / bits,
                          kPartBits / bits);
    sums = rewriter.createOrFold<vector::ShapeCastOp>(
        loc, op.getDestType(), takePart(sums, 0, count, rewriter, loc));
    rewriter.replaceOp(op, vector::makeArithReduction(
                               rewriter, loc, op.getKind(), sums, op.getAcc()));
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
