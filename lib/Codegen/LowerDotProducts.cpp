//===- LowerDotProducts.cpp - Instructions for narrow products ------------===//
//
// Finds contractions whose last dimension is a group of narrow elements, as
// panels of groups give them (schedule.pack_rhs), and writes them with the dot
// products that the target has (Support/DotProduct.h). A group is 32 bits, so
// vectors of groups become vectors of i32: a row of the left-hand side gives
// one of them to all lanes, a row of the right-hand side is a register of them.
// What finds no instruction is left to LowerVectors.cpp. Read next:
// UnsignedRows.h, where signed bytes become unsigned.
//
//===----------------------------------------------------------------------===//

#include "CarriedSums.h"
#include "NarrowContraction.h"
#include "SchedOpt/Codegen/Passes.h"
#include "UnsignedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_LOWERDOTPRODUCTSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// What computes one register of sums.
struct Instruction {
  std::string intrinsic;
  /// Sums in a register.
  int64_t lanes;
  /// The left-hand side comes after the right-hand side.
  bool isSwapped = false;
  /// Takes the left-hand side as unsigned bytes, 128 larger than they are.
  bool isBiased = false;
  /// Adds the products of a group up, and leaves that to be added to the sums.
  bool leavesSums = false;
};
} // namespace

/// That for pairs of 16 bits.
static std::optional<Instruction> choosePairs(const DotProducts &dots,
                                              int64_t columns) {
  const bool hasVNNI = dots.has("avx512vnni");
  for (auto [lanes, feature, name] :
       {std::tuple(16, "avx512bw", "avx512.pmaddw.d.512"),
        std::tuple(8, "avx2", "avx2.pmadd.wd"),
        std::tuple(4, "sse2", "sse2.pmadd.wd")}) {
    if (columns % lanes)
      continue;
    if (hasVNNI || (lanes < 16 && dots.has("avxvnni")))
      return Instruction{
          "llvm.x86.avx512.vpdpwssd." + std::to_string(lanes * 32), lanes};
    if (dots.has(feature))
      return Instruction{std::string("llvm.x86.") + name, lanes,
                         /*isSwapped=*/false, /*isBiased=*/false,
                         /*leavesSums=*/true};
  }
  return std::nullopt;
}

/// The widest instruction whose lanes divide `columns`.
static std::optional<Instruction> choose(const DotProducts &dots,
                                         NarrowType lhs, NarrowType rhs,
                                         int64_t columns) {
  if (!dots.covers(DotForm::Lanes, lhs, rhs))
    return std::nullopt;
  const bool isX86 =
      !dots.has("dotprod") && !dots.has("i8mm") && !dots.has("bf16");
  const bool isFloat = lhs == NarrowType::BFloat;
  const bool isSigned = lhs == NarrowType::SignedByte, isMixed = lhs != rhs;
  if (!isX86) {
    if (columns % 4)
      return std::nullopt;
    const char *name = isFloat    ? "bfdot.v4f32.v8bf16"
                       : isMixed  ? "usdot.v4i32.v16i8"
                       : isSigned ? "sdot.v4i32.v16i8"
                                  : "udot.v4i32.v16i8";
    // The unsigned operand of a mixed one comes first; of others the one that
    // may be an element of a vector comes last.
    return Instruction{std::string("llvm.aarch64.neon.") + name, 4,
                       !isMixed || isSigned};
  }
  if (lhs == NarrowType::Short)
    return choosePairs(dots, columns);
  const bool hasWide = isFloat || dots.has("avx512vnni");
  const bool hasSigned = !isFloat && !isMixed && dots.has("avxvnniint8");
  for (int64_t lanes : {16, 8, 4}) {
    if (columns % lanes || (lanes == 16 && !hasWide))
      continue;
    const std::string bits = std::to_string(lanes * 32);
    if (isFloat)
      return Instruction{"llvm.x86.avx512bf16.dpbf16ps." + bits, lanes};
    if (hasSigned && lanes < 16)
      return Instruction{std::string("llvm.x86.avx2.") +
                             (isSigned ? "vpdpbssd." : "vpdpbuud.") + bits,
                         lanes};
    if (isMixed || isSigned)
      return Instruction{"llvm.x86.avx512.vpdpbusd." + bits, lanes,
                         isMixed && isSigned, !isMixed};
  }
  return std::nullopt;
}

