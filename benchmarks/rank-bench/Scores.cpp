//===- Scores.cpp - What a model says of what it has not seen -------------===//

#include "Scores.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/Search/Calibration.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace sched;
using namespace sched::bench;

llvm::Expected<std::unique_ptr<XGBoostModel>>
sched::bench::createModel(std::shared_ptr<const XGBoostLibrary> library,
                          const LearningOptions &options,
                          const ModelFile *start, const MeasuredSpace &space,
                          llvm::ArrayRef<size_t> known) {
  auto model =
      XGBoostModel::create(std::move(library), space.machine, options, start);
  if (model && !known.empty())
    if (llvm::Error error = (*model)->update(space.describe(known),
                                             space.getSeconds(known), "own"))
      return std::move(error);
  return model;
}

std::vector<double> sched::bench::scoreUnknown(const MeasuredSpace &space,
                                               const CostModel &model,
                                               llvm::ArrayRef<size_t> unknown) {
  std::vector<double> scores(unknown.size());
  model.predict(space.describe(unknown), scores);
  return scores;
}

void sched::bench::calibrate(const MeasuredSpace &space, const CostModel &model,
                             llvm::ArrayRef<size_t> known,
                             llvm::ArrayRef<size_t> unknown,
                             llvm::MutableArrayRef<double> scores) {
  History history;
  std::vector<double> logScores(known.size());
  model.predictUnseen(space.describe(known), logScores);
  for (double &score : logScores)
    score = std::log(score);
  for (size_t i : known)
    history.add(space.candidates[i], space.seconds[i]);
  const Calibration calibration(space.task->space, history, logScores);
  // As CandidatePool does it.
  const double share = model.learns() ? Calibration::kLearnedShare : 1;
  for (auto [i, score] : llvm::zip_equal(unknown, scores))
    score *= std::exp(share * calibration.correction(space.candidates[i]));
  const double draftShare = model.getDraftShare(llvm::count_if(
      known, [&](size_t i) { return std::isfinite(space.seconds[i]); }));
  if (draftShare == 0)
    return;
  const AnalyticModel draft(space.machine);
  std::vector<double> drafted = scoreUnknown(space, draft, unknown);
  calibrate(space, draft, known, unknown, drafted);
  for (auto [score, other] : llvm::zip_equal(scores, drafted))
    score = std::pow(score, 1 - draftShare) * std::pow(other, draftShare);
}
