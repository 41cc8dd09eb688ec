//===- KernelRulesTest.h - Spaces of kernels and what they cost -*- C++ -*-===//
//
// What KernelRulesTest.cpp and KernelCostsTest.cpp have in common: the spaces
// of payloads for a GPU, and the features of their candidates.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_SPACE_KERNELRULESTEST_H
#define SCHEDOPT_TEST_UNIT_SPACE_KERNELRULESTEST_H

#include "KernelPayloads.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SpaceTest.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace sched::test {

constexpr llvm::StringLiteral kHopper = "nvvm:sm_90a";
constexpr llvm::StringLiteral kCPU = "cpu:mcpu=znver3";

using Values = std::map<std::string, int64_t>;

class KernelRulesTest : public SpaceTest {
protected:
  KernelRulesTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::schedule::ScheduleDialect,
                    mlir::transform::TransformDialect>();
    mlir::registerAllExtensions(registry);
    registerLoopModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<mlir::schedule::ScheduleDialect,
                        mlir::transform::TransformDialect>();
  }

  /// Compiles the sketches of the only task of `text`, in order.
  std::string compile(llvm::StringRef text, llvm::StringRef spec = kHopper) {
    auto parsed = Target::parse(spec);
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError());
      return "";
    }
    target = *parsed;
    programs.clear();
    Task task = extractOne(text);
    auto rules = createSketchRules();
    if (!task.module || writeSpace(task, target, rules).empty())
      return "";
    auto space = generateSpace(task, target, rules, &context);
    if (!space) {
      ADD_FAILURE() << llvm::toString(space.takeError());
      return "";
    }
    std::vector<std::string> names;
    (*space)->walk([&](mlir::schedule::SketchOp sketch) {
      names.push_back(sketch.getSymName().str());
      auto program =
          compileSketch(sketch, task.getFunction(), target, task.flops);
      if (failed(program))
        ADD_FAILURE() << names.back() << ": " << llvm::join(errors, "\n");
      else
        programs.push_back(*std::move(program));
    });
    return llvm::join(names, " ");
  }

  /// The default of the first sketch but for `values`.
  Choices choose(const Values &values, const Program &program) {
    Choices choices = program.getDefault();
    for (const auto &[name, value] : values) {
      bool isSet = false;
      for (auto [i, decision] : llvm::enumerate(program.getDecisions()))
        if (decision.name == name)
          for (auto [entry, sizes] : llvm::enumerate(decision.domain))
            if (sizes.front() == value) {
              choices[i] = entry;
              isSet = true;
            }
      EXPECT_TRUE(isSet) << name << " cannot be " << value;
    }
    return choices;
  }

  /// Why the first sketch has no such candidate; "" if it has.
  std::string reason(const Values &values) {
    int failed = -1;
    programs.front().isLegal(choose(values, programs.front()), &failed);
    return programs.front().getReason(failed).str();
  }

  /// The kernels of a candidate of the first sketch.
  std::vector<KernelFeatureVector> kernels(const Values &values = {}) {
    const Program &program = programs.front();
    const Choices choices = choose(values, program);
    int failed = -1;
    EXPECT_TRUE(program.isLegal(choices, &failed))
        << program.getReason(failed).str();
    std::vector<BlockFeatureVector> rows;
    program.describeBlocks(choices, rows);
    std::vector<KernelFeatureVector> result(rows.size());
    for (auto [row, features] : llvm::zip_equal(rows, result))
      std::copy_n(row.values.begin(), kNumKernelFeatures,
                  features.values.begin());
    return result;
  }
  KernelFeatureVector kernel(const Values &values = {}) {
    auto all = kernels(values);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? KernelFeatureVector() : all.front();
  }

  /// Cycles of a candidate of the first sketch, as the analytic model has it.
  float cycles(const Values &values = {}) {
    Evaluation evaluation;
    programs.front().evaluate(choose(values, programs.front()), evaluation);
    EXPECT_TRUE(evaluation.legal())
        << programs.front().getReason(evaluation.failedRequire).str();
    return evaluation.features[Feature::ComputeCycles];
  }

  Target target;
  std::vector<Program> programs;
};

using F = KernelFeature;
} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_SPACE_KERNELRULESTEST_H
