//===- RollCopies.cpp - Vectors of many rows that are only copied ---------===//
//
// A step after Bufferize.cpp. Upstream's patterns make one vector of what is
// padded, which is a panel of an operand where tails are padded: an instruction
// or more for each of its rows, and for each element where the target loads no
// part of a vector. Read and written row by row, it is a loop.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sched {
#define GEN_PASS_DEF_ROLLCOPIESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// So many rows are no more code than the loop over them saves.
static constexpr int64_t kMostRows = 16;

/// Whether rows of `transfer` can be read or written by themselves.
template <typename TransferOp> static bool hasRows(TransferOp transfer) {
  const VectorType type = transfer.getVectorType();
  const SmallVector<bool> inBounds = transfer.getInBoundsValues();
  return isa<MemRefType>(transfer.getBase().getType()) && !transfer.getMask() &&
         !type.isScalable() && transfer.getPermutationMap().isMinorIdentity() &&
         llvm::all_of(ArrayRef(inBounds).drop_back(),
                      [](bool isInside) { return isInside; });
}

/// The read of what `write` copies to a buffer of its own; null if that is
/// something else, or few rows.
static vector::TransferReadOp getCopied(vector::TransferWriteOp write) {
  auto read = write.getVector().getDefiningOp<vector::TransferReadOp>();
  const VectorType type = write.getVectorType();
  if (!read || type.getRank() < 2 ||
      type.getNumElements() / type.getShape().back() <= kMostRows ||
      !read->hasOneUse() || read->getBlock() != write->getBlock() ||
      !hasRows(read) || !hasRows(write))
    return {};
  Value to = getRoot(write.getBase());
  if (!to.getDefiningOp<memref::AllocOp>() || to == getRoot(read.getBase()))
    return {};
  for (Operation *op = read->getNextNode(); op != write; op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
      return {};
  return read;
}

static void roll(IRRewriter &rewriter, vector::TransferReadOp read,
                 vector::TransferWriteOp write) {
  const VectorType type = read.getVectorType();
  const Location loc = write.getLoc();
  rewriter.setInsertionPoint(write);
  SmallVector<Value> from(read.getIndices()), to(write.getIndices());
  const unsigned rank = type.getRank(), fromOuter = from.size() - rank,
                 toOuter = to.size() - rank;
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, n);
  };
  Value zero = number(0), one = number(1);
  for (unsigned dim = 0; dim + 1 != rank; ++dim) {
    if (type.getDimSize(dim) == 1)
      continue;
    auto rows = scf::ForOp::create(rewriter, loc, zero,
                                   number(type.getDimSize(dim)), one);
    rewriter.setInsertionPointToStart(rows.getBody());
    for (Value *index : {&from[fromOuter + dim], &to[toOuter + dim]})
      *index =
          arith::AddIOp::create(rewriter, loc, *index, rows.getInductionVar());
  }
  const auto row =
      VectorType::get(type.getShape().back(), type.getElementType());
  const bool readInside = read.getInBoundsValues().back(),
             writeInside = write.getInBoundsValues().back();
  Value copied =
      vector::TransferReadOp::create(rewriter, loc, row, read.getBase(), from,
                                     read.getPadding(), ArrayRef(readInside));
  vector::TransferWriteOp::create(rewriter, loc, copied, write.getBase(), to,
                                  ArrayRef(writeInside));
  rewriter.eraseOp(write);
  rewriter.eraseOp(read);
}

namespace {
struct RollCopies : sched::impl::RollCopiesPassBase<RollCopies> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](vector::TransferWriteOp write) {
      if (vector::TransferReadOp read = getCopied(write))
        roll(rewriter, read, write);
    });
  }
};
} // namespace
