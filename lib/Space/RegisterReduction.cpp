//===- RegisterReduction.cpp - The whole reduction in registers -----------===//
//
// Rule: tile the result for threads, caches and registers; run the whole
// reduction with the accumulators in registers, and apply the epilogue before
// they are stored. The result is written once. The left-hand side may be copied
// block by block; with panels, the right-hand side is packed beforehand, once a
// call, or by blocks of columns.
//
//===----------------------------------------------------------------------===//

#include "ContractionRules.h"
#include "SketchWriter.h"

using namespace sched;

namespace {
class RegisterReduction final : public SketchRule {
public:
  explicit RegisterReduction(bool packed) : packed(packed) {}

  llvm::StringRef getName() const override {
    return packed ? "packed" : "plain";
  }

  bool applies(const Task &task, const Target &target) const override {
    return isSchedulableContraction(task) &&
           (!packed || canPackRhs(task, target));
  }

  int getPriority(const Task &task, const Target &target) const override {
    // Strided panels miss L1 and the TLB once the operand is large.
    return packed == isLargeRhs(task, target) ? 3 : 2;
  }

  std::string write(const Task &task, const Target &target) const override {
    return SketchWriter(task, target, packed)
        .product(getName(), /*blocked=*/false);
  }

private:
  bool packed;
};
} // namespace

std::unique_ptr<SketchRule> sched::createRegisterReduction(bool packed) {
  return std::make_unique<RegisterReduction>(packed);
}
