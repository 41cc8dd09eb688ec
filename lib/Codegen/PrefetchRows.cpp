//===- PrefetchRows.cpp - Rows that are read several times ----------------===//
//
// A step after ShareIterations.cpp. A norm reads each row from memory once, and
// then again from a cache: meanwhile memory has nothing to do, as processors do
// not foresee the next row. So the last loop over a row fetches the row after
// it.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHROWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Rows of more bytes would not stay in a core's caches until they are read.
static constexpr int64_t kMostBytes = 128 << 10;

namespace {
/// The reads of one buffer in the loops over a row, in the order of these.
using Reads = SmallVector<std::pair<scf::ForOp, vector::TransferReadOp>>;

struct PrefetchRows : sched::impl::PrefetchRowsPassBase<PrefetchRows> {
  using PrefetchRowsPassBase::PrefetchRowsPassBase;

  void runOnOperation() override {
    if (minBytes == 0)
      return;
    getOperation()->walk([&](scf::ForOp rows) {
      if (!rows.getInductionVar().getType().isIndex())
        return;
      llvm::MapVector<Value, Reads> buffers;
      for (auto columns : rows.getBody()->getOps<scf::ForOp>())
        for (auto read : columns.getBody()->getOps<vector::TransferReadOp>())
          if (readsLargeBuffer(read, rows, minBytes))
            buffers[getRoot(read.getBase())].emplace_back(columns, read);
      for (auto &[buffer, reads] : buffers)
        if (reads.front().first != reads.back().first)
          prefetch(rows, reads);
    });
  }

private:
  /// Fetches, where the last loop reads elements of a row, those of a row some
  /// iterations later.
  static void
  prefetch(scf::ForOp rows,
           ArrayRef<std::pair<scf::ForOp, vector::TransferReadOp>> reads) {
    scf::ForOp columns = reads.back().first;
    std::optional<llvm::APInt> trips = columns.getStaticTripCount();
    std::optional<int64_t> step = getConstantIntValue(rows.getStep());
    if (!trips || !step)
      return;
    SmallVector<vector::TransferReadOp> last;
    int64_t bytes = 0;
    for (auto [loop, read] : reads)
      if (loop == columns) {
        last.push_back(read);
        bytes += trips->getSExtValue() * countBytes(read.getVectorType());
      }
    if (bytes == 0 || bytes > kMostBytes)
      return;
    OpBuilder builder(columns);
    const Location loc = columns.getLoc();
    // The same row again at the end.
    Value ahead = arith::ConstantIndexOp::create(
        builder, loc, *step * int64_t(llvm::divideCeil(kBytesAhead, bytes)));
    Value here = rows.getInductionVar();
    Value later = arith::AddIOp::create(builder, loc, here, ahead);
    Value exists = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, later, rows.getUpperBound());
    Value row = arith::SelectOp::create(builder, loc, exists, later, here);
    for (vector::TransferReadOp read : last)
      prefetch(rows, read, row);
  }

  /// Fetches what `read` reads in iteration `row` of `rows`.
  static void prefetch(scf::ForOp rows, vector::TransferReadOp read,
                       Value row) {
    std::optional<ReadPlace> readPlace = ReadPlace::get(read, rows);
    // What does not depend on the row stays in the cache as it is.
    if (!readPlace || !readPlace->dependsOn(rows.getInductionVar()))
      return;
    OpBuilder builder(read);
    const Location loc = read.getLoc();
    IRMapping mapping;
    mapping.map(rows.getInductionVar(), row);
    auto [buffer, indices] = readPlace->clone(builder, mapping);
    // Vectors of several rows fetch the lines of each.
    LineGrid(read.getVectorType())
        .prefetch(builder, loc, buffer, indices, /*locality=*/3);
  }
};
} // namespace
