//===- SkipPadding.cpp - Loops that do not sum up padding -----------------===//
//
// A step after ReadUnpadded.cpp, which leaves the padded images of products.
// Lines of such an image that are padding alone add nothing: a loop over them,
// be it over a window's lines or over the lines of the result that one line of
// the window adds to, starts and ends where the image does. Of a window of 3 in
// an image of 7 lines, that is 2 of 21. Where no padding is left to be read,
// the image itself is. Read next: Decompose.cpp.
//
//===----------------------------------------------------------------------===//

#include "MoveLines.h"
#include "PackedBytes.h"
#include "PaddedImage.h"
#include "SchedOpt/Codegen/Passes.h"
#include "TapRows.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace sched {
#define GEN_PASS_DEF_SKIPPADDINGPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// What values are where some reads give zeros.
class ZeroReads {
public:
  void insert(Operation *read) {
    reads.insert(read);
    origins.clear();
  }

  /// Whether each iteration of `loop` passes on what it is given.
  bool keepsArguments(scf::ForOp loop) const {
    return llvm::all_of_zip(
        loop.getYieldedValues(), loop.getRegionIterArgs(),
        [&](Value next, Value now) { return getOrigin(next) == now; });
  }

private:
  bool isZero(Value value) const;
  /// The value that `value` equals, followed up as far as that can be told.
  Value getOrigin(Value value) const;
  Value findOrigin(OpResult value) const;

  llvm::SmallPtrSet<Operation *, 8> reads;
  /// What getOrigin has found: a write is reached by many ways.
  mutable llvm::DenseMap<Value, Value> origins;
};

/// New bounds of a loop, in terms of values above it.
struct Narrowing {
  scf::ForOp loop;
  /// The loop's, before any other narrowing.
  int64_t begin, step;
  /// The line that an iteration reads, without the loop's own term.
  IndexSum rest;
  /// Lines from one iteration to the next.
  int64_t stride;
  /// The constants to add to `rest`, of several reads.
  Interval spread;
  /// The lines of the image, as the padded tensor counts them.
  Interval inside;
  /// What reads one of these lines alone then, in this dimension of `pad`.
  SmallVector<Operation *> reads;
  tensor::PadOp pad;
  int64_t dim;
};
} // namespace

bool ZeroReads::isZero(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (reads.contains(op) || matchPattern(value, m_AnyZeroFloat()) ||
      matchPattern(value, m_Zero()))
    return true;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value v) { return isZero(v); });
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
          vector::ShapeCastOp, vector::TransposeOp, vector::BroadcastOp,
          vector::ExtractOp, vector::ExtractStridedSliceOp>(op))
    return isZero(op->getOperand(0));
  return false;
}

Value ZeroReads::getOrigin(Value value) const {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return value;
  if (Value known = origins.lookup(value))
    return known;
  Value origin = findOrigin(result);
  origins[value] = origin;
  return origin;
}

Value ZeroReads::findOrigin(OpResult value) const {
  Operation *op = value.getOwner();
  if (auto product = dyn_cast<vector::ContractionOp>(op))
    return product.getKind() == vector::CombiningKind::ADD &&
                   (isZero(product.getLhs()) || isZero(product.getRhs()))
               ? getOrigin(product.getAcc())
               : Value(value);
  if (isa<arith::AddFOp, arith::AddIOp>(op)) {
    if (isZero(op->getOperand(1)))
      return getOrigin(op->getOperand(0));
    return isZero(op->getOperand(0)) ? getOrigin(op->getOperand(1))
                                     : Value(value);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    const unsigned number = value.getResultNumber();
    return getOrigin(loop.getYieldedValues()[number]) ==
                   loop.getRegionIterArg(number)
               ? getOrigin(loop.getInitArgs()[number])
               : Value(value);
  }
  // What is written where it was read from changes nothing.
  if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
    auto read =
        getOrigin(write.getVector()).getDefiningOp<vector::TransferReadOp>();
    Value into = getOrigin(write.getBase());
    return read && !read.getMask() && !write.getMask() &&
                   !read.hasOutOfBoundsDim() && !write.hasOutOfBoundsDim() &&
                   read.getIndices() == write.getIndices() &&
                   read.getPermutationMap() == write.getPermutationMap() &&
                   getOrigin(read.getBase()) == into
               ? into
               : Value(value);
  }
  if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(op)) {
    auto slice = getOrigin(insert.getValueToStore())
                     .getDefiningOp<vector::ExtractStridedSliceOp>();
    Value into = getOrigin(insert.getDest());
    return slice && slice.getOffsets() == insert.getOffsets() &&
                   slice.getStrides() == insert.getStrides() &&
                   slice.getType() == insert.getSourceVectorType() &&
                   getOrigin(slice.getSource()) == into
               ? into
               : Value(value);
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    auto slice =
        getOrigin(insert.getSource()).getDefiningOp<tensor::ExtractSliceOp>();
    Value into = getOrigin(insert.getDest());
    return slice && slice.getMixedOffsets() == insert.getMixedOffsets() &&
                   slice.getMixedSizes() == insert.getMixedSizes() &&
                   slice.getMixedStrides() == insert.getMixedStrides() &&
                   getOrigin(slice.getSource()) == into
               ? into
               : Value(value);
  }
  return value;
}

