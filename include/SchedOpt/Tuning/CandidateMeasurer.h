//===- CandidateMeasurer.h - What the tuner asks of Measure -----*- C++ -*-===//
//
// The seam between tuner and Measure: candidates go in as transform scripts,
// results come out in the same order. WorkerMeasurer is the real one, on child
// processes; tests bring one with a formula for the latency.
// Read next: ../Measure/Measurer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_CANDIDATEMEASURER_H
#define SCHEDOPT_TUNING_CANDIDATEMEASURER_H

#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Measure/Measurer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sched {

/// Measures the candidates of one task.
class CandidateMeasurer {
public:
  /// Gets the index of a script and its result, in order of the scripts.
  using Sink = llvm::function_ref<void(unsigned, const MeasureResult &)>;

  virtual ~CandidateMeasurer();

  /// Called once before the first measurement, and only if there is one.
  /// `bestS`: best median in seconds from earlier records; 0: none. An error
  /// means that nothing of this task can be measured; timed_out and
  /// operation_canceled, that there was no time to learn the expected results.
  virtual llvm::Error prepare(double bestS) = 0;

  /// What earlier records say of a machine code, after `prepare`: a script that
  /// becomes it need not be run again.
  virtual void recall(const MeasureResult &result) {}

  /// Measures every script. A failed candidate is a result; an error means that
  /// measuring itself is impossible. After a stop some results may be missing.
  virtual llvm::Error measure(llvm::ArrayRef<std::string> scripts,
                              Sink sink) = 0;

  /// The same for a few contenders that are to be compared fairly, taking
  /// turns.
  virtual llvm::Error measureInterleaved(llvm::ArrayRef<std::string> scripts,
                                         const InterleavedRounds &rounds,
                                         Sink sink) = 0;

  /// Builds every script and runs nothing, where nothing can be run; needs no
  /// `prepare`. A result without an error has no costs.
  virtual llvm::Error build(llvm::ArrayRef<std::string> scripts, Sink sink);

  /// Totals so far; those of all tasks where tasks share workers.
  virtual MeasureStats getStats() const = 0;

  /// Seconds of a call of the unscheduled function; 0: not known (yet).
  virtual double getReferenceSeconds() const { return 0; }
};

/// The workers of a run, started when they are first needed: a run that is
/// answered from the records starts none.
class WorkerPool {
public:
  /// `beforeStart` is called once, when workers are first needed.
  explicit WorkerPool(MeasureOptions options,
                      std::function<void()> beforeStart = {})
      : options(std::move(options)), beforeStart(std::move(beforeStart)) {}
  ~WorkerPool();

  llvm::Expected<Measurer *> get();
  /// Null before the first `get`.
  Measurer *getIfStarted() const { return measurer.get(); }

private:
  MeasureOptions options;
  std::function<void()> beforeStart;
  std::unique_ptr<Measurer> measurer;
};

class WorkerMeasurer final : public CandidateMeasurer {
public:
  /// `pool` must outlive the measurer; several may share one.
  WorkerMeasurer(WorkerPool &pool, MeasureTask task)
      : pool(pool), task(std::move(task)) {}

  llvm::Error prepare(double bestS) override;
  void recall(const MeasureResult &result) override;
  llvm::Error measure(llvm::ArrayRef<std::string> scripts, Sink sink) override;
  llvm::Error measureInterleaved(llvm::ArrayRef<std::string> scripts,
                                 const InterleavedRounds &rounds,
                                 Sink sink) override;
  llvm::Error build(llvm::ArrayRef<std::string> scripts, Sink sink) override;
  MeasureStats getStats() const override;
  double getReferenceSeconds() const override;

  /// The Measure layer's number of the task; nullopt before `prepare`.
  std::optional<Measurer::TaskId> getTaskId() const { return id; }

private:
  WorkerPool &pool;
  MeasureTask task;
  std::optional<Measurer::TaskId> id;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_CANDIDATEMEASURER_H
