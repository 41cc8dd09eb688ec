//===- Objective.cpp - What the trees of a model are grown for ------------===//

#include "SchedOpt/CostModel/Objective.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace sched;

/// A candidate's weight is its throughput to this power.
static constexpr double kWeightPower = 1;
/// And at least this: what is slow is to be known as slow.
static constexpr double kLeastWeight = 0.05;
/// Of a pair, on the log scale: beyond a factor of e no difference counts more.
static constexpr double kMostWeight = 1;
/// Each candidate is paired with at most so many others of its task.
static constexpr size_t kMaxPartners = 32;

Objective::~Objective() = default;

llvm::StringRef sched::getObjectiveName(ObjectiveKind kind) {
  switch (kind) {
  case ObjectiveKind::PackSum:
    return "pack-sum";
  case ObjectiveKind::Rank:
    return "rank";
  case ObjectiveKind::Failure:
    return "failure";
  }
  return {};
}

std::optional<ObjectiveKind> sched::parseObjective(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ObjectiveKind>>(name)
      .Case("pack-sum", ObjectiveKind::PackSum)
      .Case("rank", ObjectiveKind::Rank)
      .Case("failure", ObjectiveKind::Failure)
      .Default(std::nullopt);
}

std::vector<double> Labels::getThroughputs() const {
  std::vector<double> least;
  for (auto [time, task] : llvm::zip_equal(seconds, tasks)) {
    if (task >= least.size())
      least.resize(task + 1, INFINITY);
    least[task] = std::min(least[task], time);
  }
  std::vector<double> result;
  for (auto [time, task] : llvm::zip_equal(seconds, tasks))
    result.push_back(std::isfinite(time) ? least[task] / time : 0);
  return result;
}

/// 1 / (1 + e^-x).
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// log(1 + e^x), without overflow.
static double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

namespace {

/// Successful candidates with their weights, of mean 1.
class WeightedTasks {
public:
  explicit WeightedTasks(const Labels &labels)
      : throughputs(labels.getThroughputs()) {
    for (auto [i, task] : llvm::enumerate(labels.tasks)) {
      if (task >= members.size())
        members.resize(task + 1);
      double weight = 0;
      if (throughputs[i] > 0) {
        weight = std::max(kLeastWeight, std::pow(throughputs[i], kWeightPower));
        members[task].push_back(i);
        ++count;
      }
      total += weight;
      weights.push_back(weight);
    }
    for (double &weight : weights)
      weight *= total > 0 ? count / total : 0;
  }

  std::vector<double> throughputs, weights;
  std::vector<llvm::SmallVector<unsigned>> members;
  size_t count = 0;

private:
  double total = 0;
};

class PackSumObjective final : public Objective {
public:
  explicit PackSumObjective(const Labels &labels) : data(labels) {}

  bool uses(size_t candidate) const override {
    return data.throughputs[candidate] > 0;
  }

  double getLoss(llvm::ArrayRef<double> scores) const override {
    double sum = 0;
    visit(scores, [&](unsigned candidate, double error) {
      sum += data.weights[candidate] * error * error / 2;
    });
    return sum / std::max<size_t>(1, data.count);
  }

  /// The derivative of a task's constant vanishes, as it is the best one.
  void differentiate(llvm::ArrayRef<double> scores,
                     llvm::MutableArrayRef<double> gradients,
                     llvm::MutableArrayRef<double> curvatures) const override {
    llvm::fill(gradients, 0.0);
    llvm::fill(curvatures, 0.0);
    visit(scores, [&](unsigned candidate, double error) {
      gradients[candidate] = data.weights[candidate] * error;
      curvatures[candidate] = data.weights[candidate];
    });
  }

private:
  template <typename Callback>
  void visit(llvm::ArrayRef<double> scores, Callback callback) const {
    for (const auto &members : data.members) {
      double sum = 0, total = 0;
      for (unsigned i : members) {
        sum += data.weights[i] * getError(scores, i);
        total += data.weights[i];
      }
      for (unsigned i : members)
        callback(i, getError(scores, i) - sum / total);
    }
  }
  double getError(llvm::ArrayRef<double> scores, unsigned i) const {
    return scores[i] - std::log(data.throughputs[i]);
  }

