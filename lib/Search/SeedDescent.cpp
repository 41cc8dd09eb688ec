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

/// Descents that move on together, so that a step of all is one call of the
/// model.
class Descents {
public:
  Descents(const SearchSpace &space, CandidatePool &pool, Rng &rng)
      : space(space), pool(pool), rng(rng) {}

  void start(const Candidate &candidate);
  /// Where they end, each once.
  std::vector<unsigned> run();

private:
  const SearchSpace &space;
  CandidatePool &pool;
  Rng &rng;
  std::vector<Descent> descents;
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

void Descents::start(const Candidate &candidate) {
  Descent descent;
  descent.at = pool.insert(candidate).first;
  descent.order.resize(candidate.choices.size());
  std::iota(descent.order.begin(), descent.order.end(), 0u);
  for (size_t i = descent.order.size(); i > 1; --i)
    std::swap(descent.order[i - 1], descent.order[rng.below(i)]);
  descent.isDone = descent.order.empty();
  descents.push_back(std::move(descent));
}

std::vector<unsigned> Descents::run() {
  pool.score();
  size_t steps = 0;
  for (const Descent &descent : descents)
    steps = std::max(steps, kRounds * descent.order.size());
  std::vector<std::vector<unsigned>> lines(descents.size());
  llvm::SmallVector<uint16_t, 64> entries;
  Candidate candidate;
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

std::vector<unsigned> sched::descend(const SearchSpace &space,
                                     CandidatePool &pool, unsigned count,
                                     Rng &rng) {
  Descents descents(space, pool, rng);
  Sampler sampler(space);
  Candidate candidate;
  for (unsigned s = 0, e = space.getNumSketches(); s != e; ++s) {
    candidate = space.getDefault(s);
    if (space.isLegal(candidate))
      descents.start(candidate);
    for (unsigned i = 0; i != count; ++i)
      if (sampler.sampleSketch(s, rng, candidate))
        descents.start(candidate);
  }
  return descents.run();
}

/// The best of the candidates that differ from member `at` in two decisions,
/// or `at`.
static unsigned improvePair(const SearchSpace &space, CandidatePool &pool,
                            unsigned at) {
  const Candidate from = pool.getCandidate(at);
  const auto &tables = space.getTables(from.sketch);
  const size_t count = from.choices.size();
  std::vector<llvm::SmallVector<uint16_t, 64>> entries(count);
  for (size_t i = 0; i != count; ++i)
    listEntries(tables[i], from.choices[i], entries[i]);
  std::vector<unsigned> members;
  Candidate candidate = from;
  for (size_t i = 0; i != count; ++i)
    for (size_t j = i + 1; j != count; ++j) {
      for (uint16_t first : entries[i])
        for (uint16_t second : entries[j]) {
          candidate.choices[i] = first;
          candidate.choices[j] = second;
          if (first != from.choices[i] && second != from.choices[j] &&
              space.isLegal(candidate))
            members.push_back(pool.insert(candidate).first);
        }
      candidate.choices[i] = from.choices[i];
      candidate.choices[j] = from.choices[j];
    }
  pool.score();
  for (unsigned member : members)
    if (pool.getScore(member) > pool.getScore(at))
      at = member;
  return at;
}

std::vector<unsigned> sched::finish(const SearchSpace &space,
                                    CandidatePool &pool, unsigned count,
                                    Rng &rng) {
  std::vector<unsigned> best;
  for (unsigned i = 0, e = pool.size(); i != e; ++i)
    if (!std::isinf(pool.getScore(i)))
      best.push_back(i);
  count = std::min<size_t>(count, best.size());
  std::partial_sort(
      best.begin(), best.begin() + count, best.end(),
      [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  Descents descents(space, pool, rng);
  for (unsigned i = 0; i != count; ++i)
    descents.start(Candidate(pool.getCandidate(best[i])));
  std::vector<unsigned> ends = descents.run();
  if (ends.empty())
    return ends;
  // Some decisions have only together an effect that is better: half as much
  // of one for twice as much of another.
  unsigned at = *llvm::min_element(
      ends, [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  for (unsigned round = 0; round != kRounds; ++round) {
    const unsigned next = improvePair(space, pool, at);
    if (next == at)
      break;
    Descents again(space, pool, rng);
    again.start(Candidate(pool.getCandidate(next)));
    at = again.run().front();
    ends.push_back(at);
  }
  return ends;
}
