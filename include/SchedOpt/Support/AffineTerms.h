//===- AffineTerms.h - Sums of loops that index tensors ---------*- C++ -*-===//
//
// Convolutions index their input by sums such as `2 * ow + kw`; contractions by
// a loop alone. Both are lists of terms.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_AFFINETERMS_H
#define SCHEDOPT_SUPPORT_AFFINETERMS_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace sched {

/// `coefficient` times loop number `loop`.
struct AffineTerm {
  unsigned loop;
  int64_t coefficient;
};

/// The terms of `expr` if it is a sum of loops times positive constants,
/// without a constant of its own; a loop occurs in at most one term.
std::optional<llvm::SmallVector<AffineTerm, 2>>
getAffineTerms(mlir::AffineExpr expr);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_AFFINETERMS_H
