//===- Session.cpp - Checks and times a kernel ----------------------------===//

#include "Session.h"
#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace sched::run {

/// Beside a schedule, the unscheduled code gets no further repeat after this
/// long, and none after a call this long.
constexpr double kUnscheduledS = 5, kLongCallS = 0.5;

std::vector<GuardedTensor> makeTensors(const FunctionInfo &info,
                                       uint64_t seed) {
  std::vector<GuardedTensor> tensors;
  for (auto [position, spec] : llvm::enumerate(info.tensors)) {
    GuardedTensor &tensor = tensors.emplace_back(spec, position);
    if (spec.isResult)
      fillWithPoison(spec, tensor.data());
    else
      fillFromSeed(spec, position, seed, tensor.data());
  }
  return tensors;
}

/// Mean seconds of a call in one repeat.
static double timeRepeat(Kernel &kernel, double minRepeatS) {
  TimingOptions options;
  options.warmupS = 0.1 * minRepeatS;
  options.minRepeatS = minRepeatS;
  options.repeats = 1;
  return timeCalls([&] { kernel.call(); }, options,
                   [] { return monotonicSeconds(); })
      .costsS.front();
}

/// Replaces the floats that are `expected` by those of `widened` and says in
/// `specs` what they deviate by, unless one of the two overflows.
static void widen(const FunctionInfo &info, Kernel &widened, uint64_t seed,
                  std::vector<GuardedTensor> &expected,
                  std::vector<TensorSpec> &specs) {
  std::vector<GuardedTensor> tensors = makeTensors(info, seed);
  widened.bind(tensors);
  widened.call();
  for (auto [spec, plain, wide] : llvm::zip_equal(specs, expected, tensors)) {
    if (!spec.isResult || !isFloat(spec.elementType))
      continue;
    const double deviation = deviationOf(spec, plain.data(), wide.data());
    if (!std::isfinite(deviation))
      continue;
    spec.deviation = deviation;
    std::memcpy(plain.data(), wide.data(), plain.size());
  }
}

void compareTensors(ArrayRef<TensorSpec> specs,
                    ArrayRef<GuardedTensor> expectedTensors,
                    ArrayRef<GuardedTensor> tensors, SessionResult &result) {
  for (auto [spec, expected, got] :
       llvm::zip_equal(specs, expectedTensors, tensors)) {
    if (!spec.isResult)
      continue;
    double tolerance = toleranceFor(spec);
    Comparison comparison =
        compare(spec, got.data(), expected.data(), tolerance);
    result.tolerance = std::max(result.tolerance, tolerance);
    result.maxError = std::max(result.maxError, comparison.maxError);
    if (!comparison.agree && result.wrong.empty())
      result.wrong = comparison.describe(spec, tolerance);
  }
}

std::vector<TensorSpec> widenExpected(const FunctionInfo &info, Kernel *widened,
                                      uint64_t seed,
                                      std::vector<GuardedTensor> &expected) {
  std::vector<TensorSpec> specs = info.tensors;
  for (TensorSpec &spec : specs)
    spec.deviation = guessDeviation(spec);
  if (widened)
    widen(info, *widened, seed, expected, specs);
  return specs;
}

SessionResult runSession(const FunctionInfo &info, Kernel &unscheduled,
                         Kernel *widened, Kernel *scheduled,
                         const SessionOptions &options) {
  SessionResult result;
  std::vector<GuardedTensor> expected = makeTensors(info, options.seed);
  unscheduled.bind(expected);
  double begin = monotonicSeconds();
  unscheduled.call();
  double unscheduledS = monotonicSeconds() - begin;
  result.wrong = unscheduled.findTrespass(expected);
  if (!result.wrong.empty()) {
    result.wrong = "the unscheduled code " + result.wrong;
    return result;
  }

  std::vector<GuardedTensor> tensors;
  if (scheduled) {
    tensors = makeTensors(info, options.seed);
    result.packS = scheduled->bind(tensors);
    scheduled->call();
    std::vector<TensorSpec> specs =
        widenExpected(info, widened, options.seed, expected);
    result.wrong = scheduled->findTrespass(tensors);
    compareTensors(specs, expected, tensors, result);
    if (!result.wrong.empty())
      return result;
  }

  // A long call needs no repeating to be timed well enough for a speed-up.
  bool isLong = scheduled && unscheduledS > kLongCallS;
  if (isLong)
    result.unscheduledS.push_back(unscheduledS);
  unscheduledS = 0;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    if (scheduled)
      result.scheduledS.push_back(timeRepeat(*scheduled, options.minRepeatS));
    if (scheduled && (isLong || unscheduledS > kUnscheduledS))
      continue;
    begin = monotonicSeconds();
    result.unscheduledS.push_back(timeRepeat(unscheduled, options.minRepeatS));
    unscheduledS += monotonicSeconds() - begin;
  }
  return result;
}

double medianOf(std::vector<double> values) {
  llvm::sort(values);
  size_t count = values.size();
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

} // namespace sched::run
