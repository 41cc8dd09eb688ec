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
#include "llvm/ADT/StringMap.h"
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

/// The region that each `choose` of a sketch takes, by the decision's name. One
/// that is inside of a region that is not taken is missing.
using Alternatives = llvm::StringMap<int64_t>;

/// Every way to take the alternatives of `sketch`, the default one first; a
/// sketch without any has one, which is empty. An error at the sketch if there
/// are more than `most`.
mlir::FailureOr<std::vector<Alternatives>>
listAlternatives(mlir::schedule::SketchOp sketch, size_t most);

/// Compiles `sketch`, with `alternatives`, for the function `payload`
/// (structured ops on tensors of static shape). `flops` are the payload's
/// arithmetic operations. Errors are reported at the op of the sketch or
/// payload that has no model or breaks a rule of the model.
///
/// With `unmodelled`, an op without a model is no error but goes there. What it
/// does to the loops is not seen: the program's nest is that of the other ops,
/// as far as they apply without it, and a candidate is legal if what the sketch
/// itself requires holds.
mlir::FailureOr<Program>
compileSketch(mlir::schedule::SketchOp sketch, mlir::func::FuncOp payload,
              const Target &target, double flops,
              const Alternatives &alternatives = {},
              llvm::SmallVectorImpl<mlir::Operation *> *unmodelled = nullptr);

/// Attaches the loop models of upstream's transform ops and of our own.
void registerLoopModels(mlir::DialectRegistry &registry);

} // namespace sched

#endif // SCHEDOPT_MODEL_SKETCHCOMPILER_H
