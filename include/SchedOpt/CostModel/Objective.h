//===- Objective.h - What the trees of a model are grown for ----*- C++ -*-===//
//
// A loss over the scores of measured candidates. A candidate's score is the sum
// of what the trees say of its rows, as in the reference tuner's pack-sum loss
// (Zheng et al.: "Ansor", OSDI 2020, section 5.2), so that a derivative by the
// score is one by the prediction of each of its rows.
//
// Scores here are logarithms, of 1 / seconds but for a constant a task: only
// candidates of the same task are compared. The loss of a candidate counts by
// its weight: its task's least time over its own, to a power, so that the fast
// ones are told apart best. Where pairs are compared they have weights instead.
//
// Read next: TreeEnsemble.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_OBJECTIVE_H
#define SCHEDOPT_COSTMODEL_OBJECTIVE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sched {

/// Measured candidates of several tasks.
struct Labels {
  /// Median seconds of each candidate, +infinity for one that failed.
  std::vector<double> seconds;
  /// The task of each, a small number.
  std::vector<unsigned> tasks;

  size_t size() const { return seconds.size(); }
  /// Each task's least time over that of the candidate, in (0, 1]; 0 for one
  /// that failed.
  std::vector<double> getThroughputs() const;
};

/// Pack-sum: squares of how far a candidate's score is from log(1 / seconds),
/// where the best constant for the task has been added. Rank: logistic loss of
/// pairs in the wrong order, by the ratio of their times, on the log scale and
/// at most 1 (Burges: "From RankNet to LambdaRank to LambdaMART", 2010).
/// Failure: logistic loss of "it fails", whatever the task.
enum class ObjectiveKind { PackSum, Rank, Failure };

/// "pack-sum", "rank" or "failure".
llvm::StringRef getObjectiveName(ObjectiveKind kind);
std::optional<ObjectiveKind> parseObjective(llvm::StringRef name);

class Objective {
public:
  virtual ~Objective();

  /// Keeps what it needs of `labels`.
  static std::unique_ptr<Objective> create(ObjectiveKind kind,
                                           const Labels &labels);

  /// Whether a candidate takes part; only then has it derivatives.
  virtual bool uses(size_t candidate) const = 0;

  /// The loss, a mean over the candidates' weights.
  virtual double getLoss(llvm::ArrayRef<double> scores) const = 0;

  /// Derivatives of the loss by each score, times the number of candidates that
  /// take part; and bounds from above on the second ones, not negative, at
  /// least where the score's is the only change.
  virtual void
  differentiate(llvm::ArrayRef<double> scores,
                llvm::MutableArrayRef<double> gradients,
                llvm::MutableArrayRef<double> curvatures) const = 0;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_OBJECTIVE_H
