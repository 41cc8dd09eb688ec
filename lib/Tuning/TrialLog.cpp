//===- TrialLog.cpp - A task's records, candidate by candidate ------------===//

#include "SchedOpt/Tuning/TrialLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace sched;

/// The key of a trial's program.
static std::string makeProgramKey(const Trial &trial, unsigned index) {
  return trial.object.empty() ? "trial " + std::to_string(index) : trial.object;
}

void TrialLog::add(const Candidate &candidate, const Record &record) {
  auto [it, isNew] =
      indexOf.try_emplace(candidate.hash(), unsigned(trials.size()));
  const unsigned index = it->second;
  if (isNew)
    trials.emplace_back().candidate = candidate;
  Trial &trial = trials[index];
  if (trial.object.empty())
    trial.object = record.getObject().str();
  if (isNew && programs.contains(trial.object)) {
    trial.isDuplicate = true;
    ++numDuplicates;
  }
  if (!record.error.empty() && trial.error.empty()) {
    trial.error = record.error;
    trial.stage = record.stage;
    trial.message = record.message;
  }
  if (record.verified && record.succeeded() &&
      !std::isfinite(trial.firstSeconds)) {
    trial.firstSeconds = record.medianS();
    trial.firstCosts = record.costsS;
  }
  trial.disqualified |= record.isWrong();
  lastComparison =
      std::max(lastComparison,
               std::pair(record.getComparison(), record.getComparisonStage()));

  Program &program = programs[makeProgramKey(trial, index)];
  if (!llvm::is_contained(program.trials, index))
    program.trials.push_back(index);
  program.costs.add(record);
  const Standing standing = program.costs.getStanding();
  for (unsigned same : program.trials)
    trials[same].standing = standing;
}

const Trial *TrialLog::find(const Candidate &candidate) const {
  auto it = indexOf.find(candidate.hash());
  return it == indexOf.end() ? nullptr : &trials[it->second];
}

std::vector<unsigned> TrialLog::getRanking() const {
  return rank(llvm::map_to_vector(
      trials, [](const Trial &trial) { return trial.standing; }));
}

bool TrialLog::prefersUnscheduled() const {
  llvm::SmallVector<Standing> standings = llvm::map_to_vector(
      trials, [](const Trial &trial) { return trial.standing; });
  // After the others: the program of a trial that is the same code wins.
  standings.push_back(unscheduled.getStanding());
  const std::vector<unsigned> order = rank(standings);
  return !order.empty() && order.front() == trials.size();
}

std::vector<unsigned> TrialLog::getRankingByTrials() const {
  std::vector<unsigned> order;
  for (unsigned i = 0, e = trials.size(); i != e; ++i)
    if (trials[i].valid() && std::isfinite(trials[i].firstSeconds))
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(trials[a].firstSeconds, a) <
           std::pair(trials[b].firstSeconds, b);
  });
  return order;
}

double TrialLog::getBestSeconds() const {
  const std::vector<unsigned> order = getRanking();
  return order.empty() ? Measurement::kFailed : trials[order[0]].getSeconds();
}

unsigned TrialLog::getTrialsSinceImprovement() const {
  double best = Measurement::kFailed;
  unsigned since = 0;
  for (const Trial &trial : trials) {
    if (trial.isDuplicate)
      continue;
    ++since;
    if (trial.valid() && trial.firstSeconds < 0.99 * best) {
      best = trial.firstSeconds;
      since = 0;
    }
  }
  return since;
}

History TrialLog::makeHistory(size_t n) const {
  History history;
  auto isWrong = [&](unsigned i) { return i < n && trials[i].disqualified; };
  for (unsigned i = 0, e = std::min(n, trials.size()); i != e; ++i) {
    const Trial &trial = trials[i];
    const Program &program = programs.at(makeProgramKey(trial, i));
    history.add(trial.candidate, llvm::any_of(program.trials, isWrong)
                                     ? Measurement::kFailed
                                     : trial.firstSeconds);
  }
  return history;
}

/// The kind of failure to file a trial under that has no latency.
static llvm::StringRef kindOf(const Trial &trial) {
  return trial.error.empty() ? llvm::StringRef("unverified")
                             : llvm::StringRef(trial.error);
}

std::map<std::string, unsigned> TrialLog::countFailures() const {
  std::map<std::string, unsigned> counts;
  for (const Trial &trial : trials)
    if (!trial.valid())
      ++counts[kindOf(trial).str()];
  return counts;
}

std::map<std::string, unsigned> TrialLog::countBuildFailures() const {
  std::map<std::string, unsigned> counts;
  for (const Trial &trial : trials)
    if (!trial.error.empty())
      ++counts[trial.error];
  return counts;
}

/// "kind (stage): message".
static std::string describeFailure(const Trial &trial) {
  std::string text = kindOf(trial).str();
  if (!trial.stage.empty())
    text += " (" + trial.stage + ")";
  if (!trial.message.empty())
    text += ": " + trial.message;
  return text;
}

std::string TrialLog::describeCommonFailure() const {
  // By kind and stage: messages hold addresses and values.
  auto keyOf = [](const Trial &trial) {
    return std::pair(kindOf(trial), llvm::StringRef(trial.stage));
  };
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, unsigned> counts;
  for (const Trial &trial : trials)
    if (!trial.valid())
      ++counts[keyOf(trial)];
  const Trial *common = nullptr;
  for (const Trial &trial : trials)
    if (!trial.valid() &&
        (!common || counts[keyOf(trial)] > counts[keyOf(*common)]))
      common = &trial;
  return common ? describeFailure(*common) : "";
}

std::string TrialLog::describeFailures() const {
  std::map<std::string, unsigned> counts = countFailures();
  std::vector<std::pair<std::string, unsigned>> order(counts.begin(),
                                                      counts.end());
  llvm::sort(order, [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &entry : order) {
    auto first = llvm::find_if(trials, [&](const Trial &trial) {
      return !trial.valid() && kindOf(trial) == entry.first;
    });
    os << "\n  " << entry.second << " x " << describeFailure(*first);
  }
  return text;
}
