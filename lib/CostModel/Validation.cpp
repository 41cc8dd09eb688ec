//===- Validation.cpp - How well a model ranks what it has not seen -------===//

#include "SchedOpt/CostModel/Validation.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

using namespace sched;

static std::vector<double> getRanks(llvm::ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end; begin != order.size(); begin = end) {
    end = begin + 1;
    while (end != order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t i = begin; i != end; ++i)
      ranks[order[i]] = 0.5 * double(begin + end - 1);
  }
  return ranks;
}

double sched::getRankCorrelation(llvm::ArrayRef<double> a,
                                 llvm::ArrayRef<double> b) {
  assert(a.size() == b.size() && "pairs");
  const std::vector<double> x = getRanks(a), y = getRanks(b);
  // The mean rank is the same for any list of this length.
  const double mean = 0.5 * (double(a.size()) - 1);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i != x.size(); ++i) {
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
    xy += (x[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

Validation sched::validate(llvm::ArrayRef<double> scores,
                           llvm::ArrayRef<double> seconds) {
  std::vector<double> predicted, measured;
  double sum = 0, squares = 0;
  for (auto [score, time] : llvm::zip_equal(scores, seconds)) {
    if (!std::isfinite(time))
      continue;
    predicted.push_back(score);
    measured.push_back(1 / time);
    const double ratio = std::log(score * time);
    sum += ratio;
    squares += ratio * ratio;
  }
  Validation result;
  result.candidates = predicted.size();
  result.rankCorrelation = getRankCorrelation(predicted, measured);
  if (const double n = predicted.size())
    result.logDeviation =
        std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n)));
  return result;
}

Validation sched::validate(const CostModel &model, const FeatureBatch &batch,
                           llvm::ArrayRef<double> seconds) {
  std::vector<double> scores(batch.size());
  model.predict(batch, scores);
  return validate(scores, seconds);
}
