//===- SearchStrategy.cpp - What all strategies share ---------------------===//

#include "SchedOpt/Search/SearchStrategy.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

SearchStrategy::~SearchStrategy() = default;

std::vector<Candidate> SearchStrategy::propose(unsigned n,
                                               const History &history,
                                               ProposalReport *report) const {
  ProposalReport unused;
  return choose(n, history, report ? *report : unused);
}

std::optional<Candidate> SearchStrategy::guess() const {
  const std::vector<Candidate> first = propose(1, History());
  if (first.empty())
    return std::nullopt;
  return first.front();
}

SearchStrategy::Batch::Batch(const SearchSpace &space, unsigned n,
                             const History &history, ProposalReport &report)
    : space(space), n(n), history(history), report(report) {
  for (const Measurement &measurement : history.getMeasurements())
    if (const uint64_t hash = space.hashProgram(measurement.candidate))
      programs.insert(hash);
}

bool SearchStrategy::Batch::add(const Candidate &candidate, PickReason reason) {
  if (isFull() || history.contains(candidate) ||
      !taken.insert(candidate.hash()).second)
    return false;
  const uint64_t hash = space.hashProgram(candidate);
  if (hash != 0 && !programs.insert(hash).second)
    return false;
  candidates.push_back(candidate);
  report.batch.emplace_back().candidate = candidate;
  report.batch.back().reason = reason;
  return true;
}

void SearchStrategy::Batch::addDefaults(unsigned sketches) {
  for (unsigned i = 0, e = space.getNumSketches(); i != e && sketches; ++i) {
    const Candidate candidate = space.getDefault(i);
    if (!space.isLegal(candidate))
      continue;
    add(candidate, PickReason::Default);
    --sketches;
  }
}

void SearchStrategy::Batch::addUnshared() {
  for (unsigned i = 0, e = space.getNumSketches(); i != e; ++i) {
    Candidate candidate = space.getDefault(i);
    if (!space.isLegal(candidate))
      continue;
    bool wasShared = false;
    for (auto [d, table] : llvm::enumerate(space.getTables(i))) {
      const Decision &decision = table.getDecision();
      // A number of threads, and not which dimension they share.
      if (decision.role != DecisionRole::Parallel ||
          decision.kind != DecisionKind::Ordered ||
          decision.domain.front() != std::vector<int64_t>{1})
        continue;
      wasShared |= candidate.choices[d] != 0;
      candidate.choices[d] = 0;
    }
    if (!wasShared)
      continue;
    if (space.isLegal(candidate))
      add(candidate, PickReason::Default);
    return;
  }
}
