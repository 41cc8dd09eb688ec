//===- ScheduleOps.td - All ops of the dialect -------------*- tablegen -*-===//
//
// The root of the op definitions; one file a family. Read first:
// ScheduleContainerOps.td, ScheduleDecisionOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_TD
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_TD

include "SchedOpt/Dialect/Schedule/IR/ScheduleContainerOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleDecisionOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleAlgebraOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleLoopOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleActionOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleStageOps.td"
include "SchedOpt/Dialect/Schedule/IR/ScheduleKernelOps.td"

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_TD
