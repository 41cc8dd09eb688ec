//===- SumsInPlace.h - Where a contraction's result is ----------*- C++ -*-===//
//
// A contraction leaves its sums in the registers of the threads that added them
// up. They stay there if all that reads them asks for each where it is; else
// they go to shared memory. Of several in one block that meet in what it
// stores, the last one stays: by its threads the tile is stored.
//
// Read next: BlockEmitter.h, StageLayout.h (all other results).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SUMSINPLACE_H
#define SCHEDOPT_LIB_CODEGEN_SUMSINPLACE_H

#include "ContractionLoops.h"

namespace sched {

/// Whether the result stays in registers.
bool staysInRegisters(const ContractionNest &nest);

/// Whether the elements of `value` are computed from such a result, by the
/// threads that have it.
bool comesFromContraction(mlir::Value value);

/// Fails where the contraction's `sched.simt` keeps its result where it cannot
/// be, which is reported.
mlir::LogicalResult checkKeep(const ContractionNest &nest);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SUMSINPLACE_H
