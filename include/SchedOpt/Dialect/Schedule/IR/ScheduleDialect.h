//===- ScheduleDialect.h - The schedule dialect -----------------*- C++ -*-===//
//
// The dialect `schedule`: sketches, decisions and their arithmetic, on top of
// the transform dialect. May use Support. Read next: ScheduleOps.td, then
// SketchEvaluator.h and Trace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDIALECT_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDIALECT_H

#include "mlir/IR/Dialect.h"

#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h.inc"

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEDIALECT_H
