//===- Evolution.cpp - Fills a pool by evolving it ------------------------===//

#include "Evolution.h"
#include "SchedOpt/Search/Mutation.h"
#include "SeedDescent.h"
#include <algorithm>
#include <cmath>

using namespace sched;

/// Measured candidates that take part in the evolution.
static constexpr unsigned kMeasuredParents = 64;

void Evolution::run() {
  pool.reserve(options.population * size_t(options.generations + 1) + 4096);
  if (space.size() <= options.enumerateUpTo) {
    enumerate();
    return;
  }
  populate();
  pool.score();
  describe(population, GenerationKind::Bred);
  for (unsigned i = 0; i != options.generations && !population.empty(); ++i)
    breed(options.elites, options.population);
  if (options.finishes > 0)
    describe(finish(space, pool, options.finishes, rng),
             GenerationKind::Descent);
}

void Evolution::refine(unsigned count) {
  population.clear();
  for (unsigned i = 0, e = pool.size(); i != e; ++i)
    if (!std::isinf(pool.getScore(i)))
      population.push_back(i);
  keepBest(population, options.elites);
  if (!population.empty())
    breed(population.size(), population.size() + count,
          GenerationKind::Refined);
}

void Evolution::enumerate() {
  report.enumerated = true;
  Candidate candidate;
  space.reset(candidate, 0);
  do {
    if (space.isLegal(candidate))
      pool.insert(candidate);
  } while (space.advance(candidate));
  pool.score();
}

void Evolution::add(const Candidate &candidate) {
  auto [index, isNew] = pool.insert(candidate);
  if (isNew)
    population.push_back(index);
}

void Evolution::populate() {
  for (unsigned i = 0, e = space.getNumSketches(); i != e; ++i) {
    Candidate candidate = space.getDefault(i);
    if (space.isLegal(candidate))
      add(candidate);
  }
  for (unsigned i : history.getFastest(kMeasuredParents))
    add(history.getMeasurements()[i].candidate);
  if (options.descents > 0) {
    const std::vector<unsigned> found =
        descend(space, pool, options.descents, rng);
    report.seeds = found.size();
    population.insert(population.end(), found.begin(), found.end());
    // A descent may end where a measured candidate is.
    std::sort(population.begin(), population.end());
    population.erase(std::unique(population.begin(), population.end()),
                     population.end());
  }
  Candidate candidate;
  for (unsigned tries = 2 * options.population;
       tries && population.size() < options.population; --tries) {
    if (!sampler.sample(rng, candidate)) {
      ++report.samplesRefused;
      continue;
    }
    ++report.sampled;
    add(candidate);
  }
}

unsigned Evolution::select() {
  unsigned best = population[rng.below(population.size())];
  for (unsigned i = 1; i < options.tournament; ++i) {
    unsigned other = population[rng.below(population.size())];
    if (pool.isBetter(other, best))
      best = other;
  }
  return best;
}

bool Evolution::apply(const Mutation &mutation, const Candidate &parent,
                      const Candidate &other, Candidate &child) {
  if (!mutation.apply(space, parent, other, rng, child))
    return false;
  assert(space.contains(child) && "a mutation made what the space lacks");
  return sampler.repair(child, rng) && child != parent;
}

bool Evolution::makeChild(Candidate &child, Child &origin) {
  double move = rng.uniform();
  origin.parent = select();
  origin.taken = MoveTaken();
  // References into the pool, which does not grow before the child is made.
  const Candidate &parent = pool.getCandidate(origin.parent);
  if ((move -= options.immigration) < 0) {
    origin.move = "random";
    return sampler.sample(rng, child);
  }
  if ((move -= options.sketchChange) < 0 && space.getNumSketches() > 1) {
    origin.move = "sketch";
    return mutator.changeSketch(parent, rng, child);
  }
  if ((move -= options.crossover) < 0) {
    origin.move = "crossover";
    return mutator.cross(parent, pool.getCandidate(select()), rng, child);
  }
  for (const Mutation *mutation : options.mutations)
    if ((move -= mutation->getPercent() / 100) < 0) {
      origin.move = mutation->getName();
      return apply(*mutation, parent, pool.getCandidate(select()), child);
    }
  const bool made = mutator.mutate(parent, rng, child, &origin.taken);
  origin.move = mutator.nameOf(parent.sketch, origin.taken);
  return made;
}

void Evolution::keepBest(std::vector<unsigned> &members, size_t count) const {
  count = std::min(count, members.size());
  std::partial_sort(
      members.begin(), members.begin() + count, members.end(),
      [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  members.resize(count);
}

void Evolution::breed(unsigned elites, unsigned size, GenerationKind kind) {
  std::vector<unsigned> next = population;
  keepBest(next, elites);
  // Children are collected apart: they have no score yet, so they must not be
  // selected as parents.
  std::vector<Child> children;
  Candidate child;
  Child origin;
  for (unsigned tries = 2 * size; tries && next.size() < size; --tries) {
    const bool made = makeChild(child, origin);
    MoveCount &count = report.moves[origin.move.str()];
    if (!made) {
      ++count.refused;
      continue;
    }
    auto [index, isNew] = pool.insert(child);
    ++(isNew ? count.kept : count.known);
    if (!isNew)
      continue;
    next.push_back(index);
    origin.index = index;
    children.push_back(origin);
  }
  pool.score();
  for (const Child &made : children) {
    const bool improved = pool.isBetter(made.index, made.parent);
    report.moves[made.move.str()].improved += improved;
    if (made.taken.decision == MoveTaken::kSeveral)
      continue;
    const unsigned sketch = pool.getCandidate(made.index).sketch;
    MoveCount &count =
        report.decisions[{sketch, unsigned(made.taken.decision)}];
    ++count.kept;
    count.improved += improved;
  }
  population = std::move(next);
  describe(population, kind);
}

void Evolution::describe(llvm::ArrayRef<unsigned> members,
                         GenerationKind kind) {
  std::vector<double> scores;
  for (unsigned i : members)
    if (!std::isinf(pool.getScore(i)))
      scores.push_back(pool.getScore(i));
  GenerationReport &generation = report.generations.emplace_back();
  generation.kind = kind;
  generation.population = members.size();
  if (scores.empty())
    return;
  auto middle = scores.begin() + scores.size() / 2;
  std::nth_element(scores.begin(), middle, scores.end());
  generation.median = *middle;
  generation.best = *std::max_element(scores.begin(), scores.end());
}