/// The narrower bounds of `loop`, if `reads` decide on what it does.
static std::optional<Narrowing>
getNarrowing(scf::ForOp loop, ArrayRef<PaddedRead> reads, Interval inside) {
  auto begin = getConstantIntValue(loop.getLowerBound()),
       step = getConstantIntValue(loop.getStep());
  if (!begin || !step || *step <= 0 || loop.getNumResults() == 0)
    return std::nullopt;
  const Value index = loop.getInductionVar();
  std::optional<Narrowing> narrowing;
  ZeroReads zeros;
  for (const PaddedRead &read : reads) {
    auto term = read.first.terms.find(index);
    if (term == read.first.terms.end() || term->second <= 0 ||
        !loop->isProperAncestor(read.read))
      continue;
    IndexSum rest = read.first;
    const int64_t factor = term->second;
    rest.terms.erase(index);
    if (!llvm::all_of(rest.terms, [&](auto &other) {
          return loop.isDefinedOutsideOfLoop(other.first);
        }))
      continue;
    const int64_t constant = rest.constant + factor * *begin;
    rest.constant = 0;
    zeros.insert(read.read);
    if (!narrowing) {
      narrowing = Narrowing{
          loop,   *begin, *step, rest, factor * *step, {constant, constant},
          inside, {},     {},    0};
      narrowing->reads.push_back(read.read);
      continue;
    }
    if (narrowing->stride != factor * *step ||
        narrowing->rest.terms.size() != rest.terms.size() ||
        !llvm::all_of(rest.terms, [&](auto &other) {
          auto same = narrowing->rest.terms.find(other.first);
          return same != narrowing->rest.terms.end() &&
                 same->second == other.second;
        }))
      return std::nullopt;
    narrowing->spread.least = std::min(narrowing->spread.least, constant);
    narrowing->spread.most = std::max(narrowing->spread.most, constant);
    narrowing->reads.push_back(read.read);
  }
  if (!narrowing || !zeros.keepsArguments(loop))
    return std::nullopt;
  // Does it ever begin above the image, or end below it?
  auto rest = narrowing->rest.getInterval();
  auto trips = loop.getStaticTripCount();
  if (rest && trips) {
    const int64_t last = (trips->getSExtValue() - 1) * narrowing->stride;
    if (rest->least + narrowing->spread.most >= inside.least &&
        rest->most + narrowing->spread.least + last <= inside.most)
      return std::nullopt;
  }
  return narrowing;
}

