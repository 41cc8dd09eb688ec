//===- PadPitch.cpp - Rows that are powers of two apart -------------------===//
//
// A cache finds a line by some bits of its address: in 4096 bytes there are 64
// places, each for the lines of a few addresses. Of rows that are 1024 bytes
// apart, as the pixels of 512 channels of bf16 are, the same columns share four
// of them, and a tile of such rows drives out what the next tap reads again. So
// where a buffer is the function's own and its rows are read that way, they
// come to lie a line of the cache further apart. See sched-lower-to-cpu.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Support/DotProduct.h"
#include "ViewTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_PADPITCHPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Rows a multiple of it apart share four places of a first cache, or fewer:
/// less than the rows of a tile.
static constexpr int64_t kPitchBytes = 1024;

/// Whether `read` is of a tile of rows that share places.
static bool readsSharedPlaces(vector::TransferReadOp read) {
  const auto memory = dyn_cast<MemRefType>(read.getBase().getType());
  const VectorType tile = read.getVectorType();
  SmallVector<int64_t> strides;
  int64_t start = 0;
  if (!memory || tile.isScalable() || !tile.getElementType().isIntOrFloat() ||
      failed(memory.getStridesAndOffset(strides, start)))
    return false;
  for (auto [dim, index] :
       llvm::enumerate(read.getPermutationMap().getResults())) {
    auto place = dyn_cast<AffineDimExpr>(index);
    if (!place || tile.getDimSize(dim) < kTileEdge)
      continue;
    const int64_t stride = strides[place.getPosition()];
    if (!ShapedType::isDynamic(stride) && stride > 0 &&
        stride * tile.getElementTypeBitWidth() % (kPitchBytes * 8) == 0)
      return true;
  }
  return false;
}

/// The buffer of the rows of `alloc` that lie further apart, if it is better.
static std::optional<MemRefType> findWiderType(memref::AllocOp alloc) {
  const MemRefType type = alloc.getType();
  const int64_t bits =
      type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
  if (type.getRank() < 2 || !type.hasStaticShape() ||
      !type.getLayout().isIdentity() || bits == 0 || bits % 8 != 0 ||
      type.getShape().back() * bits % (kPitchBytes * 8) != 0)
    return std::nullopt;
  SmallVector<int64_t> extents(type.getShape());
  extents.back() += kLineBytes * 8 / bits;
  return MemRefType::get(extents, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

static void padPitch(memref::AllocOp alloc) {
  const std::optional<MemRefType> wider = findWiderType(alloc);
  if (!wider)
    return;
  const auto [strides, offset] = wider->getStridesAndOffset();
  const auto narrow = MemRefType::get(
      alloc.getType().getShape(), wider->getElementType(),
      StridedLayoutAttr::get(wider->getContext(), offset, strides),
      wider->getMemorySpace());
  bool isWorthIt = false;
  auto canUse = [&](Operation *op, Value) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      isWorthIt |= readsSharedPlaces(read);
    return isa<MemoryEffectOpInterface>(op) && keepsToItself(op);
  };
  ViewTypes types;
  if (!llvm::all_of(alloc->getUsers(),
                    [&](Operation *user) {
                      return types.add(user, alloc.getResult(), narrow, canUse);
                    }) ||
      !isWorthIt)
    return;
  IRRewriter rewriter(alloc);
  auto buffer = memref::AllocOp::create(rewriter, alloc.getLoc(), *wider,
                                        alloc.getAlignmentAttr());
  const int64_t rank = narrow.getRank();
  auto rows = memref::SubViewOp::create(
      rewriter, alloc.getLoc(), narrow, buffer,
      SmallVector<OpFoldResult>(rank, rewriter.getIndexAttr(0)),
      getAsIndexOpFoldResult(rewriter.getContext(), narrow.getShape()),
      SmallVector<OpFoldResult>(rank, rewriter.getIndexAttr(1)));
  rewriter.replaceOp(alloc, rows);
  types.apply();
}

namespace {
struct PadPitch : sched::impl::PadPitchPassBase<PadPitch> {
  using PadPitchPassBase::PadPitchPassBase;

  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk(
        [&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    for (memref::AllocOp alloc : allocs)
      padPitch(alloc);
  }
};
} // namespace
