//===- Emission.h - What sched-opt writes besides MLIR ----------*- C++ -*-===//
//
// The end of the driver: from the scheduled module to a script, LLVM IR,
// assembly, an object, PTX, a cubin, a C header or launch parameters.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_OPT_EMISSION_H
#define SCHEDOPT_TOOLS_SCHED_OPT_EMISSION_H

#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

enum class EmitKind { MLIR, Transform, LLVM, Assembly, Object, PTX, Cubin };

/// What to write, and where to: "" is nowhere, "-" is standard output.
struct EmitRequest {
  EmitKind kind = EmitKind::MLIR;
  std::string output, header, launch;
};

/// Fails where `request` asks for what a target of that kind has not.
llvm::Error checkRequest(const EmitRequest &request, const Target &target);

/// Fails, with what `emit` would say, where `path` cannot be written. "" and
/// "-" (standard output) can. Leaves nothing behind.
llvm::Error checkWritable(llvm::StringRef path);

/// Whether both name one file, which may not be there yet. What is no regular
/// file, such as a pipe, takes any number of outputs.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// Writes `text` to `output`, whole or not at all.
llvm::Error writeText(llvm::StringRef output, llvm::StringRef text);

/// Writes what is asked for of `module`. Target and threads are those that the
/// schedule was made for (Pipelines/AutoSchedule.h), else native and 1. Files
/// appear whole or not at all.
llvm::Error emit(mlir::ModuleOp module, const EmitRequest &request);

} // namespace sched

#endif // SCHEDOPT_TOOLS_SCHED_OPT_EMISSION_H
