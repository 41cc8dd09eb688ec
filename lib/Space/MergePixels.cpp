//===- MergePixels.cpp - Pixels of few channels as one line ---------------===//
//
// A filter of a picture in red, green and blue, as a depthwise convolution with
// channels innermost, has three results side by side that are alike. Where its
// windows have no stride along the line, all channels of all pixels of the line
// are, and fill vectors:
//
//   result[h, w, c] += image[h + a, w + b, c] * taps[a, b, c]
//   result[h, i]    += image[h + a, i + 3 b]  * taps[a, b, i]
//
// The taps are repeated for each pixel of a line, once for all lines. So are
// the means that are subtracted from the channels of all pixels, and what else
// elementwise ops have of channels alone. These are merged where that is so, or
// where they read slices of lines, which no one could merge as a whole; and
// with them the elementwise ops that they read, and that read them. But what
// goes with an op of another kind, as its epilogue, stays as it is.
//
//===----------------------------------------------------------------------===//

#include "MergePixels.h"
#include "KeptDimensions.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// So many channels are taken apart in registers as fast by LLVM, where an
/// elementwise op has no slices of lines.
static constexpr int64_t kMostShuffled = 4;
/// Lines for which it pays to repeat what all of them read.
static constexpr int64_t kLeastLines = 8;

namespace {
/// An op with results of few channels, which are innermost.
struct Pixels {
  /// Its loops.
  unsigned column, channel;
  int64_t numColumns, numChannels;
  /// Whether it reads windows along the line.
  bool slides = false;
  /// Whether it is not merged for the sake of others alone.
  bool gains = false;
};

/// Merges the columns and the channels of the ops of one function.
class PixelMerger {
public:
  explicit PixelMerger(func::FuncOp function)
      : function(function), rewriter(function.getContext()) {}

  bool run();

private:
  void collect();
  bool mayMerge(linalg::LinalgOp op) const;
  SmallVector<linalg::LinalgOp> choose();
  void merge(linalg::LinalgOp op, const Pixels &pixels);

  func::FuncOp function;
  IRRewriter rewriter;
  llvm::MapVector<Operation *, Pixels> found;
};
} // namespace

/// Whether `map` has `loop` once at most, and by itself.
static bool hasAlone(AffineMap map, unsigned loop) {
  const AffineExpr index = getAffineDimExpr(loop, map.getContext());
  return llvm::count(map.getResults(), index) <= 1 &&
         llvm::all_of(map.getResults(), [&](AffineExpr other) {
           return other == index || !other.isFunctionOfDim(loop);
         });
}

/// The terms of the last index of `map` but one, if the last is `channel`, and
/// that is a sum with `column`; both loops nowhere else.
static std::optional<SmallVector<AffineTerm, 2>>
getColumnTerms(AffineMap map, unsigned column, unsigned channel) {
  if (map.getNumResults() < 2 || !hasAlone(map, channel) ||
      map.getResults().back() != getAffineDimExpr(channel, map.getContext()) ||
      llvm::any_of(map.getResults().drop_back(2), [&](AffineExpr index) {
        return index.isFunctionOfDim(column);
      }))
    return std::nullopt;
  auto terms = getAffineTerms(map.getResult(map.getNumResults() - 2));
  if (!terms || llvm::none_of(*terms, [&](const AffineTerm &term) {
        return term.loop == column && term.coefficient == 1;
      }))
    return std::nullopt;
  return terms;
}

/// The reassociation of a tensor of `type` that makes its last two dimensions
/// one.
static SmallVector<ReassociationIndices> joinLast(RankedTensorType type) {
  return joinAt(type.getRank(), type.getRank() - 2);
}

/// What `value` is a slice or a pad of, without others in between.
static Value getWhole(Value value) {
  while (true) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      value = slice.getSource();
    else if (auto pad = value.getDefiningOp<tensor::PadOp>())
      value = pad.getSource();
    else
      return value;
  }
}

/// Calls `visit` with each op that reads `value`, a slice of it, a pad, or a
/// reshape.
static void visitReaders(Value value,
                         llvm::function_ref<void(Operation *)> visit) {
  for (Operation *user : value.getUsers())
    if (isa<tensor::ExtractSliceOp, tensor::PadOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp>(user))
      visitReaders(user->getResult(0), visit);
    else
      visit(user);
}

/// Whether lines of `value`, whose last two dimensions are columns and
/// channels, can be merged without a copy of it.
static bool isMergeable(Value value) {
  const auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return false;
  const int64_t last = type.getRank() - 1;
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    return slice.getSourceType().getRank() == type.getRank() &&
           slice.getSourceType().getDimSize(last) == type.getDimSize(last) &&
           slice.getStaticOffsets()[last] == 0 &&
           !slice.isDynamicOffset(last - 1) &&
           slice.getStaticStrides()[last - 1] == 1 &&
           isMergeable(slice.getSource());
  auto pad = value.getDefiningOp<tensor::PadOp>();
  return !pad ||
         (pad.getConstantPaddingValue() && !pad.getNofold() &&
          pad.getSourceType().hasStaticShape() &&
          !ShapedType::isDynamic(pad.getStaticLow()[last - 1]) &&
          !ShapedType::isDynamic(pad.getStaticHigh()[last - 1]) &&
          pad.getStaticLow()[last] == 0 && pad.getStaticHigh()[last] == 0 &&
          isMergeable(pad.getSource()));
}