  WeightedTasks data;
};

class RankObjective final : public Objective {
public:
  explicit RankObjective(const Labels &labels) : data(labels) {
    for (const auto &members : data.members) {
      // Partners at equal distances in the order of measurement: all others in
      // a small task.
      const size_t n = members.size();
      const size_t step = std::max<size_t>(1, n / (2 * kMaxPartners));
      for (size_t i = 0; i != n; ++i)
        for (size_t j = i + step; j < n; j += step)
          addPair(members[i], members[j]);
    }
    double total = 0;
    for (const Pair &pair : pairs)
      total += pair.weight;
    // As much of them as there are candidates, each pair being of two.
    for (Pair &pair : pairs)
      pair.weight *= data.count / (2 * total);
  }

  bool uses(size_t candidate) const override {
    return data.throughputs[candidate] > 0;
  }

  double getLoss(llvm::ArrayRef<double> scores) const override {
    double sum = 0;
    for (const Pair &pair : pairs)
      sum += pair.weight * softplus(scores[pair.slow] - scores[pair.fast]);
    return sum / std::max<size_t>(1, data.count);
  }

  void differentiate(llvm::ArrayRef<double> scores,
                     llvm::MutableArrayRef<double> gradients,
                     llvm::MutableArrayRef<double> curvatures) const override {
    llvm::fill(gradients, 0.0);
    llvm::fill(curvatures, 0.0);
    for (const Pair &pair : pairs) {
      const double wrong = sigmoid(scores[pair.slow] - scores[pair.fast]);
      gradients[pair.fast] -= pair.weight * wrong;
      gradients[pair.slow] += pair.weight * wrong;
      // Twice, as both of them move.
      const double curvature = 2 * pair.weight * wrong * (1 - wrong);
      curvatures[pair.fast] += curvature;
      curvatures[pair.slow] += curvature;
    }
  }

private:
  struct Pair {
    unsigned fast, slow;
    double weight;
  };
  void addPair(unsigned a, unsigned b) {
    const double ratio = std::log(data.throughputs[a] / data.throughputs[b]);
    if (ratio != 0)
      pairs.push_back({ratio > 0 ? a : b, ratio > 0 ? b : a,
                       std::min(kMostWeight, std::abs(ratio))});
  }

  WeightedTasks data;
  std::vector<Pair> pairs;
};

class FailureObjective final : public Objective {
public:
  explicit FailureObjective(const Labels &labels) {
    for (double time : labels.seconds)
      failed.push_back(!std::isfinite(time));
  }

  bool uses(size_t) const override { return true; }

  double getLoss(llvm::ArrayRef<double> scores) const override {
    double sum = 0;
    for (size_t i = 0, e = failed.size(); i != e; ++i)
      sum += softplus(failed[i] ? -scores[i] : scores[i]);
    return sum / std::max<size_t>(1, failed.size());
  }

  void differentiate(llvm::ArrayRef<double> scores,
                     llvm::MutableArrayRef<double> gradients,
                     llvm::MutableArrayRef<double> curvatures) const override {
    for (size_t i = 0, e = failed.size(); i != e; ++i) {
      const double probability = sigmoid(scores[i]);
      gradients[i] = probability - failed[i];
      curvatures[i] = probability * (1 - probability);
    }
  }

private:
  std::vector<bool> failed;
};

} // namespace

std::unique_ptr<Objective> Objective::create(ObjectiveKind kind,
                                             const Labels &labels) {
  assert(labels.seconds.size() == labels.tasks.size() && "a task each");
  switch (kind) {
  case ObjectiveKind::PackSum:
    return std::make_unique<PackSumObjective>(labels);
  case ObjectiveKind::Rank:
    return std::make_unique<RankObjective>(labels);
  case ObjectiveKind::Failure:
    return std::make_unique<FailureObjective>(labels);
  }
  return nullptr;
}
