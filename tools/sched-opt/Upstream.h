//===- Upstream.h - What sched-opt has of MLIR's own ------------*- C++ -*-===//

#ifndef SCHEDOPT_TOOLS_SCHED_OPT_UPSTREAM_H
#define SCHEDOPT_TOOLS_SCHED_OPT_UPSTREAM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace sched {

/// Registers dialects, extensions and passes of upstream: all of them, as
/// mlir-opt does it, but in the bundle what a schedule needs (tools/bundle).
void registerUpstream(mlir::DialectRegistry &registry);

} // namespace sched

#endif // SCHEDOPT_TOOLS_SCHED_OPT_UPSTREAM_H
