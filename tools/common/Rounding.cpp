//===- Rounding.cpp - How the floats of a result round --------------------===//

#include "Rounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

bool sched::rounds(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !isa<arith::ConstantOp, arith::ExtFOp, arith::SelectOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, arith::NegFOp, arith::BitcastOp, math::AbsFOp>(
             op);
}

static std::optional<ElementType> getElementType(Type type) {
  std::string spelling;
  llvm::raw_string_ostream(spelling) << getElementTypeOrSelf(type);
  return parseElementType(spelling);
}

/// 0 where `op` reduces nothing.
static int64_t getReductionLength(Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    const int64_t row =
        softmax.getInputOperandType().getDimSize(softmax.getDimension());
    return ShapedType::isDynamic(row) ? 0 : row;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return 0;
  SmallVector<unsigned> dims;
  linalgOp.getReductionDims(dims);
  SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
  int64_t length = 1;
  for (unsigned dim : dims)
    if (!ShapedType::isDynamic(extents[dim]))
      length *= std::max<int64_t>(1, extents[dim]);
  return dims.empty() ? 0 : length;
}

/// The loops of `op` that what computes `value` in its body depends on; none of
/// them where it reads elements that are no f32: those of 16 bits are not
/// rounded further.
static llvm::SmallBitVector collectLoops(Value value, linalg::LinalgOp op) {
  llvm::SmallBitVector loops(op.getNumLoops());
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i != values.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(values[i])) {
      if (argument.getOwner() != op.getBlock())
        continue;
      if (!argument.getType().isF32())
        return llvm::SmallBitVector(op.getNumLoops());
      const AffineMap map =
          op.getMatchingIndexingMap(&op->getOpOperand(argument.getArgNumber()));
      for (unsigned loop = 0, e = map.getNumDims(); loop != e; ++loop)
        if (map.isFunctionOfDim(loop))
          loops.set(loop);
      continue;
    }
    Operation *source = values[i].getDefiningOp();
    if (source->getBlock() == op.getBlock())
      values.insert(source->operand_begin(), source->operand_end());
  }
  return loops;
}

/// Whether small whole numbers stay whole, whatever the order.
static bool keepsWhole(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (auto all = dyn_cast<SplatElementsAttr>(constant.getValue()))
      value = dyn_cast<FloatAttr>(all.getSplatValue<Attribute>());
    if (!value)
      return !isa<FloatType>(getElementTypeOrSelf(constant.getType()));
    return value.getValue().isZero() || std::abs(value.getValueAsDouble()) == 1;
  }
  return !rounds(op) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::TruncFOp>(op);
}

/// Whether a GPU's matrix instructions may compute it of f32: it adds up
/// products of two operands, each with loops of the result of its own.
static bool isMatrixProduct(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || getReductionLength(op) == 0)
    return false;
  SmallVector<unsigned> dims;
  linalgOp.getParallelDims(dims);
  llvm::SmallBitVector result(linalgOp.getNumLoops());
  for (unsigned dim : dims)
    result.set(dim);
  for (auto product : linalgOp.getBlock()->getOps<arith::MulFOp>()) {
    llvm::SmallBitVector lhs = collectLoops(product.getLhs(), linalgOp),
                         rhs = collectLoops(product.getRhs(), linalgOp);
    lhs &= result;
    rhs &= result;
    // `test`: there is one that the other has not.
    if (product.getType().isF32() && lhs.test(rhs) && rhs.test(lhs))
      return true;
  }
  return false;
}

namespace {
class Tracer {
public:
  explicit Tracer(bool allowsTensorFloat)
      : allowsTensorFloat(allowsTensorFloat) {}

  void trace(Value value) {
    push(value);
    while (!open.empty())
      visit(open.pop_back_val());
  }

  std::optional<ElementType> coarsest;
  int64_t length = 0, narrowOps = 0, narrowLength = 0, tensorFloatOps = 0;
  /// Of a term of the sums of 16 bits.
  int64_t factors = 1;
  bool keepsWhole = true;

private:
  void push(Value value) {
    if (seen.insert(value).second)
      open.push_back(value);
  }

