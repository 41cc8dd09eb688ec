//===- ContractionEmitter.h - Products of tiles by a block ------*- C++ -*-===//
//
// A contraction inside of a block, with its loops over tiles of the reduction:
// both operands' tiles go through shared memory (TileFetch.h), several of them
// ahead, while sums stay in registers. What the threads do with a tile is a
// TileProduct: fused multiply-adds, or matrix instructions.
//
// Read next: ContractionLoops.h, TileFetch.h, TileProduct.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_CONTRACTIONEMITTER_H
#define SCHEDOPT_LIB_CODEGEN_CONTRACTIONEMITTER_H

#include "ContractionLoops.h"
#include "ElementReader.h"

namespace sched {

/// Emits the stage; its result is in registers then.
mlir::LogicalResult emitContraction(const ContractionNest &nest,
                                    KernelState &state, ElementReader &reader);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_CONTRACTIONEMITTER_H
