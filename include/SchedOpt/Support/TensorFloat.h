//===- TensorFloat.h - Products of f32 that are rounded to tf32 -*- C++ -*-===//
//
// Matrix instructions of a GPU take operands of f32 as tf32: the range of f32
// with a mantissa of 10 bits. That is fast and less exact, so it is used only
// where it is asked for: a target says so by its feature `+tf32`, and all that
// depends on it (sketches, records, the check) knows it by the target alone.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_TENSORFLOAT_H
#define SCHEDOPT_SUPPORT_TENSORFLOAT_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// The feature of a GPU's target that allows tf32.
constexpr llvm::StringLiteral kTensorFloatFeature = "+tf32";

/// Bits of a mantissa that are stored: the distance from 1 to the next value is
/// 2^-10, as that of f16.
constexpr int kTensorFloatBits = 10;

/// Whether products of f32 may round their operands to tf32.
bool allowsTensorFloat(const Target &target);

/// `spec`, of which products of f32 may round their operands if `allow`. Fails
/// where that is no GPU's.
llvm::Expected<std::string> allowTensorFloat(llvm::StringRef spec, bool allow);

/// Products of tf32 with an addition that a multiprocessor starts a cycle.
int countTensorFloatLanes(const Target &target);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_TENSORFLOAT_H
