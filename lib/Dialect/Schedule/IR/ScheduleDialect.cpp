//===- ScheduleDialect.cpp - The schedule dialect -------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"

using namespace mlir;
using namespace mlir::schedule;

#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.cpp.inc"

void ScheduleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.cpp.inc"
      >();
  registerAttributes();
}
