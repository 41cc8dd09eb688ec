//===- Library.cpp - Libraries found at run time --------------------------===//

#include "Library.h"
#include <cstdlib>
#include <string>

using namespace llvm;

namespace sched::bench {

ArrayRef<Library> getLibraries() {
  // The threaded builds by their own folders first: the plain names may be
  // linked to a serial build.
  static const char *const openblas[] = {
      "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
      "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0",
      "libopenblas.so.0"};
  static const char *const blis[] = {
      "/usr/lib/x86_64-linux-gnu/blis-openmp/libblis.so.4",
      "/usr/lib/aarch64-linux-gnu/blis-openmp/libblis.so.4", "libblis.so.4"};
  static const char *const onednn[] = {"libdnnl.so.2", "libdnnl.so.3"};
  static const Library libraries[] = {
      {"OpenBLAS", openblas}, {"BLIS", blis}, {"oneDNN", onednn}};
  return libraries;
}

void setThreads(int threads) {
  std::string count = std::to_string(threads);
  for (const char *name :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"})
    setenv(name, count.c_str(), /*overwrite=*/1);
}

Expected<void *> open(const Library &library) {
  for (const char *file : library.files)
    if (void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL))
      return handle;
  return createStringError("not installed (" + Twine(library.files.back()) +
                           ")");
}

} // namespace sched::bench
