//===- KeepScratch.h - Large buffers live from call to call -----*- C++ -*-===//

#ifndef SCHEDOPT_CODEGEN_KEEPSCRATCH_H
#define SCHEDOPT_CODEGEN_KEEPSCRATCH_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace sched {

/// `void()`: frees what the functions of an object have kept. No call of theirs
/// may be under way.
inline constexpr llvm::StringLiteral kReleaseScratchName = "_sched_release";

/// Makes every large buffer that a function takes and frees again outlast the
/// call, in a slot that calls exchange atomically: calls at the same time are
/// right, and those that find the slot empty take a buffer of their own. With
/// `releasable`, defines `kReleaseScratchName` if anything is kept.
void keepScratch(llvm::Module &module, bool releasable);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_KEEPSCRATCH_H
