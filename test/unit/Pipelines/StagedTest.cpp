//===- StagedTest.cpp - Tasks without a contraction, all the way ----------===//
//
// Draws elementwise chains, reductions, softmax and norms of random sizes, and
// random traces of their sketches. The loop-nest model must agree with the IR
// that each script makes, loops and vectors, and the code must compute what
// plain loops in double precision do.
//
//===----------------------------------------------------------------------===//

#include "../Codegen/KernelTest.h"
#include "CaseGuard.h"
#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "StagedPayload.h"
#include "VectorListing.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

constexpr unsigned kSecondsPerCase = 60;
/// Legal candidates a test.
constexpr unsigned kCases = 300, kSharedCases = 60, kBlockedCases = 20;

/// Runs `payload` and says what is wrong; nothing if all is well.
std::string runAndCheck(const Payload &payload, ModuleOp module,
                        const Target &target, const CompileOptions &options,
                        std::mt19937_64 &bits) {
  auto library = compileKernel(module, target, options);
  if (!library)
    return llvm::toString(library.takeError());
  auto entry = library->lookup("f");
  if (!entry)
    return llvm::toString(entry.takeError());
  using Tensor = sched::testing::Tensor<float>;
  // Factors near one, so that products of hundreds stay in range.
  auto draw = [&](std::vector<float> &values, Tensor &tensor) {
    for (size_t i = 0; i != tensor.size(); ++i) {
      const float x = float(int64_t(bits() % 2001) - 1000) / 1000;
      values.push_back(payload.kind == Kind::RowProduct ? 1 + x / 64 : x);
      tensor[i] = values.back();
    }
  };
  Tensor a(payload.m * payload.k * payload.n, bits() % 16),
      b(payload.kind == Kind::TransposedAdd ? payload.m * payload.n : payload.n,
        bits() % 16),
      r(payload.resultSize(), bits() % 16);
  std::vector<float> as, bs;
  draw(as, a);
  draw(bs, b);
  for (size_t i = 0; i != r.size(); ++i)
    r[i] = std::numeric_limits<float>::quiet_NaN();
  void *pointers[] = {a.data(), b.data(), r.data()};
  (*entry)(pointers);
  if (!a.isIntact() || !b.isIntact() || !r.isIntact())
    return "writes beside a tensor";
  for (size_t i = 0; i != r.size(); ++i) {
    const double expected = payload.getExpected(as, bs, i);
    const double tolerance = 8.0 * std::numeric_limits<float>::epsilon() *
                             (std::max(payload.m, payload.n) + payload.k + 8) *
                             std::max(1.0, std::fabs(expected));
    // Not-a-number is not close to anything.
    if (!(std::fabs(r[i] - expected) <= tolerance))
      return "element " + std::to_string(i) + " is " + std::to_string(r[i]) +
             ", expected " + std::to_string(expected);
  }
  return "";
}

/// A payload that is one task, with its space, and the same with the marks that
/// VectorRun needs.
struct DrawnTask {
  explicit DrawnTask(Payload payload) : payload(payload) {}

  Payload payload;
  std::string text;
  std::vector<Task> tasks;
  std::optional<Target> target;
  std::unique_ptr<TaskSpace> space, listed;

  const Task &task() const { return tasks.front(); }
};

/// Fills all of `drawn` but the payload. There is no space where the payload is
/// several tasks.
void makeSpace(DrawnTask &drawn, int threads) {
  drawn.text = drawn.payload.write();
  auto module = parseSourceString<ModuleOp>(drawn.text, &getContext());
  ASSERT_TRUE(bool(module)) << drawn.text;
  ExtractionOptions extraction;
  extraction.remarks = false;
  auto tasks = extractTasks(*module, extraction);
  ASSERT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  drawn.tasks = std::move(*tasks);
  // The mean of columns is a task after the sum of columns.
  ASSERT_EQ(drawn.tasks.size(),
            drawn.payload.kind == Kind::MeanOfColumns ? 2u : 1u);
  if (drawn.tasks.size() != 1)
    return;
  auto target = Target::parse("native", threads);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  drawn.target = *target;
  for (std::unique_ptr<TaskSpace> *space : {&drawn.space, &drawn.listed}) {
    auto made = TaskSpace::create(drawn.task(), *target);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    ASSERT_TRUE(bool(*made)) << "no rule applies";
    *space = std::move(*made);
  }
  markVectors(*drawn.listed);
}

