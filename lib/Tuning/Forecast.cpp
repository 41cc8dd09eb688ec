//===- Forecast.cpp - What a model says before it is told -----------------===//

#include "SchedOpt/Tuning/Forecast.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace sched;

FeatureBatch sched::describeCandidates(const SearchSpace &space,
                                       const CostModel &model,
                                       llvm::ArrayRef<Candidate> candidates) {
  FeatureBatch batch;
  Evaluation evaluation;
  for (const Candidate &candidate : candidates) {
    const SketchView &sketch = space.getSketch(candidate.sketch);
    sketch.evaluate(candidate.choices, evaluation);
    if (model.readsBlocks())
      sketch.describeBlocks(candidate.choices, batch.getRows());
    batch.add(evaluation.features);
  }
  return batch;
}

Forecast Forecast::make(const SearchSpace &space, const CostModel &model,
                        llvm::ArrayRef<Candidate> candidates) {
  Forecast forecast;
  forecast.candidates = candidates.vec();
  forecast.scores.resize(candidates.size());
  forecast.failures.resize(candidates.size());
  const FeatureBatch batch = describeCandidates(space, model, candidates);
  model.predict(batch, forecast.scores);
  // A model that breaks its promise must not break the order of ranks.
  for (double &score : forecast.scores)
    score = std::clamp(std::isnan(score) ? 0 : score, 1e-300, 1e300);
  if (!model.predictFailures(batch, forecast.failures))
    forecast.failures.clear();
  return forecast;
}

ForecastResult sched::judge(const Forecast &forecast, const TrialLog &log) {
  ForecastResult result;
  result.knowsFailures = !forecast.failures.empty();
  std::vector<double> scores, seconds;
  for (auto [i, candidate] : llvm::enumerate(forecast.candidates)) {
    const Trial *trial = log.find(candidate);
    if (!trial)
      continue;
    const bool failed =
        trial->disqualified || !std::isfinite(trial->firstSeconds);
    const bool isForeseen =
        result.knowsFailures && forecast.failures[i] >= Forecast::kForeseen;
    ++result.tried;
    result.failed += failed;
    result.foreseen += failed && isForeseen;
    result.falseAlarms += !failed && isForeseen;
    scores.push_back(forecast.scores[i]);
    seconds.push_back(failed ? Measurement::kFailed : trial->firstSeconds);
  }
  result.validation = validate(scores, seconds);
  return result;
}
