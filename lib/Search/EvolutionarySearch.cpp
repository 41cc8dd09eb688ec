//===- EvolutionarySearch.cpp - Evolution on the cost model ---------------===//

#include "SchedOpt/Search/EvolutionarySearch.h"
#include "SchedOpt/Search/BatchPicker.h"
#include "SchedOpt/Search/CandidatePool.h"
#include "SchedOpt/Search/Mutator.h"
#include <algorithm>
#include <cmath>

using namespace sched;

/// Measured candidates that take part in the evolution.
static constexpr unsigned kMeasuredParents = 64;
/// Measured candidates whose neighbours are considered.
static constexpr unsigned kLocalCentres = 4;

namespace {

/// The evolution of one proposal. Ends with a scored pool.
class Evolution {
public:
  Evolution(const SearchSpace &space, const EvolutionOptions &options,
            const History &history, CandidatePool &pool, Rng &rng)
      : space(space), options(options), history(history), pool(pool), rng(rng),
        sampler(space), mutator(space) {}

  void run() {
    pool.reserve(options.population * size_t(options.generations + 1) + 1024);
    if (space.size() <= options.enumerateUpTo) {
      enumerate();
      return;
    }
    populate();
    pool.score();
    for (unsigned i = 0; i != options.generations && !population.empty(); ++i) {
      breed();
      pool.score();
    }
  }

private:
  void enumerate() {
    Candidate candidate;
    space.reset(candidate, 0);
    do {
      if (space.isLegal(candidate))
        pool.insert(candidate);
    } while (space.advance(candidate));
    pool.score();
  }

  void add(const Candidate &candidate) {
    auto [index, isNew] = pool.insert(candidate);
    if (isNew)
      population.push_back(index);
  }

  void populate() {
    for (unsigned i = 0, e = space.getNumSketches(); i != e; ++i) {
      Candidate candidate = space.getDefault(i);
      if (space.isLegal(candidate))
        add(candidate);
    }
    for (unsigned i : history.getFastest(kMeasuredParents))
      add(history.getMeasurements()[i].candidate);
    Candidate candidate;
    for (unsigned tries = 2 * options.population;
         tries && population.size() < options.population; --tries)
      if (sampler.sample(rng, candidate))
        add(candidate);
  }

  const Candidate &select() {
    unsigned best = population[rng.below(population.size())];
    for (unsigned i = 1; i < options.tournament; ++i) {
      unsigned other = population[rng.below(population.size())];
      if (pool.isBetter(other, best))
        best = other;
    }
    return pool.getCandidate(best);
  }

  bool makeChild(Candidate &child) {
    double move = rng.uniform();
    if ((move -= options.immigration) < 0)
      return sampler.sample(rng, child);
    // A reference into the pool, which does not grow before the child is made.
    const Candidate &parent = select();
    if ((move -= options.sketchChange) < 0 && space.getNumSketches() > 1)
      return mutator.changeSketch(parent, rng, child);
    if ((move -= options.crossover) < 0)
      return mutator.cross(parent, select(), rng, child);
    return mutator.mutate(parent, rng, child);
  }

  void breed() {
    std::vector<unsigned> parents = population;
    unsigned elites = std::min<size_t>(options.elites, parents.size());
    std::partial_sort(
        parents.begin(), parents.begin() + elites, parents.end(),
        [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
    parents.resize(elites);

    // Children are collected apart: they have no score yet, so they must not
    // be selected as parents.
    std::vector<unsigned> next = std::move(parents);
    Candidate child;
    for (unsigned tries = 2 * options.population;
         tries && next.size() < options.population; --tries) {
      if (!makeChild(child))
        continue;
      auto [index, isNew] = pool.insert(child);
      if (isNew)
        next.push_back(index);
    }
    population = std::move(next);
  }

  const SearchSpace &space;
  const EvolutionOptions &options;
  const History &history;
  CandidatePool &pool;
  Rng &rng;
  Sampler sampler;
  Mutator mutator;
  std::vector<unsigned> population;
};

} // namespace

/// Adds the neighbours of the fastest candidates to the pool; one list of
/// members a centre.
static std::vector<std::vector<unsigned>>
addNeighbours(const SearchSpace &space, const History &history,
              CandidatePool &pool) {
  std::vector<std::vector<unsigned>> members;
  std::vector<Candidate> neighbours;
  Mutator mutator(space);
  for (unsigned centre : history.getFastest(kLocalCentres)) {
    neighbours.clear();
    mutator.getNeighbours(history.getMeasurements()[centre].candidate,
                          neighbours);
    std::vector<unsigned> &list = members.emplace_back();
    for (const Candidate &candidate : neighbours)
      list.push_back(pool.insert(candidate).first);
  }
  pool.score();
  return members;
}

std::vector<Candidate>
EvolutionarySearch::propose(unsigned n, const History &history) const {
  std::vector<Candidate> batch;
  proposeDefaults(space, n, history, batch);
  if (batch.size() == n)
    return batch;

  Rng rng(seed, history.size());
  CandidatePool pool(space, model);
  if (options.calibrate)
    pool.calibrate(history);
  Evolution(space, options, history, pool, rng).run();
  std::vector<std::vector<unsigned>> local =
      addNeighbours(space, history, pool);

  BatchPicker picker(space, pool, history, n, options.optimism, batch);
  unsigned open = n - batch.size();
  unsigned randomQuota =
      n < 4 ? 0 : std::max(1u, unsigned(std::lround(options.randomShare * n)));
  randomQuota = std::min(randomQuota, open / 2);
  unsigned localLimit =
      batch.size() + unsigned(std::lround(options.localShare * open));
  for (std::vector<unsigned> &members : local)
    if (batch.size() < localLimit)
      picker.takeBest(std::move(members), localLimit - batch.size());
  picker.takeOptimistic(n - randomQuota);
  picker.takeRandom(n, rng);
  picker.takeOptimistic(n);
  return batch;
}

std::optional<Candidate>
EvolutionarySearch::guessBest(const History &history) const {
  Rng rng(seed, history.size());
  CandidatePool pool(space, model);
  if (options.calibrate)
    pool.calibrate(history);
  Evolution(space, options, history, pool, rng).run();
  std::optional<unsigned> best;
  for (unsigned i = 0, e = pool.size(); i != e; ++i)
    if (!std::isinf(pool.getScore(i)) && (!best || pool.isBetter(i, *best)))
      best = i;
  if (!best)
    return std::nullopt;
  return pool.getCandidate(*best);
}
