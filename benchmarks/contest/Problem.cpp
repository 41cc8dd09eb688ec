//===- Problem.cpp - What all contenders compute --------------------------===//

#include "Problem.h"
#include "SchedOpt/Support/PageOffset.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <sys/mman.h>

using namespace llvm;

namespace sched::bench {

void FreeFloats::operator()(float *pointer) const {
  std::free(reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(pointer) &
                                     ~(kPageBytes - 1)));
}

Floats allocateFloats(size_t count) {
  // Contenders are processes and allocate in the same order, so that all have
  // the same places.
  static size_t number = 0;
  const size_t offset = getPageOffset(number++);
  char *page = static_cast<char *>(std::aligned_alloc(
      kPageBytes, alignTo(offset + count * sizeof(float), kPageBytes)));
  return Floats(page ? reinterpret_cast<float *>(page + offset) : nullptr);
}

Floats copyOf(const float *data, size_t count) {
  Floats floats = allocateFloats(count);
  std::copy_n(data, count, floats.get());
  return floats;
}

Error Problem::allocate(std::vector<size_t> operandSizes, size_t resultSize) {
  sizes = std::move(operandSizes);
  numResults = resultSize;
  size_t inputs = 0;
  for (size_t size : sizes) {
    offsets.push_back(inputs);
    inputs += size;
  }
  expectedOffset = alignTo(inputs * sizeof(float), 64);
  memoryBytes = expectedOffset + numResults * sizeof(double);
  memory = mmap(nullptr, memoryBytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    memory = nullptr;
    return createStringError("cannot allocate " + Twine(memoryBytes) +
                             " bytes for the operands");
  }
  floats = static_cast<float *>(memory);
  std::mt19937 random(1);
  for (size_t i = 0; i != inputs; ++i)
    floats[i] =
        static_cast<float>(static_cast<int32_t>(random() >> 8) - (1 << 23)) /
        (1 << 23);
  return Error::success();
}

Problem::~Problem() {
  if (memory)
    munmap(memory, memoryBytes);
}

double Problem::bytes() const {
  double total = numResults;
  for (size_t size : sizes)
    total += size;
  return total * sizeof(float);
}

double Problem::relativeError(const float *result) const {
  double squares = 0, largest = 0;
  for (size_t i = 0; i != numResults; ++i) {
    double error = std::fabs(result[i] - expected()[i]);
    if (std::isnan(error))
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, error);
    squares += expected()[i] * expected()[i];
  }
  double rms = std::sqrt(squares / numResults);
  return rms > 0 ? largest / rms : largest;
}

double Problem::toleranceOfSum(double k) {
  return 16 * std::numeric_limits<float>::epsilon() * std::sqrt(k);
}

} // namespace sched::bench
