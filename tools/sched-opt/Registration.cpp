//===- Registration.cpp - Everything of ours that mlir-opt can use --------===//

#include "Registration.h"
#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"

void sched::registerSchedOptDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::schedule::ScheduleDialect>();
}

void sched::registerSchedOptPasses() {
  mlir::schedule::registerScheduleTransformsPasses();
  mlir::schedule::registerScheduleToTransformPasses();
}
