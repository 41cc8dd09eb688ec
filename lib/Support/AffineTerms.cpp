//===- AffineTerms.cpp - Sums of loops that index tensors -----------------===//

#include "SchedOpt/Support/AffineTerms.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

static bool addTerms(AffineExpr expr, int64_t factor,
                     llvm::SmallVectorImpl<AffineTerm> &terms) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    const unsigned loop = dim.getPosition();
    if (llvm::any_of(terms, [&](AffineTerm t) { return t.loop == loop; }))
      return false;
    terms.push_back({loop, factor});
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, terms) &&
           addTerms(binary.getRHS(), factor, terms);
  // Constants are on the right in MLIR's canonical form.
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && constant &&
         constant.getValue() > 0 &&
         addTerms(binary.getLHS(), factor * constant.getValue(), terms);
}

std::optional<llvm::SmallVector<AffineTerm, 2>>
sched::getAffineTerms(AffineExpr expr) {
  llvm::SmallVector<AffineTerm, 2> terms;
  if (!addTerms(expr, 1, terms))
    return std::nullopt;
  return terms;
}
