//===- DotProductsTest.cpp - Sketches for narrow types --------------------===//
//
// Random traces of the sketches with groups of steps: the model says the same
// as the IR, and the script computes the product. The script is the same for
// all processors; here it runs without their instructions.
//
//===----------------------------------------------------------------------===//

#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {
struct Extents {
  int64_t m, n, k;
};

/// What a product stands in.
enum class Loops { None, Batches, Windows };

/// Of `narrow` by the same, i16 by bytes.
std::string writeProduct(Extents extents, StringRef narrow,
                         Loops loops = Loops::None) {
  const auto [m, n, k] = extents;
  auto tensor = [](ArrayRef<int64_t> shape, StringRef type) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + type.str() + ">";
  };
  const bool isFloat = narrow.ends_with("f16");
  const char *sum = isFloat ? "f32" : "i32";
  SmallVector<int64_t> a{m, k}, b{k, n}, c{m, n};
  std::string op = "linalg.matmul";
  if (loops == Loops::Batches) {
    for (SmallVector<int64_t> *shape : {&a, &b, &c})
      shape->insert(shape->begin(), 3);
    op = "linalg.batch_matmul";
  } else if (loops == Loops::Windows) {
    // A stride for some of them.
    const int64_t stride = 1 + m % 2;
    a = {1, 3, stride * (m - 1) + 3, k};
    b = {2, 3, k, n};
    c = {1, 2, m, n};
    op = "linalg.conv_2d_nhwc_hwcf {strides = dense<[1, " +
         std::to_string(stride) +
         "]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}";
  }
  const std::string as = tensor(a, narrow),
                    bs = tensor(b, narrow == "i16" ? "i8" : narrow),
                    cs = tensor(c, sum);
  return "func.func @f(%a: " + as + ", %b: " + bs + ") -> " + cs +
         " {\n"
         "  %z = arith.constant " +
         (isFloat ? "0.0" : "0") + " : " + sum +
         "\n  %e = tensor.empty() : " + cs +
         "\n  %i = linalg.fill ins(%z : " + sum + ") outs(%e : " + cs +
         ") -> " + cs + "\n  %r = " + op + " ins(%a, %b : " + as + ", " + bs +
         ") outs(%i : " + cs + ") -> " + cs + "\n  return %r : " + cs + "\n}\n";
}

/// The task of `text` with its space.
RandomTask makeProduct(StringRef text, const Target &target) {
  auto module = parseSourceString<ModuleOp>(text, &getContext());
  ExtractionOptions options;
  options.remarks = false;
  RandomTask result;
  auto tasks = extractTasks(*module, options);
  EXPECT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  result.tasks = std::move(*tasks);
  auto space = TaskSpace::create(result.tasks.front(), target);
  EXPECT_TRUE(bool(space)) << llvm::toString(space.takeError());
  result.space = std::move(*space);
  return result;
}

StringRef drawNarrow(std::mt19937_64 &bits) {
  static const StringRef types[] = {"bf16", "i8", "i16"};
  return types[bits() % std::size(types)];
}

/// A product of random extents for a processor that has dot products; without
/// space where no panel fits.
RandomTask drawProduct(std::mt19937_64 &bits, StringRef narrow, Loops loops,
                       Extents &extents) {
  const bool isFloat = narrow == "bf16";
  static const int64_t sizes[] = {1, 2, 7, 16, 31, 32, 40, 64, 97, 100, 128};
  auto size = [&] { return sizes[bits() % std::size(sizes)]; };
  extents = {size(), size(),
             size() * (narrow == "i8" ? 4 : 2) * int64_t(1 + bits() % 2)};
  const char *spec =
      narrow == "i16"
          ? (bits() % 2 ? "cpu:mcpu=haswell,triple=x86_64-linux-gnu"
                        : "cpu:mcpu=cascadelake,triple=x86_64-linux-gnu")
      : bits() % 2 ? "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu"
      : bits() % 2 ? "cpu:mcpu=neoverse-n2,triple=aarch64-linux-gnu"
      : isFloat    ? "cpu:mcpu=cooperlake,triple=x86_64-linux-gnu"
      : bits() % 2 ? "cpu:mcpu=cascadelake,triple=x86_64-linux-gnu"
                   : "cpu:mcpu=neoverse-n1,triple=aarch64-linux-gnu";
  auto target = Target::parse(spec, 1 + bits() % 2);
  EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
  return makeProduct(writeProduct(extents, narrow, loops), *target);
}