/// `value`, which isMergeable, so merged.
static Value mergeLast(OpBuilder &builder, Location loc, Value value) {
  const auto type = cast<RankedTensorType>(value.getType());
  const SmallVector<ReassociationIndices> groups = joinLast(type);
  const int64_t column = type.getRank() - 2,
                numChannels = type.getShape().back();
  auto scale = [&](ArrayRef<OpFoldResult> sizes) {
    SmallVector<OpFoldResult> scaled(sizes.drop_back());
    scaled.back() =
        builder.getIndexAttr(*getConstantIntValue(sizes[column]) * numChannels);
    return scaled;
  };
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
      expand && llvm::equal(expand.getReassociationIndices(), groups))
    return expand.getSrc();
  // A fill does not read what it writes to.
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (fill || value.getDefiningOp<tensor::EmptyOp>()) {
    const RankedTensorType merged =
        tensor::CollapseShapeOp::inferCollapsedType(type, groups);
    Value empty = tensor::EmptyOp::create(builder, loc, merged.getShape(),
                                          merged.getElementType());
    return fill ? linalg::FillOp::create(builder, loc, fill.getInputs(), empty)
                      .getResult(0)
                : empty;
  }
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    Value source = mergeLast(builder, loc, slice.getSource());
    return tensor::ExtractSliceOp::create(
        builder, loc, source, scale(slice.getMixedOffsets()),
        scale(slice.getMixedSizes()),
        ArrayRef(slice.getMixedStrides()).drop_back());
  }
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return tensor::CollapseShapeOp::create(builder, loc, value, groups);
  Value padding = pad.getConstantPaddingValue();
  // The constant may be in the pad's region.
  if (Operation *constant = padding.getDefiningOp();
      constant && pad->isProperAncestor(constant))
    padding = builder.clone(*constant)->getResult(0);
  Value source = mergeLast(builder, loc, pad.getSource());
  return tensor::PadOp::create(
      builder, loc, tensor::CollapseShapeOp::inferCollapsedType(type, groups),
      source, scale(pad.getMixedLowPad()), scale(pad.getMixedHighPad()),
      padding);
}

/// Whether lines of `value` are parts of the lines that it is a slice or a pad
/// of.
static bool cutsLines(Value value) {
  const auto type = cast<RankedTensorType>(value.getType()),
             whole = cast<RankedTensorType>(getWhole(value).getType());
  const int64_t column = type.getRank() - 2;
  return whole.getDimSize(column) != type.getDimSize(column);
}

/// How many lines of a result of `type`, with the map `result`, read the same
/// line of an operand of channels, whose map is `map`.
static int64_t countSharing(AffineMap result, AffineMap map,
                            RankedTensorType type) {
  int64_t sharing = 1;
  for (auto [index, extent] : llvm::zip_equal(result.getResults().drop_back(2),
                                              type.getShape().drop_back(2)))
    if (!map.isFunctionOfDim(cast<AffineDimExpr>(index).getPosition()))
      sharing *= extent;
  return sharing;
}

static std::optional<Pixels> matchPixels(linalg::LinalgOp op) {
  if (!isMovable(op) || op.hasDynamicShape() || op->getNumResults() != 1 ||
      op.hasIndexSemantics() || isa<linalg::FillOp>(op) ||
      !hasVectorElements(op) || !hasNumbers(op))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const AffineMap result = maps.back();
  const unsigned rank = result.getNumResults();
  if (rank < 2 || !result.isProjectedPermutation() ||
      !isMergeable(op.getDpsInits().front()))
    return std::nullopt;
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Pixels pixels{result.getDimPosition(rank - 2),
                result.getDimPosition(rank - 1), type.getDimSize(rank - 2),
                type.getDimSize(rank - 1)};
  if (pixels.numColumns == 1 || type.getNumElements() == 0 ||
      pixels.numChannels * type.getElementTypeBitWidth() / 8 >=
          kWidestVectorBytes)
    return std::nullopt;
  bool hasLines = false, repeats = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = maps[input->getOperandNumber()];
    if (!map.isFunctionOfDim(pixels.column)) {
      if (!hasAlone(map, pixels.channel))
        return std::nullopt;
      if (!map.isFunctionOfDim(pixels.channel))
        continue;
      repeats = true;
      if (countSharing(result, map, type) < kLeastLines)
        return std::nullopt;
      continue;
    }
    const auto terms = getColumnTerms(map, pixels.column, pixels.channel);
    if (!terms || !isMergeable(input->get()))
      return std::nullopt;
    hasLines = true;
    pixels.slides |= terms->size() > 1;
    pixels.gains |= cutsLines(input->get());
  }
  // Powers of two share vectors with whole pixels.
  pixels.gains |=
      pixels.slides || (repeats && pixels.numChannels > kMostShuffled &&
                        !llvm::isPowerOf2_64(pixels.numChannels));
  if (!hasLines || !(pixels.slides || isElementwise(op)))
    return std::nullopt;
  // A single channel slides along its line as it is.
  if (pixels.numChannels == 1 && pixels.slides)
    return std::nullopt;
  return pixels;
}

