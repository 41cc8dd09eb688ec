//===- TargetConversion.h - Target and #schedule.target ---------*- C++ -*-===//
//
// The same hardware parameters as a plain value (Support/Target.h) and as an
// attribute of a space.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_TARGETCONVERSION_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_TARGETCONVERSION_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.h"
#include "SchedOpt/Support/Target.h"

namespace mlir::schedule {

/// The attribute of a CPU target. The clock is rounded to MHz, the bandwidth to
/// MB/s.
TargetAttr getTargetAttr(MLIRContext *context, const ::sched::Target &target);

/// The target of an attribute; an error for GPUs, which have no plain form yet.
/// A clock or bandwidth that the attribute does not know stays at the default.
llvm::Expected<::sched::Target> getTarget(TargetAttr attribute);

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_TARGETCONVERSION_H
