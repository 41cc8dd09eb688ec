//===- GivenSpaces.cpp - Search spaces that come with a module ------------===//

#include "GivenSpaces.h"
#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

GivenSpaces::GivenSpaces(ModuleOp module)
    : spaces(ModuleOp::create(module.getLoc())) {
  for (auto space :
       llvm::make_early_inc_range(module.getOps<schedule::SpaceOp>())) {
    space->remove();
    spaces->push_back(space);
  }
}

/// A space without a target is for any.
static bool isFor(schedule::SpaceOp space, const Target &target) {
  if (!space.getTargetAttr())
    return true;
  llvm::Expected<Target> named = schedule::getTarget(space.getTargetAttr());
  if (named)
    return TaskSpace::getTargetKey(*named) == TaskSpace::getTargetKey(target);
  llvm::consumeError(named.takeError());
  return false;
}

schedule::SpaceOp GivenSpaces::find(const Task &task, const Target &target) {
  for (auto space : spaces->getOps<schedule::SpaceOp>())
    if (space.getWorkload() == task.hash && isFor(space, target)) {
      used.insert(space);
      return space;
    }
  return nullptr;
}

void GivenSpaces::warnOfUnused() {
  for (auto space : spaces->getOps<schedule::SpaceOp>())
    if (!used.contains(space))
      emitWarning(space.getLoc())
          << "the space @" << space.getSymName()
          << " is not used: the module has no task of workload '"
          << space.getWorkload()
          << "' for its target, or an earlier space is for the same";
}
