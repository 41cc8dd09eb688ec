//===- Rounds.h - What contenders' turns tell -------------------*- C++ -*-===//
//
// Contenders that take turns are compared round by round: what slows the
// machine down for a round slows all of them down, so the ratio of two costs
// scatters less than either of them.
//
// Read next: Measurer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_ROUNDS_H
#define SCHEDOPT_MEASURE_ROUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace sched {

/// Of at least one value; the upper one of two in the middle.
double getMedian(std::vector<double> values);

/// Fewer rounds say too little of how far they scatter.
constexpr unsigned kLeastTellingRounds = 7;

/// `costs`: seconds of each contender, one a round, as many of each. Whether
/// each of them is known to be slower than the one with the least median, or by
/// what factor to `precision` (0.01: 1 %), by one standard error; not so where
/// that one is behind it in most rounds. False before kLeastTellingRounds, and
/// where `precision` is 0; true of none.
bool areToldApart(llvm::ArrayRef<llvm::ArrayRef<double>> costs,
                  double precision);

} // namespace sched

#endif // SCHEDOPT_MEASURE_ROUNDS_H
