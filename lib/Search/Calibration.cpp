//===- Calibration.cpp - Corrects a cost model by measurements ------------===//

#include "SchedOpt/Search/Calibration.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace sched;

/// Residuals beyond a factor of e^3 say no more than "far off".
static constexpr double kMaxResidual = 3;
/// The residual of a failed candidate: its kind is to be avoided.
static constexpr double kFailureResidual = -2;

/// The measurements to learn from: all, or the fastest three quarters of the
/// room plus an even sample of the rest.
static std::vector<unsigned> selectPoints(const History &history,
                                          unsigned room) {
  std::vector<unsigned> selected;
  unsigned n = history.size();
  if (n <= room) {
    for (unsigned i = 0; i != n; ++i)
      selected.push_back(i);
    return selected;
  }
  selected = history.getFastest(room * 3 / 4);
  std::vector<bool> taken(n, false);
  for (unsigned i : selected)
    taken[i] = true;
  std::vector<unsigned> rest;
  for (unsigned i = 0; i != n; ++i)
    if (!taken[i])
      rest.push_back(i);
  unsigned more = std::min<size_t>(room - selected.size(), rest.size());
  for (unsigned i = 0; i != more; ++i)
    selected.push_back(rest[uint64_t(i) * rest.size() / more]);
  return selected;
}

/// Replaces the lower triangle of the symmetric positive definite `a` (n x n,
/// row-major) by its Cholesky factor L.
static void factorize(std::vector<double> &a, size_t n) {
  for (size_t j = 0; j != n; ++j) {
    for (size_t k = 0; k != j; ++k) {
      double scale = a[j * n + k];
      for (size_t i = j; i != n; ++i)
        a[i * n + j] -= a[i * n + k] * scale;
    }
    double pivot = std::sqrt(std::max(a[j * n + j], 1e-9));
    for (size_t i = j; i != n; ++i)
      a[i * n + j] /= pivot;
  }
}

/// Replaces `b` by L^-1 b.
static void solveLower(llvm::ArrayRef<double> l,
                       llvm::MutableArrayRef<double> b) {
  size_t n = b.size();
  for (size_t i = 0; i != n; ++i) {
    double sum = b[i];
    for (size_t k = 0; k != i; ++k)
      sum -= l[i * n + k] * b[k];
    b[i] = sum / l[i * n + i];
  }
}

/// Replaces `b` by L^-T b.
static void solveUpper(llvm::ArrayRef<double> l,
                       llvm::MutableArrayRef<double> b) {
  size_t n = b.size();
  for (size_t i = n; i-- != 0;) {
    double sum = b[i];
    for (size_t k = i + 1; k != n; ++k)
      sum -= l[k * n + i] * b[k];
    b[i] = sum / l[i * n + i];
  }
}

/// h of the kernel.
static double lengthScale(llvm::ArrayRef<DecisionTable> tables) {
  return std::max(1.0, tables.size() / 4.0);
}

Calibration::Calibration(const SearchSpace &space, const History &history,
                         llvm::ArrayRef<double> logScores)
    : space(space) {
  assert(logScores.size() == history.size() && "one score a measurement");
  llvm::ArrayRef<Measurement> entries = history.getMeasurements();
  std::vector<unsigned> selected = selectPoints(history, kMaxPoints);

  std::vector<double> residuals, sorted;
  for (unsigned i : selected) {
    bool failed = entries[i].failed();
    residuals.push_back(failed ? 0
                               : -std::log(entries[i].seconds) - logScores[i]);
    if (!failed)
      sorted.push_back(residuals.back());
  }
  if (sorted.size() < 2)
    return;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2,
                   sorted.end());
  double centre = sorted[sorted.size() / 2];
  for (size_t i = 0, e = selected.size(); i != e; ++i)
    residuals[i] =
        entries[selected[i]].failed()
            ? kFailureResidual
            : std::clamp(residuals[i] - centre, -kMaxResidual, kMaxResidual);

  double squares = 0;
  for (double residual : residuals)
    squares += residual * residual;
  deviation = std::sqrt(squares / residuals.size());

  rowStarts.resize(space.getNumSketches());
  for (unsigned s = 0, e = space.getNumSketches(); s != e; ++s) {
    uint32_t start = 0;
    for (const DecisionTable &table : space.getTables(s)) {
      rowStarts[s].push_back(start);
      start += table.size();
    }
  }
  for (unsigned i : selected) {
    const Candidate &candidate = entries[i].candidate;
    llvm::ArrayRef<DecisionTable> tables = space.getTables(candidate.sketch);
    double scale = 1 / lengthScale(tables);
    Point &point = points.emplace_back();
    point.sketch = candidate.sketch;
    for (size_t d = 0, e = tables.size(); d != e; ++d)
      for (unsigned j = 0, size = tables[d].size(); j != size; ++j)
        point.rows.push_back(scale *
                             tables[d].distance(candidate.choices[d], j));
  }

  size_t n = points.size();
  factor.resize(n * n);
  for (size_t i = 0; i != n; ++i)
    for (size_t j = 0; j <= i; ++j)
      factor[i * n + j] = kernel(points[i], entries[selected[j]].candidate) +
                          (i == j ? kNoise : 0);
  factorize(factor, n);
  solveLower(factor, residuals);
  solveUpper(factor, residuals);
  for (size_t i = 0; i != n; ++i)
    points[i].alpha = residuals[i];
}

double Calibration::kernel(const Point &point,
                           const Candidate &candidate) const {
  if (point.sketch != candidate.sketch)
    return 0;
  llvm::ArrayRef<uint32_t> starts = rowStarts[point.sketch];
  float distance = 0;
  for (size_t d = 0, e = starts.size(); d != e; ++d)
    distance += point.rows[starts[d] + candidate.choices[d]];
  return std::exp(-distance);
}

double Calibration::correction(const Candidate &candidate) const {
  double sum = 0;
  for (const Point &point : points)
    sum += point.alpha * kernel(point, candidate);
  return sum;
}

void Calibration::whiten(const Candidate &candidate,
                         std::vector<double> &result) const {
  size_t first = result.size();
  for (const Point &point : points)
    result.push_back(kernel(point, candidate));
  solveLower(factor, llvm::MutableArrayRef<double>(result).drop_front(first));
}

double Calibration::kernel(const Candidate &x, const Candidate &y) const {
  if (x.sketch != y.sketch)
    return 0;
  llvm::ArrayRef<DecisionTable> tables = space.getTables(x.sketch);
  double distance = 0;
  for (size_t d = 0, e = tables.size(); d != e; ++d)
    distance += tables[d].distance(x.choices[d], y.choices[d]);
  return std::exp(-distance / lengthScale(tables));
}
