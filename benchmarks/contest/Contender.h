//===- Contender.h - One way to compute it, in processes --------*- C++ -*-===//
//
// Contenders bring different OpenMP runtimes and thread pools, whose idle
// threads spin and slow one another down. So each lives in child processes,
// which are stopped (SIGSTOP) except while it is their turn. Rounds go over all
// contenders, so that a machine whose speed drifts treats all alike. Which
// pages of memory a process gets is luck, and may cost a fifth of its speed: so
// most contenders have several, which take turns, too.
//
// Read next: Kernel.h, Peak.h and Copy.h, which make contenders.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_CONTENDER_H
#define SCHEDOPT_BENCHMARKS_CONTENDER_H

#include "Problem.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sched::bench {

/// What a contender sets up in its process.
struct Work {
  /// One call, as it is timed.
  std::function<void()> call;
  /// What the call wrote; empty: nothing to check.
  Floats result;
  /// Brings what the call wrote into `result`, where it writes elsewhere;
  /// called before a check only.
  std::function<void()> finish;
  /// Floating-point operations of a call.
  double flops = 0;
  /// Bytes that it reads and writes, for what is measured by them.
  double bytes = 0;
  /// How it is called, where there is a choice; for the report.
  std::string variant;
  /// Owns what `call` needs.
  std::shared_ptr<void> state;
};

/// Makes the work; runs in the child, which may load libraries and start
/// threads.
using Setup = std::function<llvm::Expected<Work>()>;

/// One of several ways to call a contender.
struct Way {
  const char *name;
  std::function<void()> call;
};

/// The way with the shortest call in five, the ways taking turns.
Way chooseFastest(std::vector<Way> ways);

enum class Role { Ours, Library, Peak, Copy, Stream, Reference };

class Contender {
public:
  /// Forks a child, which sets itself up, checks its result unless it has none,
  /// and is stopped. Never fails: see `error`. `problem` is to live as long.
  Contender(std::string name, Role role, const Problem &problem, Setup setup);

  /// Lets the next child run for about `seconds` after a short warm-up, and
  /// appends the mean seconds of a call to `costsS`. Children but the first are
  /// forked for their first turn. What runs on one thread is to be bound to a
  /// core (Support/Core.h).
  void runRound(double seconds, std::optional<unsigned> core);

  /// `variant`: of all children, where they chose differently.
  std::string name, variant;
  Role role;
  /// Why it is out of the race; "" when it is not.
  std::string error;
  double flops = 0, bytes = 0, relativeError = 0;
  std::vector<double> costsS;

  double medianS() const;
  double minS() const;
  /// Children that take turns: round i is of child i modulo so many.
  size_t countProcesses() const { return processes.size(); }

private:
  /// A child, and the pipes to it.
  class Process {
  public:
    Process() = default;
    Process(Process &&other);
    Process &operator=(Process &&) = delete;
    /// Ends the child.
    ~Process();

    /// Forks a child, which calls `serve` and does not return.
    llvm::Error start(llvm::function_ref<void(int in, int out)> serve);
    /// Sends a line, unless it is empty, and waits for the answer, each
    /// character of it for at most so many seconds.
    llvm::Expected<std::string> ask(const std::string &line, int patienceS);
    llvm::Error stop();
    pid_t getID() const { return child; }

  private:
    pid_t child = -1;
    int toChild = -1, fromChild = -1;
  };

  llvm::Error addProcess();
  /// Ends all children.
  void giveUp(llvm::Error reason);

  const Problem *problem;
  Setup setup;
  std::vector<Process> processes;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_CONTENDER_H
