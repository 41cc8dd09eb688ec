//===- Operands.cpp - A task's tensors in this process --------------------===//

#include "Operands.h"
#include "Channel.h"
#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sched::worker {

Operands::Operands(ArrayRef<TensorSpec> specs, uint64_t seed)
    : specs(specs), seed(seed) {
  for (auto [position, spec] : llvm::enumerate(specs)) {
    GuardedTensor &tensor = tensors.emplace_back(spec, position);
    if (!spec.isResult)
      fillFromSeed(spec, position, seed, tensor.data());
    hashes.push_back(spec.isResult ? 0 : tensor.hash());
    pointers.push_back(tensor.data());
  }
}

bool Operands::matches(ArrayRef<TensorSpec> others, uint64_t otherSeed) const {
  return seed == otherSeed &&
         llvm::equal(specs, others,
                     [](const TensorSpec &x, const TensorSpec &y) {
                       return x.isResult == y.isResult && x.oneOf == y.oneOf &&
                              x.below == y.below && x.str() == y.str();
                     });
}

void Operands::poisonResults() {
  for (GuardedTensor &tensor : tensors)
    if (tensor.getSpec().isResult)
      fillWithPoison(tensor.getSpec(), tensor.data());
}

Error Operands::checkMemory() {
  for (auto [position, tensor] : llvm::enumerate(tensors)) {
    if (std::optional<int64_t> offset = tensor.findTrespass())
      return failRequest(failure::kOutOfBounds, stage::kCheck,
                         "wrote at byte " + Twine(*offset) + " of tensor " +
                             Twine(position) + " (" + tensor.getSpec().str() +
                             ", " + Twine(tensor.size()) + " bytes)");
    if (!tensor.getSpec().isResult && tensor.hash() != hashes[position])
      return failRequest(failure::kOutOfBounds, stage::kCheck,
                         "modified input " + Twine(position) + " (" +
                             tensor.getSpec().str() + ")");
  }
  return Error::success();
}

Error Operands::checkResults(const RunRequest &request, double &maxError) {
  if (!reference || referencePath != request.reference) {
    Expected<Reference> read =
        Reference::read(request.reference, request.tensors);
    if (!read)
      return read.takeError();
    reference = std::move(*read);
    referencePath = request.reference;
  }
  for (auto [position, tensor] : llvm::enumerate(tensors)) {
    // Memory may be that of another task with the same shapes.
    const TensorSpec &spec = request.tensors[position];
    if (!spec.isResult)
      continue;
    double tolerance =
        request.tolerance > 0 ? request.tolerance : toleranceFor(spec);
    Comparison comparison =
        compare(spec, tensor.data(), reference->expected(position), tolerance);
    if (!comparison.agree && !(request.mayFlip && isFlip(spec, comparison)))
      return failRequest(failure::kWrongResult, stage::kCheck,
                         comparison.describe(spec, tolerance));
    maxError = std::max(maxError, comparison.maxError);
  }
  return Error::success();
}

void Operands::spoil(StringRef fault) {
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

} // namespace sched::worker
