//===- Problem.cpp - What all contenders compute --------------------------===//

#include "Problem.h"
#include "SchedOpt/Support/PageOffset.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
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

size_t bytesOf(Element element) {
  switch (element) {
  case Element::I8:
  case Element::U8:
    return 1;
  case Element::BF16:
    return 2;
  case Element::F32:
  case Element::I32:
    return 4;
  }
  llvm_unreachable("all elements have a size");
}

/// The bits of the nearest number of bf16; of two, of the even one.
static uint16_t roundToBFloat(float value) {
  const uint32_t bits = bit_cast<uint32_t>(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// A value of that type for 24 random bits.
static float makeValue(Element element, uint32_t random) {
  const float number =
      static_cast<float>(static_cast<int32_t>(random) - (1 << 23)) / (1 << 23);
  switch (element) {
  case Element::I8:
    return static_cast<float>(random >> 17) - 64;
  case Element::U8:
    return static_cast<float>(random >> 16);
  case Element::BF16:
    return bit_cast<float>(uint32_t(roundToBFloat(number)) << 16);
  case Element::I32:
    return 0;
  case Element::F32:
    return number;
  }
  llvm_unreachable("all elements have values");
}

Error Problem::allocate(std::vector<size_t> operandSizes, size_t resultSize) {
  std::vector<Element> all(operandSizes.size(), Element::F32);
  return allocate(std::move(operandSizes), std::move(all), resultSize,
                  Element::F32);
}

Error Problem::allocate(std::vector<size_t> operandSizes,
                        std::vector<Element> operandElements, size_t resultSize,
                        Element resultElement) {
  sizes = std::move(operandSizes);
  elements = std::move(operandElements);
  numResults = resultSize;
  results = resultElement;
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
  for (size_t operand = 0; operand != sizes.size(); ++operand)
    for (size_t i = 0; i != sizes[operand]; ++i)
      floats[offsets[operand] + i] =
          makeValue(elements[operand], random() >> 8);
  return Error::success();
}

template <typename T, typename Convert>
static Floats convertTo(ArrayRef<float> values, Convert convert) {
  Floats made = allocateFloats(divideCeil(values.size() * sizeof(T), 4));
  llvm::transform(values, reinterpret_cast<T *>(made.get()), convert);
  return made;
}

Floats Problem::copyOperand(size_t i) const {
  const ArrayRef values(operand(i), sizes[i]);
  switch (elements[i]) {
  case Element::BF16:
    return convertTo<uint16_t>(values, roundToBFloat);
  case Element::I8:
    return convertTo<int8_t>(values, [](float value) { return int8_t(value); });
  case Element::U8:
    return convertTo<uint8_t>(values,
                              [](float value) { return uint8_t(value); });
  case Element::I32:
    return convertTo<int32_t>(values,
                              [](float value) { return int32_t(value); });
  case Element::F32:
    return copyOf(values.data(), values.size());
  }
  llvm_unreachable("all elements can be copied");
}

Problem::~Problem() {
  if (memory)
    munmap(memory, memoryBytes);
}

double Problem::bytes() const {
  double total = double(numResults) * bytesOf(results);
  for (auto [size, element] : zip_equal(sizes, elements))
    total += double(size) * bytesOf(element);
  return total;
}

double Problem::relativeError(const float *result) const {
  double squares = 0, largest = 0;
  for (size_t i = 0; i != numResults; ++i) {
    const double value =
        results == Element::I32 ? bit_cast<int32_t>(result[i]) : result[i];
    double error = std::fabs(value - expected()[i]);
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
