//===- SketchCompiler.h - The abstract interpreter --------------*- C++ -*-===//
//
// Runs a sketch once over the loop-nest model of its payload and returns the
// flat Program that stands for all its candidates. The concrete interpreter of
// the same script is upstream's transform interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_SKETCHCOMPILER_H
#define SCHEDOPT_MODEL_SKETCHCOMPILER_H

#include "SchedOpt/Model/Program.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class DialectRegistry;
namespace func {
class FuncOp;
}
namespace schedule {
class SketchOp;
}
} // namespace mlir

namespace sched {

/// Compiles `sketch` for the function `payload` (structured ops on tensors of
/// static shape). `flops` are the payload's arithmetic operations. Errors are
/// reported at the op of the sketch or payload that has no model or breaks a
/// rule of the model.
mlir::FailureOr<Program> compileSketch(mlir::schedule::SketchOp sketch,
                                       mlir::func::FuncOp payload,
                                       const Target &target, double flops);

/// Attaches the loop models of upstream's transform ops and of our own.
void registerLoopModels(mlir::DialectRegistry &registry);

} // namespace sched

#endif // SCHEDOPT_MODEL_SKETCHCOMPILER_H
