//===- Machine.h - LLVM's code generator for a target -----------*- C++ -*-===//
//
// What CPUs and GPUs share of the way from LLVM IR to code.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_MACHINE_H
#define SCHEDOPT_LIB_CODEGEN_MACHINE_H

#include "SchedOpt/Support/Target.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>
#include <memory>

namespace sched {

/// Adds the time since the last lap to one of the phases.
class Stopwatch {
public:
  void lap(double *seconds) {
    auto now = std::chrono::steady_clock::now();
    if (seconds)
      *seconds += std::chrono::duration<double>(now - last).count();
    last = now;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// Fails where this LLVM has no code generator for `target`.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Target &target, int optLevel);

/// LLVM's own passes; none at level 0.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, int optLevel);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_MACHINE_H
