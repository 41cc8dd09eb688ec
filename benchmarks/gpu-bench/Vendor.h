//===- Vendor.h - cuBLAS and cuDNN, found at run time -----------*- C++ -*-===//
//
// Each is loaded by name where it is installed; what is used of its C interface
// is declared here. Both work in the primary context, which is the device's.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_GPUBENCH_VENDOR_H
#define SCHEDOPT_BENCHMARKS_GPUBENCH_VENDOR_H

#include "Case.h"
#include "Contest.h"

namespace sched::bench {

/// The case's product by cuBLAS, without TF32. Where it is not installed the
/// contender has a problem that says so.
Contender makeCublas(const Device &device, const Case &task,
                     llvm::ArrayRef<Driver::Address> operands);

/// The case's convolution by each algorithm of cuDNN that takes it, without
/// TF32; one contender each.
std::vector<Contender> makeCudnn(const Device &device, const Case &task,
                                 llvm::ArrayRef<Driver::Address> operands);

/// Loads the first of the libraries; null if none is there.
void *openLibrary(llvm::ArrayRef<const char *> names);

template <typename Function>
bool findFunction(void *library, const char *name, Function &function);

} // namespace sched::bench

#include <dlfcn.h>

template <typename Function>
bool sched::bench::findFunction(void *library, const char *name,
                                Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

#endif // SCHEDOPT_BENCHMARKS_GPUBENCH_VENDOR_H
