//===- Checker.h - Are these results the expected ones? ---------*- C++ -*-===//
//
// Every candidate's results are compared with those of the unscheduled payload
// before it may count. Run by the worker, on TensorData.h's memory.
//
// Read next: ReferenceFile.h (where the expected results are kept).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_CHECKER_H
#define SCHEDOPT_MEASURE_CHECKER_H

#include "SchedOpt/Measure/TensorSpec.h"

namespace sched {

/// The factor c of `toleranceFor`.
constexpr double kToleranceFactor = 16;

/// The tolerance t for results that sum up to `reductionLength` products:
///   t = c * eps(type) * sqrt(max(1, K))
/// and an element agrees when
///   |got - expected| <= t * (rms(expected) + |expected|),
/// rms being the root mean square of the whole expected tensor. Reordering a
/// sum of K terms moves it by a random walk of K roundings, each at most half
/// an eps of the partial sum (Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., section 2.8 and 4.2); partial sums are of the size of
/// the final ones, hence the rms, which also serves elements near 0 after
/// cancellation. c leaves room for two roundings a step and for polynomial
/// approximations of elementary functions. eps is that of `precision`, the type
/// with the fewest digits on the way to the result, if that is larger. 0 for
/// integers: they must be equal.
double toleranceFor(ElementType type, int64_t reductionLength,
                    std::optional<ElementType> precision = std::nullopt);

/// That of a result.
inline double toleranceFor(const TensorSpec &spec) {
  return toleranceFor(spec.elementType, spec.reductionLength, spec.precision);
}

/// An integer that is computed from floats jumps where these pass a threshold:
/// a quantized value, or the place of a maximum. Where the floats may be
/// computed in another order, this share of such a tensor's elements may
/// differ: of values spread over 2^8 steps, errors of 2^-14 of their size move
/// one in a hundred, at most.
constexpr double kFlipShare = 0.01;

/// How a comparison came out.
struct Comparison {
  bool agree = true;
  /// The first element out of tolerance (row-major) and its values.
  int64_t firstIndex = -1;
  double got = 0, expected = 0;
  /// Elements out of tolerance, and the largest |got - expected| of all; a NaN
  /// on one side only counts as infinity.
  int64_t numWrong = 0;
  double maxError = 0;

  /// One sentence for a record: index, values, tolerance, how many.
  std::string describe(const TensorSpec &spec, double tolerance) const;
};

/// Whether kFlipShare explains what differs.
bool isFlip(const TensorSpec &spec, const Comparison &comparison);

/// Compares all elements. NaN agrees with NaN, an infinity with itself.
Comparison compare(const TensorSpec &spec, const void *got,
                   const void *expected, double tolerance);

} // namespace sched

#endif // SCHEDOPT_MEASURE_CHECKER_H
