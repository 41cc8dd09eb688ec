//===- OperatorData.cpp - Tensors of an operator --------------------------===//

#include "OperatorData.h"
#include "SchedOpt/Emulator/Emulator.h"
#include "SchedOpt/Measure/Checker.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace sched;
using namespace sched::test;

static const llvm::fltSemantics *getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return &llvm::APFloat::IEEEhalf();
  case ElementType::BF16:
    return &llvm::APFloat::BFloat();
  case ElementType::F32:
    return &llvm::APFloat::IEEEsingle();
  case ElementType::F64:
    return &llvm::APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

/// Whole numbers from -amplitude to amplitude, which every type holds.
static void fillWhole(GuardedTensor &tensor, int amplitude,
                      std::mt19937_64 &bits) {
  const TensorSpec &spec = tensor.getSpec();
  const unsigned size = byteSize(spec.elementType);
  // Each number as the type has it: there are few.
  std::vector<uint64_t> patterns;
  for (int number = -amplitude; number <= amplitude; ++number) {
    const llvm::fltSemantics *semantics = getSemantics(spec.elementType);
    if (!semantics) {
      patterns.push_back(uint64_t(number));
      continue;
    }
    llvm::APFloat value(*semantics);
    value.convertFromAPInt(llvm::APInt(32, number, /*isSigned=*/true),
                           /*IsSigned=*/true,
                           llvm::APFloat::rmNearestTiesToEven);
    patterns.push_back(value.bitcastToAPInt().getZExtValue());
  }
  auto *bytes = static_cast<char *>(tensor.data());
  for (int64_t i = 0, e = spec.numElements(); i != e; ++i)
    // The first bytes are the low ones.
    std::memcpy(bytes + i * size, &patterns[bits() % patterns.size()], size);
}

OperatorData::OperatorData(std::vector<TensorSpec> specs, int wholeAmplitude,
                           uint64_t seed) {
  static_assert(llvm::endianness::native == llvm::endianness::little,
                "fillWhole copies the low bytes");
  std::mt19937_64 bits(seed);
  for (auto [position, spec] : llvm::enumerate(specs)) {
    GuardedTensor &tensor = tensors.emplace_back(spec, position);
    if (spec.isResult) {
      expected.emplace_back(spec.numBytes());
      checked.push_back(spec);
      checked.back().deviation = guessDeviation(spec);
    } else if (wholeAmplitude && spec.elementType != ElementType::Index)
      fillWhole(tensor, wholeAmplitude, bits);
    else
      fillFromSeed(spec, position, seed, tensor.data());
    hashes.push_back(spec.isResult ? 0 : tensor.hash());
  }
}

void OperatorData::poisonResults() {
  for (GuardedTensor &tensor : tensors)
    if (tensor.getSpec().isResult)
      fillWithPoison(tensor.getSpec(), tensor.data());
}

std::string OperatorData::emulate(const DeviceCode &code,
                                  const Target &target) {
  const LaunchFunction *function = code.plan.find("f");
  if (!function)
    return "the launch plan has no function f";
  poisonResults();
  std::vector<llvm::MutableArrayRef<char>> arguments;
  for (GuardedTensor &tensor : tensors)
    arguments.push_back({static_cast<char *>(tensor.data()), tensor.size()});
  EmulationOptions options;
  options.allowUnwrittenShared = true;
  // Some hundred times what the largest operator needs.
  options.maxThreadInstructions = uint64_t(1) << 33;
  auto report =
      sched::emulate(*code.module, *function, arguments, target, options);
  return report ? "" : llvm::toString(report.takeError());
}

std::string OperatorData::call(KernelLibrary &library) {
  auto entry = library.lookup("f");
  if (!entry)
    return llvm::toString(entry.takeError());
  poisonResults();
  std::vector<void *> pointers;
  for (GuardedTensor &tensor : tensors)
    pointers.push_back(tensor.data());
  library.packArguments("f", pointers);
  (*entry)(pointers.data());
  for (auto [tensor, hash] : llvm::zip_equal(tensors, hashes)) {
    if (auto offset = tensor.findTrespass())
      return "writes at byte " + std::to_string(*offset) + " of a tensor " +
             tensor.getSpec().str() + ", beside it";
    if (!tensor.getSpec().isResult && tensor.hash() != hash)
      return "writes to an argument " + tensor.getSpec().str();
  }
  return "";
}

void OperatorData::keepExpected() {
  auto kept = expected.begin();
  for (GuardedTensor &tensor : tensors)
    if (tensor.getSpec().isResult)
      std::memcpy((kept++)->data(), tensor.data(), tensor.size());
}

bool OperatorData::hasNarrowSums() const {
  return llvm::any_of(
      checked, [](const TensorSpec &spec) { return spec.narrowLength > 0; });
}

