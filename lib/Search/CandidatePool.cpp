//===- CandidatePool.cpp - Distinct candidates with scores ----------------===//

#include "SchedOpt/Search/CandidatePool.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace sched;

/// Candidates a call of the model: their features stay in the L2 cache.
static constexpr size_t kChunk = 512;
static constexpr double kIllegal = -std::numeric_limits<double>::infinity();
/// What twice as much code has to gain. It takes twice as long to build, and is
/// seldom the faster for it: where 16 tiles are cut into blocks of 10 and 6, 8
/// and 8 do as well, in one copy of the loops within. docs/Rationale.md has
/// what other shares do.
static constexpr double kDoubleCode = 0.03;

void CandidatePool::reserve(size_t n) {
  candidates.reserve(n);
  scores.reserve(n);
  doubts.reserve(n);
  indexOf.reserve(n);
}

void CandidatePool::calibrate(const History &history) {
  std::vector<Candidate> measured;
  for (const Measurement &entry : history.getMeasurements())
    measured.push_back(entry.candidate);
  std::vector<double> logScores(measured.size()), doubt(measured.size()),
      copies(measured.size());
  predict(measured, {logScores, doubt, copies}, /*unseen=*/true);
  calibration.emplace(space, history, logScores);
}

std::pair<unsigned, bool> CandidatePool::insert(const Candidate &candidate) {
  auto [it, isNew] =
      indexOf.try_emplace(candidate.hash(), unsigned(candidates.size()));
  if (isNew)
    candidates.push_back(candidate);
  return {it->second, isNew};
}

void CandidatePool::score() {
  size_t first = scores.size();
  scores.resize(candidates.size());
  doubts.resize(candidates.size());
  llvm::MutableArrayRef<double> fresh =
      llvm::MutableArrayRef<double>(scores).drop_front(first);
  std::vector<double> copies(fresh.size());
  predict(
      llvm::ArrayRef<Candidate>(candidates).drop_front(first),
      {fresh, llvm::MutableArrayRef<double>(doubts).drop_front(first), copies});
  const double share = model.learns() ? Calibration::kLearnedShare : 1;
  for (size_t i = 0, e = fresh.size(); i != e; ++i) {
    fresh[i] -= kDoubleCode * std::log2(copies[i]);
    if (calibration)
      fresh[i] += share * calibration->correction(candidates[first + i]);
  }
  if (draft)
    average(first);
}

void CandidatePool::averageWith(std::unique_ptr<CandidatePool> other,
                                double share) {
  assert(&other->space == &space && "candidates of the same decisions");
  draft = std::move(other);
  draftShare = share;
}

void CandidatePool::average(size_t first) {
  std::vector<unsigned> members;
  for (const Candidate &candidate :
       llvm::ArrayRef<Candidate>(candidates).drop_front(first))
    members.push_back(draft->insert(candidate).first);
  draft->score();
  for (size_t i = 0, e = members.size(); i != e; ++i) {
    doubts[first + i] *= 1 - draftShare;
    if (double &score = scores[first + i]; !std::isinf(score))
      score += draftShare * (draft->getScore(members[i]) - score);
  }
}

void CandidatePool::predict(llvm::ArrayRef<Candidate> some, Prediction result,
                            bool unseen) {
  Evaluation evaluation;
  double raw[kChunk];
  bool legal[kChunk];
  for (size_t begin = 0; begin < some.size(); begin += kChunk) {
    size_t n = std::min(kChunk, some.size() - begin);
    batch.clear();
    for (size_t i = 0; i != n; ++i) {
      const Candidate &candidate = some[begin + i];
      const SketchView &sketch = space.getSketch(candidate.sketch);
      sketch.evaluate(candidate.choices, evaluation);
      legal[i] = evaluation.legal();
      result.copies[begin + i] = legal[i] ? evaluation.copies : 1;
      if (legal[i] && model.readsBlocks())
        sketch.describeBlocks(candidate.choices, batch.getRows());
      batch.add(legal[i] ? evaluation.features : FeatureVector());
    }
    llvm::MutableArrayRef<double> raws(raw, n),
        own = result.doubts.slice(begin, n);
    if (unseen)
      model.predictUnseen(batch, raws);
    else
      model.predictWithDoubt(batch, raws, own);
    // A model that breaks its promise must not break the order of the pool.
    for (double &doubt : own)
      doubt = std::isfinite(doubt) ? std::max(doubt, 0.0) : 0;
    for (size_t i = 0; i != n; ++i)
      result.logScores[begin + i] =
          legal[i] ? std::log(std::clamp(std::isnan(raw[i]) ? 0 : raw[i],
                                         1e-300, 1e300))
                   : kIllegal;
  }
}
