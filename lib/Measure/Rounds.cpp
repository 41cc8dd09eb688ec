//===- Rounds.cpp - What contenders' turns tell ---------------------------===//

#include "SchedOpt/Measure/Rounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sched {

/// So many standard errors behind, a contender is the slower one.
static constexpr double kSureErrors = 3;

double getMedian(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The standard error of the median of some numbers.
static double estimateError(ArrayRef<double> values, double median) {
  double deviation = 0;
  for (double value : values)
    deviation += std::abs(value - median) / double(values.size());
  // Of a normal distribution, the standard deviation is sqrt(pi / 2) times the
  // mean absolute one, and the standard error of the median as many times the
  // mean's. The mean sees a second state of the machine, which a median does
  // not.
  return numbers::pi / 2 * deviation / std::sqrt(double(values.size()));
}

bool areToldApart(ArrayRef<ArrayRef<double>> costs, double precision) {
  if (precision <= 0)
    return false;
  if (costs.empty())
    return true;
  if (costs.front().size() < kLeastTellingRounds)
    return false;
  const ArrayRef<double> fastest =
      *llvm::min_element(costs, [](ArrayRef<double> a, ArrayRef<double> b) {
        return getMedian(a) < getMedian(b);
      });
  return llvm::all_of(costs, [&](ArrayRef<double> own) {
    if (own.data() == fastest.data())
      return true;
    std::vector<double> behind;
    for (auto [cost, best] : llvm::zip_equal(own, fastest))
      behind.push_back(std::log(cost / best));
    const double median = getMedian(behind);
    const double error = estimateError(behind, median);
    // One that is ahead in most rounds has yet to lead by its own median.
    return median > kSureErrors * error ||
           (error <= precision && median >= -precision);
  });
}

} // namespace sched
