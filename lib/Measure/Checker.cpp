//===- Checker.cpp - Are these results the expected ones? -----------------===//

#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/TensorData.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace sched {

double toleranceFor(ElementType type, int64_t reductionLength,
                    std::optional<ElementType> precision) {
  if (!isFloat(type))
    return 0;
  double length = static_cast<double>(std::max<int64_t>(1, reductionLength));
  double epsilon = machineEpsilon(type);
  if (precision)
    epsilon = std::max(epsilon, machineEpsilon(*precision));
  return kToleranceFactor * epsilon * std::sqrt(length);
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
    double error = std::fabs(g - e);
    if (error <= tolerance * (scale + std::fabs(e)) && std::isfinite(e)) {
      result.maxError = std::max(result.maxError, error);
      continue;
    }
    if (g == e || (std::isnan(g) && std::isnan(e)))
      continue;
    if (std::isnan(error))
      error = std::numeric_limits<double>::infinity();
    result.maxError = std::max(result.maxError, error);
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
      << spec.numElements() << " elements wrong, largest error "
      << format("%.3g", maxError) << ", tolerance "
      << format("%.3g", tolerance);
  return text;
}

} // namespace sched
