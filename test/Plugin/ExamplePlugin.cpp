//===- ExamplePlugin.cpp - A rule, a move and a cost model ----------------===//
//
// The example of docs/Extending.md: one class and one line of registration for
// each. test/Plugin runs it.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Pipelines/Extensions.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace sched;

namespace {

/// Tiles the rows of a product, and nothing else.
class RowsOnly final : public SketchRule {
public:
  llvm::StringRef getName() const override { return "rows_only"; }

  bool applies(const Task &task, const Target &) const override {
    return task.shape && task.shape->isMatmul() && task.shape->m > 1;
  }

  // In front of the built-in rules, so that its default is candidate 0.
  int getPriority(const Task &, const Target &) const override { return 1000; }

  std::string write(const Task &task, const Target &) const override {
    std::string sizes;
    for (int64_t size : {1, 2, 4, 8, 16})
      if (task.shape->m % size == 0)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return R"mlir(
      schedule.sketch @rows_only(%root: !transform.any_op) {
        %rows = schedule.sample_categorical "rows" from [)mlir" +
           sizes + R"mlir(] : !transform.param<i64>
        %f = transform.structured.match ops{["func.func"]} attributes {sym_name = )mlir" +
           toStringLiteral(task.getFunction().getSymName()) + R"mlir(} in %root
          : (!transform.any_op) -> !transform.any_op
        %op = transform.structured.match ops{["linalg.matmul"]} in %f
          : (!transform.any_op) -> !transform.any_op
        %t, %l = transform.structured.tile_using_for %op tile_sizes [%rows]
          : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      }
    )mlir";
  }
};

/// Takes the largest value of a decision that has sizes.
class TakeLargest final : public Mutation {
public:
  llvm::StringRef getName() const override { return "take-largest"; }

  bool apply(const SearchSpace &space, const Candidate &parent,
             const Candidate &, Rng &rng, Candidate &child) const override {
    llvm::ArrayRef<Decision> decisions =
        space.getSketch(parent.sketch).getDecisions();
    if (decisions.empty())
      return false;
    const unsigned chosen = rng.below(decisions.size());
    child = parent;
    if (decisions[chosen].kind != DecisionKind::Ordered)
      return false;
    child.choices[chosen] = decisions[chosen].size() - 1;
    return true;
  }
};

/// Holds the candidate with the tallest tile to be the best.
class TallTiles final : public CostModel {
public:
  static constexpr llvm::StringLiteral kName = "tall-tiles";

  TallTiles(const Target &, uint64_t) {}

  llvm::StringRef name() const override { return kName; }

  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    for (auto [features, score] : llvm::zip_equal(batch.getPrograms(), scores))
      score = 1.0 + features[Feature::TileM];
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ExamplePlugin", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registerSketchRule<RowsOnly>(*registry);
            registerMutation<TakeLargest>(*registry);
            registerCostModel<TallTiles>(*registry);
          }};
}
