//===- Calibration.h - Corrects a cost model by measurements ----*- C++ -*-===//
//
// A cost model sees features; what it gets wrong about a task is often wrong in
// the same way for all candidates that share a decision. Calibration learns
// that from the task's few measurements: a Gaussian process over decision
// vectors on the residuals log(1 / seconds) - log(score).
//
//   k(x, y) = exp(-sum_d distance_d(x_d, y_d) / h), 0 across sketches
//
// with h = a quarter of the number of decisions, at least 1, and noise kNoise
// (Rasmussen, Williams: "Gaussian Processes for Machine Learning", 2006, eq.
// 2.23-2.25). A product over decisions: close candidates correct each other
// fully, those that share most decisions in part, strangers not at all.
//
// Read next: EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_CALIBRATION_H
#define SCHEDOPT_SEARCH_CALIBRATION_H

#include "SchedOpt/Search/History.h"
#include "SchedOpt/Search/SearchSpace.h"

namespace sched {

class Calibration {
public:
  /// `logScores`: the model's log score of each measurement of `history`. With
  /// fewer than two successful measurements nothing is corrected.
  Calibration(const SearchSpace &space, const History &history,
              llvm::ArrayRef<double> logScores);

  /// What to add to a candidate's log score. Scores of all candidates share an
  /// unknown constant, which is left out.
  double correction(const Candidate &candidate) const;

  /// The part of it that is added to the score of a model that learns from the
  /// same measurements (docs/Rationale.md has what other parts do).
  static constexpr double kLearnedShare = 0.2;

  /// Standard deviation of the residuals, on the log scale: how wrong the model
  /// is about this task. kPriorDeviation before anything is known.
  double getDeviation() const { return deviation; }
  static constexpr double kPriorDeviation = 0.3;

  /// The noise of a measurement, as a share of the residuals' variance.
  static constexpr double kNoise = 0.05;

  /// Appends L^-1 k(candidate), where L is the Cholesky factor of the kernel
  /// matrix: with v(x) the result, the posterior covariance of x and y, as a
  /// share of the residuals' variance, is k(x, y) - v(x) v(y).
  void whiten(const Candidate &candidate, std::vector<double> &result) const;

  /// k(x, y) as above.
  double kernel(const Candidate &x, const Candidate &y) const;

  /// Upper bound on the measurements used, which bounds the time: fitting is
  /// cubic in it, a correction linear.
  static constexpr unsigned kMaxPoints = 128;

private:
  struct Point {
    uint16_t sketch;
    /// Weight of this point's kernel in the correction.
    double alpha = 0;
    /// Distance / h to each entry of each decision, decision by decision.
    std::vector<float> rows;
  };
  double kernel(const Point &point, const Candidate &candidate) const;

  const SearchSpace &space;
  double deviation = kPriorDeviation;
  std::vector<Point> points;
  /// L, row-major, lower triangle.
  std::vector<double> factor;
  /// Per sketch, where each decision's row starts.
  std::vector<std::vector<uint32_t>> rowStarts;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_CALIBRATION_H
