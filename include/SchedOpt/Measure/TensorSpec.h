//===- TensorSpec.h - Shape and type of a kernel's operand -----*- C++ -*-===//
//
// How the tuner and its workers speak of a kernel's tensors without MLIR.
// Storage is row-major and contiguous; i1 takes a byte, index eight.
//
// Read next: TensorData.h (contents), Checker.h (comparison).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_TENSORSPEC_H
#define SCHEDOPT_MEASURE_TENSORSPEC_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sched {

enum class ElementType { F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index };

/// MLIR's spelling ("f32", "bf16", "i8", "index"), and back.
llvm::StringRef str(ElementType type);
std::optional<ElementType> parseElementType(llvm::StringRef text);

/// Bytes an element takes in memory.
unsigned byteSize(ElementType type);
bool isFloat(ElementType type);

/// Distance from 1 to the next value; 0 for integers.
double machineEpsilon(ElementType type);

/// One argument or result of a kernel.
struct TensorSpec {
  std::vector<int64_t> shape;
  ElementType elementType = ElementType::F32;
  bool isResult = false;
  /// \name Of a result: how the floats on the way to it round (Checker.h)
  /// @{
  /// Sum of the lengths of the reductions: the variances of independent random
  /// walks add up. At least 1.
  int64_t reductionLength = 1;
  /// Of the float types, the one with the fewest digits, if any is rounded to:
  /// a result of f64 has no more of them than the f32 it was computed in.
  std::optional<ElementType> precision;
  /// Operations, one after the other, that round to a float of 16 bits; a sum
  /// counts once.
  int64_t narrowOps = 0;
  /// Part of `reductionLength` where the sum itself has 16 bits, so that each
  /// step rounds. 0 for what is summed up in f32 and rounded in the end.
  int64_t narrowLength = 0;
  /// Operands of products on the way, f32 all of them, that a schedule may
  /// round to tf32.
  int64_t tensorFloatOps = 0;
  /// What that did to the unscheduled payload: `deviationOf` its result from
  /// that with sums of f32.
  double deviation = 0;
  /// Operands that a term of those sums multiplies, where all on the way takes
  /// whole numbers to whole numbers; 0 where it does not.
  int64_t wholeFactors = 0;
  /// @}
  /// Of an argument: one of so many elements is 1, all others are 0; where it
  /// is 1 itself, elements are random (TensorData.h).
  int64_t oneOf = 1;
  /// Of an argument of whole numbers: elements are random in [0, below), as
  /// something is read there; 0 where they are no places.
  int64_t below = 0;

  /// Product of the shape: 1 for a scalar.
  int64_t numElements() const;
  uint64_t numBytes() const;
  /// For example "17x19xf32".
  std::string str() const;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_TENSORSPEC_H
