//===- RecordedTraces.cpp - What was good for tasks like this -------------===//

#include "SchedOpt/Tuning/RecordedTraces.h"
#include "SchedOpt/Search/Sampler.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace sched;

/// Traces that the next nearest shape has to wait for.
static constexpr size_t kTracesAShape = 4;

/// What two workloads are apart, in octaves, that differ in kind; in the number
/// of their sizes; in element types, layouts or what is fused.
static constexpr double kOtherKind = 40, kOtherRank = 20, kOtherRest = 2;
/// And what records of another target or toolchain are.
static constexpr double kOtherTarget = 1;

namespace {
/// "matmul_128x64x32_f32+add" in its parts.
struct WorkloadParts {
  llvm::StringRef kind, rest;
  llvm::SmallVector<double, 8> sizes;

  explicit WorkloadParts(llvm::StringRef text) : kind(text) {
    for (size_t at = 0; at != llvm::StringRef::npos;) {
      llvm::StringRef field = text.substr(at).split('_').first;
      if (parseSizes(field)) {
        kind = text.take_front(at);
        rest = text.drop_front(at + field.size());
        return;
      }
      at = text.find('_', at);
      at = at == llvm::StringRef::npos ? at : at + 1;
    }
  }

private:
  bool parseSizes(llvm::StringRef field) {
    sizes.clear();
    llvm::SmallVector<llvm::StringRef, 8> parts;
    field.split(parts, 'x');
    for (llvm::StringRef part : parts) {
      int64_t size;
      if (part.getAsInteger(10, size) || size <= 0)
        return false;
      sizes.push_back(size);
    }
    return true;
  }
};
} // namespace

double sched::measureDistance(llvm::StringRef one, llvm::StringRef other) {
  if (one == other)
    return 0;
  const WorkloadParts a(one), b(other);
  double distance = 0;
  if (a.kind != b.kind)
    distance += kOtherKind;
  if (a.rest != b.rest)
    distance += kOtherRest;
  if (a.sizes.size() != b.sizes.size())
    return distance + kOtherRank;
  for (size_t i = 0, e = a.sizes.size(); i != e; ++i)
    distance += std::abs(std::log2(a.sizes[i] / b.sizes[i]));
  return distance;
}

/// The requirement at which repair has ended.
static std::string explainRefusal(const SearchTask &task,
                                  const ProposalReport &report) {
  const auto &[sketch, failed] = report.unrepaired.begin()->first;
  return ("refused by the requirement that " +
          task.space.getSketch(sketch).getReason(failed))
      .str();
}

std::vector<Candidate> sched::findRecordedTraces(
    const SearchTask &task, llvm::ArrayRef<Record> records,
    const llvm::StringSet<> &own, std::vector<RejectedTrace> *rejected) {
  if (!task.adaptTrace)
    return {};
  /// A workload on a machine: how far it is, and what tells it from others.
  using Key = std::tuple<double, std::string, std::string, std::string>;
  // Traces of each with the least median that was measured.
  std::map<Key, std::map<std::string, double>> shapes;
  for (const Record &record : records) {
    const bool isSame =
        record.target == task.targetKey && record.toolchain == task.toolchain;
    if (!record.succeeded() || !record.verified || record.trial < 0 ||
        (isSame && own.contains(record.workload)))
      continue;
    const double distance =
        measureDistance(task.workloadText, record.workloadText) +
        (isSame ? 0 : kOtherTarget);
    std::map<std::string, double> &traces =
        shapes[{distance, record.workload, record.target, record.toolchain}];
    auto [it, isNew] = traces.try_emplace(record.trace, record.medianS());
    if (!isNew)
      it->second = std::min(it->second, record.medianS());
  }

  // A few of each shape, nearest first; then the rest in the same order.
  std::vector<std::vector<Candidate>> found;
  for (const auto &[key, traces] : shapes) {
    std::vector<std::pair<double, std::string>> order;
    for (const auto &[trace, seconds] : traces)
      order.emplace_back(seconds, trace);
    llvm::sort(order);
    std::vector<Candidate> &candidates = found.emplace_back();
    for (const auto &[seconds, trace] : order) {
      std::optional<Candidate> candidate = task.adaptTrace(trace);
      if (!candidate || !task.space.contains(*candidate)) {
        if (rejected)
          rejected->push_back(
              {trace, "this space has no sketch with its decisions"});
        continue;
      }
      Rng rng(candidate->hash());
      ProposalReport report;
      if (Sampler(task.space, &report).repair(*candidate, rng))
        candidates.push_back(std::move(*candidate));
      else if (rejected)
        rejected->push_back({trace, explainRefusal(task, report)});
    }
  }
  std::vector<Candidate> result;
  llvm::DenseSet<uint64_t> seen;
  for (bool isFirst : {true, false})
    for (llvm::ArrayRef<Candidate> candidates : found) {
      const size_t few = std::min(candidates.size(), kTracesAShape);
      for (const Candidate &candidate :
           isFirst ? candidates.take_front(few) : candidates.drop_front(few))
        if (seen.insert(candidate.hash()).second)
          result.push_back(candidate);
    }
  return result;
}
