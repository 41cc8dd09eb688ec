//===- SketchSteps.cpp - What is read again, and from where ---------------===//
//
// Taps of a convolution read most of the same rows, and its lines all of the
// same weights. Which of both comes inside decides what a cache has to hold
// until it is read again (see SketchWriter.cpp).
//
//===----------------------------------------------------------------------===//

#include "SketchWriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

bool SketchWriter::hasTaps() const {
  return llvm::any_of(outerLoops(/*reductions=*/true), [&](unsigned axis) {
    return task.blocks.shape->outer[axis - kOuter].extent > 1;
  });
}

int64_t SketchWriter::countWeightBytes() const {
  const ContractionShape &shape = *task.blocks.shape;
  int64_t steps = k * group;
  for (unsigned axis : outerLoops(/*reductions=*/true))
    steps *= shape.outer[axis - kOuter].extent;
  return steps * n * shape.rhsType.getIntOrFloatBitWidth() / 8;
}

void SketchWriter::orderSteps() {
  ordersSteps = k > stepUnit() && hasTaps();
  if (!ordersSteps)
    return;
  // Each tap reads most of the rows that the one before it has read: they are
  // still in L1 if it holds all of their steps, or if the steps wait for the
  // taps.
  const int64_t bytes =
      group * task.blocks.shape->lhsType.getIntOrFloatBitWidth() / 8;
  const int64_t rows =
      defaultTile[0] * countPairedLines(m, defaultTile[1] / lanes);
  decide("taps_inside", {0, 1}, rows * k * bytes > target.l1Bytes / 2 ? 1 : 0);
  line("%ku_around = schedule.select %taps_inside, %ku, %zero");
  line("%ku_inside = schedule.select %taps_inside, %zero, %ku");
  tile("anchor", /*fuse=*/false, {{kK, "%ku_around"}});
}

int64_t SketchWriter::chooseInnerBatches() const {
  // Where L2 does not hold the weights, but those of a register tile's columns,
  // each batch would read all of them from behind it.
  int64_t count = 0;
  if (!task.blocks.shape->isWindowed && !holdsWeights(n) &&
      holdsWeights(defaultTile[1]))
    for (unsigned axis : llvm::reverse(movedBatches)) {
      const OuterLoop &loop = task.blocks.shape->outer[axis - kOuter];
      if (loop.isShared || loop.isColumn)
        break;
      ++count;
    }
  return count;
}
