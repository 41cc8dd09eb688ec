//===- CodeGeneratorsOfBundle.cpp - This machine's, and GPUs' -------------===//

#include "SchedOpt/Support/Target.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

void sched::initializeLLVMTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmParser();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}
