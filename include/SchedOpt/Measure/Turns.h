//===- Turns.h - Which timings of a candidate count -------------*- C++ -*-===//
//
// A machine that others use, too, is slow for a tenth of a second or for some:
// what is timed then takes up to three times as long, and all of its repeats
// agree on that. So the candidates of a batch take turns, a repeat each, and
// between the turns of all of them one is timed that was timed before: the
// anchor, whose times tell what the machine is like.
//
// Read next: Measurer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_TURNS_H
#define SCHEDOPT_MEASURE_TURNS_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace sched {

/// The machine, as the times of an anchor tell, seconds a call.
class MachineState {
public:
  /// Adds a time of the anchor, the first of which is what is usual.
  void add(double anchorS);
  /// Takes a time for what is usual from now on: a machine that does not become
  /// faster again is not waited for each time.
  void settle(double anchorS) { usualS = anchorS; }
  /// What is best by now stays what slowdowns are told by: costs were given
  /// away, and later ones have to compare. A processor whose neighbours rest is
  /// faster for minutes than it was before. Costs of another process, and of
  /// what is not corrected, may be of another pace.
  void keepPace();
  /// Whether nothing else was going on, as far as is known by now.
  bool isQuiet(double anchorS) const;
  /// How many times as long as at its best the machine takes: at least 1, but
  /// for a machine that has become faster since its pace was kept. 1 where
  /// `anchorS` is 0.
  double getSlowdown(double anchorS) const;

private:
  double bestS = 0, usualS = 0;
  bool isKept = false;
};

/// One repeat of a candidate.
struct Turn {
  double costS = 0;
  /// Of the machine at that time; less than 1: it was faster.
  double slowdown = 1;
  bool isQuiet = true;
};

/// The least cost that counts, as below; infinity of no turns.
double getLeastCost(llvm::ArrayRef<Turn> turns);

/// Whether two turns on a quiet machine are the least of all such, and differ
/// by no more than `agreement` of the least (0.01: 1 %). Another program only
/// ever makes a turn longer, so these were likely left alone.
bool areConfirmed(llvm::ArrayRef<Turn> turns, double agreement);

/// The costs that count, in their order: of turns on a quiet machine, if there
/// are any, those no further than `agreement` from the least. Each is divided
/// by the machine's slowdown where that is more than noise, to be what it would
/// have been at the pace that slowdowns are told by. Empty of no turns.
std::vector<double> selectCosts(llvm::ArrayRef<Turn> turns, double agreement);

} // namespace sched

#endif // SCHEDOPT_MEASURE_TURNS_H
