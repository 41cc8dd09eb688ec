//===- Measurer.h - Builds, checks and times candidates ---------*- C++ -*-===//
//
// The face of the Measure layer. It owns the child processes: `jobs` builders
// and one runner, all of them `sched-worker`. A batch goes through in two
// phases: first everything is built, in parallel; then, with the builders at
// rest, each candidate is checked against the unscheduled payload and timed,
// one after the other or by turns. A GPU has a clock of its own, which builders
// do not disturb: there the next candidates are built while one is measured.
// Results come in the order of the inputs and do not depend on the number of
// builders.
//
// A candidate may crash, hang or eat memory: its process is replaced and the
// next candidate goes on. No call waits without a bound.
//
// Not for use from several threads at once.
//
// Read next: MeasureResult.h, WorkerProcess.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_MEASURER_H
#define SCHEDOPT_MEASURE_MEASURER_H

#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Measure/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <deque>
#include <memory>
#include <optional>

namespace sched {

class WorkerProcess;
struct Outcome;

struct MeasureOptions {
  /// Path of sched-worker; "": what the environment's SCHED_WORKER names, or
  /// the one that is found (lib/Measure/FindWorker.h).
  std::string workerPath;
  /// Where a directory for objects is made (and removed at the end); "" is the
  /// system's place for temporary files.
  std::string scratchDir;
  /// Builder processes; 0: one a core.
  unsigned jobs = 0;
  /// Bounds on a request's wall time. A run may also take four times as long as
  /// the unscheduled kernel does for a call, or 40 times as long as the
  /// schedule that stands in for it, where that is more.
  double buildTimeoutS = 30, runTimeoutS = 10, referenceTimeoutS = 120;
  /// Bytes that a request may take beyond what the worker has; 0: no limit.
  uint64_t memoryLimit = uint64_t(4) << 30;
  /// See TimingOptions in Timer.h.
  double minRepeatMs = 5, warmupMs = 2;
  int repeats = 5;
  double agreement = -1;
  /// On a CPU: the candidates of a batch take turns, of which those count that
  /// nothing disturbed (Turns.h), up to `repeats` of these each, and up to
  /// twice as many in all.
  bool takesTurns = false;
  /// Seconds for which a batch waits until the machine is as fast as it was.
  double patienceS = 0.2;
  /// A candidate whose first repeat is slower than this times the best so far
  /// is not timed further, or for one more turn; 0: never.
  double dropFactor = 1.5;
  /// On a GPU: each candidate has a process of its own, and so a context. Else
  /// one serves until something fails in it.
  bool isolate = false;
  /// Set from elsewhere (a signal handler) to end what goes on: workers are
  /// killed and the call returns within a tenth of a second.
  const std::atomic<bool> *stop = nullptr;
};

/// What candidates are candidates of.
struct MeasureTask {
  /// MLIR text of the unscheduled module, and the public function in it ("":
  /// there is only one).
  std::string payload, function;
  /// MLIR text of what the scripts are for, where that is another form of
  /// `payload`; "": it is the same.
  std::string rewritten;
  /// A script that makes `payload` fast on the CPU, where the expected results
  /// come from, and threads for it; "": it runs as it is.
  std::string referenceScript;
  int referenceThreads = 1;
  /// With `referenceScript`: this share of the results is compared with what
  /// the payload computes as it is; 0: none.
  double referenceShare = 0;
  /// `Target::parse` spec; must be code that this machine can run, but for
  /// `buildOnly`.
  std::string target = "native";
  int threads = 1;
  int optLevel = 3;
  /// Of the input data.
  uint64_t seed = 0;
  /// Relative tolerance of the check; 0: `toleranceFor`.
  double tolerance = 0;
  /// An integer that comes from floats, as what is quantized or the place of a
  /// maximum, may differ in a few elements (kFlipShare in Checker.h).
  bool mayFlip = false;
  /// Best median known from earlier records, seconds; 0: none.
  double bestS = 0;
};

struct MeasureInput {
  /// MLIR text of the transform script; "" is the unscheduled payload.
  std::string script;
  /// For tests only: a `fault` of BuildRequest or RunRequest, prefixed by the
  /// phase: "build:crash", "run:hang".
  std::string fault;
};

/// How often contenders take turns.
struct InterleavedRounds {
  /// At least and at most so many rounds, within the bounds until this many
  /// seconds have passed.
  unsigned least = 1, most = 1;
  double seconds = 0;
  /// No further one either once each contender is known to be slower than the
  /// fastest one, or how much slower to this share of it, by one standard
  /// error; 0: whatever is known.
  double precision = 0;
  /// Seconds before all rounds until the machine is as fast as it was, where a
  /// batch of the task was timed by turns before.
  double patienceS = 0;
};

class Measurer {
public:
  using TaskId = unsigned;
  /// Gets the index of an input and its result, in order of the inputs.
  using Sink = llvm::function_ref<void(unsigned, const MeasureResult &)>;

  /// Makes the scratch directory and starts the workers, without waiting for
  /// them. Fails when either cannot be done.
  static llvm::Expected<std::unique_ptr<Measurer>>
  create(MeasureOptions options);

  /// Kills the workers and removes the scratch directory.
  ~Measurer();

  /// Compiles and runs the unscheduled payload, once a task. Fails when it does
  /// not compile or run, or when this machine cannot run the target's code;
  /// then nothing of the task can be measured. The error is timed_out or
  /// operation_canceled where it did not end in time or was stopped.
  llvm::Expected<TaskId> prepare(const MeasureTask &task);

