//===- KernelRunner.cpp - Runs, checks and times an object ----------------===//

#include "KernelRunner.h"
#include "Fault.h"
#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace llvm;

namespace sched::worker {

/// More than the last-level cache that a core may fill.
static constexpr size_t kOtherDataBytes = size_t(48) << 20;

/// Fills the caches with other data, as a caller's program does between calls:
/// back to back, a kernel would find all of its operands in the last level.
static void evictCaches() {
  static std::vector<char> other(kOtherDataBytes);
  for (size_t i = 0; i < other.size(); i += 64)
    ++other[i];
}

static bool sameSpecs(ArrayRef<TensorSpec> a, ArrayRef<TensorSpec> b) {
  return llvm::equal(a, b, [](const TensorSpec &x, const TensorSpec &y) {
    return x.isResult == y.isResult && x.str() == y.str();
  });
}

void KernelRunner::provideOperands(ArrayRef<TensorSpec> specs, uint64_t seed) {
  if (operands && operands->seed == seed && sameSpecs(operands->specs, specs))
    return;
  operands = std::make_unique<Operands>();
  operands->specs = specs;
  operands->seed = seed;
  for (auto [position, spec] : llvm::enumerate(specs)) {
    GuardedTensor &tensor = operands->tensors.emplace_back(spec, position);
    if (!spec.isResult)
      fillFromSeed(spec, position, seed, tensor.data());
    operands->hashes.push_back(spec.isResult ? 0 : tensor.hash());
    operands->pointers.push_back(tensor.data());
  }
}

Error KernelRunner::checkMemory() {
  for (auto [position, tensor] : llvm::enumerate(operands->tensors)) {
    if (std::optional<int64_t> offset = tensor.findTrespass())
      return failRequest(failure::kOutOfBounds, stage::kCheck,
                         "wrote at byte " + Twine(*offset) + " of tensor " +
                             Twine(position) + " (" + tensor.getSpec().str() +
                             ", " + Twine(tensor.size()) + " bytes)");
    if (!tensor.getSpec().isResult &&
        tensor.hash() != operands->hashes[position])
      return failRequest(failure::kOutOfBounds, stage::kCheck,
                         "modified input " + Twine(position) + " (" +
                             tensor.getSpec().str() + ")");
  }
  return Error::success();
}

Error KernelRunner::checkResults(const RunRequest &request, double &maxError) {
  if (!operands->reference || operands->referencePath != request.reference) {
    Expected<Reference> reference =
        Reference::read(request.reference, request.tensors);
    if (!reference)
      return reference.takeError();
    operands->reference = std::move(*reference);
    operands->referencePath = request.reference;
  }
  for (auto [position, tensor] : llvm::enumerate(operands->tensors)) {
    // Memory may be that of another task with the same shapes.
    const TensorSpec &spec = request.tensors[position];
    if (!spec.isResult)
      continue;
    double tolerance =
        request.tolerance > 0 ? request.tolerance : toleranceFor(spec);
    Comparison comparison =
        compare(spec, tensor.data(), operands->reference->expected(position),
                tolerance);
    if (!comparison.agree && !(request.mayFlip && isFlip(spec, comparison)))
      return failRequest(failure::kWrongResult, stage::kCheck,
                         comparison.describe(spec, tolerance));
    maxError = std::max(maxError, comparison.maxError);
  }
  return Error::success();
}

/// The data faults: what the kernel itself might have done.
static void spoil(StringRef fault, MutableArrayRef<GuardedTensor> tensors) {
  for (GuardedTensor &tensor : tensors) {
    char *bytes = static_cast<char *>(tensor.data());
    uint64_t size = tensor.size();
    bool isResult = tensor.getSpec().isResult;
    if (size == 0)
      continue;
    // The sign and the top of the exponent are in the last byte.
    if ((fault == "wrong" && isResult) || (fault == "input" && !isResult))
      bytes[size - 1] ^= 0x40;
    if (fault == "out-of-bounds" && isResult)
      bytes[size] ^= 1;
  }
}

Expected<RunAnswer> KernelRunner::run(const RunRequest &request) {
  double begin = monotonicSeconds();
  channel.enter(stage::kLoad);
  auto buffer = MemoryBuffer::getFile(request.object, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failRequest(failure::kRuntime, stage::kLoad,
                       "cannot read the object '" + request.object +
                           "': " + buffer.getError().message());
  Expected<KernelLibrary> library = KernelLibrary::load((*buffer)->getBuffer());
  if (!library)
    return library.takeError();
  Expected<KernelLibrary::PackedEntry> entry =
      library->lookup(request.function);
  if (!entry)
    return entry.takeError();

  channel.enter(stage::kCheck);
  provideOperands(request.tensors, request.seed);
  SmallVector<void *> pointers(operands->pointers);
  library->packArguments(request.function, pointers);
  RunAnswer answer;
  if (!request.skipCheck) {
    for (GuardedTensor &tensor : operands->tensors)
      if (tensor.getSpec().isResult)
        fillWithPoison(tensor.getSpec(), tensor.data());
    misbehave(request.fault);
    (*entry)(pointers.data());
    spoil(request.fault, operands->tensors);
    if (Error error = checkMemory())
      return std::move(error);
    if (Error error = checkResults(request, answer.maxError))
      return std::move(error);
  }
  double checked = monotonicSeconds();
  answer.checkS = checked - begin;

  channel.enter(stage::kRun);
  TimingOptions options;
  options.warmupS = request.warmupMs * 1e-3;
  options.minRepeatS = request.minRepeatMs * 1e-3;
  options.repeats = request.repeats;
  options.dropAboveS = request.dropAboveS;
  options.prepare = evictCaches;
  Timing timing = timeCalls([&] { (*entry)(pointers.data()); }, options,
                            [] { return monotonicSeconds(); });
  answer.costsS = std::move(timing.costsS);
  answer.dropped = timing.dropped;
  answer.runS = monotonicSeconds() - checked;
  return answer;
}

/// Replaces the floats of the results by those with sums of f32, unless these
/// stay finite where the payload's overflow, or the other way around.
Error KernelRunner::widenReference(ArrayRef<char> widened,
                                   ReferenceAnswer &answer) {
  Expected<KernelLibrary> library =
      KernelLibrary::load(StringRef(widened.data(), widened.size()));
  if (!library)
    return library.takeError();
  Expected<KernelLibrary::PackedEntry> entry = library->lookup(answer.function);
  if (!entry)
    return entry.takeError();
  std::vector<std::vector<char>> plain;
  for (const GuardedTensor &tensor : operands->tensors) {
    auto *bytes = static_cast<const char *>(tensor.data());
    plain.emplace_back(bytes, bytes + tensor.size());
  }
  SmallVector<void *> pointers(operands->pointers);
  library->packArguments(answer.function, pointers);
  (*entry)(pointers.data());
  if (Error error = checkMemory())
    return error;
  for (auto [spec, tensor, own] :
       llvm::zip_equal(answer.tensors, operands->tensors, plain)) {
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

Error KernelRunner::makeReference(const ReferenceRequest &request,
                                  ArrayRef<char> object, ArrayRef<char> widened,
                                  ReferenceAnswer &answer) {
  channel.enter(stage::kLoad);
  Expected<KernelLibrary> library =
      KernelLibrary::load(StringRef(object.data(), object.size()));
  if (!library)
    return library.takeError();
  Expected<KernelLibrary::PackedEntry> entry = library->lookup(answer.function);
  if (!entry)
    return entry.takeError();

  channel.enter(stage::kRun);
  provideOperands(answer.tensors, request.seed);
  SmallVector<void *> pointers(operands->pointers);
  library->packArguments(answer.function, pointers);
  double begin = monotonicSeconds();
  (*entry)(pointers.data());
  answer.seconds = monotonicSeconds() - begin;
  if (Error error = checkMemory())
    return error;
  // The unscheduled kernel may be a thousand times slower than the best; a long
  // call needs no repeating to be timed well enough for a speed-up.
  if (answer.seconds < 0.1) {
    TimingOptions options;
    options.repeats = 3;
    options.prepare = evictCaches;
    answer.seconds = timeCalls([&] { (*entry)(pointers.data()); }, options,
                               [] { return monotonicSeconds(); })
                         .costsS.back();
  }
  for (TensorSpec &spec : answer.tensors)
    spec.deviation = guessDeviation(spec);
  if (!widened.empty())
    if (Error error = widenReference(widened, answer))
      return error;
  return writeReference(request.reference, answer.tensors, operands->pointers);
}

} // namespace sched::worker
