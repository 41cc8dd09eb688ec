//===- ProgramCosts.h - What the records say of one program -----*- C++ -*-===//
//
// The rule by which records are ranked, for the tuner and for compiling from
// history alike. A program is one machine code, or else (where a record names
// none) one sketch and trace.
//
// Costs measured minutes apart do not compare to the percent: another program
// on the machine, or its clock, moves them more than that. Those of one
// comparison do, as its contenders take turns (Measurer::measureInterleaved).
// So programs of a later comparison stand before all that were not in it, and
// within a comparison, or without any, the lower median wins.
//
// Read next: Database.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_PROGRAMCOSTS_H
#define SCHEDOPT_DATABASE_PROGRAMCOSTS_H

#include "SchedOpt/Database/Record.h"
#include <limits>

namespace sched {

/// A program's place among others.
struct Standing {
  /// The last comparison that the program was in, from 1; 0: none.
  int64_t comparison = 0;
  /// Median of the costs in that comparison, or else of all of its trials,
  /// seconds a call; infinity where it cannot be used.
  double seconds = std::numeric_limits<double>::infinity();

  bool isUsable() const {
    return seconds < std::numeric_limits<double>::infinity();
  }
  /// Whether this one is to be preferred.
  bool isBefore(const Standing &other) const;
};

class ProgramCosts {
public:
  /// Takes in a record of the program, in the order of the records. One that
  /// repeats the costs of another candidate with the same machine code adds
  /// none.
  void add(const Record &record);

  /// Whether it ever gave a wrong result or wrote out of bounds: never to be
  /// used, however fast.
  bool isDisqualified() const { return disqualified; }

  Standing getStanding() const;

private:
  struct Run {
    std::string sketch, trace;
    std::vector<double> costsS;
  };
  bool isCopy(const Record &record) const;

  std::vector<Run> runs;
  int64_t comparison = 0;
  std::vector<double> comparedS;
  bool disqualified = false;
};

} // namespace sched

#endif // SCHEDOPT_DATABASE_PROGRAMCOSTS_H
