//===- TurnTaker.h - Times a batch by turns ---------------------*- C++ -*-===//
//
// A pass has one repeat of each candidate that needs one, between two of the
// anchor. Which of them count is decided in Turns.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MEASURE_TURNTAKER_H
#define SCHEDOPT_LIB_MEASURE_TURNTAKER_H

#include "BuildQueue.h"
#include "llvm/ADT/StringSet.h"

namespace sched {

class Measurer::TurnTaker {
public:
  /// Of a batch that is built; all must outlive it.
  TurnTaker(Measurer &measurer, Task &task, BuildQueue &builds,
            llvm::ArrayRef<MeasureInput> inputs, Sink sink)
      : measurer(measurer), options(measurer.options), task(task),
        builds(builds), inputs(inputs), sink(sink) {}

  llvm::Error run();

private:
  /// What the anchor took before and after the turns of a pass; 0: it was not
  /// timed. Quiet: as far as was known at its end.
  struct Pass {
    double beforeS = 0, afterS = 0;
    bool wasQuiet = true;
  };
  /// A candidate: its result with the costs of all turns, and the pass of each.
  struct Item {
    MeasureResult result;
    llvm::SmallVector<unsigned> passes;
  };

  /// The turns of an item, by what is known now of the machine.
  llvm::SmallVector<Turn> getTurns(const Item &item) const;
  /// Seconds of the fastest candidate so far, infinity if there is none.
  double getBestS() const;
  bool needsTurn(const Item &item) const;

  /// A first turn of each candidate, and one more of those that need it. False
  /// where they were stopped.
  llvm::Expected<bool> startAll();
  llvm::Expected<bool> takeTurns();
  llvm::Expected<bool> start(unsigned index);
  llvm::Error beginPass();
  llvm::Error endPass();
  /// Makes the fastest candidate the anchor, unless there is one.
  void chooseAnchor();
  /// `Measurer::awaitQuiet`, as far as the batch has patience left.
  llvm::Expected<double> awaitQuiet();
  /// Gives away what comes first, as far as it needs no further turn; or all.
  void give(bool isAll);

  Measurer &measurer;
  const MeasureOptions &options;
  Task &task;
  BuildQueue &builds;
  llvm::ArrayRef<MeasureInput> inputs;
  Sink sink;
  std::vector<Item> items;
  llvm::SmallVector<Pass> passes;
  /// Machine code that an item of the batch is timed for.
  llvm::StringSet<> timed;
  unsigned numGiven = 0;
  double waitedS = 0;
};

} // namespace sched

#endif // SCHEDOPT_LIB_MEASURE_TURNTAKER_H