namespace {
/// Writes one contraction.
class Writer {
public:
  Writer(const NarrowContraction &product, const DotProducts &dots)
      : op(product.op), b(op.getLoc(), op), lhs(product.lhs), rhs(product.rhs),
        lhsElement(getElementTypeOrSelf(lhs)),
        rhsElement(getElementTypeOrSelf(rhs)),
        isUnsignedRhs(product.rhsType == NarrowType::UnsignedByte),
        groupSteps(product.steps), rows(product.rows), columns(product.columns),
        steps(product.groups), hasRows(product.hasRows),
        hasSteps(product.hasGroups) {
    if (product.steps == countStepsAtOnce(DotForm::Lanes, product.lhsType))
      instruction = choose(dots, product.lhsType, product.rhsType, columns);
  }

  Operation *getProduct() { return op; }

  /// Whether the left-hand side has to be made unsigned.
  bool isBiased() const { return instruction && instruction->isBiased; }

  /// Replaces the contraction where there is an instruction. `isUnsigned`: the
  /// left-hand side's bytes are 128 larger already.
  void write(bool isUnsigned) {
    if (!instruction)
      return;
    addsBias = instruction->isBiased && !isUnsigned;
    const bool isCorrect = !instruction->isBiased || correctBefore();
    // [k][lanes] and [m][k], in groups.
    rhs = toGroups(rhs, b);
    lhs = toGroups(lhs, b);
    Value result = op.getAcc();
    SmallVector<Value> corrections;
    if (!isCorrect)
      corrections = addColumns(rhs, getZeros());
    for (int64_t m = 0; m != rows; ++m) {
      Value row =
          hasRows ? vector::ExtractOp::create(b, op.getAcc(), m) : op.getAcc();
      Value sums = row;
      for (int64_t at = 0; at != columns; at += instruction->lanes) {
        Value part = slice(row, at);
        for (int64_t k = 0; k != steps; ++k)
          part = call(part, getLhs(m, k), getRhs(rhs, k, at));
        if (!isCorrect)
          part = arith::SubIOp::create(b, part,
                                       corrections[at / instruction->lanes]);
        sums = putSlice(part, sums, at);
      }
      result = hasRows ? vector::InsertOp::create(b, sums, result, m) : sums;
    }
    op.replaceAllUsesWith(result);
    op.erase();
  }

private:
  Value slice(Value row, int64_t at) {
    if (instruction->lanes == columns)
      return row;
    return vector::ExtractStridedSliceOp::create(b, row, {at},
                                                 {instruction->lanes}, {1});
  }

  /// `row` with `part` in place of its slice at `at`.
  Value putSlice(Value part, Value row, int64_t at) {
    if (instruction->lanes == columns)
      return part;
    return vector::InsertStridedSliceOp::create(b, part, row, {at}, {1});
  }

  Value getRhs(Value groups, int64_t k, int64_t at) {
    return slice(
        hasSteps ? Value(vector::ExtractOp::create(b, groups, k)) : groups, at);
  }

  /// A group in all lanes.
  Value getLhs(int64_t m, int64_t k) {
    SmallVector<int64_t> position;
    if (hasRows)
      position.push_back(m);
    if (hasSteps || !hasRows)
      position.push_back(k);
    Value group = vector::ExtractOp::create(b, lhs, position);
    Value lanes = vector::BroadcastOp::create(b, getLanesType(), group);
    if (!addsBias)
      return lanes;
    // As unsigned bytes: 128 more.
    return arith::XOrIOp::create(b, lanes, splat(0x80808080));
  }

  VectorType getLanesType() {
    return VectorType::get({instruction->lanes}, b.getI32Type());
  }

  Value splat(uint32_t value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(getLanesType(), b.getI32IntegerAttr(value)));
  }

  SmallVector<Value> getZeros() {
    return SmallVector<Value>(columns / instruction->lanes, splat(0));
  }

