//===- RequestTiles.h - Asks Linux for tile registers -----------*- C++ -*-===//

#ifndef SCHEDOPT_CODEGEN_REQUESTTILES_H
#define SCHEDOPT_CODEGEN_REQUESTTILES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace sched {

/// `void()`: asks the system for the tile registers, for the whole process.
inline constexpr llvm::StringLiteral kRequestTilesName = "_sched_request_tiles";

/// Linux lets a process use AMX after it has asked, once. Where `module` uses
/// it, the object does so by itself when it is loaded; with `callable`, for
/// loaders that run no constructors, it defines `kRequestTilesName` instead.
void requestTiles(llvm::Module &module, bool callable);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_REQUESTTILES_H
