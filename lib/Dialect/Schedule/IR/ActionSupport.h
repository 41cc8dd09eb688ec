//===- ActionSupport.h - What the actions' expansions share -----*- C++ -*-===//
//
// Read next: ScheduleActionOps.cpp, ScheduleStageOps.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_ACTIONSUPPORT_H
#define SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_ACTIONSUPPORT_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::schedule {

/// The values of parameters, or an error at `op`: actions expand only once
/// every decision is made.
FailureOr<SmallVector<int64_t>> getConstants(Operation *op, ValueRange params);

SmallVector<StringRef> toStrings(ArrayAttr names);

/// Checks the dimensions of an action on a root of rank `rank`.
LogicalResult verifyDims(Operation *op, int64_t rank, ArrayRef<int64_t> dims,
                         size_t extents);

/// The braces of `schedule.annotate`. `forms` has one entry a key: a unit for a
/// single value, the length of a list, words of which a value chooses one, or a
/// word.
ParseResult
parseEntries(OpAsmParser &parser, ArrayAttr &keys, ArrayAttr &forms,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values);
void printEntries(OpAsmPrinter &printer, Operation *op, ArrayAttr keys,
                  ArrayAttr forms, ValueRange values);

} // namespace mlir::schedule

#endif // SCHEDOPT_LIB_DIALECT_SCHEDULE_IR_ACTIONSUPPORT_H
