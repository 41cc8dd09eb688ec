//===- PayloadIndices.cpp - Ranges of the payload's own indices -----------===//
//
// The part of ElementReader that follows what a payload does with indices: a
// kernel that may need more than 32 bits for it says so.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "KernelTypes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

static IndexFacts join(const IndexFacts &a, const IndexFacts &b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max), 1};
}

/// Range of a scalar, or of all lanes of a vector.
static IndexFacts getRange(const IndexMath &index, Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 48) {
    const int64_t literal = number.getSExtValue();
    return {literal, literal, 1};
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_present<vector::FromElementsOp>(op)) {
    IndexFacts range = getRange(index, op->getOperand(0));
    for (Value element : op->getOperands().drop_front())
      range = join(range, getRange(index, element));
    return range;
  }
  if (isa_and_present<vector::BroadcastOp, vector::ExtractOp>(op))
    return getRange(index, op->getOperand(0));
  return index.getFacts(value);
}

static IndexFacts bound(std::initializer_list<__int128> corners) {
  return {int64_t(std::max<__int128>(IndexFacts::lowest, std::min(corners))),
          int64_t(std::min<__int128>(IndexFacts::highest, std::max(corners))),
          1};
}

/// Range of sums of multiples; nothing is known of others.
static IndexFacts evaluate(AffineExpr expr, ArrayRef<IndexFacts> dims,
                           unsigned symbolsFrom) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return dims[symbolsFrom + symbol.getPosition()];
  if (auto literal = dyn_cast<AffineConstantExpr>(expr))
    return bound({literal.getValue()});
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const IndexFacts a = evaluate(binary.getLHS(), dims, symbolsFrom),
                   b = evaluate(binary.getRHS(), dims, symbolsFrom);
  if (expr.getKind() == AffineExprKind::Add)
    return bound({__int128(a.min) + b.min, __int128(a.max) + b.max});
  if (expr.getKind() == AffineExprKind::Mul)
    return bound({__int128(a.min) * b.min, __int128(a.min) * b.max,
                  __int128(a.max) * b.min, __int128(a.max) * b.max});
  if (a.min >= 0 && b.min > 0)
    return {0, a.max, 1};
  return {};
}

/// Range of what `op` computes of `operands`.
static IndexFacts computeRange(const IndexMath &index, Operation *op,
                               ArrayRef<Value> operands) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    const unsigned bits =
        getElementTypeOrSelf(operands[0].getType()).getIntOrFloatBitWidth();
    if (bits > 32)
      return {};
    const int64_t half = int64_t(1) << (bits - 1);
    if (isa<arith::IndexCastUIOp>(op))
      return {0, 2 * half - 1, 1};
    return {-half, half - 1, 1};
  }
  SmallVector<IndexFacts> ranges;
  for (Value operand : operands)
    ranges.push_back(getRange(index, operand));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), ranges,
                    apply.getAffineMap().getNumDims());
  if (isa<arith::SelectOp>(op))
    return join(ranges[1], ranges[2]);
  if (ranges.size() != 2)
    return {};
  const IndexFacts &a = ranges[0], &b = ranges[1];
  const bool isNatural = a.min >= 0 && b.min >= 0;
  if (isa<arith::AddIOp>(op))
    return bound({__int128(a.min) + b.min, __int128(a.max) + b.max});
  if (isa<arith::SubIOp>(op))
    return bound({__int128(a.min) - b.max, __int128(a.max) - b.min});
  if (isa<arith::MulIOp>(op))
    return bound({__int128(a.min) * b.min, __int128(a.min) * b.max,
                  __int128(a.max) * b.min, __int128(a.max) * b.max});
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op) ||
      (isNatural && isa<arith::MinUIOp, arith::MaxUIOp>(op)))
    return join(a, b);
  if (!isNatural)
    return {};
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return {0, std::min(a.max, std::max<int64_t>(b.max - 1, 0)), 1};
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp, arith::ShRUIOp,
          arith::ShRSIOp>(op))
    return {0, a.max, 1};
  if (isa<arith::AndIOp>(op))
    return {0, std::min(a.max, b.max), 1};
  return {};
}

void ElementReader::noteIndices(Operation *op, ArrayRef<Value> operands,
                                ValueRange results) {
  for (Value result : results) {
    if (!getElementTypeOrSelf(result.getType()).isIndex() ||
        matchPattern(result, m_Constant()))
      continue;
    const IndexFacts range = computeRange(state.index, op, operands);
    state.index.setFacts(result, range);
    checkIndex(result);
  }
}

void ElementReader::checkIndex(Value index) {
  const IndexFacts range = getRange(state.index, index);
  if (!llvm::isInt<32>(range.min) || !llvm::isInt<32>(range.max))
    state.kernel->setAttr(wideIndexName, state.builder.getUnitAttr());
}
