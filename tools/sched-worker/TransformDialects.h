//===- TransformDialects.h - Ops that scripts may use -----------*- C++ -*-===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_TRANSFORMDIALECTS_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_TRANSFORMDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace sched::worker {

/// Registers the transform dialect with the extensions of upstream that have a
/// meaning for CPU code.
void registerTransformDialects(mlir::DialectRegistry &registry);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_TRANSFORMDIALECTS_H
