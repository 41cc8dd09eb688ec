//===- BatchPicker.cpp - Which of the pool to measure ---------------------===//

#include "SchedOpt/Search/BatchPicker.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>
#include <numeric>

using namespace sched;

/// Members, best first, that compete for a batch: bounds the time of a pick.
static constexpr size_t kContenders = 512;

BatchPicker::BatchPicker(const SearchSpace &space, const CandidatePool &pool,
                         const History &history, unsigned n, double optimism,
                         std::vector<Candidate> &batch, ProposalReport &report)
    : space(space), pool(pool), history(history), n(n), optimism(optimism),
      batch(batch), report(report) {
  auto markProgram = [&](const Candidate &candidate) {
    if (const uint64_t hash = space.hashProgram(candidate))
      programs.insert(hash);
  };
  for (const Candidate &candidate : batch) {
    taken.insert(candidate.hash());
    markProgram(candidate);
  }
  for (const Measurement &measurement : history.getMeasurements())
    markProgram(measurement.candidate);
  ranking.resize(pool.size());
  std::iota(ranking.begin(), ranking.end(), 0u);
  llvm::erase_if(ranking, [&](unsigned i) {
    return std::isinf(pool.getScore(i)) ||
           history.contains(pool.getCandidate(i));
  });
  llvm::sort(ranking,
             [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  // One candidate a program, and none that has been measured in other words.
  // Of those behind the contenders few are looked at, each then (`take`).
  llvm::DenseSet<uint64_t> seen(programs);
  size_t contenders = 0;
  llvm::erase_if(ranking, [&](unsigned i) {
    if (contenders == kContenders)
      return false;
    const uint64_t hash = space.hashProgram(pool.getCandidate(i));
    if (hash != 0 && !seen.insert(hash).second)
      return true;
    ++contenders;
    return false;
  });
}

/// Standard deviation of a member's score.
static double doubtOf(const CandidatePool &pool, unsigned i) {
  double variance = 1;
  double deviation = Calibration::kPriorDeviation;
  if (const Calibration *calibration = pool.getCalibration()) {
    std::vector<double> vector;
    calibration->whiten(pool.getCandidate(i), vector);
    for (double x : vector)
      variance -= x * x;
    deviation = calibration->getDeviation();
  }
  return std::hypot(deviation * std::sqrt(std::max(variance, 0.0)),
                    pool.getDoubt(i));
}

bool BatchPicker::take(unsigned i, PickReason reason) {
  const Candidate &candidate = pool.getCandidate(i);
  if (batch.size() == n || taken.contains(candidate.hash()))
    return false;
  const uint64_t hash = space.hashProgram(candidate);
  if (hash != 0 && !programs.insert(hash).second)
    return false;
  taken.insert(candidate.hash());
  batch.push_back(candidate);
  report.batch.push_back(
      {candidate, reason, pool.getScore(i), doubtOf(pool, i)});
  return true;
}

void BatchPicker::takeBest(std::vector<unsigned> members, unsigned count) {
  llvm::sort(members,
             [&](unsigned a, unsigned b) { return pool.isBetter(a, b); });
  for (unsigned i : members) {
    if (count == 0)
      return;
    if (std::isfinite(pool.getScore(i)) &&
        !history.contains(pool.getCandidate(i)))
      count -= take(i, PickReason::Local);
  }
}

void BatchPicker::takeRandom(unsigned limit, Rng &rng) {
  unsigned half = (ranking.size() + 1) / 2;
  for (unsigned tries = 8 * n; tries && half && batch.size() < limit; --tries)
    take(ranking[rng.below(half)], PickReason::Random);
}

namespace {

/// Posterior variances of a list of candidates, under the belief that some of
/// them have been measured.
class Beliefs {
public:
  explicit Beliefs(const Calibration &calibration) : calibration(calibration) {}

  /// `candidate` must outlive the beliefs.
  void add(const Candidate &candidate) {
    Entry &entry = entries.emplace_back();
    entry.candidate = &candidate;
    calibration.whiten(candidate, entry.vector);
    for (double x : entry.vector)
      entry.variance -= x * x;
    entry.before = std::max(entry.variance, 1e-9);
  }

  double getVariance(size_t i) const {
    return std::max(entries[i].variance, 0.0);
  }

  /// What is left of the variance at the beginning, as a share.
  double getShareLeft(size_t i) const {
    return getVariance(i) / entries[i].before;
  }

  /// Entry `i` counts as measured from now on: every vector grows by the
  /// component that one more row of the Cholesky factor gives it.
  void assumeMeasured(size_t i) {
    std::vector<double> own = entries[i].vector;
    double scale = 1 / std::sqrt(getVariance(i) + Calibration::kNoise);
    for (Entry &entry : entries) {
      double covariance =
          calibration.kernel(*entry.candidate, *entries[i].candidate);
      for (size_t k = 0, e = own.size(); k != e; ++k)
        covariance -= entry.vector[k] * own[k];
      entry.vector.push_back(covariance * scale);
      entry.variance -= entry.vector.back() * entry.vector.back();
    }
  }

private:
  struct Entry {
    const Candidate *candidate;
    std::vector<double> vector;
    double variance = 1, before = 1;
  };
  const Calibration &calibration;
  std::vector<Entry> entries;
};

} // namespace

void BatchPicker::takeOptimistic(unsigned limit) {
  if (batch.size() >= limit)
    return;
  std::vector<unsigned> contenders;
  for (unsigned i : ranking) {
    if (contenders.size() == kContenders)
      break;
    if (!taken.count(pool.getCandidate(i).hash()))
      contenders.push_back(i);
  }
  const Calibration *calibration = pool.getCalibration();
  if (!calibration) {
    // All are as uncertain as the next: the order of the scores is all there
    // is.
    for (unsigned i : contenders)
      if (batch.size() < limit)
        take(i, PickReason::Optimistic);
    return;
  }

  // What is in the batch already counts as measured.
  std::vector<Candidate> earlier = batch;
  Beliefs beliefs(*calibration);
  for (const Candidate &candidate : earlier)
    beliefs.add(candidate);
  for (unsigned i : contenders)
    beliefs.add(pool.getCandidate(i));
  for (size_t i = 0, e = earlier.size(); i != e; ++i)
    beliefs.assumeMeasured(i);

  const double deviation = calibration->getDeviation();
  std::vector<bool> used(contenders.size(), false);
  while (batch.size() < limit) {
    std::optional<size_t> best;
    double bestValue = 0;
    for (size_t c = 0, e = contenders.size(); c != e; ++c) {
      const size_t entry = earlier.size() + c;
      const double doubt = pool.getDoubt(contenders[c]);
      // What the model doubts, a similar one in the batch will tell, too.
      const double variance =
          deviation * deviation * beliefs.getVariance(entry) +
          doubt * doubt * beliefs.getShareLeft(entry);
      const double value =
          pool.getScore(contenders[c]) + optimism * std::sqrt(variance);
      if (!used[c] && (!best || value > bestValue)) {
        best = c;
        bestValue = value;
      }
    }
    if (!best)
      return;
    used[*best] = true;
    take(contenders[*best], PickReason::Optimistic);
    beliefs.assumeMeasured(earlier.size() + *best);
  }
}
