//===- SketchRulesTest.cpp - Which sketches a task gets -------------------===//
//
// For each rule, tasks on both sides of each of its conditions; the order of
// the sketches, whose first is candidate 0; and that the defaults of all of
// them are legal, whatever the shape and the target.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SpaceTest.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace mlir;
using namespace sched;

namespace {

constexpr llvm::StringLiteral kAVX2 = "cpu:mcpu=znver3";
constexpr llvm::StringLiteral kAVX512 = "cpu:mcpu=sapphirerapids";
constexpr llvm::StringLiteral kNEON =
    "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu";

struct Types {
  llvm::StringLiteral operand, result;
};

std::string tensorType(int64_t rows, int64_t columns, llvm::StringRef type) {
  return llvm::formatv("tensor<{0}x{1}x{2}>", rows, columns, type);
}

/// @f: the product of %a and %b into a fill, then `body`, which makes `result`
/// of %r, %e (an empty tensor) and %d (an argument).
std::string product(int64_t m, int64_t n, int64_t k,
                    Types types = {"f32", "f32"}, llvm::StringRef body = "",
                    llvm::StringRef result = "%r") {
  const std::string a = tensorType(m, k, types.operand),
                    b = tensorType(k, n, types.operand),
                    c = tensorType(m, n, types.result);
  const bool isInteger = types.result.starts_with("i");
  return llvm::formatv(R"(
    func.func @f(%a: {0}, %b: {1}, %d: {2}) -> {2} {{
      %z = arith.constant {3} : {4}
      %e = tensor.empty() : {2}
      %i = linalg.fill ins(%z : {4}) outs(%e : {2}) -> {2}
      %r = linalg.matmul ins(%a, %b : {0}, {1}) outs(%i : {2}) -> {2}
      {5}
      return {6} : {2}
    }
  )",
                       a, b, c, isInteger ? "0" : "0.0", types.result, body,
                       result);
}

/// The same with %b stored as n x k.
std::string productTransposed(int64_t m, int64_t n, int64_t k,
                              Types types = {"f32", "f32"}) {
  std::string text = product(m, n, k, types);
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  };
  replace(", " + tensorType(k, n, types.operand) + ")",
          ", " + tensorType(n, k, types.operand) + ")");
  replace("%b: " + tensorType(k, n, types.operand),
          "%b: " + tensorType(n, k, types.operand));
  replace("linalg.matmul", R"(linalg.matmul indexing_maps =
    [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
     affine_map<(m, n, k) -> (m, n)>])");
  return text;
}

class SketchRulesTest : public SpaceTest {
protected:
  SketchRulesTest() {
    DialectRegistry registry;
    registry.insert<schedule::ScheduleDialect, transform::TransformDialect>();
    registerAllExtensions(registry);
    registerLoopModels(registry);
    context.appendDialectRegistry(registry);
    context
        .loadDialect<schedule::ScheduleDialect, transform::TransformDialect>();
  }

  Target parseTarget(llvm::StringRef spec, int threads = 1) {
    auto target = Target::parse(spec, threads);
    if (!target) {
      ADD_FAILURE() << llvm::toString(target.takeError());
      return {};
    }
    return *target;
  }

  /// The sketches of the only task of `text`, in order: "plain packed".
  std::string sketches(llvm::StringRef text, llvm::StringRef spec = kAVX2) {
    Task task = extractOne(text);
    auto rules = createSketchRules();
    if (!task.module || writeSpace(task, parseTarget(spec), rules).empty())
      return "";
    auto space = generateSpace(task, parseTarget(spec), rules, &context);
    if (!space) {
      ADD_FAILURE() << llvm::toString(space.takeError());
      return "";
    }
    std::vector<std::string> names;
    (*space)->walk([&](schedule::SketchOp sketch) {
      names.push_back(sketch.getSymName().str());
    });
    return llvm::join(names, " ");
  }
};
} // namespace

TEST_F(SketchRulesTest, ReductionIsSplitWhereItIsLong) {
  EXPECT_EQ(sketches(product(32, 32, 64)), "plain packed");
  EXPECT_EQ(sketches(product(32, 32, 65)),
            "plain packed plain_blocked packed_blocked");
}

TEST_F(SketchRulesTest, PanelsHaveWholeVectors) {
  EXPECT_EQ(sketches(product(32, 7, 32)), "plain");
  EXPECT_EQ(sketches(product(32, 8, 32)), "plain packed");
  // Vectors of the result's elements count.
  EXPECT_EQ(sketches(product(32, 15, 32), kAVX512), "plain");
  EXPECT_EQ(sketches(product(32, 16, 32), kAVX512), "plain packed");
  EXPECT_EQ(sketches(product(32, 3, 32), kNEON), "plain");
  EXPECT_EQ(sketches(product(32, 4, 32), kNEON), "plain packed");
  EXPECT_EQ(sketches(product(32, 3, 32, {"f64", "f64"})), "plain");
  EXPECT_EQ(sketches(product(32, 4, 32, {"f64", "f64"})), "plain packed");
  EXPECT_EQ(sketches(product(32, 7, 32, {"i8", "i32"})), "plain");
  EXPECT_EQ(sketches(product(32, 8, 32, {"i8", "i32"})), "plain packed");
}

