//===- Problem.cpp - What all contenders compute --------------------------===//

#include "Problem.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <sys/mman.h>

using namespace llvm;

namespace sched::bench {

void FreeFloats::operator()(float *pointer) const { std::free(pointer); }

Floats allocateFloats(size_t count) {
  return Floats(static_cast<float *>(
      std::aligned_alloc(64, alignTo(count * sizeof(float), 64))));
}

Expected<Problem> Problem::create(int64_t m, int64_t n, int64_t k,
                                  Epilogue epilogue, int threads) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.epilogue = epilogue;
  problem.threads = threads;
  size_t inputs = m * k + k * n + m * n;
  problem.expectedOffset = alignTo(inputs * sizeof(float), 64);
  problem.bytes = problem.expectedOffset + m * n * sizeof(double);
  problem.memory = mmap(nullptr, problem.bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (problem.memory == MAP_FAILED) {
    problem.memory = nullptr;
    return createStringError("cannot allocate " + Twine(problem.bytes) +
                             " bytes for the operands");
  }
  problem.floats = static_cast<float *>(problem.memory);
  std::mt19937 random(1);
  for (size_t i = 0; i != inputs; ++i)
    problem.floats[i] =
        static_cast<float>(static_cast<int32_t>(random() >> 8) - (1 << 23)) /
        (1 << 23);
  return std::move(problem);
}

Problem::Problem(Problem &&other)
    : m(other.m), n(other.n), k(other.k), epilogue(other.epilogue),
      threads(other.threads), memory(other.memory), bytes(other.bytes),
      expectedOffset(other.expectedOffset), floats(other.floats) {
  other.memory = nullptr;
}

Problem::~Problem() {
  if (memory)
    munmap(memory, bytes);
}

double Problem::flops() const {
  double result = 2.0 * m * n * k;
  return epilogue == Epilogue::Add ? result + 1.0 * m * n : result;
}

double Problem::relativeError(const float *c) const {
  double squares = 0, largest = 0;
  for (int64_t i = 0; i != m * n; ++i) {
    double error = std::fabs(c[i] - expected()[i]);
    if (std::isnan(error))
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, error);
    squares += expected()[i] * expected()[i];
  }
  double rms = std::sqrt(squares / (m * n));
  return rms > 0 ? largest / rms : largest;
}

double Problem::tolerance() const {
  return 16 * std::numeric_limits<float>::epsilon() * std::sqrt(k);
}

} // namespace sched::bench
