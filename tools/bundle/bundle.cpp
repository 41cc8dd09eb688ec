//===- bundle.cpp - All tools in one program ------------------------------===//
//
// MLIR and LLVM are most of each tool, so the bundle has them once: a program
// that is whichever tool it is called as. `./dev bundle` packs it.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

// The tools' mains, which the build renames.
int schedOptMain(int argc, char **argv);
int schedWorkerMain(int argc, char **argv);
int schedRunMain(int argc, char **argv);
int gpuBenchMain(int argc, char **argv);

int main(int argc, char **argv) {
  const llvm::StringRef name =
      argc > 0 ? llvm::sys::path::filename(argv[0]) : "";
  if (name == "sched-opt")
    return schedOptMain(argc, argv);
  if (name == "sched-worker")
    return schedWorkerMain(argc, argv);
  if (name == "sched-run")
    return schedRunMain(argc, argv);
  if (name == "gpu-bench")
    return gpuBenchMain(argc, argv);
  llvm::errs() << "found the name '" << name
               << "', expected sched-opt, sched-worker, sched-run or "
                  "gpu-bench: call it by one of the links beside it\n";
  return 1;
}
