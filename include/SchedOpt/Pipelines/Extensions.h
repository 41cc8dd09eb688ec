//===- Extensions.h - What a plugin adds to the search ----------*- C++ -*-===//
//
// A plugin is a shared library with MLIR's own entry for dialects. There it
// registers sketch rules, moves and cost models of its own, one line each:
//
//   extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
//     return {MLIR_PLUGIN_API_VERSION, "mine", LLVM_VERSION_STRING,
//             [](mlir::DialectRegistry *registry) {
//               sched::registerSketchRule<MyRule>(*registry);
//             }};
//   }
//
// `--load-dialect-plugin` loads it, into sched-opt and into a mlir-opt that has
// loaded SchedOptPlugin before. What is registered belongs to the `schedule`
// dialect of a context, as MLIR's dialect extensions do; there is no state
// beside that. docs/Extending.md has an example of each kind.
//
// Read next: ../Space/SketchRule.h, ../Search/Mutation.h,
// ../CostModel/CostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_EXTENSIONS_H
#define SCHEDOPT_PIPELINES_EXTENSIONS_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Search/Mutation.h"
#include "SchedOpt/Space/SketchRule.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include <functional>

namespace sched {

class Extensions final : public mlir::DialectInterface::Base<Extensions> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extensions)

  using RuleFactory = std::function<std::unique_ptr<SketchRule>()>;
  using ModelFactory = std::function<std::unique_ptr<CostModel>(
      const Target &target, uint64_t seed)>;

  explicit Extensions(mlir::Dialect *dialect) : Base(dialect) {}

  /// Those of `context`; null where nothing is registered.
  static const Extensions *get(mlir::MLIRContext *context);
  /// Those of `dialect`, made where there are none.
  static Extensions &getOrAdd(mlir::schedule::ScheduleDialect *dialect);

  void addRule(RuleFactory make) { rules.push_back(std::move(make)); }
  void addMutation(std::unique_ptr<Mutation> mutation) {
    mutations.push_back(std::move(mutation));
  }
  /// The first model of a name stays.
  void addCostModel(llvm::StringRef name, ModelFactory make) {
    models.emplace_back(name.str(), std::move(make));
  }

  llvm::ArrayRef<RuleFactory> getRules() const { return rules; }
  llvm::ArrayRef<std::unique_ptr<Mutation>> getMutations() const {
    return mutations;
  }
  /// Null where there is no model of that name.
  const ModelFactory *findCostModel(llvm::StringRef name) const;

private:
  std::vector<RuleFactory> rules;
  std::vector<std::unique_ptr<Mutation>> mutations;
  std::vector<std::pair<std::string, ModelFactory>> models;
};

/// \name What a plugin calls
/// @{
/// `Rule` has a constructor without arguments.
template <typename Rule>
void registerSketchRule(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *, mlir::schedule::ScheduleDialect *dialect) {
        Extensions::getOrAdd(dialect).addRule(
            [] { return std::make_unique<Rule>(); });
      });
}

/// `Move` is a Mutation and has a constructor without arguments.
template <typename Move>
void registerMutation(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *, mlir::schedule::ScheduleDialect *dialect) {
        Extensions::getOrAdd(dialect).addMutation(std::make_unique<Move>());
      });
}

/// `Model` has a constructor from (const Target &, uint64_t seed), and `kName`,
/// the name by which `cost-model=` asks for it.
template <typename Model>
void registerCostModel(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *, mlir::schedule::ScheduleDialect *dialect) {
        Extensions::getOrAdd(dialect).addCostModel(
            Model::kName, [](const Target &target, uint64_t seed) {
              return std::make_unique<Model>(target, seed);
            });
      });
}
/// @}

/// The built-in rules, and after them those of plugins.
std::vector<std::unique_ptr<SketchRule>>
collectSketchRules(mlir::MLIRContext *context);

} // namespace sched

#endif // SCHEDOPT_PIPELINES_EXTENSIONS_H
