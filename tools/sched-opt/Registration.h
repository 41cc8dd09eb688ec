//===- Registration.h - Everything of ours that mlir-opt can use -*- C++ -*-==//
//
// One list for the tool and for the plugin. A new dialect, pass or pipeline is
// one line in Registration.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_OPT_REGISTRATION_H
#define SCHEDOPT_TOOLS_SCHED_OPT_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace sched {

/// Adds our dialects and extensions to `registry`.
void registerSchedOptDialects(mlir::DialectRegistry &registry);

/// Registers our passes and pipelines with MLIR's global pass registry.
void registerSchedOptPasses();

} // namespace sched

#endif // SCHEDOPT_TOOLS_SCHED_OPT_REGISTRATION_H
