//===- Mutator.cpp - New candidates from good ones ------------------------===//

#include "SchedOpt/Search/Mutator.h"
#include "SchedOpt/Search/Mutation.h"
#include "llvm/Support/ErrorHandling.h"

using namespace sched;

Mutation::~Mutation() = default;

const char *Mutator::nameOf(unsigned sketch, const MoveTaken &taken) const {
  if (taken.decision == MoveTaken::kSeveral)
    return "several";
  const Decision &decision =
      space.getTables(sketch)[taken.decision].getDecision();
  switch (decision.role) {
  case DecisionRole::Location:
    return "location";
  case DecisionRole::Layout:
    return "layout";
  case DecisionRole::Parallel:
    return "parallel";
  case DecisionRole::Other:
    break;
  }
  switch (decision.kind) {
  case DecisionKind::Ordered:
    return "size";
  case DecisionKind::Categorical:
    return "choice";
  case DecisionKind::PerfectTile:
    return "tile";
  case DecisionKind::Permutation:
    return "order";
  }
  llvm_unreachable("unknown kind of decision");
}

bool Mutator::isLegal(const Candidate &candidate,
                      const MoveTaken &taken) const {
  int failed = -1;
  const SketchView &sketch = space.getSketch(candidate.sketch);
  if (sketch.isLegal(candidate.choices, &failed))
    return true;
  if (!report)
    return false;
  ++report->moves[nameOf(candidate.sketch, taken)].refused;
  if (taken.decision != MoveTaken::kSeveral)
    ++report->decisions[{candidate.sketch, unsigned(taken.decision)}].refused;
  RefusalReport &refusal = report->refusals[{candidate.sketch, failed}];
  if (refusal.count++ == 0)
    refusal.example = candidate;
  return false;
}

bool Mutator::mutate(const Candidate &parent, Rng &rng, Candidate &child,
                     MoveTaken *taken) const {
  llvm::ArrayRef<DecisionTable> tables = space.getTables(parent.sketch);
  if (tables.empty())
    return false;
  MoveTaken move;
  for (unsigned attempt = 0; attempt != 6; ++attempt) {
    child = parent;
    double kind = rng.uniform();
    unsigned moves = kind < 0.6 ? 1 : kind < 0.88 ? 2 : 3;
    move.decision = MoveTaken::kSeveral;
    for (unsigned i = 0; i != moves; ++i) {
      unsigned d = rng.below(tables.size());
      // A decision with one entry cannot move: look for the next that can.
      for (unsigned j = 0; j != tables.size() && tables[d].size() == 1; ++j)
        d = (d + 1) % tables.size();
      child.choices[d] = tables[d].mutate(child.choices[d], rng);
      move.decision = moves == 1 ? int(d) : MoveTaken::kSeveral;
    }
    if (taken)
      *taken = move;
    if (child != parent && isLegal(child, move))
      return true;
  }
  // Steps out of a corner need several decisions to move together.
  if (taken)
    taken->decision = MoveTaken::kSeveral;
  return sampler.repair(child, rng) && child != parent;
}

bool Mutator::changeSketch(const Candidate &parent, Rng &rng,
                           Candidate &child) const {
  unsigned sketches = space.getNumSketches();
  if (sketches == 1)
    return false;
  unsigned to = rng.below(sketches - 1);
  to += to >= parent.sketch;
  llvm::ArrayRef<DecisionTable> tables = space.getTables(to);
  child.sketch = to;
  child.choices.resize(tables.size());
  for (size_t i = 0, e = tables.size(); i != e; ++i) {
    std::optional<uint16_t> kept = space.translate(parent, to, i);
    child.choices[i] = kept ? *kept : tables[i].draw(rng);
  }
  return sampler.repair(child, rng);
}

bool Mutator::cross(const Candidate &a, const Candidate &b, Rng &rng,
                    Candidate &child) const {
  child = a;
  uint64_t bits = 0;
  for (size_t i = 0, e = child.choices.size(); i != e; ++i, bits >>= 1) {
    if (i % 64 == 0)
      bits = rng.next();
    if (bits & 1)
      if (std::optional<uint16_t> other = space.translate(b, a.sketch, i))
        child.choices[i] = *other;
  }
  return sampler.repair(child, rng);
}

void Mutator::getNeighbours(const Candidate &centre,
                            std::vector<Candidate> &result) const {
  llvm::ArrayRef<DecisionTable> tables = space.getTables(centre.sketch);
  Candidate candidate = centre;
  llvm::SmallVector<uint16_t, 32> entries;
  for (size_t d = 0, e = tables.size(); d != e; ++d) {
    entries.clear();
    tables[d].getNeighbours(centre.choices[d], entries);
    for (uint16_t entry : entries) {
      candidate.choices[d] = entry;
      if (space.isLegal(candidate))
        result.push_back(candidate);
    }
    candidate.choices[d] = centre.choices[d];
  }
}