TEST_F(SketchRulesTest, PacksFirstWhatExceedsHalfOfL2) {
  // 256 KiB, and one row more.
  EXPECT_EQ(sketches(product(32, 256, 256)),
            "plain packed plain_blocked packed_blocked");
  EXPECT_EQ(sketches(product(32, 256, 257)),
            "packed plain packed_blocked plain_blocked");
  // A larger L2.
  EXPECT_EQ(sketches(product(32, 256, 257), kNEON),
            "plain packed plain_blocked packed_blocked");
  EXPECT_EQ(sketches(product(32, 256, 257), "cpu:mcpu=znver3,l2=1048576"),
            "plain packed plain_blocked packed_blocked");
}

TEST_F(SketchRulesTest, FewRowsDoNotPayForPacking) {
  EXPECT_EQ(sketches(product(15, 512, 512)),
            "plain packed plain_blocked packed_blocked");
  EXPECT_EQ(sketches(product(16, 512, 512)),
            "packed plain packed_blocked plain_blocked");
  // Beforehand it costs nothing.
  std::string text = product(1, 512, 512);
  const std::string rhs = "%b: tensor<512x512xf32>";
  text.insert(text.find(rhs) + rhs.size(), " {schedule.layout_free}");
  EXPECT_EQ(sketches(text), "packed plain packed_blocked plain_blocked");
}

TEST_F(SketchRulesTest, VectorsAlongTheReductionOfFewRows) {
  EXPECT_EQ(sketches(productTransposed(1, 64, 64)), "lanes plain packed");
  EXPECT_EQ(sketches(productTransposed(4, 64, 64)), "lanes plain packed");
  EXPECT_EQ(sketches(productTransposed(5, 64, 64)), "plain packed");
  // Columns of the right-hand side are not contiguous.
  EXPECT_EQ(sketches(product(1, 64, 64)), "plain packed");
  // Four steps of whole vectors.
  EXPECT_EQ(sketches(productTransposed(1, 64, 31)), "plain packed");
  EXPECT_EQ(sketches(productTransposed(1, 64, 32)), "lanes plain packed");
  EXPECT_EQ(sketches(productTransposed(1, 64, 63), kAVX512), "plain packed");
  EXPECT_EQ(sketches(productTransposed(1, 64, 15), kNEON), "plain packed");
  EXPECT_EQ(sketches(productTransposed(1, 64, 16), kNEON),
            "lanes plain packed");
  EXPECT_EQ(sketches(productTransposed(1, 64, 32, {"i8", "i32"})),
            "lanes plain packed");
  // Panels that are packed beforehand are no faster.
  std::string text = productTransposed(1, 512, 64);
  const std::string rhs = "%b: tensor<512x64xf32>";
  text.insert(text.find(rhs) + rhs.size(), " {schedule.layout_free}");
  EXPECT_EQ(sketches(text), "lanes plain packed");
}

TEST_F(SketchRulesTest, EpiloguesOfOneOpArePackedToo) {
  const Types f32{"f32", "f32"};
  constexpr llvm::StringLiteral add =
      "%s = linalg.add ins(%r, %d : tensor<32x32xf32>, tensor<32x32xf32>) "
      "outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>\n";
  EXPECT_EQ(sketches(product(32, 32, 32, f32, add, "%s")), "plain packed");
  const std::string chain =
      (add + "%t = linalg.exp ins(%s : tensor<32x32xf32>) "
             "outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>")
          .str();
  EXPECT_EQ(sketches(product(32, 32, 32, f32, chain, "%t")), "plain packed");
}

TEST_F(SketchRulesTest, StartsFromAnything) {
  EXPECT_EQ(sketches(R"(
    func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
                 %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
      return %r : tensor<32x32xf32>
    })"),
            "plain packed");
  EXPECT_EQ(sketches(R"(
    func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
                 %c: tensor<32xf32>) -> tensor<32x32xf32> {
      %e = tensor.empty() : tensor<32x32xf32>
      %i = linalg.broadcast ins(%c : tensor<32xf32>)
        outs(%e : tensor<32x32xf32>) dimensions = [0]
      %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
      return %r : tensor<32x32xf32>
    })"),
            "plain packed");
}

