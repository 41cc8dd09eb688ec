//===- NumericsTest.cpp - Scheduled code computes the same ----------------===//
//
// Draws random traces over random shapes, compiles each for this machine, runs
// it, and compares with sums in double precision. Every tensor lies between
// zones that must stay as they are, at an address of no particular alignment.
//
//===----------------------------------------------------------------------===//

#include "../Codegen/KernelTest.h"
#include "CaseGuard.h"
#include "RandomTask.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <map>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

/// Far beyond the tenth of a second that a case takes.
constexpr unsigned kSecondsPerCase = 30;
constexpr unsigned kCases = 300;

template <typename T> class Operands {
public:
  using Tensor = sched::testing::Tensor<T>;

  Operands(const Shape &shape, std::mt19937_64 &bits) : shape(shape) {
    auto add = [&](int64_t count) -> Tensor & {
      inputs.push_back(std::make_unique<Tensor>(count, bits() % 16));
      for (int64_t i = 0; i != count; ++i)
        (*inputs.back())[i] = T(int64_t(bits() % 2001) - 1000) / 1000;
      return *inputs.back();
    };
    const int64_t rows = shape.getNumBatches() * shape.m,
                  steps = shape.getReduction();
    add(shape.stride ? shape.getNumBatches() * shape.lines *
                           shape.getImageRows() * shape.getRowSize()
                     : rows * steps);
    add((shape.sharesRhs ? 1 : shape.getNumBatches()) * steps * shape.n);
    for (Epilogue epilogue : shape.epilogues)
      add(epilogue == Epilogue::AddBias ? shape.n : rows * shape.n);
    result = std::make_unique<Tensor>(rows * shape.n, bits() % 16);
    for (int64_t i = 0; i != rows * shape.n; ++i)
      (*result)[i] = std::numeric_limits<T>::quiet_NaN();
  }

  std::vector<void *> getPointers() const {
    std::vector<void *> pointers;
    for (const auto &input : inputs)
      pointers.push_back(input->data());
    if (shape.startsWithRhs())
      std::swap(pointers[0], pointers[1]);
    pointers.push_back(result->data());
    return pointers;
  }

  /// Says what is wrong with the result; nothing if all is well.
  std::string check() const {
    for (const auto &tensor : inputs)
      if (!tensor->isIntact())
        return "writes beside an input";
    if (!result->isIntact())
      return "writes beside the result";
    // Each of the k additions rounds once; the rest is for the epilogues.
    const double tolerance =
        4.0 * std::numeric_limits<T>::epsilon() * (shape.getReduction() + 8);
    for (int64_t i = 0; i != shape.getNumBatches() * shape.m; ++i)
      for (int64_t j = 0; j != shape.n; ++j) {
        const double found = (*result)[i * shape.n + j],
                     expected = getExpected(i, j);
        // Not-a-number is not close to anything.
        if (!(std::fabs(found - expected) <= tolerance))
          return "element [" + std::to_string(i) + ", " + std::to_string(j) +
                 "] is " + std::to_string(found) + ", expected " +
                 std::to_string(expected);
      }
    return "";
  }

private:
  /// Element [i, j] of the result with its batches one below the other.
  double getExpected(int64_t i, int64_t j) const {
    Tensor &a = *inputs[0], &b = *inputs[1];
    const int64_t steps = shape.getReduction(),
                  batch = shape.sharesRhs ? 0 : i / shape.m * steps * shape.n;
    double value = 0;
    // The first element of row i of A. A tap of an image is a row of it; an
    // image has one line or several.
    const int64_t pixels = shape.m / shape.lines;
    const int64_t row =
        shape.stride
            ? (i / pixels * shape.getImageRows() + i % pixels * shape.stride) *
                  shape.getRowSize()
            : i * steps;
    for (int64_t l = 0; l != steps; ++l) {
      const double left =
          a[shape.isDepthwise ? row + l * shape.n + j : row + l];
      value +=
          (shape.producer == Producer::Absolute ? std::fabs(left) : left) *
          double(
              b[batch + (shape.transposed ? j * steps + l : l * shape.n + j)]);
    }
    for (auto [number, epilogue] : llvm::enumerate(shape.epilogues)) {
      Tensor &other = *inputs[2 + number];
      switch (epilogue) {
      case Epilogue::Add:
        value += other[i * shape.n + j];
        break;
      case Epilogue::Mul:
        value *= other[i * shape.n + j];
        break;
      case Epilogue::Max:
        value = std::max<double>(value, other[i * shape.n + j]);
        break;
      case Epilogue::AddBias:
        value += other[j];
        break;
      }
    }
    return value;
  }

  const Shape &shape;
  std::vector<std::unique_ptr<Tensor>> inputs;
  std::unique_ptr<Tensor> result;
};

/// Compiles `payload` and calls it; says what went wrong. `packs` is set where
/// an argument was packed beforehand.
template <typename T>
std::string runAndCheck(ModuleOp payload, const Target &target,
                        const CompileOptions &options, const Shape &shape,
                        std::mt19937_64 &bits, bool &packs) {
  auto library = compileKernel(payload, target, options);
  if (!library)
    return llvm::toString(library.takeError());
  auto entry = library->lookup("f");
  if (!entry)
    return llvm::toString(entry.takeError());
  Operands<T> operands(shape, bits);
  std::vector<void *> pointers = operands.getPointers();
  library->packArguments("f", pointers);
  packs = pointers != operands.getPointers();
  (*entry)(pointers.data());
  return operands.check();
}