void PixelMerger::collect() {
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<Pixels> pixels = matchPixels(op))
      found.try_emplace(op, *pixels);
  for (bool changed = true; changed;) {
    const size_t before = found.size();
    found.remove_if([&](auto &entry) {
      return !mayMerge(cast<linalg::LinalgOp>(entry.first));
    });
    changed = found.size() != before;
  }
}

/// Whether no op of another kind reads, or is read by, `op`, whose epilogue it
/// may be, be it through a reshape. Windows are merged for what they gain by
/// themselves.
bool PixelMerger::mayMerge(linalg::LinalgOp op) const {
  const Pixels &pixels = found.find(op)->second;
  if (pixels.slides)
    return true;
  bool others = false;
  auto check = [&](Operation *neighbour) {
    others |= isa_and_nonnull<linalg::LinalgOp>(neighbour) &&
              !isa<linalg::FillOp>(neighbour) && !found.contains(neighbour);
  };
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).isFunctionOfDim(pixels.column))
      check(lookThroughReshapes(getWhole(input->get()), nullptr));
  visitReaders(op->getResult(0), check);
  return !others;
}

/// The ops that gain, and those that are read by them, or read them, and so on;
/// in their order.
SmallVector<linalg::LinalgOp> PixelMerger::choose() {
  llvm::SetVector<Operation *> chosen;
  for (auto &[op, pixels] : found)
    if (pixels.gains)
      chosen.insert(op);
  auto add = [&](Operation *neighbour) {
    if (neighbour && found.contains(neighbour))
      chosen.insert(neighbour);
  };
  for (size_t i = 0; i != chosen.size(); ++i) {
    for (Value operand : chosen[i]->getOperands())
      add(getWhole(operand).getDefiningOp());
    visitReaders(chosen[i]->getResult(0), add);
  }
  SmallVector<linalg::LinalgOp> ops;
  for (auto &[op, pixels] : found)
    if (chosen.contains(op))
      ops.push_back(cast<linalg::LinalgOp>(op));
  return ops;
}

/// Puts an op with one loop for columns and channels in the place of `op`.
void PixelMerger::merge(linalg::LinalgOp op, const Pixels &pixels) {
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  // The loop of columns is that of both; those behind channels' move up.
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop)
    loops.push_back(rewriter.getAffineDimExpr(loop - (loop > pixels.channel)));
  loops[pixels.channel] = loops[pixels.column];
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (auto [map, operand] :
       llvm::zip_equal(op.getIndexingMapsArray(), op->getOperands())) {
    SmallVector<AffineExpr> indices =
        llvm::map_to_vector(map.getResults(), [&](AffineExpr index) {
          return index.replaceDims(loops);
        });
    Value merged = operand;
    if (const auto terms = getColumnTerms(map, pixels.column, pixels.channel)) {
      merged = mergeLast(rewriter, loc, operand);
      AffineExpr sum = loops[pixels.column];
      for (const AffineTerm &term : *terms)
        if (term.loop != pixels.column)
          sum =
              sum + loops[term.loop] * (term.coefficient * pixels.numChannels);
      indices.pop_back();
      indices.back() = sum;
    } else if (const auto dim = map.getResultPosition(
                   rewriter.getAffineDimExpr(pixels.channel))) {
      merged = repeatWhole(rewriter, loc, operand, *dim, pixels.numColumns);
    }
    operands.push_back(merged);
    maps.push_back(AffineMap::get(op.getNumLoops() - 1, /*symbolCount=*/0,
                                  indices, op.getContext()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.erase(iterators.begin() + pixels.channel);
  const ValueRange all = operands;
  auto merged = linalg::GenericOp::create(rewriter, loc, all.back().getType(),
                                          all.drop_back(), all.take_back(),
                                          maps, iterators);
  rewriter.inlineRegionBefore(op->getRegion(0), merged.getRegion(),
                              merged.getRegion().begin());
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, type, merged.getResult(0), joinLast(type));
}

bool PixelMerger::run() {
  collect();
  const SmallVector<linalg::LinalgOp> chosen = choose();
  for (linalg::LinalgOp op : chosen)
    merge(op, found.find(op)->second);
  // Pads and slices with the channels apart.
  if (!chosen.empty()) {
    eraseUnread(function);
    shareReshapes(function);
  }
  return !chosen.empty();
}

bool sched::mergePixels(func::FuncOp function) {
  return PixelMerger(function).run();
}