/// Compares the model of `candidate` with its IR, and what it computes with
/// what it should; counts it in `legal` if it is one.
void checkTrace(const DrawnTask &drawn, const Candidate &candidate,
                std::mt19937_64 &bits, unsigned &legal) {
  const Program &program = drawn.space->getProgram(candidate.sketch);
  const std::string trace =
      schedule::printTrace(drawn.space->getTrace(candidate));
  SCOPED_TRACE(trace);
  auto script = drawn.listed->makeScript(candidate);
  ASSERT_TRUE(!program.isLegal(candidate.choices) || bool(script))
      << llvm::toString(script.takeError());
  if (!script || !program.isLegal(candidate.choices)) {
    llvm::consumeError(script.takeError());
    return;
  }
  CaseGuard guard(drawn.text + trace, kSecondsPerCase);
  VectorRun run(**script);
  OwningOpRef<ModuleOp> nest = run.makeBlocks(drawn.task());
  ASSERT_TRUE(bool(nest)) << "the script does not apply";
  foldTrivialLoops(*nest);
  NestListing model = listModel(program, candidate.choices), ir = listIR(*nest);
  for (NestListing *listing : {&model, &ir}) {
    llvm::sort(listing->blocks);
    llvm::sort(listing->helpers);
  }
  ASSERT_EQ(joinLines(model.blocks), joinLines(ir.blocks));
  ASSERT_EQ(joinLines(model.helpers), joinLines(ir.helpers));
  ASSERT_TRUE(bool(run.makeVectors())) << "the script does not apply";
  std::vector<std::string> sizes = listModelVectors(program, candidate.choices);
  std::vector<std::string> made = run.list(*nest);
  llvm::sort(sizes);
  llvm::sort(made);
  ASSERT_EQ(joinLines(sizes), joinLines(made));

  auto whole = drawn.space->makeScript(candidate);
  ASSERT_TRUE(bool(whole)) << llvm::toString(whole.takeError());
  OwningOpRef<ModuleOp> payload = applyScript(
      parseSourceString<ModuleOp>(drawn.text, &getContext()), **whole);
  ASSERT_TRUE(bool(payload)) << "the script does not apply";
  CompileOptions options;
  options.optLevel = bits() % 8 ? 0 : 3;
  options.threads = drawn.target->threads;
  options.packedWrapper = true;
  const std::string wrong =
      runAndCheck(drawn.payload, *payload, *drawn.target, options, bits);
  ASSERT_TRUE(wrong.empty()) << wrong;
  ++legal;
}

/// The default, or any.
Candidate drawCandidate(const DrawnTask &drawn, unsigned sketch, bool isDefault,
                        std::mt19937_64 &bits) {
  const Program &program = drawn.space->getProgram(sketch);
  Candidate candidate;
  candidate.sketch = sketch;
  for (const Decision &decision : program.getDecisions())
    candidate.choices.push_back(bits() % decision.size());
  if (isDefault)
    candidate.choices = program.getDefault();
  return candidate;
}

} // namespace

