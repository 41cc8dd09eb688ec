//===- GridSearch.cpp - Every legal candidate in order --------------------===//

#include "SchedOpt/Search/GridSearch.h"
#include "llvm/ADT/DenseSet.h"

using namespace sched;

std::vector<Candidate> GridSearch::propose(unsigned n,
                                           const History &history) const {
  std::vector<Candidate> result;
  proposeDefaults(space, n, history, result);
  llvm::DenseSet<uint64_t> taken;
  for (const Candidate &candidate : result)
    taken.insert(candidate.hash());

  Candidate candidate;
  space.reset(candidate, 0);
  do {
    if (result.size() == n)
      break;
    if (!history.contains(candidate) && !taken.count(candidate.hash()) &&
        space.isLegal(candidate))
      result.push_back(candidate);
  } while (space.advance(candidate));
  return result;
}
