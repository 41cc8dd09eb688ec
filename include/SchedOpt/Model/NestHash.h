//===- NestHash.h - Which candidates are the same program -------*- C++ -*-===//
//
// Decisions often say the same in other words: a tile at least as large as what
// it cuts is no loop, and loops that are none have no order.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_NESTHASH_H
#define SCHEDOPT_MODEL_NESTHASH_H

#include "SchedOpt/Model/LoopNest.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// Hash of what the walk of a legal candidate meets (NestWalker.h): its loops
/// and blocks with their extents, the strides of the blocks' accesses, whether
/// they keep partial results; and of parameters that change no loop. The same
/// in every process, never 0. Of one sketch, candidates with equal hashes
/// become the same program.
uint64_t hashNest(const LoopNestPlan &nest, llvm::ArrayRef<int64_t> registers);

} // namespace sched

#endif // SCHEDOPT_MODEL_NESTHASH_H
