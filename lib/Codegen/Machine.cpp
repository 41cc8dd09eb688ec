//===- Machine.cpp - LLVM's code generator for a target -------------------===//

#include "Machine.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace sched;

Expected<std::unique_ptr<TargetMachine>>
sched::createMachine(const sched::Target &target, int optLevel) {
  initializeLLVMTargets();
  std::string message;
  const Triple triple(target.triple);
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return createStringError(message);
  TargetOptions options;
  // Multiplications and additions that were not marked are contracted too.
  options.AllowFPOpFusion = FPOpFusion::Fast;
  // Not CodeGenOptLevel::None: on vectors of some lengths its selection of
  // instructions crashes (test/Upstream/spread-elements.test).
  const CodeGenOptLevel level = optLevel >= 3   ? CodeGenOptLevel::Aggressive
                                : optLevel == 2 ? CodeGenOptLevel::Default
                                                : CodeGenOptLevel::Less;
  std::unique_ptr<TargetMachine> machine(
      backend->createTargetMachine(triple, target.mcpu, target.features,
                                   options, Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError("LLVM has no code generator for " + target.triple);
  return std::move(machine);
}

void sched::optimize(Module &module, TargetMachine &machine, int optLevel) {
  if (optLevel <= 0)
    return;
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const OptimizationLevel level = optLevel == 1   ? OptimizationLevel::O1
                                  : optLevel == 2 ? OptimizationLevel::O2
                                                  : OptimizationLevel::O3;
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);
}
