//===- Registration.cpp - Everything of ours that mlir-opt can use --------===//

#include "Registration.h"
#include "SchedOpt/Codegen/CPU.h"
#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Space/Passes.h"

void sched::registerSchedOptDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::schedule::ScheduleDialect>();
  registerLoopModels(registry);
}

void sched::registerSchedOptPasses() {
  mlir::schedule::registerScheduleTransformsPasses();
  mlir::schedule::registerScheduleToTransformPasses();
  registerCodegenPasses();
  registerSpacePasses();
  registerAutoSchedulePipelines();
}