TEST(Staged, RandomTraces) {
  std::mt19937_64 bits(11);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  /// Those whose steps were reduced at once, or kept partial results.
  std::set<Kind> met, atOnce, kept;
  for (unsigned legal = 0; legal < kCases;) {
    DrawnTask drawn(Payload::draw(bits));
    const Kind kind = drawn.payload.kind;
    makeSpace(drawn, 1 + bits() % 3);
    SCOPED_TRACE(drawn.text);
    if (HasFatalFailure())
      return;
    if (!drawn.space)
      continue;
    const Program &program = drawn.space->getProgram(0);
    ASSERT_TRUE(program.isLegal(program.getDefault()));
    for (unsigned draw = 0; draw != 3; ++draw) {
      const Candidate candidate =
          drawCandidate(drawn, /*sketch=*/0, draw == 0, bits);
      const unsigned before = legal;
      checkTrace(drawn, candidate, bits, legal);
      if (HasFatalFailure())
        return;
      if (legal == before)
        continue;
      met.insert(kind);
      for (auto [decision, choice] :
           llvm::zip_equal(program.getDecisions(), candidate.choices))
        if (decision.name == "keep_partials")
          (choice == 0 ? atOnce : kept).insert(kind);
    }
  }
  EXPECT_EQ(met.size(), size_t(Kind::Last));
  // All that reduce rows.
  const std::set<Kind> rows = {
      Kind::RowSum,    Kind::RowMax,    Kind::RowProduct, Kind::Softmax,
      Kind::LayerNorm, Kind::RMSNorm,   Kind::CubeNorm,   Kind::CubeMiddle,
      Kind::CubeSum,   Kind::ScaledCube};
  EXPECT_EQ(atOnce, rows);
  EXPECT_EQ(kept, rows);
}

TEST(Staged, LargeTransposesGoInBlocks) {
  std::mt19937_64 bits(13);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  for (unsigned legal = 0; legal < kBlockedCases;) {
    Payload payload{Kind::TransposedAdd, 0, 0};
    payload.m = 300 + int64_t(bits() % 300);
    payload.n = 300 + int64_t(bits() % 300);
    DrawnTask drawn(payload);
    makeSpace(drawn, 1 + bits() % 2);
    SCOPED_TRACE(drawn.text);
    if (HasFatalFailure())
      return;
    if (drawn.space->getSketch(0).getSymName() != "transposed_blocks")
      continue;
    for (unsigned draw = 0; draw != 3; ++draw) {
      checkTrace(drawn, drawCandidate(drawn, 0, draw == 0, bits), bits, legal);
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(Staged, ThreadsShareReductions) {
  std::mt19937_64 bits(12);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  std::map<std::string, unsigned> met;
  for (unsigned legal = 0; legal < kSharedCases;) {
    static const Kind kinds[] = {Kind::RowSum, Kind::RowMax, Kind::ColumnSum,
                                 Kind::CubeSum, Kind::CubeMiddle};
    DrawnTask drawn({kinds[bits() % std::size(kinds)], 1, 1});
    Payload &payload = drawn.payload;
    // Enough for four threads, and something left over now and then.
    constexpr int64_t elements = 1 << 17;
    payload.m = 1 + bits() % 3;
    if (payload.isOfColumns()) {
      payload.n = 1 + bits() % 40;
      payload.m = elements / payload.n + bits() % 9 + 1;
    } else if (payload.isCube()) {
      payload.n = 1 + bits() % 300;
      payload.k = elements / payload.n / payload.m + bits() % 9 + 1;
    } else {
      payload.n = elements / payload.m + bits() % 9 + 1;
    }
    makeSpace(drawn, 2 + bits() % 3);
    SCOPED_TRACE(drawn.text);
    if (HasFatalFailure())
      return;
    for (unsigned sketch = 0; sketch != drawn.space->getNumSketches();
         ++sketch) {
      const std::string name =
          drawn.space->getSketch(sketch).getSymName().str();
      if (!llvm::StringRef(name).starts_with("shared_"))
        continue;
      const unsigned before = legal;
      for (unsigned draw = 0; draw != 3; ++draw) {
        checkTrace(drawn, drawCandidate(drawn, sketch, draw == 0, bits), bits,
                   legal);
        if (HasFatalFailure())
          return;
      }
      met[name] += legal - before;
    }
  }
  EXPECT_GT(met["shared_rows"], 10u);
  EXPECT_GT(met["shared_columns"], 10u);
}
