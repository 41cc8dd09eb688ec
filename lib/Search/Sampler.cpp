//===- Sampler.cpp - Random legal candidates ------------------------------===//

#include "SchedOpt/Search/Sampler.h"

using namespace sched;

/// Full draws before a sketch counts as unsatisfiable.
static constexpr unsigned kDraws = 8;

bool Sampler::sample(Rng &rng, Candidate &result) const {
  unsigned sketches = space.getNumSketches();
  for (unsigned attempt = 0; attempt != 2; ++attempt)
    if (sampleSketch(rng.below(sketches), rng, result))
      return true;
  // Perhaps only one of many sketches is legal for this payload.
  unsigned first = rng.below(sketches);
  for (unsigned i = 0; i != sketches; ++i)
    if (sampleSketch((first + i) % sketches, rng, result))
      return true;
  return false;
}

bool Sampler::sampleSketch(unsigned sketch, Rng &rng, Candidate &result) const {
  llvm::ArrayRef<DecisionTable> tables = space.getTables(sketch);
  result.sketch = sketch;
  result.choices.resize(tables.size());
  for (unsigned attempt = 0; attempt != kDraws; ++attempt) {
    for (size_t i = 0, e = tables.size(); i != e; ++i)
      result.choices[i] = tables[i].draw(rng);
    if (repair(result, rng))
      return true;
  }
  return false;
}

bool Sampler::repair(Candidate &candidate, Rng &rng) const {
  const SketchView &sketch = space.getSketch(candidate.sketch);
  llvm::ArrayRef<DecisionTable> tables = space.getTables(candidate.sketch);
  int failed = -1;
  if (sketch.isLegal(candidate.choices, &failed))
    return true;
  if (tables.empty())
    return giveUp(candidate, failed);
  for (unsigned step = 0, e = 16 + 6 * tables.size(); step != e; ++step) {
    unsigned d = rng.below(tables.size());
    uint16_t old = candidate.choices[d];
    candidate.choices[d] = tables[d].draw(rng);
    if (candidate.choices[d] == old)
      continue;
    int now = -1;
    if (sketch.isLegal(candidate.choices, &now))
      return true;
    if (now < failed)
      candidate.choices[d] = old;
    else
      failed = now;
  }
  return giveUp(candidate, failed);
}

bool Sampler::giveUp(const Candidate &candidate, int failed) const {
  if (!report)
    return false;
  RefusalReport &refusal = report->unrepaired[{candidate.sketch, failed}];
  if (refusal.count++ == 0)
    refusal.example = candidate;
  return false;
}
