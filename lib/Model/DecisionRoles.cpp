//===- DecisionRoles.cpp - What the decisions of a sketch are about -------===//

#include "DecisionRoles.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sched;

/// What `user` makes of `param`, one of its operands.
static DecisionRole findRole(Operation *user, Value param) {
  using namespace schedule;
  auto parallelIf = [](bool isTrue) {
    return isTrue ? DecisionRole::Parallel : DecisionRole::Other;
  };
  return llvm::TypeSwitch<Operation *, DecisionRole>(user)
      .Case<TileParallelOp, FuseStagesOp>([&](auto op) {
        return parallelIf(param == op.getThreads() || param == op.getWhich());
      })
      .Case<ShareReductionOp>(
          [&](auto op) { return parallelIf(param == op.getThreads()); })
      .Case<DeferOp>([](auto) { return DecisionRole::Location; })
      .Case<TileOp>([&](auto op) {
        return llvm::is_contained(op.getEnable(), param)
                   ? DecisionRole::Location
                   : DecisionRole::Other;
      })
      .Case<CacheReadOp, CacheWriteOp>(
          [](auto) { return DecisionRole::Layout; })
      .Case<PackLhsOp>([&](auto op) {
        return param == op.getEnable() ? DecisionRole::Layout
                                       : parallelIf(param == op.getThreads());
      })
      .Case<PackRhsOp>([&](auto op) {
        return param == op.getDefer() ? DecisionRole::Location
                                      : parallelIf(param == op.getThreads());
      })
      .Default(DecisionRole::Other);
}

DecisionRole sched::findRole(schedule::DecisionOpInterface decision) {
  if (isa<schedule::SampleComputeLocationOp>(decision))
    return DecisionRole::Location;
  for (Value result : decision->getResults())
    for (Operation *user : result.getUsers())
      if (DecisionRole role = ::findRole(user, result);
          role != DecisionRole::Other)
        return role;
  return DecisionRole::Other;
}
