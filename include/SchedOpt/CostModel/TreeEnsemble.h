//===- TreeEnsemble.h - Several boosters for one answer ---------*- C++ -*-===//
//
// Boosters that differ by their seeds and by the candidates that each of them
// has seen. Their mean is the answer, and how far they are apart says how much
// to doubt it (Lakshminarayanan et al.: "Simple and Scalable Predictive
// Uncertainty Estimation using Deep Ensembles", 2017, with bagging for networks
// that start apart). They are trained side by side, each on one thread, so the
// result depends on no number of threads.
//
// What a model knows may be several ensembles one on top of the other, with as
// many members each: a member's score is the sum of what its boosters say. So
// the trees of a run are grown without a look at those from before it, but for
// what these say of each candidate, which is computed once.
//
// Read next: Objective.h (what they learn), FlatTrees.h (how they are asked),
// XGBoostModel.h (who asks them).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_TREEENSEMBLE_H
#define SCHEDOPT_COSTMODEL_TREEENSEMBLE_H

#include "SchedOpt/CostModel/Booster.h"
#include "SchedOpt/CostModel/FeatureColumns.h"
#include "SchedOpt/CostModel/FlatTrees.h"
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
  /// What the ensemble below says, members by candidate; empty where there is
  /// none.
  std::vector<double> below;
  Labels labels;

  size_t size() const { return rows.size(); }
  /// Where the score of a candidate begins for a member of the next ensemble.
  double getOffset(size_t candidate, unsigned member) const {
    return below.empty()
               ? offsets[candidate]
               : offsets[candidate] +
                     below[candidate * (below.size() / size()) + member];
  }
};

class TreeEnsemble {
public:
  /// Grows `options.rounds` trees in each member, on top of `data.below`, and
  /// of those of `from`, which become part of it, where there are some.
  static llvm::Expected<TreeEnsemble>
  fit(std::shared_ptr<const XGBoostLibrary> library, const TrainingRows &data,
      const EnsembleOptions &options, llvm::ArrayRef<std::string> from = {});

  /// From what `save` gave, one string a member.
  static llvm::Expected<TreeEnsemble> load(llvm::ArrayRef<std::string> members);

  /// Only of one that was fitted.
  llvm::Expected<std::vector<std::string>> save() const;

  size_t size() const { return members.size(); }

  /// What the scores, offsets and sums together, have to be multiplied by to be
  /// log(1 / seconds) but for a constant a task: of all lines through the
  /// candidates of each task, by least squares, where each member was asked
  /// about the candidates that it has not seen, if there are some. `before` is
  /// thought of as known from kScaleCandidates others. In [kLeastScale, 1].
  double computeScale(const TrainingRows &data, const EnsembleOptions &options,
                      double before) const;
  static constexpr double kScaleCandidates = 16, kLeastScale = 0.05;

  /// The members that have seen each candidate of `data` in a fit with these
  /// options, bit by bit.
  static std::vector<uint32_t> getSeen(size_t size,
                                       const EnsembleOptions &options);

  /// Adds to `sums`, members by candidate, what each says of the rows of each
  /// candidate. Safe to call from several threads.
  void predict(const FeatureRows &rows,
               llvm::MutableArrayRef<double> sums) const;

private:
  std::vector<FlatTrees> members;
  /// What grew them, if that was here.
  std::vector<Booster> boosters;
};

/// Mean and standard deviation of each candidate's sums, members by candidate,
/// without the members of `leftOut` (a set of bits for each candidate) unless
/// that are all.
void averageMembers(llvm::ArrayRef<double> sums, unsigned members,
                    llvm::MutableArrayRef<double> means,
                    llvm::MutableArrayRef<double> deviations,
                    llvm::ArrayRef<uint32_t> leftOut = {});

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_TREEENSEMBLE_H
