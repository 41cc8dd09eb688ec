//===- KernelRunner.cpp - Runs, checks and times an object ----------------===//

#include "KernelRunner.h"
#include "Fault.h"
#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace sched::worker {

void KernelRunner::provideOperands(ArrayRef<TensorSpec> specs, uint64_t seed) {
  if (operands && operands->matches(specs, seed))
    return;
  device.releaseOperands();
  operands = std::make_unique<Operands>(specs, seed);
}

Expected<Executor *> KernelRunner::load(const RunRequest &request) {
  if (isGraphicsProcessor(request.target))
    return device.load(request.object, request);
  auto buffer = MemoryBuffer::getFile(request.object, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failRequest(failure::kRuntime, stage::kLoad,
                       "cannot read the object '" + request.object +
                           "': " + buffer.getError().message());
  Expected<std::unique_ptr<Executor>> loaded =
      loadHostExecutor((*buffer)->getBuffer(), request.function);
  if (!loaded)
    return loaded.takeError();
  host = std::move(*loaded);
  return host.get();
}

/// From so many seconds on, the second call tells a speed-up well enough, and
/// from so many more the first one does.
static constexpr double kLongCallS = 0.02, kLongestCallS = 0.1;

/// What the driver says of a program that it assembled itself.
static Error checkUsage(const std::vector<KernelUsage> &kernels) {
  for (const KernelUsage &usage : kernels)
    if (usage.spillBytes > 0)
      return failRequest(failure::kSpill, stage::kLoad, describeSpill(usage),
                         kernels);
  return Error::success();
}

Expected<RunAnswer> KernelRunner::run(const RunRequest &request) {
  double begin = monotonicSeconds();
  channel.enter(stage::kLoad);
  Expected<Executor *> executor = load(request);
  if (!executor)
    return executor.takeError();
  RunAnswer answer;
  answer.kernels = (*executor)->getUsage();
  if (Error error = checkUsage(answer.kernels))
    return std::move(error);

  channel.enter(stage::kCheck);
  provideOperands(request.tensors, request.seed);
  if (Error error = (*executor)->bind(*operands))
    return std::move(error);
  double expectedS = request.expectedS;
  if (!request.skipCheck) {
    operands->poisonResults();
    misbehave(request.fault);
    const double called = monotonicSeconds();
    if (Error error = (*executor)->call())
      return std::move(error);
    if (expectedS == 0)
      expectedS = monotonicSeconds() - called;
    operands->spoil(request.fault);
    if (Error error = operands->checkMemory())
      return std::move(error);
    if (Error error = operands->checkResults(request, answer.maxError))
      return std::move(error);
  }
  double checked = monotonicSeconds();
  answer.checkS = checked - begin;

  channel.enter(stage::kRun);
  TimingOptions options;
  options.expectedS = expectedS;
  options.warmupS = request.warmupMs * 1e-3;
  options.minRepeatS = request.minRepeatMs * 1e-3;
  options.repeats = request.repeats;
  options.agreement = request.agreement;
  options.dropAboveS = request.dropAboveS;
  Expected<Timing> timing = (*executor)->time(options);
  if (!timing)
    return timing.takeError();
  answer.costsS = std::move(timing->costsS);
  answer.dropped = timing->dropped;
  answer.runS = monotonicSeconds() - checked;
  return answer;
}

Expected<DeviceAnswer> KernelRunner::findDevice() {
  Expected<const Device *> opened = device.open();
  if (!opened)
    return opened.takeError();
  return DeviceAnswer{(*opened)->getProperties()};
}

/// Replaces the floats of the results by those with sums of f32, unless these
/// stay finite where the payload's overflow, or the other way around.
Error KernelRunner::widenReference(ArrayRef<char> widened,
                                   ReferenceAnswer &answer) {
  Expected<std::unique_ptr<Executor>> executor = loadHostExecutor(
      StringRef(widened.data(), widened.size()), answer.function);
  if (!executor)
    return executor.takeError();
  std::vector<std::vector<char>> plain;
  for (const GuardedTensor &tensor : operands->getTensors()) {
    auto *bytes = static_cast<const char *>(tensor.data());
    plain.emplace_back(bytes, bytes + tensor.size());
  }
  if (Error error = (*executor)->bind(*operands))
    return error;
  if (Error error = (*executor)->call())
    return error;
  if (Error error = operands->checkMemory())
    return error;
  for (auto [spec, tensor, own] :
       llvm::zip_equal(answer.tensors, operands->getTensors(), plain)) {
    if (!spec.isResult)
      continue;
    const double deviation = isFloat(spec.elementType)
                                 ? deviationOf(spec, own.data(), tensor.data())
                                 : std::numeric_limits<double>::infinity();
    if (std::isfinite(deviation))
      spec.deviation = deviation;
    else
      llvm::copy(own, static_cast<char *>(tensor.data()));
  }
  return Error::success();
}

Error KernelRunner::checkSample(const ReferenceRequest &request,
                                const ReferenceSample &sample,
                                const ReferenceAnswer &answer) {
  channel.enter(stage::kCheck);
  Expected<std::unique_ptr<Executor>> executor = loadHostExecutor(
      StringRef(sample.object.data(), sample.object.size()), answer.function);
  if (!executor)
    return executor.takeError();
  Operands part(sample.tensors, request.seed);
  if (Error error = (*executor)->bind(part))
    return error;
  if (Error error = (*executor)->call())
    return error;
  if (Error error = part.checkMemory())
    return error;
  const int64_t *first = sample.firsts.begin();
  for (auto [spec, whole, some] : llvm::zip_equal(
           answer.tensors, operands->getTensors(), part.getTensors())) {
    if (!spec.isResult)
      continue;
    const int64_t elementBytes = static_cast<int64_t>(whole.size()) /
                                 std::max<int64_t>(1, spec.numElements());
    const char *got =
        static_cast<const char *>(whole.data()) + *first * elementBytes;
    TensorSpec partSpec = spec;
    partSpec.shape = some.getSpec().shape;
    // The CPU rounds nothing to tf32.
    partSpec.tensorFloatOps = 0;
    const double tolerance = toleranceFor(partSpec);
    const Comparison comparison =
        compare(partSpec, got, some.data(), tolerance);
    if (!comparison.agree && !isFlip(partSpec, comparison))
      return failRequest(
          failure::kWrongResult, stage::kCheck,
          "its schedule for the CPU, whose results others are "
          "to be compared with, is wrong; of those from element " +
              std::to_string(*first) + " on, " +
              comparison.describe(partSpec, tolerance));
    ++first;
  }
  return Error::success();
}

Error KernelRunner::makeReference(const ReferenceRequest &request,
                                  ArrayRef<char> object, ArrayRef<char> widened,
                                  ArrayRef<ReferenceSample> samples,
                                  ReferenceAnswer &answer) {
  channel.enter(stage::kLoad);
  Expected<std::unique_ptr<Executor>> executor = loadHostExecutor(
      StringRef(object.data(), object.size()), answer.function);
  if (!executor)
    return executor.takeError();

  channel.enter(stage::kRun);
  provideOperands(answer.tensors, request.seed);
  if (Error error = (*executor)->bind(*operands))
    return error;
  double begin = monotonicSeconds();
  if (Error error = (*executor)->call())
    return error;
  answer.seconds = monotonicSeconds() - begin;
  if (Error error = operands->checkMemory())
    return error;
  // The unscheduled kernel may be a thousand times slower than the best.
  answer.callS = answer.seconds;
  if (isGraphicsProcessor(request.target) || !samples.empty()) {
    answer.seconds = 0;
  } else if (answer.seconds < kLongCallS) {
    TimingOptions options;
    options.repeats = 3;
    Expected<Timing> timing = (*executor)->time(options);
    if (!timing)
      return timing.takeError();
    answer.seconds = timing->costsS.back();
  } else if (answer.seconds < kLongestCallS) {
    // The first one has met new pages.
    begin = monotonicSeconds();
    if (Error error = (*executor)->call())
      return error;
    answer.seconds = std::min(answer.seconds, monotonicSeconds() - begin);
  }
  for (TensorSpec &spec : answer.tensors)
    spec.deviation = guessDeviation(spec);
  for (const ReferenceSample &sample : samples)
    if (Error error = checkSample(request, sample, answer))
      return error;
  if (!widened.empty())
    if (Error error = widenReference(widened, answer))
      return error;
  return writeReference(request.reference, answer.tensors,
                        operands->getPointers());
}

} // namespace sched::worker
