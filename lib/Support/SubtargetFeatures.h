//===- SubtargetFeatures.h - Features of a processor ------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_SUPPORT_SUBTARGETFEATURES_H
#define SCHEDOPT_LIB_SUPPORT_SUBTARGETFEATURES_H

#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace sched {

/// Those of `names`, features of LLVM's, that `target` has.
std::vector<std::string> selectFeatures(const Target &target,
                                        llvm::ArrayRef<llvm::StringRef> names);

} // namespace sched

#endif // SCHEDOPT_LIB_SUPPORT_SUBTARGETFEATURES_H
