//===- MoveLines.cpp - Pads and concatenations line by line ---------------===//
//
// A line is all that is contiguous: of an image whose channels are innermost, a
// line of pixels with their channels. Read next: LineWriter.h, then
// LowerCopies.cpp.
//
//===----------------------------------------------------------------------===//

#include "MoveLines.h"
#include "LineWriter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Elements of a line that are worth a move of their own.
static constexpr int64_t kFewestElements = 64;

bool sched::isComputedInPlace(Value value) {
  return value.hasOneUse() &&
         isa_and_present<DestinationStyleOpInterface, LoopLikeOpInterface>(
             value.getDefiningOp());
}

bool sched::isPadded(tensor::PadOp pad, int64_t dim) {
  return pad.getStaticLow()[dim] != 0 ||
         pad.getSourceType().getDimSize(dim) !=
             pad.getResultType().getDimSize(dim);
}

Value sched::takeOutPadding(tensor::PadOp pad) {
  Value padding = pad.getConstantPaddingValue();
  Operation *constant = padding ? padding.getDefiningOp() : nullptr;
  if (constant && pad->isProperAncestor(constant))
    constant->moveBefore(pad);
  return padding;
}

bool sched::hasLongLines(RankedTensorType type, int64_t dim) {
  return llvm::product_of(type.getShape().drop_front(dim + 1)) >=
         kFewestElements;
}

namespace {
/// Writes a padded tensor: in each dimension what is inside, then the borders
/// before and after.
class PadWriter {
public:
  PadWriter(LineWriter &lines, tensor::PadOp pad) : lines(lines), pad(pad) {
    for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim)
      if (isPadded(pad, dim))
        last = dim;
  }

  Value write(Value dest) { return write(dest, {}, {}); }

private:
  /// The dimension after those of `outer`, and those inside of it; `from` is
  /// where in the source that is.
  Value write(Value dest, LineWriter::Places outer, LineWriter::Places from) {
    const int64_t dim = outer.size();
    if (ShapedType::isDynamic(pad.getStaticLow()[dim]) ||
        pad.getSourceType().isDynamicDim(dim))
      return writeMoving(dest, outer, from);
    const int64_t begin = pad.getStaticLow()[dim],
                  extent = pad.getSourceType().getDimSize(dim),
                  end = begin + extent;
    Value padding = pad.getConstantPaddingValue();
    SmallVector<OpFoldResult> place(outer), source(from);
    auto fill = [&](int64_t first, int64_t count) {
      place.back() = lines.index(first);
      dest = lines.fill(dest, place, count, padding);
    };
    place.emplace_back();
    // What is inside first: a slice of an empty tensor is another empty tensor.
    if (dim == last) {
      place.back() = lines.index(begin);
      source.push_back(lines.index(0));
      dest = lines.copy(dest, place, pad.getSource(), source, extent);
    } else {
      dest = lines.loop(
          dest, outer, begin, extent, 1,
          [&](Value own, LineWriter::Places inside, OpFoldResult number) {
            source.push_back(number);
            return write(own, inside, source);
          });
    }
    fill(0, begin);
    fill(end, pad.getResultType().getDimSize(dim) - end);
    return dest;
  }

  /// The same of a dimension whose borders are known when it runs.
  Value writeMoving(Value dest, LineWriter::Places outer,
                    LineWriter::Places from) {
    const int64_t dim = outer.size();
    const OpFoldResult low = pad.getMixedLowPad()[dim],
                       high = pad.getMixedHighPad()[dim],
                       size = lines.index(pad.getResultType().getDimSize(dim)),
                       end = lines.subtract(size, high);
    Value padding = pad.getConstantPaddingValue();
    SmallVector<OpFoldResult> source(from);
    dest = lines.loop(
        dest, outer, low, lines.subtract(end, low),
        [&](Value own, LineWriter::Places inside, OpFoldResult number) {
          source.push_back(number);
          return dim == last
                     ? lines.copy(own, inside, pad.getSource(), source, 1)
                     : write(own, inside, source);
        });
    auto fill = [&](Value own, LineWriter::Places inside, OpFoldResult) {
      return lines.fill(own, inside, 1, padding);
    };
    dest = lines.loop(dest, outer, lines.index(0), low, fill);
    return lines.loop(dest, outer, end, high, fill);
  }

  LineWriter &lines;
  tensor::PadOp pad;
  /// The innermost dimension that is padded.
  int64_t last = 0;
};
} // namespace

/// Whether what is known only when it runs leaves lines to move: of one
/// dimension, how many there are.
static bool hasLines(tensor::PadOp pad) {
  const RankedTensorType source = pad.getSourceType(),
                         result = pad.getResultType();
  if (!result.hasStaticShape() || source.getRank() == 0)
    return false;
  int64_t moving = -1;
  for (int64_t dim = 0; dim != source.getRank(); ++dim) {
    if (!source.isDynamicDim(dim) &&
        !ShapedType::isDynamic(pad.getStaticLow()[dim]))
      continue;
    if (moving >= 0)
      return false;
    moving = dim;
  }
  return moving < 0 || hasLongLines(result, moving);
}

