//===- RandomSearch.cpp - Legal candidates at random ----------------------===//

#include "SchedOpt/Search/RandomSearch.h"
#include "SchedOpt/Search/Sampler.h"

using namespace sched;

std::vector<Candidate> RandomSearch::choose(unsigned n, const History &history,
                                            ProposalReport &report) const {
  Batch batch(space, n, history, report);
  batch.addDefaults(space.getNumSketches());
  Rng rng(seed, history.size());
  Sampler sampler(space);
  Candidate candidate;
  // In an almost exhausted space nearly every draw is a repetition.
  for (uint64_t tries = 64 * uint64_t(n) + 256; tries && !batch.isFull();
       --tries) {
    if (!sampler.sample(rng, candidate)) {
      ++report.samplesRefused;
      break;
    }
    ++report.sampled;
    batch.add(candidate, PickReason::Random);
  }
  return batch.take();
}
