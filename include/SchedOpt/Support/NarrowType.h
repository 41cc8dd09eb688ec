//===- NarrowType.h - What a widening widens --------------------*- C++ -*-===//
//
// Products of narrow elements widen them first, by an op of a linalg body or of
// vectors: Space and Codegen see the same types in both.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_NARROWTYPE_H
#define SCHEDOPT_SUPPORT_NARROWTYPE_H

#include "SchedOpt/Support/DotProduct.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace sched {

/// What elements of type `from` are that `op` widens; nothing if it is no
/// widening, or one of a type that no instruction multiplies.
std::optional<NarrowType> getWidenedType(mlir::Type from, mlir::Operation *op);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_NARROWTYPE_H