LogicalResult sched::padByLines(IRRewriter &rewriter, tensor::PadOp pad,
                                int64_t threads) {
  const RankedTensorType result = pad.getResultType();
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !hasLines(pad) || isComputedInPlace(pad.getSource()))
    return failure();
  takeOutPadding(pad);
  LineWriter lines(rewriter, pad, threads);
  Value empty = tensor::EmptyOp::create(
      rewriter, pad.getLoc(), result.getShape(), result.getElementType());
  rewriter.replaceOp(pad, PadWriter(lines, pad).write(empty));
  return success();
}

namespace {
/// Writes the sources of a concatenation one beside the other, line by line.
class ConcatWriter {
public:
  ConcatWriter(LineWriter &lines, tensor::ConcatOp concat)
      : lines(lines), concat(concat) {}

  Value write(Value dest) { return write(dest, {}, {}); }

private:
  /// The dimension after those of `outer`, and those inside of it; `from` is
  /// where in the sources that is.
  Value write(Value dest, LineWriter::Places outer, LineWriter::Places from) {
    const int64_t dim = concat.getDim();
    SmallVector<OpFoldResult> place(outer), source(from);
    if (int64_t(outer.size()) != dim)
      return lines.loop(
          dest, outer, 0, concat.getResultType().getDimSize(outer.size()), 1,
          [&](Value own, LineWriter::Places inside, OpFoldResult number) {
            source.push_back(number);
            return write(own, inside, source);
          });
    int64_t begin = 0;
    for (Value input : concat.getInputs()) {
      const int64_t count =
          cast<RankedTensorType>(input.getType()).getDimSize(dim);
      if (dim == 0) {
        dest = lines.copyShared(dest, begin, input, count);
      } else {
        place.resize(dim + 1);
        source.resize(dim + 1);
        place.back() = lines.index(begin);
        source.back() = lines.index(0);
        dest = lines.copy(dest, place, input, source, count);
      }
      begin += count;
    }
    return dest;
  }

  LineWriter &lines;
  tensor::ConcatOp concat;
};
} // namespace

LogicalResult sched::concatByLines(IRRewriter &rewriter,
                                   tensor::ConcatOp concat, int64_t threads) {
  const RankedTensorType result = concat.getResultType();
  const int64_t dim = concat.getDim();
  SmallVector<Value> inputs(concat.getInputs());
  if (!result.hasStaticShape() || !llvm::all_of(inputs, [](Value input) {
        return cast<RankedTensorType>(input.getType()).hasStaticShape();
      }))
    return failure();
  const Location loc = concat.getLoc();
  if (llvm::none_of(inputs, isComputedInPlace)) {
    LineWriter lines(rewriter, concat, threads);
    Value empty = tensor::EmptyOp::create(rewriter, loc, result.getShape(),
                                          result.getElementType());
    rewriter.replaceOp(concat, ConcatWriter(lines, concat).write(empty));
    return success();
  }
  // Each is written into what is there before it is computed.
  auto isHere = [&](Value input) {
    Operation *op = input.getDefiningOp();
    return op && op->getBlock() == concat->getBlock();
  };
  SmallVector<std::pair<Value, int64_t>> parts;
  int64_t place = 0;
  for (Value input : inputs) {
    parts.emplace_back(input, place);
    place += cast<RankedTensorType>(input.getType()).getDimSize(dim);
  }
  llvm::sort(parts, [&](const auto &a, const auto &b) {
    Operation *first = isHere(a.first) ? a.first.getDefiningOp() : nullptr,
              *second = isHere(b.first) ? b.first.getDefiningOp() : nullptr;
    if (first == second)
      return a.second < b.second;
    return second && (!first || first->isBeforeInBlock(second));
  });
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [input, begin] : parts)
    if (isHere(input)) {
      rewriter.setInsertionPoint(input.getDefiningOp());
      break;
    }
  Value whole = tensor::EmptyOp::create(rewriter, loc, result.getShape(),
                                        result.getElementType());
  Operation *last = nullptr;
  for (auto [input, begin] : parts) {
    // Several may be of one op, or the same.
    if (isHere(input) && input.getDefiningOp() != last) {
      last = input.getDefiningOp();
      rewriter.setInsertionPointAfter(last);
    }
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        ones(type.getRank(), rewriter.getIndexAttr(1));
    offsets[dim] = rewriter.getIndexAttr(begin);
    whole = tensor::InsertSliceOp::create(
        rewriter, loc, input, whole, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()), ones);
  }
  rewriter.replaceOp(concat, whole);
  return success();
}
