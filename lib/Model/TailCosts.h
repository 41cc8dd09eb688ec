//===- TailCosts.h - What whole vectors for tails cost ----------*- C++ -*-===//
//
// Tails that are computed in whole vectors (TailFill) read a padded copy, or
// leave lanes out at each access. Part of FeatureExtractor.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_TAILCOSTS_H
#define SCHEDOPT_MODEL_TAILCOSTS_H

#include "SchedOpt/Model/NestWalker.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// Cycles that all runs of `block` take beyond those of whole vectors, where
/// its vectors are filled; it writes `rows` rows. `levelTrips`: trips of the
/// serial loops around each level of `state`.
double getFillCycles(const BlockPlan &block, double rows,
                     const WalkState &state, llvm::ArrayRef<double> levelTrips);

} // namespace sched

#endif // SCHEDOPT_MODEL_TAILCOSTS_H