  void visit(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      // Those of a call are followed where the call is.
      auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
      if (op)
        push(op->getOperand(argument.getArgNumber()));
      return;
    }
    const unsigned number = cast<OpResult>(value).getResultNumber();
    Operation *op = value.getDefiningOp();
    if (isa<linalg::LinalgOp>(op)) {
      count(op);
      push(op->getRegion(0).front().getTerminator()->getOperand(number));
      return;
    }
    if (auto call = dyn_cast<func::CallOp>(op))
      if (func::FuncOp callee = getCallee(call)) {
        push(callee.getBody().front().getTerminator()->getOperand(number));
        for (Value operand : call.getOperands())
          push(operand);
        return;
      }
    visitWhole(op);
  }

  void visitWhole(Operation *op) {
    for (Value operand : op->getOperands())
      push(operand);
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    for (Value operand : above)
      push(operand);
    op->walk([&](Operation *inner) {
      count(inner);
      if (auto call = dyn_cast<func::CallOp>(inner))
        if (func::FuncOp callee = getCallee(call))
          if (counted.insert(callee).second)
            visitWhole(callee);
    });
  }

  static func::FuncOp getCallee(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee && !callee.isExternal() ? callee : func::FuncOp();
  }

  /// What `op` adds by itself, once.
  void count(Operation *op) {
    if (!counted.insert(op).second)
      return;
    length += getReductionLength(op);
    keepsWhole &= ::keepsWhole(op);
    // Each of its operands is rounded.
    if (allowsTensorFloat && isMatrixProduct(op))
      tensorFloatOps += 2;
    if (!rounds(op) || op->getNumResults() != 1)
      return;
    std::optional<ElementType> type =
        getElementType(op->getResult(0).getType());
    if (type && isFloat(*type) &&
        (!coarsest || machineEpsilon(*type) > machineEpsilon(*coarsest)))
      coarsest = type;
    if (type && isFloat(*type) && byteSize(*type) == 2)
      countNarrow(op);
  }

  /// A reduction counts once, whatever its body has.
  void countNarrow(Operation *op) {
    if (auto owner = op->getParentOfType<linalg::LinalgOp>())
      op = owner;
    const int64_t reduced = getReductionLength(op);
    if (reduced != 0 && !narrowSums.insert(op).second)
      return;
    ++narrowOps;
    narrowLength += reduced;
    if (reduced != 0 && op->getNumRegions() != 0) {
      Block &body = op->getRegion(0).front();
      // An element times itself is one of them.
      llvm::SmallDenseSet<std::pair<Value, AffineMap>> read;
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        for (OpOperand *input : linalgOp.getDpsInputOperands())
          read.insert({input->get(), linalgOp.getMatchingIndexingMap(input)});
      factors = std::clamp<int64_t>(
          1 + llvm::range_size(body.getOps<arith::MulFOp>()), factors,
          std::max<int64_t>(factors, read.size()));
    }
  }

  bool allowsTensorFloat;
  SmallVector<Value> open;
  llvm::DenseSet<Value> seen;
  llvm::DenseSet<Operation *> counted, narrowSums;
};
} // namespace

void sched::traceRounding(func::FuncOp function, unsigned result,
                          bool allowsTensorFloat, TensorSpec &spec) {
  Tracer tracer(allowsTensorFloat);
  tracer.trace(function.getBody().front().getTerminator()->getOperand(result));
  spec.reductionLength = std::max<int64_t>(1, tracer.length);
  spec.precision = tracer.coarsest;
  spec.narrowOps = tracer.narrowOps;
  spec.narrowLength = tracer.narrowLength;
  if (tracer.keepsWhole && tracer.narrowLength > 0)
    spec.wholeFactors = tracer.factors;
  spec.tensorFloatOps = tracer.tensorFloatOps;
}
