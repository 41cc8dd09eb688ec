//===- KnobAttributes.h - What knobs keep of decisions ----------*- C++ -*-===//
//
// Names of the attributes that let a decision go to a `transform.tune` op and
// come back whole. Internal to the two passes.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_DIALECT_SCHEDULE_TRANSFORMS_KNOBATTRIBUTES_H
#define SCHEDOPT_LIB_DIALECT_SCHEDULE_TRANSFORMS_KNOBATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::schedule {

constexpr llvm::StringLiteral kKnobWeightsName = "schedule.weights";
constexpr llvm::StringLiteral kKnobDefaultName = "schedule.default";

} // namespace mlir::schedule

#endif // SCHEDOPT_LIB_DIALECT_SCHEDULE_TRANSFORMS_KNOBATTRIBUTES_H
