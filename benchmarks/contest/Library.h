//===- Library.h - Libraries found at run time ------------------*- C++ -*-===//
//
// OpenBLAS, BLIS and oneDNN are loaded at run time, and only in the child that
// uses one: nothing of them is needed to build, and their thread pools do not
// meet.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_LIBRARY_H
#define SCHEDOPT_BENCHMARKS_LIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <dlfcn.h>

namespace sched::bench {

struct Library {
  const char *name;
  /// Where to look, in order.
  llvm::ArrayRef<const char *> files;
};

/// The libraries that are compared with: OpenBLAS, BLIS, oneDNN.
llvm::ArrayRef<Library> getLibraries();

/// Tells the thread pools of all of them. Call before a library is loaded: it
/// may read this when it is.
void setThreads(int threads);

/// A handle for dlsym; fails when the library is not installed.
llvm::Expected<void *> open(const Library &library);

/// Sets `function` to the symbol, or to null.
template <typename Function>
void find(void *handle, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
}

// Entries of the standard C interface of BLAS.
using CblasSgemm = void (*)(int order, int transA, int transB, int m, int n,
                            int k, float alpha, const float *a, int lda,
                            const float *b, int ldb, float beta, float *c,
                            int ldc);
using CblasSgemv = void (*)(int order, int trans, int m, int n, float alpha,
                            const float *a, int lda, const float *x, int incX,
                            float beta, float *y, int incY);
using CblasSdot = float (*)(int n, const float *x, int incX, const float *y,
                            int incY);
constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_LIBRARY_H
