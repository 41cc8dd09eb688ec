//===- XGBoostLibrary.h - XGBoost, found at run time ------------*- C++ -*-===//
//
// The functions of XGBoost's C API that the learned model calls, looked up in a
// shared library while the program runs: the project is built, and works,
// without it, and one build serves every release in the range below. Where
// there is no such library the analytic model takes over (CostModelFactory.h).
//
// Read next: Booster.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_XGBOOSTLIBRARY_H
#define SCHEDOPT_COSTMODEL_XGBOOSTLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace sched {

/// A release of XGBoost.
struct XGBoostVersion {
  int major = 0, minor = 0, patch = 0;

  std::string str() const;
  /// Of the first two parts: a patch changes no model.
  bool operator<(const XGBoostVersion &other) const {
    return std::pair(major, minor) < std::pair(other.major, other.minor);
  }
};

class XGBoostLibrary {
public:
  /// Releases that are used: from the first whose C API reads and writes the
  /// binary model format that this project stores, Debian 12's, to before the
  /// first that nobody has tried.
  static constexpr XGBoostVersion kFirst = {1, 7, 0}, kEnd = {4, 0, 0};

  /// The names under which the dynamic linker is asked for it.
  static llvm::ArrayRef<llvm::StringRef> getUsualNames();

  /// Loads the first of `names` (file names for the dynamic linker, or paths)
  /// that there is. The error is one sentence: what was found, what was
  /// expected, what to do.
  static llvm::Expected<std::shared_ptr<const XGBoostLibrary>>
  load(llvm::ArrayRef<llvm::StringRef> names = getUsualNames());

  const XGBoostVersion &getVersion() const { return version; }

  /// The last error of this thread, unless `status` is 0: then success.
  llvm::Error check(int status) const;

  // The C API, under its names without the prefix. Handles are opaque, sizes
  // are 64 bits wide, and each function returns 0 or fails.
  using Handle = void *;
  int (*matrixCreate)(const float *, uint64_t, uint64_t, float, Handle *);
  int (*matrixFree)(Handle);
  int (*boosterCreate)(const Handle *, uint64_t, Handle *);
  int (*boosterFree)(Handle);
  int (*boosterSetParam)(Handle, const char *, const char *);
  int (*boosterBoostOneIter)(Handle, Handle, float *, float *, uint64_t);
  int (*boosterPredictFromMatrix)(Handle, Handle, const char *,
                                  const uint64_t **, uint64_t *,
                                  const float **);
  int (*boosterPredictFromDense)(Handle, const char *, const char *, Handle,
                                 const uint64_t **, uint64_t *, const float **);
  int (*boosterSave)(Handle, const char *, uint64_t *, const char **);
  int (*boosterLoad)(Handle, const void *, uint64_t);

private:
  XGBoostLibrary() = default;
  /// Finds all functions in an open library; on failure its error says which
  /// one `name` lacks.
  llvm::Error resolve(void *library, llvm::StringRef name);

  XGBoostVersion version;
  const char *(*getLastError)();
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_XGBOOSTLIBRARY_H
