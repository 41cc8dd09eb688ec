//===- Problem.h - What all contenders compute ------------------*- C++ -*-===//
//
// A contest compares ways to compute one function of tensors. A Problem holds
// its operands, as floats, and the expected result in memory that the
// contenders' processes share (read-only for them: each works on copies of its
// own, of the operands' element types, made as a caller would make them). What
// is computed, a derived class knows: sched-bench/Matmul.h,
// op-bench/Operator.h.
//
// Read next: Contender.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_PROBLEM_H
#define SCHEDOPT_BENCHMARKS_PROBLEM_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sched::bench {

/// Floats at a multiple of 64 bytes; null when memory is short. Each begins at
/// another place of its page (PageOffset.h).
struct FreeFloats {
  void operator()(float *pointer) const;
};
using Floats = std::unique_ptr<float[], FreeFloats>;
Floats allocateFloats(size_t count);
Floats copyOf(const float *data, size_t count);

/// What the elements of a tensor are.
enum class Element { F32, BF16, I8, U8, I32 };
size_t bytesOf(Element element);

class Problem {
public:
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;
  virtual ~Problem();

  /// Threads that each contender may use.
  int threads = 1;

  size_t numOperands() const { return sizes.size(); }
  /// Elements of an operand: dense, row-major.
  size_t operandSize(size_t i) const { return sizes[i]; }
  Element operandElement(size_t i) const { return elements[i]; }
  /// Values of an operand, each of which its element type has.
  const float *operand(size_t i) const { return floats + offsets[i]; }
  /// A copy of its own element type, in as many floats as that takes.
  Floats copyOperand(size_t i) const;
  size_t resultSize() const { return numResults; }
  /// F32, or I32, of the size of a float, too.
  Element resultElement() const { return results; }

  /// Expected result, in double precision. Written by one process.
  double *expected() const {
    return reinterpret_cast<double *>(static_cast<char *>(memory) +
                                      expectedOffset);
  }

  /// Floating-point operations of one computation.
  virtual double flops() const = 0;

  /// Bytes that it reads and writes at least: each operand and the result once.
  virtual double bytes() const;

  /// What `relativeError` may be.
  virtual double tolerance() const = 0;

  /// One line for people.
  virtual std::string title() const = 0;

  /// Shape and threads, for the report.
  virtual llvm::json::Object describe() const = 0;

  /// The largest |result - expected|, relative to the root mean square of the
  /// expected result; infinity if there is a NaN. `result` has the elements of
  /// `resultElement`.
  double relativeError(const float *result) const;

protected:
  Problem() = default;

  /// Allocates, and fills the operands: numbers of [-1, 1), bytes of [-64, 64)
  /// or [0, 256), uniform; words of 32 bits are zero. Two products of such
  /// bytes fit into 16 bits, which is where some processors sum them up.
  llvm::Error allocate(std::vector<size_t> operandSizes,
                       std::vector<Element> operandElements, size_t resultSize,
                       Element resultElement);
  /// The same, all f32.
  llvm::Error allocate(std::vector<size_t> operandSizes, size_t resultSize);

  /// Values of an operand, to put others there before there are contenders.
  float *mutableOperand(size_t i) { return floats + offsets[i]; }

  /// 16 eps sqrt(k), for k roundings that add up like a random walk (Higham,
  /// "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 2.8).
  static double toleranceOfSum(double k);

private:
  std::vector<size_t> sizes, offsets;
  std::vector<Element> elements;
  Element results = Element::F32;
  size_t numResults = 0;
  void *memory = nullptr;
  size_t memoryBytes = 0, expectedOffset = 0;
  float *floats = nullptr;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_PROBLEM_H
