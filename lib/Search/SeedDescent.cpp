//===- SeedDescent.cpp - Seeds that fit the machine -----------------------===//

#include "SeedDescent.h"
#include "SchedOpt/Search/Sampler.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sched;

/// Rounds over all decisions: few descents need more than three.
static constexpr unsigned kRounds = 4;
/// Entries of a decision that are looked at: all of a small domain; of a large
/// one the neighbours and an even sample.
static constexpr unsigned kEntries = 16;

namespace {

struct Descent {
  unsigned at;
  std::vector<unsigned> order;
  /// Decisions in a row that did not move.
  unsigned settled = 0;
  bool isDone = false;
};

} // namespace

static void listEntries(const DecisionTable &table, uint16_t now,
                        llvm::SmallVectorImpl<uint16_t> &entries) {
  entries.clear();
  const unsigned size = table.size();
  if (size <= kEntries) {
    for (unsigned i = 0; i != size; ++i)
      entries.push_back(i);
    return;
  }
  table.getNeighbours(now, entries);
  for (unsigned i = 0; i != kEntries; ++i)
    entries.push_back(i * (size - 1) / (kEntries - 1));
}

std::vector<unsigned> sched::descend(const SearchSpace &space,
                                     CandidatePool &pool, unsigned count,
                                     Rng &rng) {
  std::vector<Descent> descents;
  auto start = [&](const Candidate &candidate) {
    Descent descent;
    descent.at = pool.insert(candidate).first;
    descent.order.resize(candidate.choices.size());
    std::iota(descent.order.begin(), descent.order.end(), 0u);
    for (size_t i = descent.order.size(); i > 1; --i)
      std::swap(descent.order[i - 1], descent.order[rng.below(i)]);
    descent.isDone = descent.order.empty();
    descents.push_back(std::move(descent));
  };
  Sampler sampler(space);
  Candidate candidate;
  for (unsigned s = 0, e = space.getNumSketches(); s != e; ++s) {
    candidate = space.getDefault(s);
    if (space.isLegal(candidate))
      start(candidate);
    for (unsigned i = 0; i != count; ++i)
      if (sampler.sampleSketch(s, rng, candidate))
        start(candidate);
  }
  pool.score();

  // All descents move on together, so that a step of all is one call of the
  // model.
  size_t steps = 0;
  for (const Descent &descent : descents)
    steps = std::max(steps, kRounds * descent.order.size());
  std::vector<std::vector<unsigned>> lines(descents.size());
  llvm::SmallVector<uint16_t, 64> entries;
  for (size_t step = 0; step != steps; ++step) {
    for (size_t i = 0, e = descents.size(); i != e; ++i) {
      const Descent &descent = descents[i];
      lines[i].clear();
      if (descent.isDone)
        continue;
      const unsigned decision = descent.order[step % descent.order.size()];
      candidate = pool.getCandidate(descent.at);
      const DecisionTable &table = space.getTables(candidate.sketch)[decision];
      listEntries(table, candidate.choices[decision], entries);
      for (uint16_t entry : entries) {
        candidate.choices[decision] = entry;
        if (space.isLegal(candidate))
          lines[i].push_back(pool.insert(candidate).first);
      }
    }
    pool.score();
    for (size_t i = 0, e = descents.size(); i != e; ++i) {
      Descent &descent = descents[i];
      if (descent.isDone)
        continue;
      const unsigned before = descent.at;
      for (unsigned member : lines[i])
        if (pool.getScore(member) > pool.getScore(descent.at))
          descent.at = member;
      descent.settled = descent.at == before ? descent.settled + 1 : 0;
      descent.isDone = descent.settled >= descent.order.size();
    }
  }

  std::vector<unsigned> ends;
  for (const Descent &descent : descents)
    ends.push_back(descent.at);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}
