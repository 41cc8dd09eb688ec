//===- TrialLog.cpp - A task's records, candidate by candidate ------------===//

#include "SchedOpt/Tuning/TrialLog.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace sched;

void TrialLog::add(const Candidate &candidate, const Record &record) {
  auto [it, isNew] =
      indexOf.try_emplace(candidate.hash(), unsigned(trials.size()));
  if (isNew)
    trials.emplace_back().candidate = candidate;
  Trial &trial = trials[it->second];
  if (trial.object.empty()) {
    trial.object = record.getObject().str();
    if (!trial.object.empty())
      trialsOfObject[trial.object].push_back(it->second);
  }
  if (!record.error.empty() && trial.error.empty()) {
    trial.error = record.error;
    trial.stage = record.stage;
    trial.message = record.message;
  }
  if (record.error == failure::kWrongResult ||
      record.error == failure::kOutOfBounds)
    trial.disqualified = true;
  if (record.succeeded() && record.verified && !isCopy(it->second, record))
    trial.runs.push_back(record.costsS);
  // Trials are numbered, final comparisons are not.
  if (record.trial < 0)
    for (unsigned same : getSameCode(it->second))
      ++trials[same].numComparisons;
  update(it->second);
}

llvm::SmallVector<unsigned> TrialLog::getSameCode(unsigned trial) const {
  auto same = trialsOfObject.find(trials[trial].object);
  if (same == trialsOfObject.end())
    return {trial};
  return llvm::SmallVector<unsigned>(same->second.begin(), same->second.end());
}

bool TrialLog::isCopy(unsigned trial, const Record &record) const {
  return llvm::any_of(getSameCode(trial), [&](unsigned other) {
    return other != trial &&
           llvm::is_contained(trials[other].runs, record.costsS);
  });
}

double TrialLog::pool(llvm::ArrayRef<unsigned> same) const {
  std::vector<double> costs;
  for (unsigned trial : same) {
    if (trials[trial].disqualified)
      return Measurement::kFailed;
    for (const std::vector<double> &run : trials[trial].runs)
      llvm::append_range(costs, run);
  }
  return median(std::move(costs));
}

void TrialLog::update(unsigned trial) {
  const llvm::SmallVector<unsigned> same = getSameCode(trial);
  const double seconds = pool(same);
  for (unsigned other : same)
    trials[other].seconds = seconds;
}

const Trial *TrialLog::find(const Candidate &candidate) const {
  auto it = indexOf.find(candidate.hash());
  return it == indexOf.end() ? nullptr : &trials[it->second];
}

std::vector<unsigned> TrialLog::getRanking() const {
  std::vector<unsigned> order;
  for (unsigned i = 0, e = trials.size(); i != e; ++i)
    if (trials[i].valid())
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    if (trials[a].seconds != trials[b].seconds)
      return trials[a].seconds < trials[b].seconds;
    return a < b;
  });
  return order;
}

double TrialLog::getBestSeconds() const {
  double best = Measurement::kFailed;
  for (const Trial &trial : trials)
    best = std::min(best, trial.seconds);
  return best;
}

unsigned TrialLog::getTrialsSinceImprovement() const {
  double best = Measurement::kFailed;
  unsigned since = 0;
  for (const Trial &trial : trials) {
    ++since;
    if (trial.valid() && trial.seconds < 0.99 * best) {
      best = trial.seconds;
      since = 0;
    }
  }
  return since;
}

History TrialLog::makeHistory(size_t n) const {
  History history;
  for (unsigned i = 0, e = std::min(n, trials.size()); i != e; ++i) {
    llvm::SmallVector<unsigned> same = getSameCode(i);
    llvm::erase_if(same, [&](unsigned other) { return other >= n; });
    history.add(trials[i].candidate, pool(same));
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
