//===- JIT.h - Loads an object into this process ----------------*- C++ -*-===//
//
// Used by the measuring worker and by sched-run: an object from Compile.h, with
// packed wrappers, becomes functions to call. OpenMP's runtime is loaded when
// the object needs it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_JIT_H
#define SCHEDOPT_CODEGEN_JIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace sched {

class KernelLibrary {
public:
  /// Calls a kernel with one pointer a tensor: inputs, then results.
  using PackedEntry = void (*)(void **);

  /// Links the bytes of an object. Fails when they are none, or for another
  /// machine, or need OpenMP and libomp is not found (LLVM's library folder is
  /// searched first, then the system's).
  static llvm::Expected<KernelLibrary> load(llvm::StringRef object);

  /// The entry of function `name`; fails when the object has none.
  llvm::Expected<PackedEntry> lookup(llvm::StringRef name);

  /// Packs the layout-free arguments of function `name` for `pointers` (its
  /// tensors) and puts the packed buffers in their place. The buffers live as
  /// long as the library. Does nothing for a function without such arguments.
  void packArguments(llvm::StringRef name,
                     llvm::MutableArrayRef<void *> pointers);

  KernelLibrary(KernelLibrary &&);
  KernelLibrary &operator=(KernelLibrary &&);
  ~KernelLibrary();

private:
  KernelLibrary(std::unique_ptr<llvm::orc::LLJIT> jit,
                std::unique_ptr<std::string> reasons);
  /// What went wrong while linking; the session reports to it.
  std::unique_ptr<std::string> reasons;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  struct Free {
    void operator()(void *buffer) const;
  };
  std::vector<std::unique_ptr<void, Free>> packed;
};

/// Name of the wrapper that `lookup` finds for a function.
std::string getPackedName(llvm::StringRef function);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_JIT_H
