//===- WorkerProcess.h - One child process ----------------------*- C++ -*-===//
//
// The tuner's end of one worker: starts it, sends it requests, waits with a
// bound, and ends it. A worker may die, hang or talk nonsense at any time; all
// of that comes back as a value. Measurer.h drives a number of these.
//
// Read next: Protocol.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_WORKERPROCESS_H
#define SCHEDOPT_MEASURE_WORKERPROCESS_H

#include "SchedOpt/Measure/LineChannel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <atomic>
#include <memory>
#include <string>
#include <sys/types.h>

namespace sched {

/// How a request ended.
struct Outcome {
  enum class Kind {
    /// The worker answered; see `answer`.
    Answered,
    /// The worker died; see `detail`.
    Died,
    /// No answer in time; the worker was killed.
    TimedOut,
    /// The stop flag was set; the worker was killed.
    Stopped,
  };
  Kind kind = Kind::Answered;
  llvm::json::Value answer = nullptr;
  /// The last stage that the worker announced.
  std::string stage;
  /// How it died ("SIGSEGV", "exit status 3") and the last line it printed.
  std::string detail;
  /// It died before it was ready: the fault is not the request's.
  bool beforeReady = false;
};

class WorkerProcess {
public:
  /// Starts the program at `path`. It gets a process group of its own (Ctrl-C
  /// on the terminal is the tuner's to handle) and, in its environment,
  /// KMP_BLOCKTIME=200 unless the variable is set: OpenMP's threads then wait
  /// actively for 200 ms between parallel regions, as in a program that calls
  /// kernels one after another. When the tuner dies the worker ends itself and
  /// removes the files in `scratch`.
  static llvm::Expected<std::unique_ptr<WorkerProcess>>
  spawn(llvm::StringRef path, llvm::StringRef scratch);

  /// Starts `command`, a program's path and its arguments, that speaks as a
  /// worker does (an answer has an "id" and an "ok") but prints to this
  /// process's stderr.
  static llvm::Expected<std::unique_ptr<WorkerProcess>>
  spawnCommand(llvm::ArrayRef<std::string> command);

  /// Kills what still runs.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Sends a request and starts its clock. To be called when not busy. A
  /// request that cannot be sent, to a dead worker for one, ends as `Died`.
  void start(llvm::json::Object request, double timeoutS);

  /// Takes in what has arrived, without waiting; the outcome, once there is
  /// one. After any but `Answered` the worker is gone.
  std::optional<Outcome> poll();

  /// Waits for the worker to have come up, at most `timeoutS`; false when it
  /// did not. `stop`, where given, ends the wait.
  bool awaitReady(double timeoutS, const std::atomic<bool> *stop);

  /// `start`, then waits for the outcome. `stop`, where given, ends the wait.
  Outcome ask(llvm::json::Object request, double timeoutS,
              const std::atomic<bool> *stop);

  bool isBusy() const { return busy; }
  /// Whether it still runs; one that ended while idle is reaped here.
  bool checkAlive();
  pid_t getPid() const { return pid; }

  /// Ends it at once, with its process group, and reaps it.
  void kill();

  /// Sleeps until one of the busy workers has something to say or passes its
  /// deadline, at most 100 ms (so that a stop flag is seen).
  static void waitForAny(llvm::ArrayRef<WorkerProcess *> workers);

private:
  WorkerProcess(pid_t pid, int channel, int log)
      : pid(pid), channel(channel), log(log), reader(channel) {}

  /// `log`: what the child has for stderr; kNoLog: what this process has.
  static llvm::Expected<std::unique_ptr<WorkerProcess>>
  launch(llvm::ArrayRef<std::string> command, int log,
         llvm::ArrayRef<std::string> variables);
  static constexpr int kNoLog = -1;

  /// Reaps the dead worker and says how it ended.
  Outcome bury();
  std::string lastWords() const;

  static constexpr pid_t kNoProcess = 0;
  /// `kNoProcess` once it was reaped.
  pid_t pid;
  int channel, log;
  LineReader reader;
  bool ready = false, busy = false;
  int64_t id = 0;
  double deadline = 0;
  std::string stage;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_WORKERPROCESS_H
