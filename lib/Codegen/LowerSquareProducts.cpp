//===- LowerSquareProducts.cpp - Products of two rows by two columns ------===//
//
// Finds contractions whose groups (NarrowContraction.h) are 64 bits, and writes
// them with AArch64's products of small matrices: two rows of the left-hand
// side, a group each, times two columns, added to a square of four sums. Sums
// stay in squares from one product to the next (CarryParts.h).
//
//===----------------------------------------------------------------------===//

#include "CarryParts.h"
#include "NarrowContraction.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_LOWERSQUAREPRODUCTSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Columns of a register of sums; there are at least two squares, so that one
/// is no whole vector.
static constexpr int64_t kColumns = 4;
/// Rows, and columns, of a square.
static constexpr int64_t kEdge = 2;

namespace {
/// Writes one contraction.
class Writer {
public:
  explicit Writer(NarrowContraction product)
      : product(product), b(product.op.getLoc(), product.op) {}

  void write() {
    const auto type = cast<VectorType>(product.op.getType());
    const int64_t rowPairs = llvm::divideCeil(product.rows, kEdge),
                  columnPairs = product.columns / kEdge;
    const SmallVector<Type> parts(
        rowPairs * columnPairs,
        VectorType::get({kEdge * kEdge}, type.getElementType()));
    SmallVector<Value> sums(
        takeApart(b, b.getLoc(), product.op.getAcc(), parts));
    // [k][n] and [m][k], in groups.
    Value rhs = toGroups(product.rhs, b), lhs = toGroups(product.lhs, b);
    for (int64_t k = 0; k != product.groups; ++k) {
      SmallVector<Value> rows;
      for (int64_t pair = 0; pair != rowPairs; ++pair)
        rows.push_back(getRows(lhs, pair * kEdge, k));
      Value row =
          product.hasGroups ? vector::ExtractOp::create(b, rhs, k) : rhs;
      for (int64_t pair = 0; pair != columnPairs; ++pair) {
        Value columns = toNarrow(vector::ExtractStridedSliceOp::create(
                                     b, row, {pair * kEdge}, {kEdge}, {1}),
                                 product.rhs);
        for (int64_t m = 0; m != rowPairs; ++m) {
          Value &sum = sums[m * columnPairs + pair];
          sum = multiply(sum, rows[m], columns);
        }
      }
    }
    product.op.replaceAllUsesWith(putTogether(b, b.getLoc(), sums, type));
    product.op.erase();
  }

private:
  /// Two rows from `row`, group `k`. What would come after the last row is that
  /// row again, whose sums nobody reads.
  Value getRows(Value lhs, int64_t row, int64_t k) {
    const int64_t other = std::min(row + 1, product.rows - 1);
    if (product.hasRows && !product.hasGroups)
      return toNarrow(
          vector::ShuffleOp::create(b, lhs, lhs, ArrayRef{row, other}),
          product.lhs);
    auto rowOf = [&](int64_t m) -> Value {
      return product.hasRows ? vector::ExtractOp::create(b, lhs, m).getResult()
                             : lhs;
    };
    return toNarrow(
        vector::ShuffleOp::create(b, rowOf(row), rowOf(other),
                                  ArrayRef<int64_t>{k, product.groups + k}),
        product.lhs);
  }

  /// Two groups as elements of `operand`.
  Value toNarrow(Value groups, Value operand) {
    return vector::BitCastOp::create(
        b,
        VectorType::get({kEdge * product.steps},
                        getElementTypeOrSelf(operand.getType())),
        groups);
  }

  Value multiply(Value sum, Value rows, Value columns) {
    const bool isMixed = product.lhsType != product.rhsType;
    const char *name = product.lhsType == NarrowType::BFloat ? "bfmmla"
                       : isMixed ? "usmmla.v4i32.v16i8"
                       : product.lhsType == NarrowType::SignedByte
                           ? "smmla.v4i32.v16i8"
                           : "ummla.v4i32.v16i8";
    return LLVM::CallIntrinsicOp::create(
               b, sum.getType(),
               b.getStringAttr(std::string("llvm.aarch64.neon.") + name),
               ValueRange{sum, rows, columns})
        .getResult(0);
  }

  NarrowContraction product;
  ImplicitLocOpBuilder b;
};

/// Writes what is left of the casts between squares and vectors.
class SumsWriter {
public:
  explicit SumsWriter(UnrealizedConversionCastOp op)
      : op(op), b(op.getLoc(), op) {}

  void write() {
    auto from = dyn_cast<VectorType>(op->getOperand(0).getType());
    auto to = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!from || !to)
      return;
    if (op.getNumResults() > 1)
      split(from);
    else
      join(to);
  }

private:
  static int64_t countRows(VectorType type) {
    return type.getRank() == 1 ? 1 : type.getShape().front();
  }

  void split(VectorType type) {
    const int64_t rows = countRows(type), columns = type.getShape().back();
    SmallVector<Value> lines;
    for (int64_t row = 0; row != rows; ++row)
      lines.push_back(type.getRank() == 1 ? op.getOperand(0)
                                          : vector::ExtractOp::create(
                                                b, op.getOperand(0), row));
    SmallVector<Value> parts;
    for (int64_t row = 0; row < rows; row += kEdge)
      for (int64_t column = 0; column != columns; column += kEdge)
        parts.push_back(vector::ShuffleOp::create(
            b, lines[row], lines[std::min(row + 1, rows - 1)],
            ArrayRef<int64_t>{column, column + 1, columns + column,
                              columns + column + 1}));
    op.replaceAllUsesWith(parts);
    op.erase();
  }

  void join(VectorType type) {
    const int64_t rows = countRows(type), columns = type.getShape().back();
    const auto lineType = VectorType::get({columns}, type.getElementType());
    Value result = arith::ConstantOp::create(b, b.getZeroAttr(type));
    for (int64_t row = 0; row != rows; ++row) {
      Value line = arith::ConstantOp::create(b, b.getZeroAttr(lineType));
      const int64_t first = row % kEdge * kEdge;
      for (int64_t column = 0; column != columns; column += kEdge) {
        Value part =
            op.getOperand(row / kEdge * (columns / kEdge) + column / kEdge);
        Value two = vector::ExtractStridedSliceOp::create(b, part, {first},
                                                          {kEdge}, {1});
        line =
            vector::InsertStridedSliceOp::create(b, two, line, {column}, {1});
      }
      result = type.getRank() == 1
                   ? line
                   : vector::InsertOp::create(b, line, result, row).getResult();
    }
    op.getResult(0).replaceAllUsesWith(result);
    op.erase();
  }

  UnrealizedConversionCastOp op;
  ImplicitLocOpBuilder b;
};

struct LowerSquareProducts
    : sched::impl::LowerSquareProductsPassBase<LowerSquareProducts> {
  using LowerSquareProductsPassBase::LowerSquareProductsPassBase;

  void runOnOperation() override {
    DotProducts dots;
    llvm::append_range(dots.features, instructions);
    SmallVector<NarrowContraction> products =
        collectNarrowContractions(getOperation(), DotForm::Squares, dots);
    llvm::erase_if(products, [](const NarrowContraction &product) {
      return product.columns % kColumns != 0;
    });
    if (products.empty())
      return;
    for (const NarrowContraction &product : products)
      Writer(product).write();
    for (UnrealizedConversionCastOp op : carryParts(getOperation()))
      SumsWriter(op).write();
  }
};
} // namespace
