//===- DecisionRoles.h - What decisions are about ---------------*- C++ -*-===//
//
// The kind of a decision says what its domain looks like, not what is decided:
// threads and tile sizes are numbers alike. That is told by the actions that
// read it. Read next: ../../include/SchedOpt/Model/Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_DECISIONROLES_H
#define SCHEDOPT_LIB_MODEL_DECISIONROLES_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.h"
#include "SchedOpt/Model/Program.h"

namespace sched {

/// By the actions that read a result of `decision` as it is; what they read of
/// it by way of other parameters, as a size by the number of threads, does not
/// count.
DecisionRole findRole(mlir::schedule::DecisionOpInterface decision);

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_DECISIONROLES_H