  /// Adds to `sums`, one register of columns each, 128 times the sum of each
  /// column: what the bias adds to every row.
  SmallVector<Value> addColumns(Value groups, ValueRange sums) {
    SmallVector<Value> corrections;
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value next = sum;
      for (int64_t k = 0; k != steps; ++k)
        next = call(next, splat(0x80808080),
                    getRhs(groups, k, i * instruction->lanes));
      corrections.push_back(next);
    }
    return corrections;
  }

  /// Subtracts what the bias adds from what the sums begin with, where loops
  /// carry them: its sums are the same for all rows. Whether it did.
  bool correctBefore() {
    auto read = rhs.getDefiningOp<vector::TransferReadOp>();
    SmallVector<scf::ForOp> loops = getCarryingLoops(op);
    // Bounds vary where a window is cut: each line of it has sums of its own.
    for (size_t depth = loops.size(); depth-- > 1;)
      if (!loops[depth - 1].getStaticTripCount()) {
        loops.erase(loops.begin(), loops.begin() + depth);
        break;
      }
    if (!read || loops.empty())
      return false;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loops.front());
    SmallVector<Value> corrections = sumBefore(
        loops, read, getZeros(), b, [&](Value vectors, ValueRange sums) {
          return addColumns(toGroups(vectors, b), sums);
        });
    if (corrections.empty())
      return false;
    OpOperand &init = getInitialSums(loops, op);
    Value sums = init.get();
    for (int64_t m = 0; m != rows; ++m) {
      Value row =
          hasRows ? vector::ExtractOp::create(b, init.get(), m) : init.get();
      Value next = row;
      for (auto [i, correction] : llvm::enumerate(corrections)) {
        const int64_t at = i * instruction->lanes;
        Value part = arith::SubIOp::create(b, slice(row, at), correction);
        next = putSlice(part, next, at);
      }
      sums = hasRows ? vector::InsertOp::create(b, next, sums, m) : next;
    }
    init.set(sums);
    return true;
  }

  /// The neighbours of each lane of `value`, groups of `element`.
  Value toNeighbours(Value value, Type element) {
    const auto type =
        VectorType::get({instruction->lanes * groupSteps}, element);
    return vector::BitCastOp::create(b, type, value);
  }

  Value call(Value sums, Value left, Value right) {
    left = toNeighbours(left, lhsElement);
    right = toNeighbours(right, rhsElement);
    if (lhsElement.isInteger(16))
      right = widen(right);
    if (instruction->isSwapped)
      std::swap(left, right);
    SmallVector<Value> operands = {left, right};
    if (!instruction->leavesSums)
      operands.insert(operands.begin(), sums);
    Value result = LLVM::CallIntrinsicOp::create(
                       b, sums.getType(),
                       b.getStringAttr(instruction->intrinsic), operands)
                       .getResult(0);
    return instruction->leavesSums ? b.createOrFold<arith::AddIOp>(sums, result)
                                   : result;
  }

  /// Bytes of the right-hand side in 16 bits.
  Value widen(Value value) {
    auto type = cast<VectorType>(value.getType());
    const VectorType wide = type.clone(b.getI16Type());
    if (type == wide)
      return value;
    return isUnsignedRhs ? Value(arith::ExtUIOp::create(b, wide, value))
                         : Value(arith::ExtSIOp::create(b, wide, value));
  }

  vector::ContractionOp op;
  ImplicitLocOpBuilder b;
  Value lhs, rhs;
  Type lhsElement, rhsElement;
  bool isUnsignedRhs;
  int64_t groupSteps;
  int64_t rows, columns, steps;
  bool hasRows, hasSteps, addsBias = false;
  std::optional<Instruction> instruction;
};

struct LowerDotProducts
    : sched::impl::LowerDotProductsPassBase<LowerDotProducts> {
  using LowerDotProductsPassBase::LowerDotProductsPassBase;

  void runOnOperation() override {
    DotProducts dots;
    llvm::append_range(dots.features, instructions);
    if (dots.features.empty())
      return;
    SmallVector<vector::ContractionOp> contractions;
    getOperation()->walk(
        [&](vector::ContractionOp op) { contractions.push_back(op); });
    SmallVector<Writer> writers;
    SmallVector<NarrowContraction> biased;
    for (vector::ContractionOp op : contractions)
      if (auto product = NarrowContraction::match(op))
        if (writers.emplace_back(*product, dots).isBiased())
          biased.push_back(*product);
    const llvm::DenseSet<Operation *> isUnsigned = makeRowsUnsigned(biased);
    for (Writer &writer : writers)
      writer.write(isUnsigned.contains(writer.getProduct()));
  }
};
} // namespace
