//===- TreeEnsemble.cpp - Several boosters for one answer -----------------===//

#include "SchedOpt/CostModel/TreeEnsemble.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <thread>

using namespace sched;

/// The finalizer of splitmix64.
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The candidates that a member sees: about a share of them, at least one; all,
/// where it is the only one. Each is left out by as many members as any other,
/// or by one more.
static std::vector<size_t> draw(size_t size, const EnsembleOptions &options,
                                unsigned index) {
  const double share = options.members > 1 ? options.share : 1,
               shift = double(index) / options.members;
  std::vector<size_t> drawn;
  for (size_t i = 0; i != size; ++i) {
    const uint64_t bits =
        mix(options.trees.seed + (i + 1) * 0x9e3779b97f4a7c15ull);
    const double place = double(bits >> 11) * 0x1.0p-53 + shift;
    if (place - std::floor(place) < share)
      drawn.push_back(i);
  }
  if (drawn.empty() && size)
    drawn.push_back(options.trees.seed % size);
  return drawn;
}

/// Some of the candidates, as a member sees them: what is below is part of
/// their offsets.
static TrainingRows select(const TrainingRows &data,
                           llvm::ArrayRef<size_t> candidates, unsigned member) {
  TrainingRows result;
  for (size_t i : candidates) {
    appendRows(data.rows, i, result.rows);
    result.offsets.push_back(data.getOffset(i, member));
    result.labels.seconds.push_back(data.labels.seconds[i]);
    result.labels.tasks.push_back(data.labels.tasks[i]);
  }
  return result;
}

static llvm::Error grow(Booster &booster, const BoosterMatrix &matrix,
                        const TrainingRows &data, const Objective &objective,
                        unsigned rounds) {
  const size_t n = data.size();
  std::vector<float> predictions, gradients(matrix.getNumRows()),
      curvatures(matrix.getNumRows());
  std::vector<double> scores(n), first(n), second(n);
  for (unsigned round = 0; round != rounds; ++round) {
    if (llvm::Error error = booster.predict(matrix, predictions))
      return error;
    for (size_t i = 0, row = 0; i != n; ++i) {
      scores[i] = data.offsets[i];
      for (; row != data.rows.ends[i]; ++row)
        scores[i] += predictions[row];
    }
    objective.differentiate(scores, first, second);
    for (size_t i = 0, row = 0; i != n; ++i) {
      // Where all rows of a candidate move by d its score moves by as many d;
      // by Cauchy and Schwarz this bounds what moves of any kind do.
      const double bound = second[i] * double(data.rows.getNumRows(i));
      for (; row != data.rows.ends[i]; ++row) {
        gradients[row] = first[i];
        curvatures[row] = bound;
      }
    }
    if (llvm::Error error = booster.boost(matrix, gradients, curvatures))
      return error;
  }
  return llvm::Error::success();
}

/// The trees of a member.
static TreeOptions getTrees(const EnsembleOptions &options, unsigned index) {
  TreeOptions trees = options.trees;
  trees.seed = mix(trees.seed + index + 1);
  return trees;
}

/// A member that has learned `data`.
static llvm::Expected<Booster>
fitMember(std::shared_ptr<const XGBoostLibrary> library,
          const TrainingRows &data, const EnsembleOptions &options,
          unsigned index, const std::string *from) {
  const TreeOptions trees = getTrees(options, index);
  const TrainingRows own =
      select(data, draw(data.size(), options, index), index);
  auto booster = from ? Booster::load(library, trees, *from)
                      : Booster::create(library, trees, getNumColumns());
  if (!booster || own.size() == 0)
    return booster;
  auto matrix =
      BoosterMatrix::create(library, own.rows.values, getNumColumns());
  if (!matrix)
    return matrix.takeError();
  auto objective = Objective::create(options.objective, own.labels);
  if (llvm::Error error =
          grow(*booster, *matrix, own, *objective, options.rounds))
    return std::move(error);
  return booster;
}

llvm::Expected<TreeEnsemble>
TreeEnsemble::fit(std::shared_ptr<const XGBoostLibrary> library,
                  const TrainingRows &data, const EnsembleOptions &options,
                  llvm::ArrayRef<std::string> from) {
  assert(options.members <= kMaxBoosters && "a bit each");
  assert((from.empty() || from.size() == options.members) &&
         "trees for each member");
  std::vector<std::optional<llvm::Expected<Booster>>> fitted(options.members);
  std::vector<std::optional<llvm::Expected<FlatTrees>>> flat(options.members);
  auto fitOne = [&](unsigned i) {
    fitted[i].emplace(fitMember(library, data, options, i,
                                from.empty() ? nullptr : &from[i]));
    if (!*fitted[i])
      return;
    auto bytes = (*fitted[i])->save();
    flat[i].emplace(bytes ? FlatTrees::parse(*bytes, getNumColumns())
                          : bytes.takeError());
  };
  const unsigned numThreads = std::clamp(std::thread::hardware_concurrency(),
                                         1u, std::max(1u, options.members));
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < numThreads; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = t; i < options.members; i += numThreads)
        fitOne(i);
    });
  for (unsigned i = 0; i < options.members; i += numThreads)
    fitOne(i);
  for (std::thread &thread : threads)
    thread.join();

  TreeEnsemble result;
  std::string problem;
  for (unsigned i = 0; i != options.members; ++i) {
    if (!*fitted[i]) {
      problem = llvm::toString(fitted[i]->takeError());
      continue;
    }
    if (!*flat[i]) {
      problem = llvm::toString(flat[i]->takeError());
      continue;
    }
    result.boosters.push_back(std::move(**fitted[i]));
    result.members.push_back(std::move(**flat[i]));
  }
  // What one of them lacks, all do.
  if (!problem.empty())
    return llvm::createStringError(problem);
  return result;
}