TEST_F(SketchRulesTest, OperandsAndResultsInAnyOrder) {
  auto contract = [](llvm::StringRef maps) {
    return (R"(
    func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
                 %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %r = linalg.contract indexing_maps = [)" +
            maps + R"(]
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
      return %r : tensor<32x32xf32>
    })")
        .str();
  };
  EXPECT_EQ(sketches(contract("affine_map<(m, n, k) -> (k, m)>, "
                              "affine_map<(m, n, k) -> (k, n)>, "
                              "affine_map<(m, n, k) -> (m, n)>")),
            "plain packed");
  EXPECT_EQ(sketches(contract("affine_map<(m, n, k) -> (m, k)>, "
                              "affine_map<(m, n, k) -> (n, k)>, "
                              "affine_map<(m, n, k) -> (m, n)>")),
            "plain packed");
  // The loops are in another order than (m, n, k).
  EXPECT_EQ(sketches(contract("affine_map<(k, m, n) -> (m, k)>, "
                              "affine_map<(k, m, n) -> (k, n)>, "
                              "affine_map<(k, m, n) -> (m, n)>")),
            "plain packed");
  // The innermost dimension of the result is operand 0's.
  EXPECT_EQ(sketches(contract("affine_map<(m, n, k) -> (m, k)>, "
                              "affine_map<(m, n, k) -> (k, n)>, "
                              "affine_map<(m, n, k) -> (n, m)>")),
            "plain");
}

TEST_F(SketchRulesTest, ProducersNeedALoop) {
  auto produced = [](int64_t m, int64_t n, int64_t k) {
    return llvm::formatv(R"(
    func.func @f(%x: {0}, %b: {1}, %c: {2}) -> {2} {{
      %e = tensor.empty() : {0}
      %a = linalg.exp ins(%x : {0}) outs(%e : {0}) -> {0}
      %r = linalg.matmul ins(%a, %b : {0}, {1}) outs(%c : {2}) -> {2}
      return %r : {2}
    })",
                         tensorType(m, k, "f32"), tensorType(k, n, "f32"),
                         tensorType(m, n, "f32"))
        .str();
  };
  EXPECT_EQ(sketches(produced(32, 32, 32)), "plain packed");
  EXPECT_EQ(sketches(produced(1, 32, 2)), "plain packed");
  EXPECT_EQ(sketches(produced(1, 32, 1)), "");
}

TEST_F(SketchRulesTest, StagesByWhatTheyReduce) {
  auto reduce = [](llvm::StringRef kept, llvm::StringRef dimensions) {
    const std::string type = ("tensor<" + kept + "f32>").str();
    return llvm::formatv(R"(
    func.func @f(%a: tensor<6x7x40xf32>, %b: {0}) -> {0} {{
      %r = linalg.reduce {{ arith.addf } ins(%a : tensor<6x7x40xf32>)
        outs(%b : {0}) dimensions = [{1}]
      return %r : {0}
    })",
                         type, dimensions)
        .str();
  };
  EXPECT_EQ(sketches(reduce("6x7x", "2")), "rows");
  EXPECT_EQ(sketches(reduce("6x40x", "1")), "columns");
  EXPECT_EQ(sketches(reduce("7x40x", "0")), "columns");
  EXPECT_EQ(sketches(reduce("40x", "0, 1")), "columns");
  EXPECT_EQ(sketches(R"(
    func.func @f(%a: tensor<32x32xf32>, %e: tensor<32x32xf32>)
        -> tensor<32x32xf32> {
      %r = linalg.exp ins(%a : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>)
        -> tensor<32x32xf32>
      return %r : tensor<32x32xf32>
    })"),
            "elementwise");
}

TEST_F(SketchRulesTest, DefaultsAreLegal) {
  std::mt19937_64 bits(3);
  auto size = [&]() -> int64_t {
    switch (bits() % 4) {
    case 0:
      return 1 + bits() % 8;
    case 1:
      return int64_t(1) << bits() % 12;
    case 2:
      return 1 + bits() % 200;
    default:
      return 1 + bits() % 3000;
    }
  };
  const Types types[] = {
      {"f32", "f32"}, {"f64", "f64"}, {"f16", "f32"}, {"i8", "i32"}};
  const Target targets[] = {parseTarget(kAVX2, 1), parseTarget(kAVX2, 2),
                            parseTarget(kAVX512, 64), parseTarget(kNEON, 64)};
  const auto rules = createSketchRules();
  for (unsigned i = 0; i != 200; ++i) {
    const Types type = types[bits() % std::size(types)];
    const bool fewRows = bits() % 4 == 0;
    const int64_t m = fewRows ? 1 + bits() % 4 : size(), n = size(), k = size();
    const std::string text =
        fewRows ? productTransposed(m, n, k, type) : product(m, n, k, type);
    SCOPED_TRACE(text);
    Task task = extractOne(text);
    ASSERT_TRUE(task.module);
    for (const Target &target : targets) {
      SCOPED_TRACE(target.str() + ",threads=" + std::to_string(target.threads));
      auto space = generateSpace(task, target, rules, &context);
      ASSERT_TRUE(bool(space)) << llvm::toString(space.takeError());
      unsigned count = 0;
      (*space)->walk([&](schedule::SketchOp sketch) {
        FailureOr<Program> program =
            compileSketch(sketch, task.getFunction(), target, task.flops);
        ASSERT_TRUE(succeeded(program)) << errors.back();
        int failed = -1;
        EXPECT_TRUE(program->isLegal(program->getDefault(), &failed))
            << sketch.getSymName().str() << ": "
            << program->getReason(failed).str();
        ++count;
      });
      EXPECT_GE(count, 1u);
    }
  }
}