  /// What the unscheduled payload was like: shapes, seconds a call.
  const ReferenceAnswer &getReference(TaskId task) const;

  /// Best median seconds so far, of `MeasureTask::bestS` and of what was
  /// measured; 0: none.
  double getBestS(TaskId task) const;

  /// Tells what was measured of an object of this task earlier, in another
  /// process: a candidate that becomes this object is not run again. The result
  /// names the object; what is known already stays.
  void recall(TaskId task, const MeasureResult &result);

  /// Measures all inputs. A failed candidate is a result, not an error; an
  /// error means that measuring itself is impossible (no worker starts, or the
  /// GPU is lost). When the stop flag is set, success is returned with some
  /// results missing, and turns of others.
  llvm::Error measure(TaskId task, llvm::ArrayRef<MeasureInput> inputs,
                      Sink sink);

  /// Times a few contenders fairly: in each round one repeat of each in turn,
  /// nothing dropped, nothing taken from earlier measurements. Costs of a
  /// result are in order of the rounds. Objects built before are used again.
  llvm::Error measureInterleaved(TaskId task,
                                 llvm::ArrayRef<MeasureInput> inputs,
                                 const InterleavedRounds &rounds, Sink sink);

  /// Builds inputs without running anything, the unscheduled payload neither. A
  /// result without an error has no costs.
  llvm::Error buildOnly(const MeasureTask &task,
                        llvm::ArrayRef<MeasureInput> inputs, Sink sink);

  const MeasureStats &getStats() const { return stats; }
  const MeasureOptions &getOptions() const { return options; }
  llvm::StringRef getScratchDir() const { return scratch; }

private:
  struct Task;
  struct Build;
  struct RunMode;
  class BuildQueue;

  explicit Measurer(MeasureOptions options);
  llvm::Error replace(std::unique_ptr<WorkerProcess> &worker);
  /// Asks a runner that is up; one that was stopped is an outcome, too. What is
  /// in `meanwhile`, if not null, is built while it works. The runner is bound
  /// to a core, if one is given and nothing is built (Support/Core.h).
  llvm::Expected<Outcome>
  askRunner(const llvm::json::Object &request, double timeoutS,
            BuildQueue *meanwhile,
            std::optional<unsigned> boundTo = std::nullopt);
  /// A runner that has run nothing yet, and the next one coming up.
  llvm::Error renewRunner();
  /// The GPU, as the runner finds it.
  llvm::Expected<DeviceProperties> findDevice();
  /// Fails where it was the device that failed.
  llvm::Error checkDevice(const MeasureResult &failed);
  /// Builds what is in the queue, at least as far as input `wanted`; nullopt:
  /// all of it. Ends early when the stop flag is set.
  llvm::Error build(BuildQueue &queue, std::optional<unsigned> wanted);
  /// Builders that may work while a GPU is measured: one core is the runner's,
  /// which has to launch in time.
  unsigned countBuildersBeside() const;
  llvm::Expected<std::optional<MeasureResult>>
  run(Task &task, const Build &build, const MeasureInput &input,
      const RunMode &mode, BuildQueue *meanwhile);
  /// Times a candidate with all of its repeats, unless its object has been;
  /// nullopt where it was stopped, or took longer than `mostS` seconds (0: any
  /// number of them).
  llvm::Expected<std::optional<MeasureResult>>
  timeOne(Task &task, const Build &built, const MeasureInput &input,
          BuildQueue *meanwhile, double mostS);
  /// Times the first ones of what was built before a stop, for a moment.
  llvm::Error timeLast(Task &task, BuildQueue &builds,
                       llvm::ArrayRef<MeasureInput> inputs, Sink sink);
  /// The two ways to time what was built: one candidate after the other, or by
  /// turns.
  llvm::Error timeInOrder(Task &task, BuildQueue &builds,
                          llvm::ArrayRef<MeasureInput> inputs, Sink sink);
  class TurnTaker;
  /// Times a candidate once more, and adds that to `result`; a failure takes
  /// its place. False where it was stopped.
  llvm::Expected<bool> takeTurn(Task &task, const Build &build,
                                const MeasureInput &input,
                                MeasureResult &result);
  /// Seconds a call of the task's anchor (Turns.h) now; 0: there is none, or it
  /// was stopped.
  llvm::Expected<double> timeAnchor(Task &task);
  /// The same once it is as fast as usual, or after so many seconds, when that
  /// becomes usual. `nowS`: what it took just now; 0: it was not timed.
  llvm::Expected<double> awaitQuiet(Task &task, double nowS, double patienceS);
  void count(const MeasureResult &result);
  bool stopped() const { return options.stop && options.stop->load(); }

  MeasureOptions options;
  MeasureStats stats;
  std::string workerPath, scratch;
  std::vector<std::unique_ptr<WorkerProcess>> builders;
  std::unique_ptr<WorkerProcess> runner;
  /// The next runner, coming up; null unless each candidate gets one.
  std::unique_ptr<WorkerProcess> nextRunner;
  /// Whether that is bound to a core (Support/Core.h).
  bool runnerIsBound = false;
  /// Kernels that the present runner process has executed.
  unsigned runnerUses = 0;
  /// Workers in a row that died before they were ready.
  unsigned failedStarts = 0;
  unsigned nextObject = 0;
  std::deque<Task> tasks;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_MEASURER_H
