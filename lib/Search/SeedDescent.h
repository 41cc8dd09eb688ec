//===- SeedDescent.h - Seeds that fit the machine ---------------*- C++ -*-===//
//
// Where an evolution should start, and what it should end with: candidates that
// are good in each decision, given the others. The features know the machine
// (what a register tile needs, what stays in which cache, how evenly threads
// share), so coordinate descent on the score finds tiles that fit it, for any
// sketch and target and without a rule for either. Random candidates seldom fit
// in all decisions at once. Read next: Evolution.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SEARCH_SEEDDESCENT_H
#define SCHEDOPT_LIB_SEARCH_SEEDDESCENT_H

#include "SchedOpt/Search/CandidatePool.h"

namespace sched {

/// Descends from the default of each sketch and from `count` random candidates
/// of each until no one decision is better otherwise, or for a few rounds over
/// all decisions. All that was looked at is in the pool; the ends are returned,
/// each once.
std::vector<unsigned> descend(const SearchSpace &space, CandidatePool &pool,
                              unsigned count, Rng &rng);

/// Descends from the `count` best members of the pool, which is scored, and
/// from the best end on until no two decisions are better otherwise.
std::vector<unsigned> finish(const SearchSpace &space, CandidatePool &pool,
                             unsigned count, Rng &rng);

} // namespace sched

#endif // SCHEDOPT_LIB_SEARCH_SEEDDESCENT_H
