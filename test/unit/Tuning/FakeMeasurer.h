//===- FakeMeasurer.h - Latencies by formula --------------------*- C++ -*-===//
//
// A task over SyntheticSpace.h and a measurer that needs no process. The script
// of a candidate is its trace: the indices of its choices.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_TUNING_FAKEMEASURER_H
#define SCHEDOPT_TEST_UNIT_TUNING_FAKEMEASURER_H

#include "../Search/SyntheticSpace.h"
#include "SchedOpt/Tuning/Tuner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace sched::test {

inline std::string traceOf(const Candidate &candidate) {
  std::string text;
  for (uint16_t choice : candidate.choices)
    text += (text.empty() ? "" : ",") + std::to_string(choice);
  return text;
}

inline std::optional<Candidate> candidateOf(llvm::StringRef trace) {
  Candidate candidate;
  llvm::SmallVector<llvm::StringRef> parts;
  trace.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    uint16_t choice;
    if (part.getAsInteger(10, choice))
      return std::nullopt;
    candidate.choices.push_back(choice);
  }
  return candidate;
}

/// `sketch` must outlive the task.
inline SearchTask makeTask(const SketchView &sketch,
                           std::string name = "matmul") {
  SearchTask task(SearchSpace({&sketch}));
  task.name = name;
  task.workloadHash = "hash of " + name;
  task.workloadText = name;
  task.targetKey = "cpu:test";
  task.toolchain = "LLVM test";
  task.flops = 4.2e6;
  task.sketchHashes = {"sketch0"};
  task.makeScript = traceOf;
  task.makeTrace = traceOf;
  task.parseTrace = [](llvm::StringRef hash,
                       llvm::StringRef trace) -> std::optional<Candidate> {
    if (hash != "sketch0")
      return std::nullopt;
    return candidateOf(trace);
  };
  task.adaptTrace = candidateOf;
  return task;
}

class FakeMeasurer final : public CandidateMeasurer {
public:
  explicit FakeMeasurer(const SyntheticSketch &sketch) : sketch(sketch) {}

  /// What measuring a candidate for the `nth` time (from 0) yields.
  std::function<MeasureResult(const Candidate &, unsigned nth)> behaviour;
  /// Called after each result.
  std::function<void()> afterEach = [] {};
  const std::atomic<bool> *stop = nullptr;

  /// What `prepare` fails with.
  std::optional<std::errc> prepareFails;

  /// What the unscheduled function takes.
  double referenceSeconds = 0;
  double getReferenceSeconds() const override { return referenceSeconds; }

  /// What it was told of earlier runs.
  std::vector<MeasureResult> recalled;
  void recall(const MeasureResult &result) override {
    recalled.push_back(result);
  }

  unsigned prepared = 0, measured = 0, interleaved = 0, builtOnly = 0;
  double preparedBestS = 0;
  std::vector<std::string> log;

  llvm::Error prepare(double bestS) override {
    ++prepared;
    preparedBestS = bestS;
    if (prepareFails)
      return llvm::createStringError(std::make_error_code(*prepareFails),
                                     "no reference");
    return llvm::Error::success();
  }
  llvm::Error measure(llvm::ArrayRef<std::string> scripts, Sink sink) override {
    EXPECT_EQ(prepared, 1u);
    for (unsigned i = 0; i != scripts.size() && !(stop && *stop); ++i) {
      ++measured;
      log.push_back(scripts[i]);
      sink(i, get(scripts[i]));
      afterEach();
    }
    return llvm::Error::success();
  }
  llvm::Error measureInterleaved(llvm::ArrayRef<std::string> scripts,
                                 const InterleavedRounds &rounds,
                                 Sink sink) override {
    std::vector<MeasureResult> results;
    for (const std::string &script : scripts) {
      ++interleaved;
      results.push_back(get(script));
      if (results.back().succeeded())
        results.back().costsS.assign(rounds.least, results.back().costsS[0]);
    }
    // As the real one: of a comparison that was cut off nothing is told.
    for (unsigned i = 0; i != scripts.size() && !(stop && *stop); ++i)
      sink(i, results[i]);
    return llvm::Error::success();
  }
  llvm::Error build(llvm::ArrayRef<std::string> scripts, Sink sink) override {
    for (unsigned i = 0; i != scripts.size(); ++i) {
      ++builtOnly;
      log.push_back(scripts[i]);
      MeasureResult result = get(scripts[i]);
      result.costsS.clear();
      result.verified = false;
      sink(i, result);
    }
    return llvm::Error::success();
  }
  MeasureStats getStats() const override {
    MeasureStats stats;
    stats.measureS = 0.5 * (measured + interleaved);
    return stats;
  }

  MeasureResult succeed(const Candidate &candidate) const {
    MeasureResult result;
    double seconds = sketch.measure(candidate.choices);
    result.costsS = {seconds, seconds * 1.01, seconds * 0.99};
    result.verified = true;
    return result;
  }
  static MeasureResult fail(std::string kind, std::string stage,
                            std::string message) {
    MeasureResult result;
    result.error = std::move(kind);
    result.stage = std::move(stage);
    result.message = std::move(message);
    return result;
  }

private:
  MeasureResult get(const std::string &script) {
    std::optional<Candidate> candidate = candidateOf(script);
    unsigned nth = times[script]++;
    return behaviour ? behaviour(*candidate, nth) : succeed(*candidate);
  }
  const SyntheticSketch &sketch;
  std::map<std::string, unsigned> times;
};

/// A work directory that is removed at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("sched-tuning", path));
  }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }
  llvm::StringRef str() const { return path; }
  RecordFile open() const {
    llvm::Expected<RecordFile> file = RecordFile::open(path);
    EXPECT_TRUE(bool(file));
    return std::move(*file);
  }

private:
  llvm::SmallString<128> path;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_TUNING_FAKEMEASURER_H
