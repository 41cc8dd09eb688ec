//===- ScheduleOps.h - All ops of the dialect -------------------*- C++ -*-===//
//
// Generated from ScheduleOps.td and the files that it includes.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleAttrs.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h.inc"

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SCHEDULEOPS_H
