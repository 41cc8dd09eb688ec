//===- Problem.h - What all contenders compute ------------------*- C++ -*-===//
//
// sched-bench compares ways to compute C = A * B, or C = A * B + D, in f32. A
// Problem holds the sizes, the inputs and the expected result in memory that
// the contenders' processes share (read-only for them: each works on copies of
// its own, made as a caller would make them).
//
// Read next: Contender.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_PROBLEM_H
#define SCHEDOPT_BENCHMARKS_PROBLEM_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sched::bench {

enum class Epilogue { None, Add };

/// Floats at a multiple of 64 bytes; null when memory is short.
struct FreeFloats {
  void operator()(float *pointer) const;
};
using Floats = std::unique_ptr<float[], FreeFloats>;
Floats allocateFloats(size_t count);

/// A (m x k), B (k x n), D and C (m x n): row-major, dense.
class Problem {
public:
  /// Allocates and fills the inputs, uniform in [-1, 1).
  static llvm::Expected<Problem> create(int64_t m, int64_t n, int64_t k,
                                        Epilogue epilogue, int threads);
  Problem(Problem &&other);
  Problem &operator=(Problem &&) = delete;
  ~Problem();

  int64_t m, n, k;
  Epilogue epilogue;
  int threads;

  const float *a() const { return floats; }
  const float *b() const { return a() + m * k; }
  const float *d() const { return b() + k * n; }
  /// Expected result, in double precision. Written by one process.
  double *expected() const {
    return reinterpret_cast<double *>(static_cast<char *>(memory) +
                                      expectedOffset);
  }

  /// Multiplications and additions: 2 m n k, and m n for the epilogue.
  double flops() const;

  /// The largest |c - expected|, relative to the root mean square of the
  /// expected result; infinity if there is a NaN.
  double relativeError(const float *c) const;

  /// What `relativeError` may be: 16 eps sqrt(k), for k roundings that add up
  /// like a random walk (Higham, "Accuracy and Stability of Numerical
  /// Algorithms", 2nd ed., section 2.8).
  double tolerance() const;

private:
  Problem() = default;
  void *memory = nullptr;
  size_t bytes = 0, expectedOffset = 0;
  float *floats = nullptr;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_PROBLEM_H
