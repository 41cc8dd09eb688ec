//===- PhaseWeights.h - Taps by the phases that they belong to --*- C++ -*-===//
//
// The weights' half of ConvolutionPhases.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_PHASEWEIGHTS_H
#define SCHEDOPT_LIB_SPACE_PHASEWEIGHTS_H

#include "mlir/IR/Builders.h"

namespace sched {

/// How the taps of one dimension of the weights are dealt out.
struct PhaseTaps {
  /// Of the weights.
  unsigned dim = 0;
  /// How many phases there are.
  int64_t stride = 1;
  /// Taps of a phase.
  int64_t count = 0;
  /// Zeros before the first tap, and after the last one.
  int64_t front = 0, back = 0;
  /// The last phase has the first tap.
  bool isMirrored = false;
};

/// `weights` with two dimensions for each of those of `taps`, that of a phase's
/// taps and that of phases: a constant, or a look at them where nothing is to
/// be moved. What is moved of an argument with any layout is packed before.
mlir::Value arrangePhaseWeights(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value weights,
                                llvm::ArrayRef<PhaseTaps> taps);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_PHASEWEIGHTS_H
