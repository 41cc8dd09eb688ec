//===- DotProduct.cpp - Instructions for narrow products ------------------===//

#include "SchedOpt/Support/DotProduct.h"
#include "SubtargetFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"
#include <array>

using namespace llvm;
using namespace sched;

bool DotProducts::has(StringRef feature) const {
  return is_contained(features, feature);
}

static bool isFloat(NarrowType type) {
  return type == NarrowType::BFloat || type == NarrowType::Half;
}

int64_t sched::countStepsAtOnce(DotForm form, NarrowType type) {
  const int64_t bits = isFloat(type) || type == NarrowType::Short ? 16 : 8;
  return 32 / bits * (form == DotForm::Squares ? 2 : 1);
}

bool DotProducts::covers(DotForm form, NarrowType lhs, NarrowType rhs) const {
  if ((isFloat(lhs) || isFloat(rhs)) && lhs != rhs)
    return false;
  // Bytes on the right are widened on the way.
  if (lhs == NarrowType::Short || rhs == NarrowType::Short)
    return form == DotForm::Lanes && lhs == NarrowType::Short && has("sse2");
  if (form == DotForm::Tiles)
    return has(lhs == NarrowType::BFloat ? "amx-bf16"
               : lhs == NarrowType::Half ? "amx-fp16"
                                         : "amx-int8");
  // The mixed one takes its left-hand side without a sign.
  if (form == DotForm::Squares)
    return isFloat(lhs)
               ? lhs == NarrowType::BFloat && has("bf16")
               : has("i8mm") && (lhs == rhs || lhs == NarrowType::UnsignedByte);
  if (isFloat(lhs))
    return lhs == NarrowType::BFloat && (has("avx512bf16") || has("bf16"));
  const bool isSigned = lhs == NarrowType::SignedByte;
  if (lhs != rhs)
    return has("avx512vnni") || has("avxvnni") || has("i8mm");
  return has("dotprod") ||
         (isSigned ? has("avx512vnni") || has("avxvnni") : has("avxvnniint8"));
}

bool DotProducts::widensRows(NarrowType lhs, NarrowType rhs) const {
  if (isFloat(lhs) || lhs == NarrowType::Short ||
      !covers(DotForm::Lanes, NarrowType::Short, rhs))
    return false;
  return llvm::none_of(
      std::array{DotForm::Lanes, DotForm::Squares, DotForm::Tiles},
      [&](DotForm form) { return covers(form, lhs, rhs); });
}

bool DotProducts::hasTiles() const {
  return has("amx-bf16") || has("amx-fp16") || has("amx-int8");
}

bool DotProducts::bindsRows() const {
  return hasTiles() || has("i8mm") || has("bf16");
}

double DotProducts::countEqualMultiplyAdds(NarrowType lhs) const {
  if (lhs == NarrowType::BFloat && hasSlowBFloat)
    return 3.5;
  // What `pmaddwd` gives is added by an instruction of its own.
  return lhs == NarrowType::Short && !has("avx512vnni") && !has("avxvnni") ? 1.5
                                                                           : 1;
}

bool DotProducts::changesRows(NarrowType lhs, NarrowType rhs) const {
  return lhs == NarrowType::SignedByte && rhs == lhs &&
         (has("avx512vnni") || (has("avxvnni") && !has("avxvnniint8")));
}

DotProducts sched::findDotProducts(const sched::Target &target) {
  DotProducts found;
  const Triple triple(target.triple);
  if (triple.isX86()) {
    found.features = selectFeatures(
        target, {"sse2", "avx2", "avx512bw", "avx512bf16", "avx512vnni",
                 "avxvnni", "avxvnniint8", "amx-bf16", "amx-fp16", "amx-int8"});
    // A virtual machine may hide the tiles of its processor.
    sched::Target processor = target;
    processor.features.clear();
    found.hasSlowBFloat = found.has("amx-bf16") ||
                          (found.has("avx512bf16") &&
                           !selectFeatures(processor, {"amx-bf16"}).empty());
  } else if (triple.isAArch64()) {
    found.features = selectFeatures(target, {"dotprod", "i8mm", "bf16"});
  }
  return found;
}

bool sched::addsHalfInFloat(const sched::Target &target) {
  const Triple triple(target.triple);
  if (target.kind != sched::Target::Kind::CPU)
    return false;
  const bool hasArithmetic =
      (triple.isX86() && !selectFeatures(target, {"avx512fp16"}).empty()) ||
      (triple.isAArch64() && !selectFeatures(target, {"fullfp16"}).empty());
  return !hasArithmetic;
}
