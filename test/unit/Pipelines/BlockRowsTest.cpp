//===- BlockRowsTest.cpp - Features of blocks of random sketches ----------===//
//
// What holds for the rows of any candidate of any task, and that each column
// tells some of them apart.
//
//===----------------------------------------------------------------------===//

#include "RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

using F = BlockFeature;

/// What random products have too little of: stages with functions, quotients
/// and extremes; integers and casts; results larger than the caches.
constexpr llvm::StringLiteral kRows = R"mlir(
#map = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
func.func @rows(%x: tensor<64x333xf32>) -> tensor<64x333xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x333xf32>
  %r = tensor.empty() : tensor<64xf32>
  %i = linalg.fill ins(%lowest : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x333xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %v = arith.maximumf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x333xf32>, tensor<64xf32>) outs(%e : tensor<64x333xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %v = math.exp %d : f32
    linalg.yield %v : f32
  } -> tensor<64x333xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %t = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<64x333xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %v = arith.addf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#map, #rows, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t, %x : tensor<64x333xf32>, tensor<64xf32>, tensor<64x333xf32>) outs(%e : tensor<64x333xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    %v = arith.mulf %d, %c : f32
    linalg.yield %v : f32
  } -> tensor<64x333xf32>
  return %y : tensor<64x333xf32>
})mlir";
constexpr llvm::StringLiteral kBytes = R"mlir(
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @bytes(%a: tensor<96x256xi8>, %b: tensor<256x160xi8>) -> tensor<96x160xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x160xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<96x160xi32>) -> tensor<96x160xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<96x256xi8>, tensor<256x160xi8>) outs(%i : tensor<96x160xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<96x160xi32>
  return %r : tensor<96x160xi32>
})mlir";
constexpr llvm::StringLiteral kSum = R"mlir(
#all = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
func.func @sum(%x: tensor<300007xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["reduction"]}
      ins(%x : tensor<300007xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %v = arith.addf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %r : tensor<f32>
})mlir";
constexpr llvm::StringLiteral kLarge = R"mlir(
func.func @large(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>, %c: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %p = linalg.matmul ins(%a, %b : tensor<2048x2048xf32>, tensor<2048x2048xf32>)
                     outs(%i : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.mul ins(%p, %c : tensor<2048x2048xf32>, tensor<2048x2048xf32>)
                  outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
})mlir";

/// A payload with its space.
struct Payload {
  std::vector<Task> tasks;
  std::unique_ptr<TaskSpace> space;

  Payload(llvm::StringRef text, int threads) {
    auto module = parseSourceString<ModuleOp>(text, &getContext());
    auto extracted = extractTasks(*module, {/*remarks=*/false});
    auto target = Target::parse("cpu:mcpu=znver4", threads);
    EXPECT_TRUE(extracted && target);
    tasks = std::move(*extracted);
    auto made = TaskSpace::create(tasks.front(), *target);
    EXPECT_TRUE(made && *made);
    space = std::move(*made);
  }

  std::vector<BlockFeatureVector> getDefaultRows() const {
    const Candidate candidate = *space->makeSearchTask().getDefault();
    std::vector<BlockFeatureVector> rows;
    space->getProgram(candidate.sketch).describeBlocks(candidate.choices, rows);
    return rows;
  }
};

/// Sees all rows of many candidates.
class Sample {
public:
  std::array<std::set<float>, kNumBlockFeatures> values;
  unsigned candidates = 0;

