//===- PadPitch.cpp - Rows that share places of a cache -------------------===//
//
// A cache finds a line by some bits of its address: in 4096 bytes there are 64
// places, each for a line of 8 or 12 addresses. Of rows that are 1024 bytes
// apart, as the pixels of 512 channels of bf16 are, the same columns share four
// of them, and of multiples of that four or fewer. The rows of a tile fit
// there, but not those of several tiles and taps that are read again. So where
// a buffer is the function's own and its rows are read that way, they come to
// lie a line of the cache further apart. See sched-lower-to-cpu.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Support/DotProduct.h"
#include "ViewTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace sched {
#define GEN_PASS_DEF_PADPITCHPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Rows a multiple of it apart share four places of a first cache or fewer, and
/// are to have so many.
static constexpr int64_t kPitchBytes = 1024, kPlaces = 64, kLeastPlaces = 16;

/// Places that lines share which are `lines` apart.
static int64_t countPlaces(int64_t lines) {
  return kPlaces / std::gcd(lines, kPlaces);
}

/// Whether `read` is of a tile of rows that share places, and would not if rows
/// of `rowBytes` were a line longer. Rows of lower tiles are left alone.
static bool readsSharedPlaces(vector::TransferReadOp read, int64_t rowBytes) {
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
    if (ShapedType::isDynamic(stride) || stride <= 0)
      continue;
    const int64_t bytes = stride * tile.getElementTypeBitWidth() / 8;
    if (bytes % rowBytes == 0 &&
        countPlaces(bytes / rowBytes * (rowBytes / kLineBytes + 1)) >=
            kLeastPlaces)
      return true;
  }
  return false;
}

/// The buffer of the rows of `alloc` a line further apart; none where these are
/// no multiple of kPitchBytes.
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
  const int64_t rowBytes = alloc.getType().getShape().back() *
                           alloc.getType().getElementTypeBitWidth() / 8;
  auto canUse = [&](Operation *op, Value memory) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      isWorthIt |= readsSharedPlaces(read, rowBytes);
    return accesses(op, memory, /*mayWrite=*/true);
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
