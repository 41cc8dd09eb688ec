//===- LaneTile.h - Cycles of a reduction in lanes --------------*- C++ -*-===//
//
// The cost of products of few rows whose vectors run along the reduction, all
// operands in L1: every pair of rows has vectors of partial sums of its own,
// and their lanes are added up once, at the end. The bounds are those of
// RegisterTile.h. Space/LaneReduction.cpp writes the sketches.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_LANETILE_H
#define SCHEDOPT_MODEL_LANETILE_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// Rows of the two operands, and elements of each in one step.
struct LaneTile {
  int64_t lhsRows, rhsRows, width;
  unsigned elementBytes;

  int64_t lanes(const Target &target) const;
  /// Vectors of a row in one step; the last one may be partly used.
  int64_t vectors(const Target &target) const;
  /// Vectors of partial sums.
  int64_t accumulators(const Target &target) const;
  /// Registers for partial sums, for one step of the operand of fewer rows, and
  /// for a vector of the other.
  int64_t registers(const Target &target) const;
  /// Cycles of one step.
  double stepCycles(const Target &target) const;
  /// Cycles to clear the partial sums and to add them up.
  double endCycles(const Target &target) const;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_LANETILE_H
