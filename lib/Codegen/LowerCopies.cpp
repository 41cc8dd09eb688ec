//===- LowerCopies.cpp - Copies of buffers as lines of vectors ------------===//
//
// What is contiguous in both buffers is a line, and moved by vectors; other
// dimensions are loops around it. The same bits of all elements may be flipped
// on the way (UnsignedRows.h). As loops over elements, LLVM checks in each line
// whether the buffers overlap, and moves what is left over of it element by
// element.
//
// Lines are views of the whole buffer's memory. A reshaped view would be folded
// into its uses by quotients and remainders.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "LineView.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_LOWERCOPIESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Bytes of the vectors that a long line is moved by, and of the longest that
/// are left for its end. LLVM makes registers of them.
static constexpr int64_t kStepBytes = 256, kVectorBytes = 64;

namespace {
/// A buffer with known strides, without dimensions of one element.
struct Buffer {
  SmallVector<int64_t> shape, strides;
};
} // namespace

static std::optional<Buffer> getBuffer(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  Buffer buffer;
  for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides)) {
    if (extent == 1)
      continue;
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    buffer.shape.push_back(extent);
    buffer.strides.push_back(stride);
  }
  return buffer;
}

/// How many of the innermost dimensions have no gap between their elements.
static size_t countContiguous(const Buffer &buffer) {
  size_t count = 0;
  int64_t size = 1;
  for (auto [extent, stride] : llvm::zip_equal(llvm::reverse(buffer.shape),
                                               llvm::reverse(buffer.strides))) {
    if (stride != size)
      break;
    size *= extent;
    ++count;
  }
  return count;
}

namespace {
class LineCopy {
public:
  /// `flipped`: bits of an element that are not as in the source.
  LineCopy(OpBuilder &builder, Location loc, Type elementType, APInt flipped)
      : builder(builder), loc(loc), elementType(elementType),
        flipped(std::move(flipped)) {}

  void copy(Value from, Value to, int64_t count) {
    const int64_t bytes = elementType.getIntOrFloatBitWidth() / 8,
                  step = kStepBytes / bytes, most = kVectorBytes / bytes;
    // Whole steps in a loop, then vectors.
    int64_t done = count / step * step;
    if (done == step) {
      move(from, to, index(0), step);
    } else if (done != 0) {
      auto loop =
          scf::ForOp::create(builder, loc, index(0), index(done), index(step));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      move(from, to, loop.getInductionVar(), step);
    }
    for (; count - done >= most; done += most)
      move(from, to, index(done), most);
    if (done == count)
      return;
    // The last vector covers what is left, and may begin before it: elements
    // that are written again get the same values.
    int64_t size = llvm::PowerOf2Ceil(count - done);
    if (size > count) {
      size /= 2;
      move(from, to, index(0), size);
    }
    move(from, to, index(count - size), size);
  }

  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

private:
  void move(Value from, Value to, Value place, int64_t count) {
    Value part = vector::LoadOp::create(
        builder, loc, VectorType::get({count}, elementType), from, place);
    if (!flipped.isZero())
      part = arith::XOrIOp::create(
          builder, loc, part,
          arith::ConstantOp::create(
              builder, loc,
              DenseElementsAttr::get(cast<VectorType>(part.getType()),
                                     flipped)));
    vector::StoreOp::create(builder, loc, part, to, place);
  }

  OpBuilder &builder;
  Location loc;
  Type elementType;
  APInt flipped;
};
} // namespace

/// The bits that `op` flips of what it copies, 0 for a plain copy; none where
/// it is something else. Bits are flipped of another buffer alone: the last
/// vector of a line takes some elements twice.
static std::optional<APInt> getFlippedBits(linalg::LinalgOp op) {
  Value from = op.getDpsInputs().front(), to = op.getDpsInits().front();
  const Type type = getElementTypeOrSelf(to);
  if (!type.isIntOrFloat())
    return std::nullopt;
  if (isa<linalg::CopyOp>(op))
    return APInt::getZero(type.getIntOrFloatBitWidth());
  Block *body = op.getBlock();
  Value root = getRoot(to);
  auto flip =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::XOrIOp>();
  APInt bits;
  if (!flip || flip.getLhs() != body->getArgument(0) ||
      !matchPattern(flip.getRhs(), m_ConstantInt(&bits)) ||
      !llvm::all_of(body->without_terminator(),
                    [&](Operation &inner) {
                      return &inner == flip || isa<arith::ConstantOp>(inner);
                    }) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      !root.getDefiningOp<memref::AllocOp>() || getRoot(from) == root)
    return std::nullopt;
  return bits;
}

static void lower(IRRewriter &rewriter, linalg::LinalgOp op, APInt flipped) {
  Value from = op.getDpsInputs().front(), to = op.getDpsInits().front();
  const Type elementType = getElementTypeOrSelf(from.getType());
  // Bits are stored as bytes, but not in vectors.
  if (!elementType.isIntOrFloat() || elementType != getElementTypeOrSelf(to) ||
      !llvm::is_contained({8u, 16u, 32u, 64u},
                          elementType.getIntOrFloatBitWidth()))
    return;
  const std::optional<Buffer> source = getBuffer(from), target = getBuffer(to);
  if (!source || !target || source->shape != target->shape)
    return;
  const size_t inner =
                   std::min(countContiguous(*source), countContiguous(*target)),
               outer = source->shape.size() - inner;
  const int64_t count =
      llvm::product_of(ArrayRef(source->shape).drop_front(outer));
  // Nothing, or elements here and there.
  if (inner == 0 || count == 0)
    return;
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  LineCopy lines(rewriter, loc, elementType, std::move(flipped));
  SmallVector<Value> loops;
  for (int64_t extent : ArrayRef(source->shape).take_front(outer)) {
    auto loop = scf::ForOp::create(rewriter, loc, lines.index(0),
                                   lines.index(extent), lines.index(1));
    loops.push_back(loop.getInductionVar());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  Value read =
            sched::viewLine(rewriter, loc, from, loops,
                            ArrayRef(source->strides).take_front(outer), count),
        written =
            sched::viewLine(rewriter, loc, to, loops,
                            ArrayRef(target->strides).take_front(outer), count);
  lines.copy(read, written, count);
  rewriter.eraseOp(op);
}

namespace {
struct LowerCopies : sched::impl::LowerCopiesPassBase<LowerCopies> {
  void runOnOperation() override {
    SmallVector<std::pair<linalg::LinalgOp, APInt>> copies;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::CopyOp, linalg::GenericOp>(op) ||
          !op.hasPureBufferSemantics() || op.getNumDpsInputs() != 1 ||
          op.getNumDpsInits() != 1)
        return;
      if (std::optional<APInt> flipped = getFlippedBits(op))
        copies.emplace_back(op, *flipped);
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, flipped] : copies)
      lower(rewriter, op, flipped);
  }
};
} // namespace
