//===- RandomSearch.cpp - Legal candidates at random ----------------------===//

#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Search/Sampler.h"
#include "llvm/ADT/DenseSet.h"

using namespace sched;

std::vector<Candidate> RandomSearch::propose(unsigned n,
                                             const History &history) const {
  std::vector<Candidate> result;
  proposeDefaults(space, n, history, result);
  llvm::DenseSet<uint64_t> taken;
  for (const Candidate &candidate : result)
    taken.insert(candidate.hash());

  Rng rng(seed, history.size());
  Sampler sampler(space);
  Candidate candidate;
  // In an almost exhausted space nearly every draw is a repetition.
  for (uint64_t tries = 64 * uint64_t(n) + 256; tries && result.size() < n;
       --tries) {
    if (!sampler.sample(rng, candidate))
      break;
    if (!history.contains(candidate) && taken.insert(candidate.hash()).second)
      result.push_back(candidate);
  }
  return result;
}
