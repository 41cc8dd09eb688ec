//===- TreeEnsemble.h - Several boosters for one answer ---------*- C++ -*-===//
//
// Boosters that differ by their seeds and by the candidates that each of them
// has seen. Their mean is the answer, and how far they are apart says how much
// to doubt it (Lakshminarayanan et al.: "Simple and Scalable Predictive
// Uncertainty Estimation using Deep Ensembles", 2017, with bagging for networks
// that start apart). They are trained side by side, each on one thread, so the
// result depends on no number of threads.
//
// Read next: Objective.h (what they learn), XGBoostModel.h (who asks them).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_TREEENSEMBLE_H
#define SCHEDOPT_COSTMODEL_TREEENSEMBLE_H

#include "SchedOpt/CostModel/Booster.h"
#include "SchedOpt/CostModel/FeatureColumns.h"
#include "SchedOpt/CostModel/Objective.h"

namespace sched {

/// One bit each has to do.
constexpr unsigned kMaxBoosters = 32;

struct EnsembleOptions {
  ObjectiveKind objective = ObjectiveKind::PackSum;
  /// Boosters, at most kMaxBoosters.
  unsigned members = 4;
  /// Part of the candidates that each of several members sees.
  double share = 0.75;
  /// Trees that a fit adds to each member.
  unsigned rounds = 60;
  TreeOptions trees;
};

/// Measured candidates.
struct TrainingRows {
  FeatureRows rows;
  /// Where the score of each begins, before any tree.
  std::vector<double> offsets;
  Labels labels;

  size_t size() const { return rows.size(); }
};

class TreeEnsemble {
public:
  /// Grows `options.rounds` trees in each member, on top of those of `from`
  /// where there are some.
  static llvm::Expected<TreeEnsemble>
  fit(std::shared_ptr<const XGBoostLibrary> library, const TrainingRows &data,
      const EnsembleOptions &options, llvm::ArrayRef<std::string> from = {});

  /// From what `save` gave, one string a member.
  static llvm::Expected<TreeEnsemble>
  load(std::shared_ptr<const XGBoostLibrary> library,
       llvm::ArrayRef<std::string> members);

  llvm::Expected<std::vector<std::string>> save() const;

  size_t size() const { return members.size(); }

  /// What the scores, offsets and sums together, have to be multiplied by to be
  /// log(1 / seconds) but for a constant a task: of all lines through the
  /// candidates of each task, by least squares, where each member was asked
  /// about the candidates that it has not seen, if there are some. `before` is
  /// thought of as known from kScaleCandidates others. In [kLeastScale, 1].
  llvm::Expected<double> computeScale(const TrainingRows &data,
                                      const EnsembleOptions &options,
                                      double before) const;
  static constexpr double kScaleCandidates = 64, kLeastScale = 0.05;

  /// The members that have seen each candidate of `data` in a fit with these
  /// options, bit by bit.
  static std::vector<uint32_t> getSeen(size_t size,
                                       const EnsembleOptions &options);

  /// The sum of the rows of each candidate: mean and standard deviation over
  /// the members, without those of `leftOut` (a set of bits for each candidate)
  /// unless that are all. Safe to call from several threads.
  llvm::Error predict(const FeatureRows &rows,
                      llvm::MutableArrayRef<double> sums,
                      llvm::MutableArrayRef<double> deviations,
                      llvm::ArrayRef<uint32_t> leftOut = {}) const;

private:
  std::vector<Booster> members;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_TREEENSEMBLE_H