/// With `rest + spread + t * stride` the lines of iteration t: from the first t
/// with the last of them in the image, to the last t with the first in it.
static void narrow(OpBuilder &builder, const Narrowing &narrowing) {
  scf::ForOp loop = narrowing.loop;
  builder.setInsertionPoint(loop);
  SmallVector<Value> values;
  const AffineExpr rest = narrowing.rest.getExpr(builder, values);
  auto toIndex = [&](AffineExpr trip) {
    return trip * narrowing.step + narrowing.begin;
  };
  AffineExpr first = (-rest + (narrowing.inside.least - narrowing.spread.most))
                         .ceilDiv(narrowing.stride),
             past = (-rest + (narrowing.inside.most - narrowing.spread.least))
                        .floorDiv(narrowing.stride) +
                    1;
  // The bounds as they are: another pad may have narrowed them.
  const unsigned old = values.size();
  auto getMap = [&](AffineExpr bound) {
    return AffineMap::get(old + 1, 0,
                          {builder.getAffineDimExpr(old), toIndex(bound)},
                          builder.getContext());
  };
  values.push_back(loop.getLowerBound());
  Value lower = affine::AffineMaxOp::create(builder, loop.getLoc(),
                                            getMap(first), values);
  values.back() = loop.getUpperBound();
  Value upper =
      affine::AffineMinOp::create(builder, loop.getLoc(), getMap(past), values);
  loop.setLowerBound(lower);
  loop.setUpperBound(upper);
}

static void findNarrowings(tensor::PadOp pad, bool seesRows,
                           std::vector<Narrowing> &found) {
  for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim) {
    const std::optional<Interval> inside = getImageBetweenZeros(pad, dim);
    if (!inside)
      continue;
    SmallVector<PaddedRead> reads = findReads(pad, dim, seesRows);
    // Those of single lines.
    llvm::erase_if(reads,
                   [](const PaddedRead &read) { return bool(read.vectorDim); });
    llvm::SetVector<scf::ForOp> loops;
    for (const PaddedRead &read : reads)
      for (auto [index, factor] : read.first.terms)
        if (scf::ForOp loop = getLoopOver(index))
          loops.insert(loop);
    for (scf::ForOp loop : loops)
      if (auto narrowing = getNarrowing(loop, reads, *inside)) {
        narrowing->pad = pad;
        narrowing->dim = dim;
        found.push_back(*narrowing);
      }
  }
}

namespace {
/// Reads the image itself where no padding is read any more, but for signed
/// bytes that are multiplied by packed ones: on x86, a padded copy has them as
/// unsigned ones.
class PadRemover {
public:
  explicit PadRemover(ArrayRef<Narrowing> narrowings) {
    for (const Narrowing &narrowing : narrowings)
      if (narrowing.spread.least == narrowing.spread.most)
        for (Operation *read : narrowing.reads)
          insideOf.insert({read, narrowing.pad, narrowing.dim});
  }

  /// `seesRows`: of pixels that were put side by side, too.
  void run(tensor::PadOp pad, bool seesRows) {
    if (!pad.getSourceType().hasStaticShape() || pad->use_empty() ||
        llvm::any_of(pad.getStaticLow(), [](int64_t low) { return low < 0; }))
      return;
    if (const auto rows = seesRows ? TapRows::match(pad) : std::nullopt)
      return readSource(pad, *rows);
    if (!readsInside(pad, pad.getResult(), {}))
      return;
    IRRewriter rewriter(pad);
    readSource(rewriter, pad, pad.getResult(), pad.getSource(), {});
    rewriter.eraseOp(pad);
  }

private:
  /// Where each dimension of the padded tensor is in the result of `view`,
  /// which has it as it is; none if it takes one apart that is padded.
  static std::optional<SmallVector<int64_t>>
  getDims(tensor::PadOp pad, tensor::ExpandShapeOp view) {
    SmallVector<int64_t> dims;
    for (auto [dim, group] : llvm::enumerate(view.getReassociationIndices())) {
      if (group.size() != 1 && pad.getSourceType().getDimSize(dim) !=
                                   pad.getResultType().getDimSize(dim))
        return std::nullopt;
      dims.push_back(group.front());
    }
    return dims;
  }

