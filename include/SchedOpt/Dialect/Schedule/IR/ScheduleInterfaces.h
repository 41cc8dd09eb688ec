//===- ScheduleInterfaces.h - Decisions, algebra, actions -------*- C++ -*-===//
//
// Generated from ScheduleInterfaces.td, which says what they are for.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_H

#include "SchedOpt/Dialect/Schedule/IR/DecisionDomain.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::schedule {

/// The integer of a `transform.param.constant`; failure for other values.
FailureOr<int64_t> getConstantParam(Value param);

/// The integers of all of them; failure where one is not a constant.
FailureOr<SmallVector<int64_t>> getConstantParams(ValueRange params);

/// Makes a `transform.param.constant` of type `!transform.param<i64>`.
Value createConstantParam(OpBuilder &builder, Location loc, int64_t value);

} // namespace mlir::schedule

#include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.h.inc"

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEINTERFACES_H
