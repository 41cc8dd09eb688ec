//===- KernelUses.h - What kernels do with their arguments ------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_CODEGEN_KERNELUSES_H
#define SCHEDOPT_LIB_CODEGEN_KERNELUSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace sched {

/// Whether a kernel only reads the buffer of argument `position`. Of a kernel
/// in the LLVM dialect, the argument's attribute tells.
bool isReadOnly(mlir::FunctionOpInterface kernel, unsigned position);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_KERNELUSES_H
