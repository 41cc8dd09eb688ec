//===- ModuleText.h - A module for another process --------------*- C++ -*-===//

#ifndef SCHEDOPT_SUPPORT_MODULETEXT_H
#define SCHEDOPT_SUPPORT_MODULETEXT_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace sched {

/// Text of `module` that computes the same wherever it is read: without
/// locations, with the bytes of its resources.
std::string printForProcess(mlir::ModuleOp module);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_MODULETEXT_H