/// A random candidate of a sketch with groups; nothing if there is none.
std::optional<Candidate> drawGrouped(const RandomTask &task,
                                     std::mt19937_64 &bits) {
  Candidate candidate = task.drawCandidate(bits);
  schedule::SketchOp sketch = task.space->getSketch(candidate.sketch);
  if (!sketch.getSymName().starts_with("dot") &&
      !sketch.getSymName().starts_with("tiles"))
    return std::nullopt;
  return candidate;
}

/// Products of vectors in a turn of the loop over the steps, or, without rows,
/// vectors of the right-hand side that it reads.
int64_t countProducts(const RandomTask &task, const Candidate &candidate,
                      bool rows) {
  const Program &program = task.space->getProgram(candidate.sketch);
  int64_t count = 1;
  for (auto [decision, choice] :
       llvm::zip_equal(program.getDecisions(), candidate.choices))
    if (decision.name == "vectors" || decision.name == "ku" ||
        (rows && decision.name == "mr"))
      count *= decision.domain[choice].front();
  return count;
}
} // namespace

class GroupedProducts : public testing::TestWithParam<Loops> {};

INSTANTIATE_TEST_SUITE_P(Loops, GroupedProducts,
                         testing::Values(Loops::None, Loops::Batches,
                                         Loops::Windows));

TEST_P(GroupedProducts, ModelAgainstIR) {
  std::mt19937_64 bits(3);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  unsigned illegal = 0;
  for (unsigned legal = 0; legal < 60;) {
    Extents extents;
    RandomTask task = drawProduct(bits, drawNarrow(bits), GetParam(), extents);
    if (!task.space)
      continue;
    keepBlocks(*task.space);
    for (unsigned draw = 0; draw != 12; ++draw) {
      std::optional<Candidate> candidate = drawGrouped(task, bits);
      if (!candidate)
        continue;
      const Program &program = task.space->getProgram(candidate->sketch);
      const bool isLegal = program.isLegal(candidate->choices);
      auto script = task.space->makeScript(*candidate);
      ASSERT_EQ(isLegal, bool(script));
      if (!isLegal) {
        llvm::consumeError(script.takeError());
        ++illegal;
        continue;
      }
      ++legal;
      SCOPED_TRACE((Twine(extents.m) + "x" + Twine(extents.n) + "x" +
                    Twine(extents.k) + " " +
                    schedule::printTrace(task.space->getTrace(*candidate)))
                       .str());
      OwningOpRef<ModuleOp> payload = applyScript(task.tasks.front(), **script);
      ASSERT_TRUE(bool(payload)) << "the script does not apply";
      foldTrivialLoops(*payload);
      ASSERT_EQ(joinLines(listModel(program, candidate->choices).blocks),
                joinLines(listIR(*payload).blocks));
    }
  }
  EXPECT_GT(illegal, 20u);
}

/// Visits the sketches of `text`, for one thread of `spec`, by their names.
static void
forSketches(StringRef text, StringRef spec,
            llvm::function_ref<void(StringRef, const Program &)> visit) {
  auto target = Target::parse(spec, 1);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  RandomTask task = makeProduct(text, *target);
  ASSERT_TRUE(task.space != nullptr);
  for (unsigned i = 0; i != task.space->getNumSketches(); ++i)
    visit(task.space->getSketch(i).getSymName(), task.space->getProgram(i));
}

/// What the sketches of `text` that take groups of steps have in `field`, which
/// is the same of all; nothing where there is none.
static std::optional<bool> findInNests(StringRef text, StringRef spec,
                                       bool LoopNestPlan::*field) {
  std::optional<bool> result;
  forSketches(text, spec, [&](StringRef name, const Program &program) {
    if (!name.starts_with("dot") && !name.starts_with("tiles"))
      return;
    const bool own = program.getNest().*field;
    EXPECT_EQ(result.value_or(own), own);
    result = own;
  });
  return result;
}

TEST(DotProductTiles, AreThoseOfTheOperands) {
  auto hasTiles = [](StringRef narrow, StringRef spec) {
    return findInNests(writeProduct({64, 64, 128}, narrow), spec,
                       &LoopNestPlan::hasTiles);
  };
  const std::string sapphire =
      "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu";
  const std::string granite = "cpu:mcpu=graniterapids,triple=x86_64-linux-gnu";
  EXPECT_EQ(hasTiles("bf16", sapphire), true);
  EXPECT_EQ(hasTiles("bf16", sapphire + ",features=-amx-bf16"), false);
  EXPECT_EQ(hasTiles("f16", granite + ",features=-amx-bf16"), true);
  // There is no other instruction for f16, so no sketch.
  EXPECT_EQ(hasTiles("f16", sapphire), std::nullopt);
  EXPECT_EQ(hasTiles("i8", sapphire), true);
  EXPECT_EQ(hasTiles("i8", sapphire + ",features=-amx-int8"), false);
}

