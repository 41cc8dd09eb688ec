//===- ScheduleAttrs.h - Attributes of the dialect --------------*- C++ -*-===//
//
// Generated from ScheduleAttrs.td, which says what they mean.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_H

#include "mlir/IR/BuiltinAttributes.h"

#include "SchedOpt/Dialect/Schedule/IR/ScheduleEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.h.inc"

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEATTRS_H