/// What was met, so that the test cannot quietly stop to test something.
struct Coverage {
  std::map<std::string, unsigned> sketches;
  unsigned parallel = 0, packedBefore = 0, transposed = 0, doubles = 0,
           chains = 0, optimised = 0, batched = 0, taps = 0, images = 0,
           swapped = 0, lhsBefore = 0, producers = 0, slices = 0,
           windowSlices = 0, depthwise = 0;
};

/// A legal candidate: a default now and then, else any. Where B's layout is
/// free, one that packs it, if one is met soon.
std::optional<Candidate> drawLegal(const RandomTask &task,
                                   std::mt19937_64 &bits) {
  for (unsigned draw = 0; draw != 60; ++draw) {
    Candidate candidate = task.drawCandidate(bits);
    schedule::SketchOp sketch = task.space->getSketch(candidate.sketch);
    if (task.shape.layoutFree && task.shape.isMatmul() && draw < 30 &&
        !sketch.getSymName().starts_with("packed"))
      continue;
    const Program &program = task.space->getProgram(candidate.sketch);
    if (bits() % 16 == 0)
      candidate.choices = program.getDefault();
    // Few tasks can pack the left-hand side: those that can do it more often.
    for (auto [decision, choice] :
         llvm::zip_equal(program.getDecisions(), candidate.choices))
      if (decision.name == "pack_lhs" && draw < 30)
        choice = 1;
    if (program.isLegal(candidate.choices))
      return candidate;
  }
  return std::nullopt;
}

/// Runs one candidate; fails the test where it is wrong.
void runCase(std::mt19937_64 &bits, Coverage &coverage, unsigned &cases) {
  const Shape shape = Shape::draw(bits);
  const int threads = 1 + bits() % 2;
  const RandomTask task = makeTask(shape, "native", threads);
  if (!task.space)
    return;
  std::optional<Candidate> candidate = drawLegal(task, bits);
  if (!candidate)
    return;
  const schedule::Trace trace = task.space->getTrace(*candidate);
  const std::string text = writePayload(shape) + schedule::printTrace(trace) +
                           "\nthreads = " + std::to_string(threads);
  SCOPED_TRACE(text);
  CaseGuard guard(text, kSecondsPerCase);
  auto target = Target::parse("native", threads);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  auto script = task.space->makeScript(*candidate);
  ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
  OwningOpRef<ModuleOp> payload = applyScript(task.tasks.front(), **script);
  ASSERT_TRUE(bool(payload)) << "the script does not apply";
  CompileOptions options;
  // Most errors are in what LLVM is given; its optimiser is slow.
  options.optLevel = bits() % 8 ? 0 : 3;
  options.threads = threads;
  options.packedWrapper = true;
  bool packs = false;
  const std::string wrong =
      shape.isDouble
          ? runAndCheck<double>(*payload, *target, options, shape, bits, packs)
          : runAndCheck<float>(*payload, *target, options, shape, bits, packs);
  ASSERT_TRUE(wrong.empty()) << wrong;
  ++cases;
  const auto *team = trace.find("t");
  ASSERT_TRUE(team);
  ++coverage.sketches[trace.sketch];
  const auto *lhs = trace.find("pack_lhs");
  coverage.lhsBefore += lhs && lhs->values.front() == 1;
  const auto *place = trace.find("producer_at");
  const bool inSlices = place && place->values.front() == 1;
  coverage.producers += shape.producer != Producer::None;
  coverage.slices += inSlices;
  coverage.windowSlices += inSlices && shape.hasWindows();
  coverage.parallel += team->values.front() == 2;
  coverage.packedBefore += packs;
  coverage.transposed += shape.transposed;
  coverage.doubles += shape.isDouble;
  coverage.batched += shape.batch > 1;
  coverage.taps += shape.taps > 1;
  coverage.images += shape.stride > 1;
  coverage.swapped += shape.swapped;
  coverage.depthwise += shape.isDepthwise;
  coverage.chains += shape.epilogues.size() > 1;
  coverage.optimised += options.optLevel == 3;
}

} // namespace

TEST(Numerics, RandomTraces) {
  std::mt19937_64 bits(7);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  Coverage coverage;
  for (unsigned cases = 0; cases < kCases;) {
    runCase(bits, coverage, cases);
    if (HasFatalFailure())
      return;
  }
  EXPECT_EQ(coverage.sketches.size(), 6u);
  for (const auto &[sketch, count] : coverage.sketches)
    // Which are drawn depends on the registers and caches of the machine.
    EXPECT_GT(count, 2u) << sketch;
  EXPECT_GT(coverage.parallel, 10u);
  EXPECT_GT(coverage.packedBefore, 5u);
  EXPECT_GT(coverage.transposed, 10u);
  EXPECT_GT(coverage.doubles, 10u);
  EXPECT_GT(coverage.chains, 10u);
  EXPECT_GT(coverage.optimised, 5u);
  EXPECT_GT(coverage.batched, 10u);
  EXPECT_GT(coverage.taps, 10u);
  EXPECT_GT(coverage.images, 5u);
  EXPECT_GT(coverage.swapped, 5u);
  EXPECT_GT(coverage.depthwise, 10u);
  EXPECT_GT(coverage.lhsBefore, 1u);
  EXPECT_GT(coverage.producers, 20u);
  EXPECT_GT(coverage.slices, 8u);
  EXPECT_GT(coverage.windowSlices, 3u);
}
