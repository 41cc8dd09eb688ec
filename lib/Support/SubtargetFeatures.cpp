//===- SubtargetFeatures.cpp - Features of a processor --------------------===//

#include "SubtargetFeatures.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>

using namespace llvm;

std::vector<std::string> sched::selectFeatures(const sched::Target &target,
                                               ArrayRef<StringRef> names) {
  initializeLLVMTargets();
  std::vector<std::string> found;
  std::string message;
  const Triple triple(target.triple);
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return found;
  std::unique_ptr<MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(triple, target.mcpu, target.features));
  for (StringRef name : names)
    if (subtarget->checkFeatures(("+" + name).str()))
      found.push_back(name.str());
  return found;
}
