//===- GraphicsProcessor.h - Targets that are GPUs --------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_SUPPORT_GRAPHICSPROCESSOR_H
#define SCHEDOPT_LIB_SUPPORT_GRAPHICSPROCESSOR_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// The chips that are known, the oldest first.
std::vector<llvm::StringRef> getChips();

/// Reads a spec that begins with "nvvm"; see Target::parse.
llvm::Expected<Target> parseGraphicsProcessor(llvm::StringRef spec);

} // namespace sched

#endif // SCHEDOPT_LIB_SUPPORT_GRAPHICSPROCESSOR_H
