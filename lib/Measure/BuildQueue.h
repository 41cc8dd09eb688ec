//===- BuildQueue.h - Builds of a batch that are under way ------*- C++ -*-===//
//
// Hands the inputs of a batch to the measurer's builders, in their order, and
// takes in what comes back. It never waits: whoever drives it does, for other
// things too (Measurer::build, Measurer::askRunner).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MEASURE_BUILDQUEUE_H
#define SCHEDOPT_LIB_MEASURE_BUILDQUEUE_H

#include "MeasurerDetail.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

class Measurer::BuildQueue {
public:
  /// All must outlive the queue. What `task` knows of earlier batches is built
  /// already.
  BuildQueue(Measurer &measurer, Task &task,
             llvm::ArrayRef<MeasureInput> inputs);
  /// Kills the builders that are still at work.
  ~BuildQueue();
  BuildQueue(const BuildQueue &) = delete;
  BuildQueue &operator=(const BuildQueue &) = delete;

  /// Takes in what has been built.
  llvm::Error collect();
  /// Gives builders work, as long as fewer than `most` of them have some. None
  /// once a stop was asked for.
  llvm::Error fill(size_t most);
  /// The builders at work.
  llvm::SmallVector<WorkerProcess *> getBusy() const;

  /// How input `i` came out; not `done` if it has not yet.
  const Build &get(unsigned i);

private:
  void start(WorkerProcess &builder, unsigned i);
  void finish(const Outcome &outcome, unsigned i);

  Measurer &measurer;
  Task &task;
  llvm::ArrayRef<MeasureInput> inputs;
  std::vector<Build> builds;
  /// Inputs that wait, the next one last.
  llvm::SmallVector<unsigned> queue;
  /// Equal scripts are built once; the later ones wait for the first.
  llvm::StringMap<unsigned> firstOf;
  /// What each builder was given last, and when.
  std::vector<unsigned> current;
  std::vector<double> started;
};

} // namespace sched

#endif // SCHEDOPT_LIB_MEASURE_BUILDQUEUE_H
