//===- SketchSums.cpp - A buffer for the sums of a block ------------------===//
//
// Where the reduction is in blocks, the sums of a cache block wait in the
// result between them. Where rows of the result are pages apart, a tile of it
// needs a page of the TLB for each row, and its rows may share sets of the
// cache. A dense buffer for the block, copied to the result once, needs a few.
// Whether there is one is a decision, %cache_sums. What an epilogue reads is in
// such a buffer anyway.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Support/PageOffset.h"
#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace sched;

/// Bytes of one step along m in the result: the product of the extents of all
/// dimensions inside of it.
static int64_t getRowDistance(const ContractionShape &shape) {
  const unsigned rows = shape.resultDims.front();
  int64_t bytes = shape.accType.getIntOrFloatBitWidth() / 8;
  if (shape.resultDims[ContractionShape::kColumns] > rows)
    bytes *= shape.n;
  for (auto [i, loop] : llvm::enumerate(shape.outer))
    if (!loop.isReduction &&
        shape.resultDims[ContractionShape::kFirstOuter + i] > rows)
      bytes *= loop.extent;
  return bytes;
}

void SketchWriter::cacheSums() {
  const ContractionShape &shape = *task.blocks.shape;
  // At least a page apart, each row needs an entry of the TLB.
  if (hasEpilogue() || m == 1 || getRowDistance(shape) < int64_t(kPageBytes))
    return;
  decide("cache_sums", {0, 1}, 0);
  line("%cached_rows = schedule.min %mc, %m");
  line("%cached_columns = schedule.min %nc, " + extentOf(kN));
  // The batches, if they come inside of the reduction's blocks.
  std::string batches;
  for (unsigned axis : movedBatches) {
    const std::string count = "%cached_batches" + std::to_string(axis);
    line(count + " = schedule.select %is_around" + std::to_string(axis) +
         ", %one, " + extentOf(axis));
    batches += ", " + count;
  }
  line("%cached = schedule.product %cached_rows, %cached_columns" + batches +
       llvm::Twine(packed ? ", %nr" : "") + ", %cache_sums");
  const int64_t bytes = shape.accType.getIntOrFloatBitWidth() / 8;
  constant("cached_most", target.l2Bytes / bytes);
  line("%cached_fit = schedule.cmp le %cached, %cached_most");
  line("schedule.require \"sums that wait in a buffer fit in L2\" %cached_fit");
  requireEvenShares("cache_sums", parallelLoops());
  line(std::string("schedule.cache_write %f \"anchor\"") +
       (init ? " init \"init\"" : "") + " enable %cache_sums");
}
