//===- NumericsTest.cpp - Scheduled code computes the same ----------------===//
//
// Draws random traces over random shapes, compiles each for this machine, runs
// it, and compares with sums in double precision.
//
//===----------------------------------------------------------------------===//

#include "RandomTask.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/JIT.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

struct Operands {
  std::vector<float> a, b, d, result;
  std::vector<double> expected;

  Operands(const Shape &s, std::mt19937_64 &bits)
      : a(s.m * s.k), b(s.n * s.k), d(s.m * s.n),
        result(s.m * s.n, std::nanf("")), expected(s.m * s.n) {
    for (std::vector<float> *values : {&a, &b, &d})
      for (float &value : *values)
        value = float(int64_t(bits() % 2001) - 1000) / 1000;
    for (int64_t i = 0; i != s.m; ++i)
      for (int64_t j = 0; j != s.n; ++j) {
        double sum = s.add ? d[i * s.n + j] : 0.0;
        for (int64_t l = 0; l != s.k; ++l)
          sum += double(a[i * s.k + l]) *
                 (s.transposed ? b[j * s.k + l] : b[l * s.n + j]);
        expected[i * s.n + j] = sum;
      }
  }

  double maxError() const {
    double error = 0;
    for (size_t i = 0; i != result.size(); ++i) {
      double difference = std::fabs(result[i] - expected[i]);
      error = difference <= error ? error : difference;
      if (std::isnan(result[i]))
        return INFINITY;
    }
    return error;
  }
};

} // namespace

TEST(Numerics, RandomTraces) {
  std::mt19937_64 bits(7);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  unsigned run = 0;
  while (run < 60) {
    RandomTask task = RandomTask::draw(bits);
    if (!task.space)
      continue;
    const int threads = 1 + bits() % 2;
    task = makeTask(task.shape, "native", threads);
    if (!task.space)
      continue;
    auto target = Target::parse("native", threads);
    ASSERT_TRUE(bool(target));
    for (unsigned draw = 0; draw != 40; ++draw) {
      Candidate candidate = task.drawCandidate(bits);
      if (!task.space->getProgram(candidate.sketch).isLegal(candidate.choices))
        continue;
      SCOPED_TRACE(writePayload(task.shape) +
                   schedule::printTrace(task.space->getTrace(candidate)));
      auto script = task.space->makeScript(candidate);
      ASSERT_TRUE(bool(script)) << llvm::toString(script.takeError());
      OwningOpRef<ModuleOp> payload =
          applyScript(task.tasks.front(), **script);
      ASSERT_TRUE(bool(payload)) << "the script does not apply";
      CompileOptions options;
      options.optLevel = 0;
      options.threads = threads;
      options.packedWrapper = true;
      llvm::SmallVector<char, 0> object;
      llvm::Error error = compileToObject(*payload, *target, options, object);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
      auto library =
          KernelLibrary::load(llvm::StringRef(object.data(), object.size()));
      ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
      auto entry = library->lookup("f");
      ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
      Operands operands(task.shape, bits);
      // The addend is no argument of a task that does not add.
      std::vector<void *> pointers{operands.a.data(), operands.b.data()};
      if (task.shape.add)
        pointers.push_back(operands.d.data());
      pointers.push_back(operands.result.data());
      (*entry)(pointers.data());
      ASSERT_LT(operands.maxError(), 1e-5 * std::sqrt(task.shape.k) + 1e-5);
      ++run;
      break;
    }
  }
}
