//===- DotProduct.h - Instructions for narrow products ----------*- C++ -*-===//
//
// Instructions that multiply a few neighbouring narrow elements pairwise and
// add all products to one wide element of a vector of sums: VNNI and BF16 of
// AVX-512, AVX-VNNI, and the dot products of AArch64. Space asks how many steps
// of a reduction one takes, Codegen which it is. LLVM only.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_DOTPRODUCT_H
#define SCHEDOPT_SUPPORT_DOTPRODUCT_H

#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace sched {

/// What is multiplied; the sums have 32 bits.
enum class NarrowType { BFloat, SignedByte, UnsignedByte };

/// Steps of a reduction in one instruction: as many as fill 32 bits.
constexpr int64_t countStepsAtOnce(NarrowType type) {
  return type == NarrowType::BFloat ? 2 : 4;
}

/// The dot products that a processor has, by the names of LLVM's features.
struct DotProducts {
  /// avx512bf16, avx512vnni, avxvnni, avxvnniint8; dotprod, i8mm, bf16.
  std::vector<std::string> features;

  bool has(llvm::StringRef feature) const;
  /// Whether there is one for such operands. Signed bytes on both sides are
  /// computed with an instruction for an unsigned one, and a correction.
  bool covers(NarrowType lhs, NarrowType rhs) const;
  /// Whether such a correction is needed.
  bool corrects(NarrowType lhs, NarrowType rhs) const;
};

/// Those of `target`, as LLVM knows its processor and features.
DotProducts findDotProducts(const Target &target);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_DOTPRODUCT_H