static const char kWithoutTiles[] = "cpu:mcpu=znver4,triple=x86_64-linux-gnu";

/// Of unsigned bytes and signed ones.
static const char kMixedProduct[] = R"mlir(
func.func @f(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>) -> tensor<64x64xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<64x128xi8>, tensor<128x64xi8>)
    outs(%i : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
})mlir";

TEST(DotProductRows, AreChangedWhereBytesHaveSigns) {
  auto changesRows = [](StringRef text) {
    return findInNests(text, kWithoutTiles, &LoopNestPlan::changesRows);
  };
  EXPECT_EQ(changesRows(writeProduct({64, 64, 128}, "i8")), true);
  EXPECT_EQ(changesRows(writeProduct({64, 64, 128}, "bf16")), false);
  EXPECT_EQ(changesRows(kMixedProduct), false);
}

TEST(DotProductRows, AreChangedWhereTheyAreCopied) {
  // Of the default schedule: cycles by whether rows are copied.
  auto countCycles = [](StringRef text) {
    std::vector<double> cycles;
    forSketches(
        text, kWithoutTiles, [&](StringRef name, const Program &program) {
          if (name != "dot")
            return;
          Choices choices = program.getDefault();
          for (auto [decision, choice] :
               llvm::zip_equal(program.getDecisions(), choices))
            if (decision.name == "cache_lhs")
              for (choice = 0; choice != decision.size(); ++choice) {
                Evaluation evaluation;
                program.evaluate(choices, evaluation);
                cycles.push_back(evaluation.features[Feature::ComputeCycles]);
              }
        });
    return cycles;
  };
  const std::vector<double> bytes =
                                countCycles(writeProduct({64, 64, 512}, "i8")),
                            mixed = countCycles(kMixedProduct);
  ASSERT_EQ(bytes.size(), 2u);
  ASSERT_EQ(mixed.size(), 2u);
  EXPECT_LT(bytes[1], 0.95 * bytes[0]);
  EXPECT_GT(mixed[1], mixed[0]);
}

TEST(DotProductNumerics, Run) {
  std::mt19937_64 bits(5);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  auto host = Target::parse("native", 1);
  ASSERT_TRUE(bool(host)) << llvm::toString(host.takeError());
  for (unsigned cases = 0; cases < 20;) {
    Extents extents;
    const bool hasWords = bits() % 2;
    RandomTask task =
        drawProduct(bits, hasWords ? "i16" : "i8", Loops::None, extents);
    if (!task.space)
      continue;
    std::optional<Candidate> candidate = drawGrouped(task, bits);
    // Vectors as large as tiles are no code for other machines, nor are many
    // groups or products at a time: LLVM selects their instructions for
    // minutes.
    if (!candidate || countProducts(task, *candidate, /*rows=*/false) > 16 ||
        countProducts(task, *candidate, /*rows=*/true) > 64 ||
        task.space->getSketch(candidate->sketch)
            .getSymName()
            .starts_with("tiles") ||
        !task.space->getProgram(candidate->sketch).isLegal(candidate->choices))
      continue;
    ++cases;
    const auto [m, n, k] = extents;
    SCOPED_TRACE((Twine(m) + "x" + Twine(n) + "x" + Twine(k) + " " +
                  schedule::printTrace(task.space->getTrace(*candidate)))
                     .str());
    auto script = task.space->makeScript(*candidate);
    ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
    OwningOpRef<ModuleOp> payload = applyScript(task.tasks.front(), **script);
    ASSERT_TRUE(bool(payload)) << "the script does not apply";
    CompileOptions options;
    options.optLevel = 1;
    options.packedWrapper = true;
    auto library = compileKernel(*payload, *host, options);
    ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
    auto entry = library->lookup("f");
    ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
    std::vector<int8_t> bytes(m * k), b(k * n);
    for (std::vector<int8_t> *operand : {&bytes, &b})
      for (int8_t &element : *operand)
        element = static_cast<int8_t>(bits());
    std::vector<int16_t> a(bytes.begin(), bytes.end());
    if (hasWords)
      for (int16_t &element : a)
        element = static_cast<int16_t>(bits());
    std::vector<int32_t> c(m * n, -1), expected(m * n);
    for (int64_t row = 0; row != m; ++row)
      for (int64_t step = 0; step != k; ++step)
        for (int64_t column = 0; column != n; ++column)
          expected[row * n + column] +=
              a[row * k + step] * b[step * n + column];
    void *lhs = hasWords ? static_cast<void *>(a.data()) : bytes.data();
    void *pointers[] = {lhs, b.data(), c.data()};
    (*entry)(pointers);
    ASSERT_EQ(c, expected);
  }
}
