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

#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace sched;

/// Rows of a result that are closer share pages.
static constexpr int64_t kPageBytes = 4096;

/// Bytes between neighbouring rows of a register tile in the result.
static int64_t getRowDistance(const ContractionShape &shape) {
  // Places among the dimensions of the result, in the order of `shape.loops`,
  // but for the steps, which have none.
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
  if (hasEpilogue() || m == 1 || getRowDistance(shape) < kPageBytes)
    return;
  decide("cache_sums", {0, 1}, 0);
  line("%block_rows = schedule.min %mc, %m");
  line("%block_columns = schedule.min %nc, " + extentOf(kN));
  line("%sums = schedule.product %block_rows, %block_columns" +
       llvm::Twine(packed ? ", %nr" : "") + ", %cache_sums");
  const int64_t bytes = shape.accType.getIntOrFloatBitWidth() / 8;
  constant("most_sums", target.l2Bytes / bytes);
  line("%few_sums = schedule.cmp le %sums, %most_sums");
  line("schedule.require \"sums that wait in a buffer fit in L2\" %few_sums");
  requireEvenShares("cache_sums", parallelLoops());
  line(std::string("schedule.cache_write %f \"anchor\"") +
       (init ? " init \"init\"" : "") + " enable %cache_sums");
}
