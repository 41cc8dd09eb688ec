//===- FeatureExtractor.h - Features of a candidate -------------*- C++ -*-===//
//
// Fills a FeatureVector from the concrete loops of one candidate
// (NestWalker.h). RegisterTile.h holds the formula of the innermost tile.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_FEATUREEXTRACTOR_H
#define SCHEDOPT_MODEL_FEATUREEXTRACTOR_H

#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// `registers` are those of a legal candidate; `flops` is the task's. Returns
/// the copies of its code (Evaluation::copies); 1 on a GPU.
double extractFeatures(const LoopNestPlan &nest, const Target &target,
                       double flops, llvm::ArrayRef<int64_t> registers,
                       FeatureVector &features);

} // namespace sched

#endif // SCHEDOPT_MODEL_FEATUREEXTRACTOR_H
