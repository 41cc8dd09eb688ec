//===- VectorMasks.cpp - Loads and stores that leave lanes out ------------===//

#include "SchedOpt/Support/VectorMasks.h"
#include "SubtargetFeatures.h"
#include "llvm/TargetParser/Triple.h"

bool sched::hasVectorMasks(const Target &target, unsigned bits) {
  const llvm::Triple triple(target.triple);
  if (triple.isAArch64())
    return !selectFeatures(target, {"sve"}).empty();
  if (!triple.isX86())
    return false;
  return !selectFeatures(target, {bits < 32 ? "avx512bw" : "avx"}).empty();
}
