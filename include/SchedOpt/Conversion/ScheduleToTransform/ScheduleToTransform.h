//===- ScheduleToTransform.h - Decided sketch to upstream IR ----*- C++ -*-===//
//
// From the schedule dialect to scripts that stock mlir-opt runs. May use the
// dialect only. Used by the pass convert-schedule-to-transform and by the
// tuner.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_SCHEDULETOTRANSFORM_H
#define SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_SCHEDULETOTRANSFORM_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::schedule {

struct Trace;

#define GEN_PASS_DECL
#include "SchedOpt/Conversion/ScheduleToTransform/Passes.h.inc"

/// The script of a decided sketch: a module with the attribute
/// `transform.with_named_sequence` and, in it, the sequence `__transform_main`.
/// The sketch stays as it is. Errors are reported at the ops of the sketch: an
/// open decision, a value outside of its domain, a requirement that does not
/// hold, an action that does not apply.
FailureOr<OwningOpRef<ModuleOp>> convertToTransform(SketchOp sketch);

/// The same for `sketch` with the decisions of `trace`.
FailureOr<OwningOpRef<ModuleOp>> convertToTransform(SketchOp sketch,
                                                    const Trace &trace);

#define GEN_PASS_REGISTRATION
#include "SchedOpt/Conversion/ScheduleToTransform/Passes.h.inc"

} // namespace mlir::schedule

#endif // SCHEDOPT_CONVERSION_SCHEDULETOTRANSFORM_SCHEDULETOTRANSFORM_H
