//===- Checker.cpp - Are these results the expected ones? -----------------===//

#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/TensorData.h"
#include "SchedOpt/Support/TensorFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace sched {

static bool isNarrow(ElementType type) {
  return isFloat(type) && byteSize(type) == 2;
}

/// Machine epsilon of the float type of 16 bits on the way to a result; 0
/// without one.
static double getNarrowEpsilon(const TensorSpec &spec) {
  double epsilon =
      isNarrow(spec.elementType) ? machineEpsilon(spec.elementType) : 0;
  if (spec.precision && isNarrow(*spec.precision))
    epsilon = std::max(epsilon, machineEpsilon(*spec.precision));
  return epsilon;
}

/// Machine epsilon of `type`, but at most f32's.
static double getWideEpsilon(ElementType type) {
  return machineEpsilon(isNarrow(type) ? ElementType::F32 : type);
}

static double rootOf(int64_t count) {
  return std::sqrt(static_cast<double>(std::max<int64_t>(1, count)));
}

/// Whether no bound on the roundings of a sum's order tells right from wrong,
/// and whole numbers have none.
static bool needsWholeNumbers(const TensorSpec &spec) {
  return spec.wholeFactors > 0 &&
         kNarrowSumFactor * getNarrowEpsilon(spec) * rootOf(spec.narrowLength) >
             kMostOfSum;
}

void thinOut(MutableArrayRef<TensorSpec> specs) {
  // Sums of more are not exact in bf16 above 256.
  constexpr double kOnes = 128;
  int64_t oneOf = 1;
  for (const TensorSpec &spec : specs) {
    if (!spec.isResult || !isFloat(spec.elementType))
      continue;
    if (!needsWholeNumbers(spec))
      return;
    oneOf = std::max<int64_t>(oneOf,
                              std::llround(std::pow(spec.narrowLength / kOnes,
                                                    1.0 / spec.wholeFactors)));
  }
  for (TensorSpec &spec : specs)
    if (!spec.isResult && isFloat(spec.elementType))
      spec.oneOf = oneOf;
}

double toleranceFor(const TensorSpec &spec) {
  if (!isFloat(spec.elementType))
    return 0;
  const double narrow = getNarrowEpsilon(spec);
  double wide = getWideEpsilon(spec.elementType);
  if (spec.precision)
    wide = std::max(wide, getWideEpsilon(*spec.precision));
  double tolerance = kToleranceFactor * wide * rootOf(spec.reductionLength);
  if (needsWholeNumbers(spec) && spec.deviation == 0)
    return tolerance + narrow / 4;
  tolerance += kNarrowFactor * narrow * rootOf(spec.narrowOps);
  if (spec.tensorFloatOps > 0)
    tolerance += kNarrowFactor * std::ldexp(1.0, -kTensorFloatBits) *
                 rootOf(spec.tensorFloatOps);
  if (spec.narrowLength > 0)
    tolerance +=
        std::max(kDeviationFactor * spec.deviation,
                 kNarrowSumFactor * narrow * rootOf(spec.narrowLength));
  return tolerance;
}

double guessDeviation(const TensorSpec &spec) {
  return spec.narrowLength > 0
             ? 4 * getNarrowEpsilon(spec) * rootOf(spec.narrowLength)
             : 0;
}

/// Root mean square over the finite elements.
template <typename Load> static double rms(int64_t count, Load load) {
  double sum = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i != count; ++i) {
    double value = load(i);
    if (!std::isfinite(value))
      continue;
    sum += value * value;
    ++finite;
  }
  return finite ? std::sqrt(sum / static_cast<double>(finite)) : 0;
}

/// The loop over the elements, for one way of reading them.
template <typename LoadGot, typename LoadExpected>
static Comparison compareWith(int64_t count, double tolerance, LoadGot got,
                              LoadExpected expected) {
  Comparison result;
  double scale = rms(count, expected);
  for (int64_t i = 0; i != count; ++i) {
    double g = got(i), e = expected(i);
    if (g == e || (std::isnan(g) && std::isnan(e)))
      continue;
    // Not 0 / 0, as the two differ and no longer are two infinities.
    double error = std::fabs(g - e) / (scale + std::fabs(e));
    if (!std::isfinite(g) || !std::isfinite(e))
      error = std::numeric_limits<double>::infinity();
    result.maxError = std::max(result.maxError, error);
    if (error <= tolerance)
      continue;
    if (result.numWrong++ == 0) {
      result.firstIndex = i;
      result.got = g;
      result.expected = e;
    }
  }
  result.agree = result.numWrong == 0;
  return result;
}

Comparison compare(const TensorSpec &spec, const void *got,
                   const void *expected, double tolerance) {
  int64_t count = spec.numElements();
  // Integers compare by their bytes: a double cannot hold every i64.
  if (!isFloat(spec.elementType)) {
    if (std::memcmp(got, expected, spec.numBytes()) == 0)
      return {};
    Comparison result;
    unsigned bytes = byteSize(spec.elementType);
    for (int64_t i = 0; i != count; ++i) {
      if (std::memcmp(static_cast<const char *>(got) + i * bytes,
                      static_cast<const char *>(expected) + i * bytes,
                      bytes) == 0)
        continue;
      double g = loadElement(spec, got, i), e = loadElement(spec, expected, i);
      result.maxError = std::max(result.maxError, std::fabs(g - e));
      if (result.numWrong++ == 0) {
        result.firstIndex = i;
        result.got = g;
        result.expected = e;
      }
    }
    result.agree = false;
    return result;
  }
  // The common type gets a loop without a switch in it.
  if (spec.elementType == ElementType::F32) {
    const float *g = static_cast<const float *>(got);
    const float *e = static_cast<const float *>(expected);
    return compareWith(
        count, tolerance, [g](int64_t i) { return double(g[i]); },
        [e](int64_t i) { return double(e[i]); });
  }
  return compareWith(
      count, tolerance, [&](int64_t i) { return loadElement(spec, got, i); },
      [&](int64_t i) { return loadElement(spec, expected, i); });
}

bool isFlip(const TensorSpec &spec, const Comparison &comparison) {
  return !isFloat(spec.elementType) && spec.precision &&
         static_cast<double>(comparison.numWrong) <=
             kFlipShare * static_cast<double>(spec.numElements());
}

double deviationOf(const TensorSpec &spec, const void *got,
                   const void *expected) {
  return compare(spec, got, expected, /*tolerance=*/0).maxError;
}

std::string Comparison::describe(const TensorSpec &spec,
                                 double tolerance) const {
  std::string text;
  raw_string_ostream out(text);
  SmallVector<int64_t> position(spec.shape.size());
  int64_t rest = firstIndex;
  for (size_t dim = spec.shape.size(); dim-- != 0;) {
    position[dim] = rest % spec.shape[dim];
    rest /= spec.shape[dim];
  }
  out << "element [";
  for (size_t dim = 0; dim != position.size(); ++dim)
    out << (dim ? ", " : "") << position[dim];
  out << "] of " << spec.str() << ": got " << format("%.9g", got)
      << ", expected " << format("%.9g", expected) << "; " << numWrong << " of "
      << spec.numElements() << " elements wrong, largest "
      << (isFloat(spec.elementType) ? "relative " : "") << "error "
      << format("%.3g", maxError) << ", tolerance "
      << format("%.3g", tolerance);
  return text;
}

} // namespace sched
