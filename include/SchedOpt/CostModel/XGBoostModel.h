//===- XGBoostModel.h - The learned cost model ------------------*- C++ -*-===//
//
// Boosted trees on top of the analytic model:
//
//   score = (exp(sum over rows of the trees) / analytic seconds)^scale x
//   P(works)
//
// The trees learn by what factor the analytic model is wrong, block by block
// (Objective.h), so that without data it is the analytic model, and a few
// measurements move it a little. Trees that are grown for the order of
// candidates exaggerate; the scale takes that back. P(works) is of trees of
// their own, which learn what failed.
//
// A model may start with trees that were trained before, on other tasks
// (ModelFile.h); those of a run are grown on top of them. What it knows is a
// function of the measurements alone, whatever the order of the tasks in which
// they came, so that a search that was cut off goes on as it would have: trees
// are grown anew when the first prediction after an update is asked for, from
// all measurements of the run.
//
// Read next: FeatureColumns.h (what trees see), TreeEnsemble.h, Booster.h,
// CostModelFactory.h (how a user names one).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_XGBOOSTMODEL_H
#define SCHEDOPT_COSTMODEL_XGBOOSTMODEL_H

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/ModelFile.h"
#include "SchedOpt/CostModel/TreeEnsemble.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <mutex>
#include <optional>

namespace sched {

struct LearningOptions {
  ObjectiveKind objective = ObjectiveKind::Rank;
  /// Boosters, and whether how far they are apart is given as doubt.
  unsigned members = 4;
  bool doubts = true;
  /// Part of the candidates that each of several boosters sees: of all of
  /// `train`'s, and of the few of a run.
  double trainShare = 0.5, runShare = 0.75;
  uint64_t seed = 0;
  /// Trees of each booster that `train` grows, and that a run does while it has
  /// up to kFewCandidates measurements; with more it grows as many times more,
  /// up to kMostTimesRounds times. `seed` is of both.
  unsigned trainRounds = 50, runRounds = 24;
  static constexpr unsigned kFewCandidates = 64;
  static constexpr double kMostTimesRounds = 3;
  TreeOptions trainTrees = TreeOptions().withLambda(5),
              runTrees = TreeOptions::forRun();
  /// A run learns from at most so many of its measurements: all fast ones of
  /// each task, and a sample of the others. Bounds the time of an update.
  unsigned maxRunCandidates = 2048;
};

class XGBoostModel final : public CostModel {
public:
  /// `start`: trees to begin with; its objective counts. With fewer members
  /// than it has, the first ones are taken; it is an error to ask for more.
  static llvm::Expected<std::unique_ptr<XGBoostModel>>
  create(std::shared_ptr<const XGBoostLibrary> library, const Target &target,
         const LearningOptions &options, const ModelFile *start = nullptr);

  /// "ensemble" where it knows doubt, else "xgboost".
  llvm::StringRef name() const override {
    return knowsDoubt() ? "ensemble" : "xgboost";
  }
  bool readsBlocks() const override { return true; }
  bool learns() const override { return true; }
  /// docs/Rationale.md has what other shares do.
  double getDraftShare(size_t numMeasured) const override;
  /// Those that it was trained on; all, where it was not.
  bool covers(const FeatureBatch &batch, const Target &machine) const override;
  /// One without a start, and with as many boosters.
  std::unique_ptr<CostModel>
  makeUntrained(const Target &machine) const override;
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override;
  void predictWithDoubt(const FeatureBatch &batch,
                        llvm::MutableArrayRef<double> scores,
                        llvm::MutableArrayRef<double> doubts) const override;
  /// Asks, of several boosters, those that have not seen the candidate, which
  /// is known by its features.
  void predictUnseen(const FeatureBatch &batch,
                     llvm::MutableArrayRef<double> scores) const override;
  /// Fails where XGBoost did when it last learned, from the measurements before
  /// these; then the trees before that are still there.
  llvm::Error update(const FeatureBatch &batch, llvm::ArrayRef<double> seconds,
                     llvm::StringRef task) override;

  /// The same for measurements of another machine than the model's.
  void add(const FeatureBatch &batch, llvm::ArrayRef<double> seconds,
           llvm::StringRef task, const Target &machine);

  /// 0 for all, and false, before anything has failed.
  bool
  predictFailures(const FeatureBatch &batch,
                  llvm::MutableArrayRef<double> probabilities) const override;

  /// Grows trees of all that was added, on top of those it began with, and
  /// forgets the measurements: these are the trees to begin with now.
  llvm::Error train();

  /// The trees it begins with, to be written. Only after `train`, or with a
  /// start.
  const ModelFile &getFile() const { return start; }

private:
  /// Measurements of a task, in their order.
  struct TaskData {
    FeatureRows rows;
    /// Logarithms of the analytic scores, and median seconds.
    std::vector<double> offsets, seconds;
    std::string kind;
  };
  /// What there is to ask: ensembles one on top of the other, none at first.
  struct Trees {
    std::vector<std::shared_ptr<const TreeEnsemble>> scores, failures;
    double scale = 1;
    /// By hash of its rows: the boosters that saw a candidate in this run.
    std::shared_ptr<const llvm::DenseMap<uint64_t, uint32_t>> seen;
  };

  bool knowsDoubt() const { return options.members > 1 && options.doubts; }

  XGBoostModel(std::shared_ptr<const XGBoostLibrary> library,
               const Target &target, const LearningOptions &options)
      : library(std::move(library)), analytic(target), options(options) {}

  /// All measurements, or at most `limit` of them.
  TrainingRows collect(size_t limit) const;
  /// What `below` has, and `rounds` trees on top of it: an ensemble of their
  /// own, or, where it is `merged`, one with all the trees of the start.
  llvm::Expected<Trees> fit(const TrainingRows &data, unsigned rounds,
                            const TreeOptions &treeOptions, const Trees &below,
                            bool merged) const;
  /// The present trees, with all that was added.
  Trees getTrees() const;
  /// Whether there are trees of failures.
  bool predictAll(const FeatureBatch &batch,
                  llvm::MutableArrayRef<double> logScores,
                  llvm::MutableArrayRef<double> doubts,
                  llvm::MutableArrayRef<double> failures,
                  bool isUnseen = false) const;

  std::shared_ptr<const XGBoostLibrary> library;
  AnalyticModel analytic;
  LearningOptions options;
  ModelFile start;
  /// Those of `start`.
  Trees startTrees;
  /// By task, so that the order of tasks does not matter.
  std::map<std::string, TaskData> data;

  /// Guards what follows: the first prediction after an update learns.
  mutable std::mutex mutex;
  mutable Trees trees;
  mutable bool isStale = false;
  mutable std::string problem;
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_XGBOOSTMODEL_H
