//===- TailCosts.cpp - What whole vectors for tails cost ------------------===//

#include "TailCosts.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

/// Cycles to write the part of a vector that is wanted, what a masked load
/// takes more than a whole one, and those of a row that is copied into a padded
/// buffer. Estimates.
static constexpr double kWriteCycles = 2, kMaskedLoadCycles = 0.5,
                        kCopiedRowCycles = 3;

/// The same of what is read by `access`.
static double getReadCycles(const AccessPlan &access, const WalkState &state,
                            llvm::ArrayRef<double> levelTrips) {
  double rows = 1;
  for (uint8_t dim : access.dims)
    if (dim != state.fill->dim)
      rows *= static_cast<double>(state.extents[dim]);
  if (state.fill->isMasked)
    return levelTrips[state.depth] * rows * kMaskedLoadCycles;
  // The copy stands outside of the loops of the reduction, and of those around
  // them that read the same.
  unsigned level = state.depth;
  bool isInside = true;
  for (; level > 0; --level) {
    const WalkLoop &loop = state.loops[level - 1];
    const bool reads = llvm::is_contained(access.dims, loop.dim);
    if (loop.isForall || loop.dim == state.fill->dim || (reads && !isInside))
      break;
    if (reads)
      rows *= static_cast<double>(loop.trips);
    isInside &= reads;
  }
  return levelTrips[level] * rows * kCopiedRowCycles;
}

double sched::getFillCycles(const BlockPlan &block, double rows,
                            const WalkState &state,
                            llvm::ArrayRef<double> levelTrips) {
  if (!state.fill)
    return 0;
  double cycles = rows * kWriteCycles;
  for (const AccessPlan &access : llvm::drop_end(block.accesses))
    if (llvm::is_contained(access.dims, state.fill->dim))
      cycles += getReadCycles(access, state, levelTrips);
  return cycles;
}