void OperatorData::widenExpected() {
  auto kept = expected.begin();
  auto spec = checked.begin();
  for (GuardedTensor &tensor : tensors) {
    if (!tensor.getSpec().isResult)
      continue;
    if (isFloat(spec->elementType)) {
      const double deviation = deviationOf(*spec, kept->data(), tensor.data());
      if (std::isfinite(deviation)) {
        spec->deviation = deviation;
        std::memcpy(kept->data(), tensor.data(), tensor.size());
      }
    }
    ++kept;
    ++spec;
  }
}

void OperatorData::moveArguments(double distance, uint64_t seed) {
  std::mt19937_64 bits(seed);
  for (auto [tensor, hash] : llvm::zip_equal(tensors, hashes)) {
    const TensorSpec &spec = tensor.getSpec();
    const llvm::fltSemantics *semantics = getSemantics(spec.elementType);
    if (spec.isResult || !semantics)
      continue;
    const unsigned size = byteSize(spec.elementType);
    auto *bytes = static_cast<char *>(tensor.data());
    for (int64_t i = 0, e = spec.numElements(); i != e; ++i) {
      const double old = loadElement(spec, bytes, i);
      llvm::APFloat moved(old * (1 + (bits() % 2 ? distance : -distance)));
      bool losesInfo;
      moved.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      uint64_t pattern = moved.bitcastToAPInt().getZExtValue();
      // A neighbour, where the type holds nothing nearer.
      if (std::memcmp(bytes + i * size, &pattern, size) == 0 && old != 0 &&
          bits() % 2)
        pattern ^= 1;
      std::memcpy(bytes + i * size, &pattern, size);
    }
    hash = tensor.hash();
  }
}

bool OperatorData::areIllConditioned(KernelLibrary &library) {
  constexpr double kFloatSpacing = 0x1p-23, kMostMoves = 4;
  constexpr uint64_t kDraws = 4;
  const std::vector<uint64_t> oldHashes = hashes;
  std::vector<std::vector<char>> kept;
  int64_t steps = 1;
  for (const GuardedTensor &tensor : tensors) {
    const auto *bytes = static_cast<const char *>(tensor.data());
    kept.emplace_back(bytes, bytes + tensor.size());
    if (tensor.getSpec().isResult)
      steps = std::max(steps, tensor.getSpec().reductionLength);
  }
  auto restoreArguments = [&] {
    for (auto [tensor, bytes] : llvm::zip_equal(tensors, kept))
      if (!tensor.getSpec().isResult)
        std::memcpy(tensor.data(), bytes.data(), bytes.size());
    hashes = oldHashes;
  };

  // The farthest that each element of each result moves.
  std::vector<std::vector<double>> moves(expected.size());
  for (uint64_t draw = 0; draw != kDraws; ++draw) {
    moveArguments(kFloatSpacing * std::sqrt(double(steps)), draw);
    if (!call(library).empty()) {
      restoreArguments();
      return false;
    }
    unsigned result = 0;
    for (GuardedTensor &tensor : tensors) {
      const TensorSpec &spec = tensor.getSpec();
      if (!spec.isResult)
        continue;
      moves[result].resize(spec.numElements());
      for (auto [i, move] : llvm::enumerate(moves[result])) {
        const double by = loadElement(spec, tensor.data(), i) -
                          loadElement(spec, expected[result].data(), i);
        // What is infinite now says nothing.
        if (std::isfinite(by))
          move = std::max(move, std::fabs(by));
      }
      ++result;
    }
    restoreArguments();
  }

  unsigned result = 0;
  for (auto [tensor, bytes] : llvm::zip_equal(tensors, kept)) {
    const TensorSpec &spec = tensor.getSpec();
    if (!spec.isResult)
      continue;
    const void *wanted = expected[result].data();
    const double tolerance = toleranceFor(checked[result]);
    const unsigned size = byteSize(spec.elementType);
    // Elements that their own moves excuse count as equal; the comparison is of
    // the rest. Integers have no excuse.
    for (auto [i, move] : llvm::enumerate(moves[result])) {
      const double error = std::fabs(loadElement(spec, bytes.data(), i) -
                                     loadElement(spec, wanted, i));
      if (isFloat(spec.elementType) && error <= kMostMoves * move)
        std::memcpy(bytes.data() + i * size,
                    static_cast<const char *>(wanted) + i * size, size);
    }
    if (!sched::compare(spec, bytes.data(), wanted, tolerance).agree)
      return false;
    ++result;
  }
  return true;
}

std::string OperatorData::compare(bool isExact) {
  auto kept = expected.begin();
  auto check = checked.begin();
  for (GuardedTensor &tensor : tensors) {
    const TensorSpec &spec = tensor.getSpec();
    if (!spec.isResult)
      continue;
    const double tolerance = isExact ? 0 : toleranceFor(*check++);
    const Comparison comparison =
        sched::compare(spec, tensor.data(), (kept++)->data(), tolerance);
    if (!comparison.agree)
      return comparison.describe(spec, tolerance);
  }
  return "";
}