  void add(const Program &program, const Choices &choices) {
    Evaluation evaluation;
    program.evaluate(choices, evaluation);
    if (!evaluation.legal())
      return;
    ++candidates;
    std::vector<BlockFeatureVector> rows, again;
    program.describeBlocks(choices, rows);
    program.describeBlocks(choices, again);
    ASSERT_FALSE(rows.empty());
    ASSERT_EQ(rows.size(), again.size());
    double cycles = 0, share = 0;
    for (size_t i = 0; i != rows.size(); ++i) {
      const BlockFeatureVector &f = rows[i];
      ASSERT_EQ(f.values, again[i].values);
      for (unsigned column = 0; column != kNumBlockFeatures; ++column) {
        const float value = f.values[column];
        ASSERT_TRUE(std::isfinite(value) && value >= 0)
            << getBlockFeatureInfo(static_cast<F>(column)).name.str() << " is "
            << value;
        values[column].insert(value);
      }
      EXPECT_LE(f[F::TailPoints], f[F::Points]);
      EXPECT_LE(f[F::TailCycles], f[F::Cycles]);
      EXPECT_GE(f[F::Buffer1UniqueBytes], f[F::Buffer2UniqueBytes]);
      cycles += f[F::Cycles];
      share += f[F::CyclesShare];
    }
    const double program_ = evaluation.features[Feature::ComputeCycles] +
                            evaluation.features[Feature::PackCycles];
    EXPECT_NEAR(cycles, program_, 1e-4 * program_);
    EXPECT_NEAR(share, cycles > 0 ? 1 : 0, 1e-4);
  }
};

void addRandom(const TaskSpace &space, std::mt19937_64 &bits, Sample &sample) {
  for (unsigned draw = 0; draw != 150; ++draw) {
    Candidate candidate;
    candidate.sketch = bits() % space.getNumSketches();
    const Program &program = space.getProgram(candidate.sketch);
    for (const Decision &decision : program.getDecisions())
      candidate.choices.push_back(bits() % decision.size());
    sample.add(program, candidate.choices);
  }
}

TEST(BlockRows, OfRandomCandidates) {
  std::mt19937_64 bits(11);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  Sample sample;
  for (unsigned count = 0; count != 20;) {
    RandomTask task = RandomTask::draw(bits);
    if (!task.space)
      continue;
    ++count;
    addRandom(*task.space, bits, sample);
  }
  for (llvm::StringRef payload : {kRows, kBytes, kSum, kLarge})
    for (int threads : {1, 4})
      addRandom(*Payload(payload, threads).space, bits, sample);
  EXPECT_GT(sample.candidates, 500u);
  for (unsigned column = 0; column != unsigned(F::VectorBytes); ++column)
    EXPECT_GT(sample.values[column].size(), 1u)
        << getBlockFeatureInfo(static_cast<F>(column)).name.str()
        << " is the same for all";
}

TEST(BlockRows, CountWhatBodiesDo) {
  const double points = 64 * 333;
  double calls = 0, divisions = 0, subtractions = 0, extremes = 0, sums = 0;
  unsigned reused = 0;
  for (const BlockFeatureVector &f : Payload(kRows, 1).getDefaultRows()) {
    calls += f[F::Calls];
    divisions += f[F::Divisions];
    (f[F::IsReduction] ? sums : subtractions) += f[F::AddSubs];
    extremes += f[F::Comparisons];
    // One of the two largest tensors that the quotient reads was just written.
    if (f[F::Divisions] > 0) {
      EXPECT_FLOAT_EQ(f[F::Multiplies], f[F::Points]);
      reused = (f[F::Buffer1ReuseCount] > 0) + (f[F::Buffer2ReuseCount] > 0);
      EXPECT_GE(reused, 1u);
    }
  }
  EXPECT_FLOAT_EQ(calls, points);
  EXPECT_FLOAT_EQ(divisions, points);
  EXPECT_FLOAT_EQ(subtractions, points);
  EXPECT_GE(extremes, points);
  EXPECT_GE(sums, points);
}

TEST(BlockRows, CountProductsOfIntegers) {
  double products = 0, casts = 0;
  for (const BlockFeatureVector &f : Payload(kBytes, 1).getDefaultRows()) {
    EXPECT_EQ(f[F::Multiplies], 0);
    EXPECT_EQ(f[F::AddSubs], 0);
    products += f[F::MulAdds];
    casts += f[F::Casts];
    if (!f[F::IsContraction])
      continue;
    EXPECT_EQ(f[F::IsInteger], 1);
    EXPECT_EQ(f[F::ElementBytes], 4);
    EXPECT_FLOAT_EQ(f[F::MulAdds], f[F::Points]);
  }
  EXPECT_FLOAT_EQ(products, 96.0 * 160 * 256);
  EXPECT_FLOAT_EQ(casts, 2.0 * 96 * 160 * 256);
}

} // namespace
