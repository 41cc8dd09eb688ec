//===- BrokenPlugin.cpp - Rules that write what cannot be searched --------===//
//
// For tests of what is said then. SCHED_BROKEN_RULE in the environment names
// the rule that is registered.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Pipelines/Extensions.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Config/llvm-config.h"
#include <cstdlib>

using namespace sched;

namespace {

class Rule : public SketchRule {
public:
  bool applies(const Task &, const Target &) const override { return true; }
  int getPriority(const Task &, const Target &) const override { return -1; }
};

class NoSyntax final : public Rule {
public:
  llvm::StringRef getName() const override { return "no_syntax"; }
  std::string write(const Task &, const Target &) const override {
    return "schedule.sketch @no_syntax(%root) {}\n";
  }
};

class NoBlock final : public Rule {
public:
  llvm::StringRef getName() const override { return "no_block"; }
  std::string write(const Task &, const Target &) const override {
    return R"mlir(
      schedule.sketch @no_block(%root: !transform.any_op) {
        schedule.vectorize %root generalize ["nobody"]
        schedule.unroll_points %root "nobody" rank 2 dims [0]
      })mlir";
  }
};

class TwoNames final : public Rule {
public:
  llvm::StringRef getName() const override { return "plain"; }
  std::string write(const Task &, const Target &) const override {
    return "schedule.sketch @plain(%root: !transform.any_op) {}\n";
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "BrokenPlugin", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            const char *name = std::getenv("SCHED_BROKEN_RULE");
            const llvm::StringRef rule = name ? name : "";
            if (rule == "no-syntax")
              registerSketchRule<NoSyntax>(*registry);
            if (rule == "no-block")
              registerSketchRule<NoBlock>(*registry);
            if (rule == "two-names")
              registerSketchRule<TwoNames>(*registry);
          }};
}
