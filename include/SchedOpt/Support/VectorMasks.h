//===- VectorMasks.h - Loads and stores that leave lanes out ----*- C++ -*-===//

#ifndef SCHEDOPT_SUPPORT_VECTORMASKS_H
#define SCHEDOPT_SUPPORT_VECTORMASKS_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// Whether `target` has loads that leave out lanes of so many bits: AVX and
/// AVX-512 of 32 and 64 bits, AVX-512BW and SVE of narrower ones, too.
bool hasVectorMasks(const Target &target, unsigned bits);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_VECTORMASKS_H
