//===- GuardsTest.cpp - Does the property test notice? --------------------===//
//
// A property test that passes says little if it could not fail: these make what
// it is to find.
//
//===----------------------------------------------------------------------===//

#include "../Pipelines/RandomTask.h"
#include "CaseProcess.h"
#include "OperatorData.h"
#include "OperatorFamilies.h"
#include "RandomOperator.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <csignal>
#include <map>
#include <set>
#include <utility>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

/// Events of one process that does `work`.
std::map<std::string, std::string>
runOne(const std::function<void(ReportFn)> &work, ProcessLimits limits = {}) {
  std::map<std::string, std::string> events;
  bool isFirst = true;
  runInProcesses(
      /*jobs=*/1, limits,
      [&]() -> std::optional<uint64_t> {
        return std::exchange(isFirst, false) ? std::optional<uint64_t>(7)
                                             : std::nullopt;
      },
      [&](uint64_t seed, ReportFn report) {
        EXPECT_EQ(seed, 7u);
        work(report);
      },
      [&](uint64_t, llvm::StringRef event, llvm::StringRef text) {
        events[event.str()] += text.str();
      });
  return events;
}

/// Some elements, each `a * factor + offset`.
llvm::Expected<KernelLibrary> compileLine(double factor, double offset,
                                          int64_t elements = 4) {
  const std::string text = llvm::formatv(
      R"(
#map = affine_map<(i) -> (i)>
func.func @f(%a: tensor<{2}xf32>) -> tensor<{2}xf32> {{
  %e = tensor.empty() : tensor<{2}xf32>
  %r = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}
    ins(%a : tensor<{2}xf32>) outs(%e : tensor<{2}xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %m = arith.constant {0:E} : f32
    %n = arith.constant {1:E} : f32
    %p = arith.mulf %x, %m : f32
    %s = arith.addf %p, %n : f32
    linalg.yield %s : f32
  } -> tensor<{2}xf32>
  return %r : tensor<{2}xf32>
})",
      factor, offset, elements);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &getContext());
  CompileOptions options;
  options.optLevel = 0;
  options.packedWrapper = true;
  return compileKernel(*module, llvm::cantFail(Target::parse("native", 1)),
                       options);
}

std::string compareLines(double offset, bool isExact) {
  TensorSpec in, out;
  in.shape = out.shape = {4};
  out.isResult = true;
  OperatorData data({in, out}, isExact ? OperatorWriter::kAmplitude : 0, 1);
  auto expected = compileLine(2, 1), other = compileLine(2, 1 + offset);
  if (!expected || !other)
    return llvm::toString(
        llvm::joinErrors(expected.takeError(), other.takeError()));
  EXPECT_EQ(data.call(*expected), "");
  data.keepExpected();
  EXPECT_EQ(data.call(*other), "");
  return data.compare(isExact);
}

/// Whether a result that is `by` too large, and near 0 as its terms cancel, is
/// taken for that of an argument which is moved.
bool isNearZeroIllConditioned(double by) {
  TensorSpec in, out;
  in.shape = out.shape = {1};
  out.isResult = true;
  float argument;
  fillFromSeed(in, /*position=*/0, /*seed=*/1, &argument);
  constexpr double kFactor = 1000;
  const double offset = 1e-3 - argument * kFactor;
  OperatorData data({in, out}, /*wholeAmplitude=*/0, /*seed=*/1);
  auto expected = llvm::cantFail(compileLine(kFactor, offset, 1)),
       other = llvm::cantFail(compileLine(kFactor, offset + by, 1));
  EXPECT_EQ(data.call(expected), "");
  data.keepExpected();
  EXPECT_EQ(data.call(other), "");
  EXPECT_NE(data.compare(/*isExact=*/false), "");
  const bool result = data.areIllConditioned(expected);
  // The arguments are what they were.
  EXPECT_EQ(data.call(expected), "");
  EXPECT_EQ(data.compare(/*isExact=*/true), "");
  return result;
}

} // namespace

TEST(PropertyGuards, EventsComeInOrder) {
  auto events = runOne([](ReportFn report) {
    report("kind", "a\nb");
    report("kind", "c");
  });
  EXPECT_EQ(events["kind"], "a\nbc");
  EXPECT_EQ(events.count("failure"), 0u);
}

TEST(PropertyGuards, CrashesAreFailures) {
  auto events = runOne([](ReportFn report) {
    report(event::kNow, "the second candidate");
    std::raise(SIGSEGV);
  });
  EXPECT_NE(events["failure"].find("crashed"), std::string::npos);
  EXPECT_NE(events["failure"].find("the second candidate"), std::string::npos);
}

TEST(PropertyGuards, EndlessLoopsAreFailures) {
  ProcessLimits limits;
  limits.cpuSeconds = 1;
  auto events = runOne(
      [](ReportFn) {
        volatile bool goesOn = true;
        while (goesOn)
          ;
      },
      limits);
  EXPECT_NE(events["failure"].find("did not end in time"), std::string::npos)
      << events["failure"];
}

TEST(PropertyGuards, WrongResultsAreFailures) {
  EXPECT_EQ(compareLines(0, /*isExact=*/true), "");
  EXPECT_EQ(compareLines(0, /*isExact=*/false), "");
  // Within rounding, but not equal; and beyond it.
  EXPECT_NE(compareLines(1e-6, /*isExact=*/true), "");
  EXPECT_EQ(compareLines(1e-6, /*isExact=*/false), "");
  EXPECT_NE(compareLines(1e-3, /*isExact=*/false), "");
}

TEST(PropertyGuards, DataThatDecideNothingAreNone) {
  EXPECT_TRUE(isNearZeroIllConditioned(3e-5));
  EXPECT_FALSE(isNearZeroIllConditioned(0.1));
}

TEST(PropertyGuards, OperatorsFollowFromTheirSeeds) {
  std::set<std::string> texts;
  for (uint64_t seed = 1; seed != 21; ++seed) {
    std::mt19937_64 first(seed), second(seed);
    const std::string text = RandomOperator::draw(first).text;
    EXPECT_EQ(text, RandomOperator::draw(second).text);
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 20u);
}
