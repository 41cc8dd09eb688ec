//===- ToolkitFiles.h - Where a CUDA toolkit is -----------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_CODEGEN_TOOLKITFILES_H
#define SCHEDOPT_LIB_CODEGEN_TOOLKITFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace sched {

/// The toolkit that the user names: CUDA_HOME, or else CUDA_PATH.
std::optional<std::string> getGivenToolkit();

/// Folders that may hold a toolkit, in the order in which they are searched:
/// the given one alone, else /usr/local/cuda and where PATH has ptxas.
std::vector<std::string> getToolkitFolders();

/// The first of `names` (relative to a toolkit's folder) that is there. The
/// error says what was looked for, where, and for what `purpose`.
llvm::Expected<std::string>
findToolkitFile(llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef purpose);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TOOLKITFILES_H
