//===- Toolkit.h - PTX to machine code of a GPU -----------------*- C++ -*-===//
//
// Calls the CUDA toolkit's assembler: the program ptxas, or nvJitLink in
// process, loaded at run time. Nothing of CUDA is linked; without a toolkit
// there is an error that says what was looked for.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_TOOLKIT_H
#define SCHEDOPT_CODEGEN_TOOLKIT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace sched {

/// What the assembler says that a kernel takes.
struct KernelResources {
  /// Of a thread.
  unsigned registers = 0;
  /// Of a thread; bytes. Any but 0 means accesses of local memory.
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  /// Static shared memory of a block; bytes.
  unsigned sharedBytes = 0;
};

struct AssembledCode {
  std::vector<char> cubin;
  /// By the kernel's name.
  llvm::StringMap<KernelResources> kernels;
  /// "nvJitLink 13.0" or "ptxas 13.0".
  std::string assembler;
};

/// What an assembler's verbose log says of each kernel.
llvm::StringMap<KernelResources> parseAssemblerLog(llvm::StringRef log);

/// Assembles `ptx` for `chip`, by ptxas where a toolkit has it and else by
/// nvJitLink. The toolkit is that of CUDA_HOME or CUDA_PATH where one is set,
/// else what /usr/local/cuda or PATH has. Without one, the error says so and is
/// no_such_file_or_directory.
llvm::Expected<AssembledCode> assemblePTX(llvm::StringRef ptx,
                                          llvm::StringRef chip);

/// Whether there is a toolkit for that.
bool hasAssembler();

} // namespace sched

#endif // SCHEDOPT_CODEGEN_TOOLKIT_H
