//===- CodeGenerators.cpp - LLVM's code generators ------------------------===//
//
// A file of its own, of which a program may bring another: the bundle has the
// generators of its machine and of GPUs alone.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Support/Target.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

void sched::initializeLLVMTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmParsers();
    InitializeAllAsmPrinters();
  });
}
