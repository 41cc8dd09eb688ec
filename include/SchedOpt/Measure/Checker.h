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
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// The factors of `toleranceFor`.
constexpr double kToleranceFactor = 16, kNarrowFactor = 4,
                 kNarrowSumFactor = 0.5, kDeviationFactor = 3,
                 kMostOfSum = 0.25;

/// The tolerance t of a result, by what its spec says of roundings: an element
/// agrees when
///   |got - expected| <= t * (rms(expected) + |expected|),
/// rms being the root mean square of the whole expected tensor.
///   t = 16 eps(wide) sqrt(K)
///       + 4 eps(narrow) sqrt(n) + max(3 d, eps(narrow) sqrt(k) / 2)
///       + 4 eps(tf32) sqrt(m)
/// wide: the type with the fewest digits on the way, but at least f32's; K:
/// `reductionLength`. Reordering a sum of K terms moves it by a random walk of
/// K roundings, each at most half an eps of the partial sum (Higham, "Accuracy
/// and Stability of Numerical Algorithms", 2nd ed., section 2.8 and 4.2);
/// partial sums are of the size of the final ones, hence the rms, which also
/// serves elements near 0 after cancellation. 16 leaves room for two roundings
/// a step and for polynomial approximations of elementary functions.
///
/// The second line is for floats of 16 bits, and 0 without. n is `narrowOps`:
/// both sides round each within eps / 2; 4 leaves room for values larger than
/// the result that they lead to. Where a sum itself has 16 bits, k is
/// `narrowLength` and d the `deviation`: sums of any order deviate about as
/// much from the exact one, also where all terms have one sign and the sum
/// stops growing. A few elements may be exact by chance; so there is a lower
/// bound: partial sums of random signs grow as sqrt(i), thus the error's
/// standard deviation is about 0.14 eps sqrt(k) of the sum's.
///
/// That is of no use for long sums: at k = 262,147 of bf16, no result is wrong.
/// Where it would be more than kMostOfSum, and whole numbers stay whole on the
/// way (`wholeFactors`), the arguments are mostly 0 (`thinOut`). Such sums are
/// exact in any order; if the payload's were (d = 0), the second line is
/// eps(narrow) / 4, half of what one term makes of 128.
///
/// The third line is for products of f32 whose operands may be rounded to tf32,
/// m `tensorFloatOps`. Rounding moves an operand by eps / 2 at most, by 0.2 eps
/// in the root mean square, and a sum of products relative to its own size by
/// as much as each of them: by 0.29 eps for two operands, 6 times that in the
/// worst of 10^9 elements.
/// 0 for integers: they must be equal.
double toleranceFor(const TensorSpec &spec);

/// Where every float of the results is a long sum of whole numbers, decides for
/// the arguments how many elements are not 0: about 128 of a sum's terms.
void thinOut(llvm::MutableArrayRef<TensorSpec> specs);

/// The largest |got - expected| / (rms(expected) + |expected|) over a tensor of
/// floats; infinity where only one of the two is finite.
double deviationOf(const TensorSpec &spec, const void *got,
                   const void *expected);

/// What stands for `deviation` where it is not known.
double guessDeviation(const TensorSpec &spec);

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
  /// Elements out of tolerance, and the largest error of all, in the unit of
  /// the tolerance: |got - expected| / (rms(expected) + |expected|), for
  /// integers |got - expected|. Infinity where only one is finite.
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
