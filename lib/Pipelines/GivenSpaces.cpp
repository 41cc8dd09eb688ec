//===- GivenSpaces.cpp - Search spaces that come with a module ------------===//

#include "GivenSpaces.h"
#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
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

void sched::dropSpaces(ModuleOp module) {
  for (auto space :
       llvm::make_early_inc_range(module.getOps<schedule::SpaceOp>()))
    space.erase();
}

bool sched::isForTarget(schedule::SpaceOp space, const Target &target) {
  if (!space.getTargetAttr())
    return true;
  llvm::Expected<Target> named = schedule::getTarget(space.getTargetAttr());
  if (named)
    return TaskSpace::getTargetKey(*named) == TaskSpace::getTargetKey(target);
  llvm::consumeError(named.takeError());
  return false;
}

schedule::SpaceOp GivenSpaces::find(const Task &task, const Target &target) {
  schedule::SpaceOp found;
  for (auto space : spaces->getOps<schedule::SpaceOp>()) {
    if (space.getWorkload() != task.hash)
      continue;
    if (!isForTarget(space, target)) {
      uses[space] = Use::OtherTarget;
    } else if (found) {
      uses[space] = Use::Repeats;
    } else {
      uses[space] = Use::Searched;
      found = space;
    }
  }
  return found;
}

void GivenSpaces::warnOfUnused() {
  for (auto space : spaces->getOps<schedule::SpaceOp>()) {
    const Use use = uses.lookup(space);
    if (use == Use::Searched)
      continue;
    InFlightDiagnostic warning = emitWarning(space.getLoc())
                                 << "the space @" << space.getSymName()
                                 << " is not used: ";
    switch (use) {
    case Use::NoTask:
      warning << "the module has no task of workload '" << space.getWorkload()
              << "'";
      break;
    case Use::OtherTarget:
      warning << "it is for another target or number of threads";
      break;
    case Use::Repeats:
      warning << "an earlier space is for the same workload and target";
      break;
    case Use::Searched:
      break;
    }
  }
}