llvm::Expected<TreeEnsemble>
TreeEnsemble::load(llvm::ArrayRef<std::string> members) {
  TreeEnsemble result;
  for (const std::string &bytes : members) {
    auto trees = FlatTrees::parse(bytes, getNumColumns());
    if (!trees)
      return trees.takeError();
    result.members.push_back(std::move(*trees));
  }
  return result;
}

double TreeEnsemble::computeScale(const TrainingRows &data,
                                  const EnsembleOptions &options,
                                  double before) const {
  const size_t n = data.size();
  std::vector<double> own(n * members.size());
  predict(data.rows, own);
  // A single member has seen them all.
  std::vector<uint32_t> seen(n, 0);
  if (members.size() > 1)
    seen = getSeen(n, options);
  double xx = 0, xy = 0, count = 0;
  for (size_t index = 0; index != members.size(); ++index) {
    // By task, its candidates being together or not.
    struct Sums {
      double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    };
    std::vector<Sums> tasks;
    for (size_t i = 0; i != n; ++i) {
      const double x =
          data.getOffset(i, index) + own[i * members.size() + index];
      if ((seen[i] >> index & 1) || !std::isfinite(data.labels.seconds[i]))
        continue;
      const double y = -std::log(data.labels.seconds[i]);
      const unsigned task = data.labels.tasks[i];
      if (task >= tasks.size())
        tasks.resize(task + 1);
      Sums &sums = tasks[task];
      sums.n += 1;
      sums.x += x;
      sums.y += y;
      sums.xx += x * x;
      sums.xy += x * y;
    }
    for (const Sums &sums : tasks)
      if (sums.n > 1) {
        xx += sums.xx - sums.x * sums.x / sums.n;
        xy += sums.xy - sums.x * sums.y / sums.n;
        count += sums.n;
      }
  }
  if (xx <= 0)
    return before;
  count /= double(members.size());
  return std::clamp((count * xy / xx + kScaleCandidates * before) /
                        (count + kScaleCandidates),
                    kLeastScale, 1.0);
}

llvm::Expected<std::vector<std::string>> TreeEnsemble::save() const {
  std::vector<std::string> result;
  for (const Booster &booster : boosters) {
    auto bytes = booster.save();
    if (!bytes)
      return bytes.takeError();
    result.push_back(std::move(*bytes));
  }
  return result;
}

std::vector<uint32_t> TreeEnsemble::getSeen(size_t size,
                                            const EnsembleOptions &options) {
  std::vector<uint32_t> seen(size, 0);
  for (unsigned index = 0; index != options.members; ++index)
    for (size_t i : draw(size, options, index))
      seen[i] |= 1u << index;
  return seen;
}

void TreeEnsemble::predict(const FeatureRows &rows,
                           llvm::MutableArrayRef<double> sums) const {
  assert(sums.size() == rows.size() * members.size() && "one each");
  std::vector<float> predictions(rows.getNumRows());
  for (auto [index, member] : llvm::enumerate(members)) {
    member.predict(rows.values, getNumColumns(), predictions);
    for (size_t i = 0, row = 0, e = rows.size(); i != e; ++i)
      for (; row != rows.ends[i]; ++row)
        sums[i * members.size() + index] += predictions[row];
  }
}

void sched::averageMembers(llvm::ArrayRef<double> sums, unsigned members,
                           llvm::MutableArrayRef<double> means,
                           llvm::MutableArrayRef<double> deviations,
                           llvm::ArrayRef<uint32_t> leftOut) {
  const size_t n = means.size();
  assert(sums.size() == n * members && deviations.size() == n && "one each");
  assert((leftOut.empty() || leftOut.size() == n) && "one a candidate");
  const uint32_t all = (uint64_t(1) << members) - 1;
  for (size_t i = 0; i != n; ++i) {
    uint32_t without = leftOut.empty() ? 0 : leftOut[i] & all;
    if (without == all)
      without = 0;
    double sum = 0, squares = 0, count = 0;
    for (unsigned index = 0; index != members; ++index) {
      if (without >> index & 1)
        continue;
      const double own = sums[i * members + index];
      sum += own;
      squares += own * own;
      ++count;
    }
    means[i] = sum / count;
    deviations[i] =
        std::sqrt(std::max(0.0, squares / count - means[i] * means[i]));
  }
}