  /// Whether all uses of `value`, the padded tensor or a view of it with its
  /// dimensions at `dims`, are reads of the image alone.
  bool readsInside(tensor::PadOp pad, Value value, ArrayRef<int64_t> dims) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (auto view = dyn_cast<tensor::ExpandShapeOp>(user)) {
        const auto viewed = getDims(pad, view);
        return dims.empty() && viewed && readsInside(pad, view, *viewed);
      }
      auto read = dyn_cast<vector::TransferReadOp>(user);
      if (!read || read.getMask() || read.hasOutOfBoundsDim() ||
          isMultipliedByPacked(read))
        return false;
      for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim)
        if (!readsInside(pad, read, dim, dims.empty() ? dim : dims[dim]))
          return false;
      return true;
    });
  }

  /// Of its dimension `dim`, which is `at` of what is read.
  bool readsInside(tensor::PadOp pad, vector::TransferReadOp read, int64_t dim,
                   int64_t at) {
    const int64_t low = pad.getStaticLow()[dim],
                  size = pad.getSourceType().getDimSize(dim);
    if (insideOf.contains({read, pad, dim}))
      return true;
    if (size == pad.getResultType().getDimSize(dim))
      return low == 0;
    const std::optional<PaddedRead> described = describeRead(read, at);
    return described && isInside(pad, dim, *described);
  }

  /// Whether `read`, along dimension `dim`, reads no padding.
  static bool isInside(tensor::PadOp pad, int64_t dim, const PaddedRead &read) {
    const int64_t low = pad.getStaticLow()[dim],
                  size = pad.getSourceType().getDimSize(dim);
    const std::optional<Interval> range = read.first.getInterval();
    return !ShapedType::isDynamic(low) && range && range->least >= low &&
           range->most + (read.rows - 1) * read.step < low + size;
  }

  /// The same of pixels that were put side by side.
  void readSource(tensor::PadOp pad, const TapRows &rows) {
    const SmallVector<vector::TransferReadOp> reads = rows.getReads(pad);
    if (reads.empty() || llvm::any_of(reads, isMultipliedByPacked))
      return;
    for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim) {
      if (!isPadded(pad, dim))
        continue;
      SmallVector<PaddedRead> found;
      rows.findReads(dim, found);
      if (found.size() != reads.size() ||
          !llvm::all_of(found, [&](const PaddedRead &read) {
            return insideOf.contains({read.read, pad, dim}) ||
                   isInside(pad, dim, read);
          }))
        return;
    }
    IRRewriter rewriter(pad);
    rows.readSource(rewriter, pad, reads);
  }

  void readSource(IRRewriter &rewriter, tensor::PadOp pad, Value value,
                  Value source, ArrayRef<int64_t> dims) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      rewriter.setInsertionPoint(user);
      if (auto view = dyn_cast<tensor::ExpandShapeOp>(user)) {
        const SmallVector<int64_t> viewed = *getDims(pad, view);
        SmallVector<int64_t> shape(view.getResultType().getShape());
        for (auto [dim, at] : llvm::enumerate(viewed))
          if (view.getReassociationIndices()[dim].size() == 1)
            shape[at] = pad.getSourceType().getDimSize(dim);
        auto expand = tensor::ExpandShapeOp::create(
            rewriter, view.getLoc(), view.getResultType().clone(shape), source,
            view.getReassociationIndices());
        readSource(rewriter, pad, view, expand, viewed);
        rewriter.eraseOp(view);
        continue;
      }
      auto read = cast<vector::TransferReadOp>(user);
      for (auto [dim, low] : llvm::enumerate(pad.getStaticLow())) {
        if (low == 0)
          continue;
        OpOperand &index =
            read.getIndicesMutable()[dims.empty() ? dim : dims[dim]];
        index.set(affine::makeComposedAffineApply(
            rewriter, read.getLoc(), rewriter.getAffineDimExpr(0) - low,
            OpFoldResult(index.get())));
      }
      read.getBaseMutable().set(source);
    }
  }

  /// Reads, and pads and their dimensions in which they read no padding.
  llvm::DenseSet<std::tuple<Operation *, Operation *, int64_t>> insideOf;
};

struct SkipPadding : sched::impl::SkipPaddingPassBase<SkipPadding> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    for (tensor::PadOp &pad : pads)
      pad = expandImage(rewriter, pad, rowByRow);
    // A loop that is narrowed has no trip count any more: all are found first.
    std::vector<Narrowing> narrowings;
    for (tensor::PadOp pad : pads)
      findNarrowings(pad, rowByRow, narrowings);
    for (const Narrowing &narrowing : narrowings)
      narrow(rewriter, narrowing);
    PadRemover remover(narrowings);
    for (tensor::PadOp pad : pads)
      remover.run(pad, rowByRow);
  }
};
} // namespace
