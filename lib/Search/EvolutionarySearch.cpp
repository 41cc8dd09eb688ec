//===- EvolutionarySearch.cpp - Draft, verify, pick -----------------------===//

#include "SchedOpt/Search/EvolutionarySearch.h"
#include "Evolution.h"
#include "SchedOpt/Search/BatchPicker.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

using namespace sched;

/// Measured candidates whose neighbours are considered.
static constexpr unsigned kLocalCentres = 4;

namespace {
/// Seconds since it was made or asked.
class Stopwatch {
public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(begin, now))
        .count();
  }

private:
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};
} // namespace

/// The best members of a scored pool, one a program, at most `count`.
static std::vector<unsigned> selectBest(const SearchSpace &space,
                                        const CandidatePool &pool,
                                        unsigned count) {
  std::vector<unsigned> order(pool.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::erase_if(order,
                 [&](unsigned i) { return std::isinf(pool.getScore(i)); });
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  llvm::DenseSet<uint64_t> programs;
  std::vector<unsigned> best;
  for (unsigned i : order) {
    if (best.size() == count)
      break;
    const uint64_t hash = space.hashProgram(pool.getCandidate(i));
    if (hash == 0 || programs.insert(hash).second)
      best.push_back(i);
  }
  return best;
}

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

std::unique_ptr<CandidatePool>
EvolutionarySearch::rank(const History &history, Rng &rng,
                         ProposalReport &report) const {
  Stopwatch watch;
  auto drafted = std::make_unique<CandidatePool>(space, draft);
  if (options.calibrate)
    drafted->calibrate(history);
  Evolution(space, options, history, *drafted, rng, report).run();
  report.drafted = drafted->size();
  report.draftS = watch.lap();
  if (&draft == &model)
    return drafted;

  auto ranked = std::make_unique<CandidatePool>(space, model);
  if (options.calibrate)
    ranked->calibrate(history);
  for (unsigned i : selectBest(space, *drafted, options.verified))
    ranked->insert(drafted->getCandidate(i));
  for (unsigned i : history.getFastest(options.elites))
    ranked->insert(history.getMeasurements()[i].candidate);
  const size_t numMeasured = llvm::count_if(
      history.getMeasurements(),
      [](const Measurement &measured) { return !measured.failed(); });
  if (const double share = model.getDraftShare(numMeasured); share > 0)
    ranked->averageWith(std::move(drafted), share);
  ranked->score();
  if (!report.enumerated)
    Evolution(space, options, history, *ranked, rng, report)
        .refine(options.refined);
  report.rankS = watch.lap();
  return ranked;
}

/// What the best of a batch may be expected to gain over the fastest measured:
/// the largest expected improvement (Jones, Schonlau, Welch: "Efficient Global
/// Optimization of Expensive Black-Box Functions", 1998, eq. 15).
static double computeExpectedGain(const ProposalReport &report,
                                  double fastestScore) {
  double most = 0;
  for (const PickReport &pick : report.batch) {
    if (std::isnan(pick.score))
      continue;
    const double ahead = pick.score - fastestScore;
    double gain = std::max(ahead, 0.0);
    if (pick.doubt > 0) {
      const double z = ahead / pick.doubt;
      const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
      gain = ahead * std::erfc(-z / std::sqrt(2.0)) / 2 + pick.doubt * density;
    }
    most = std::max(most, gain);
  }
  return most;
}

std::vector<Candidate>
EvolutionarySearch::choose(unsigned n, const History &history,
                           ProposalReport &report) const {
  Batch defaults(space, n, history, report);
  defaults.addDefaults(space.getNumSketches());
  defaults.addUnshared();
  const bool isFull = defaults.isFull();
  std::vector<Candidate> batch = defaults.take();
  if (isFull)
    return batch;

  Rng rng(seed, history.size());
  std::unique_ptr<CandidatePool> pool = rank(history, rng, report);
  Stopwatch watch;
  std::vector<std::vector<unsigned>> local =
      addNeighbours(space, history, *pool);
  if (&draft != &model)
    report.ranked = pool->size();
  report.rankS += watch.lap();

  BatchPicker picker(space, *pool, history, n, options.optimism, batch, report);
  unsigned open = n - batch.size();
  unsigned randomQuota =
      n < 4 || options.randomShare == 0
          ? 0
          : std::max(1u, unsigned(std::lround(options.randomShare * n)));
  randomQuota = std::min(randomQuota, open / 2);
  const unsigned localLimit =
      batch.size() + unsigned(std::lround(options.localShare * open));
  for (std::vector<unsigned> &members : local)
    if (batch.size() < localLimit)
      picker.takeBest(std::move(members), localLimit - batch.size());
  picker.takeOptimistic(n - randomQuota);
  picker.takeRandom(n, rng);
  picker.takeOptimistic(n);

  const std::vector<unsigned> fastest = history.getFastest(1);
  if (!fastest.empty() && options.calibrate) {
    const Candidate &best = history.getMeasurements()[fastest[0]].candidate;
    const unsigned member = pool->insert(best).first;
    pool->score();
    report.expectedGain = computeExpectedGain(report, pool->getScore(member));
  }
  report.pickS = watch.lap();
  return batch;
}

std::optional<Candidate>
EvolutionarySearch::guessBest(const History &history) const {
  Rng rng(seed, history.size());
  ProposalReport unused;
  std::unique_ptr<CandidatePool> pool = rank(history, rng, unused);
  std::optional<unsigned> best;
  for (unsigned i = 0, e = pool->size(); i != e; ++i)
    if (!std::isinf(pool->getScore(i)) && (!best || pool->isBetter(i, *best)))
      best = i;
  if (!best)
    return std::nullopt;
  return pool->getCandidate(*best);
}
