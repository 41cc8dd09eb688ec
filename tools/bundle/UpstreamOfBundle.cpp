//===- UpstreamOfBundle.cpp - What a schedule needs of MLIR ---------------===//
//
// Dialects one by one: what all of them draw in would double the bundle.
//
//===----------------------------------------------------------------------===//

#include "../sched-opt/Upstream.h"
#include "../sched-worker/TransformDialects.h"
#include "SchedOpt/Codegen/CPU.h"
#include "SchedOpt/Codegen/Compile.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"

void sched::registerUpstream(mlir::DialectRegistry &registry) {
  registerCodegenDialects(registry);
  worker::registerTransformDialects(registry);
  mlir::transform::registerTransformPasses();
  registry
      .insert<mlir::ml_program::MLProgramDialect, mlir::tosa::TosaDialect>();
}
