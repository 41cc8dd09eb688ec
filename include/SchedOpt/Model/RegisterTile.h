//===- RegisterTile.h - Cycles of an innermost tile -------------*- C++ -*-===//
//
// The cost of one contraction tile whose accumulators live in registers, all
// operands in L1. The bounds are those of the usual port model: FMA ports, load
// ports, and the latency of dependent FMAs (Low et al., "Analytical Modeling Is
// Enough for High-Performance BLIS", 2016, section 4).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_REGISTERTILE_H
#define SCHEDOPT_MODEL_REGISTERTILE_H

#include "SchedOpt/Support/Target.h"
#include <cstdint>

namespace sched {

/// A tile of m x n results; `unroll` reduction steps a loop iteration.
struct RegisterTile {
  int64_t m, n, unroll;
  unsigned elementBytes;
  /// Vectors and broadcasts that a step loads: a row and a column of the
  /// operands, if this is 0. Where lanes have windows of their own, each
  /// accumulator loads a vector; where a window's columns share pixels, each
  /// pixel counts for one of them.
  double loads = 0;
  /// Of what a step loads, how much is converted to the type of the sums, or to
  /// what an instruction takes.
  int64_t casts = 0;
  /// Multiply-adds of the sums' type that take as long as one of a step.
  double equalMultiplyAdds = 1;
  /// Groups of narrow elements are broadcast by instructions of their own: no
  /// multiply-add reads them from memory.
  bool hasBroadcasts = false;
  /// Computed by an instruction that multiplies tiles of 16 rows, columns and
  /// steps (DotForm::Tiles); a step is a group.
  bool inTiles = false;
  /// Rows that are fewer than a tile has, where other tiles are whole.
  bool copiesRows = false;
  /// Steps that are fewer than other tiles have.
  bool copiesSteps = false;

  /// Of low tiles, how many lines are computed side by side
  /// (Codegen/PairLines.cpp): they share what is read of the columns.
  int64_t lines = 1;

  /// Vectors in a row; the last one may be partly used.
  int64_t vectors(const Target &target) const;
  /// Registers for accumulators, one row of the right-hand side and what is
  /// kept of the left-hand side. Of tiles: as large a share of all.
  int64_t registers(const Target &target) const;
  /// Cycles of `steps` reduction steps, without entry and exit; of one of the
  /// lines.
  double cycles(const Target &target, int64_t steps) const;
  /// Cycles to clear or load, and to store, the accumulators once.
  double entryExitCycles(const Target &target) const;

private:
  /// Of 16 rows, of 16 columns; the last ones may be partly used.
  int64_t tileRows() const;
  int64_t tileColumns() const;
};

/// Bytes of the registers that hold sums: vectors, or tiles.
int64_t getSumsBytes(const Target &target, bool inTiles);

} // namespace sched

#endif // SCHEDOPT_MODEL_REGISTERTILE_H
