//===- SketchTest.cpp - Decisions, replay and conversion as functions -----===//

#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::schedule;

namespace {

constexpr llvm::StringLiteral kSketch = R"mlir(
schedule.sketch @s(%root: !transform.any_op) {
  %x = schedule.sample_categorical "x" from [8, 2, 4] default 2 : !transform.param<i64>
  %t = schedule.sample_tile "t" extent(%x) min 1 max 100 : !transform.param<i64>
  %i:2 = schedule.sample_perfect_tile "i" extent 12 parts 2 default [3, 4]
    : !transform.param<i64>, !transform.param<i64>
  %o:2 = schedule.sample_permutation "o" of 2 : !transform.param<i64>, !transform.param<i64>
  schedule.choose "c" {
    %y = schedule.sample_categorical "y" from [1, 2] : !transform.param<i64>
    schedule.require "y is not 0" %y
  }, {
  }
  %sum = schedule.sum %t, %i#1
  transform.annotate %root "sum" = %sum : !transform.any_op, !transform.param<i64>
  %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
  %small = schedule.cmp le %sum, %c16
  schedule.require "the sum is small" %small
}
)mlir";

class SketchFunctions : public testing::Test {
protected:
  SketchFunctions()
      : handler(&context, [&](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return success();
        }) {
    DialectRegistry registry;
    linalg::registerTransformDialectExtension(registry);
    scf::registerTransformDialectExtension(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ScheduleDialect, transform::TransformDialect>();
    module = parseSourceString<ModuleOp>(kSketch, &context);
    if (module)
      sketch = cast<SketchOp>(module->getBody()->front());
  }

  DecisionOpInterface decision(StringRef name) {
    for (DecisionOpInterface op : sketch.getDecisions())
      if (op.getDecisionName() == name)
        return op;
    return {};
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  SketchOp sketch;
};

TEST_F(SketchFunctions, Decisions) {
  ASSERT_TRUE(sketch) << messages;
  ASSERT_EQ(sketch.getDecisions().size(), 6u);
  DecisionOpInterface x = decision("x"), i = decision("i");
  EXPECT_EQ(x.getDecisionKind(), DecisionKind::Categorical);
  EXPECT_EQ(decision("y").getDecisionKind(), DecisionKind::Ordered);
  EXPECT_EQ(i.getDecisionKind(), DecisionKind::PerfectTile);
  EXPECT_EQ(*x.getDomainSize(), 3u);
  EXPECT_EQ(*x.encode({4}), 2u);
  EXPECT_TRUE(*x.contains({2}));
  EXPECT_FALSE(*x.contains({3}));
  EXPECT_EQ(*x.getDefaultIndex(), 1u);
  EXPECT_EQ(*i.getDefaultIndex(), 2u);
  EXPECT_EQ(*decision("o").getDefaultIndex(), 0u);
  EXPECT_EQ(*x.getNeighbours(0), (SmallVector<unsigned>{1, 2}));
  EXPECT_EQ(*x.sample([] { return 0; }), 0u);
  EXPECT_TRUE(messages.empty()) << messages;
  EXPECT_TRUE(failed(x.encode({3})));
  EXPECT_NE(messages.find("decision 'x' cannot be 3; its domain is [8, 2, 4]"),
            std::string::npos);
  // The domain of t depends on x.
  EXPECT_TRUE(failed(decision("t").getDomain()));
  EXPECT_NE(messages.find("depends on a parameter that is not constant"),
            std::string::npos);
}

TEST_F(SketchFunctions, SampledDecisionsAreLegalAndReplay) {
  ASSERT_TRUE(sketch);
  std::mt19937_64 engine(3);
  bool first = false, second = false;
  for (int i = 0; i != 200; ++i) {
    for (DecisionOpInterface op : sketch.getDecisions())
      op.setDecided(std::nullopt);
    ASSERT_TRUE(succeeded(
        sampleSketch(sketch, [&] { return engine(); }, /*maxTries=*/1000)));
    ASSERT_TRUE(succeeded(verify(*module)));
    FailureOr<Trace> trace = getTrace(sketch);
    ASSERT_TRUE(succeeded(trace));
    const bool chosen = trace->find("c")->values.front() == 0;
    EXPECT_EQ(trace->find("y") != nullptr, chosen);
    (chosen ? first : second) = true;
    EXPECT_LE(trace->find("t")->values[0] + trace->find("i")->values[1], 16);
    EXPECT_LE(trace->find("t")->values[0], trace->find("x")->values[0]);

    OwningOpRef<ModuleOp> other =
        parseSourceString<ModuleOp>(kSketch, &context);
    auto copy = cast<SketchOp>(other->getBody()->front());
    ASSERT_TRUE(succeeded(applyTrace(copy, *trace, copy.getLoc())));
    FailureOr<Trace> replayed = getTrace(copy);
    ASSERT_TRUE(succeeded(replayed));
    EXPECT_EQ(*replayed, *trace);
  }
  EXPECT_TRUE(first && second);
  EXPECT_TRUE(messages.empty()) << messages;
}

TEST_F(SketchFunctions, ConversionLeavesTheSketchAlone) {
  ASSERT_TRUE(sketch);
  llvm::Expected<Trace> trace =
      parseTrace("schedule.trace of @s decisions {x = 8, t = 7, i = [3, 4], o "
                 "= [1, 0], c = 1}");
  ASSERT_TRUE(bool(trace));
  FailureOr<OwningOpRef<ModuleOp>> script = convertToTransform(sketch, *trace);
  ASSERT_TRUE(succeeded(script)) << messages;
  EXPECT_TRUE(succeeded(verify(**script)));
  auto sequence =
      (*script)->lookupSymbol<transform::NamedSequenceOp>("__transform_main");
  ASSERT_TRUE(sequence);
  auto annotate = *sequence.getBody().getOps<transform::AnnotateOp>().begin();
  EXPECT_EQ(*getConstantParam(annotate.getParam()), 11);
  for (DecisionOpInterface op : sketch.getDecisions())
    EXPECT_FALSE(op.getDecided());
  EXPECT_TRUE(messages.empty()) << messages;

  EXPECT_TRUE(failed(convertToTransform(sketch)));
  EXPECT_NE(messages.find("decision 'x' is not made; run schedule-sample or "
                          "schedule-apply-trace first"),
            std::string::npos);
}

} // namespace
