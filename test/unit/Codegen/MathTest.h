//===- MathTest.h - What tests of math functions have in common -*- C++ -*-===//
//
// A kernel of one function, over scalars or vectors, for the native processor
// and one without fused multiply-add, and its largest error against the C
// library's long double. Read next: MathTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_CODEGEN_MATHTEST_H
#define SCHEDOPT_TEST_UNIT_CODEGEN_MATHTEST_H

#include "KernelTest.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <functional>
#include <limits>

namespace sched::testing {

constexpr int kBlock = 1 << 14;

/// A loop over scalars, which LLVM vectorises, or one over vectors.
inline std::string getText(llvm::StringRef body, bool isVector,
                           unsigned arguments, llvm::StringRef type = "f32") {
  const std::string tensor =
      "tensor<" + std::to_string(kBlock) + "x" + type.str() + ">";
  std::string parameters = "%a: " + tensor, inputs = "%a", types = tensor;
  if (arguments == 2) {
    parameters += ", %b: " + tensor;
    inputs += ", %b";
    types += ", " + tensor;
  }
  std::string text = "func.func @f(" + parameters + ") -> " + tensor + " {\n" +
                     "  %e = tensor.empty() : " + tensor + "\n";
  if (!isVector) {
    const std::string map = "affine_map<(i) -> (i)>";
    text += "  %r = linalg.generic {indexing_maps = [" +
            (arguments == 2 ? map + ", " : "") + map + ", " + map +
            "], iterator_types = [\"parallel\"]} ins(" + inputs + " : " +
            types + ") outs(%e : " + tensor + ") {\n  ^bb0(%x: " + type.str() +
            (arguments == 2 ? ", %y: " + type.str() : "") +
            ", %o: " + type.str() + "):\n    %z = " + body.str() + " : " +
            type.str() + "\n    linalg.yield %z : " + type.str() + "\n  } -> " +
            tensor + "\n";
  } else {
    const std::string vector = "vector<2x16x" + type.str() + ">";
    const std::string row = "vector<32x" + type.str() + ">";
    text += "  %c0 = arith.constant 0 : index\n"
            "  %c32 = arith.constant 32 : index\n  %n = arith.constant " +
            std::to_string(kBlock) +
            " : index\n  %p = arith.constant 0.0 : " + type.str() +
            "\n  %r = scf.for %i = %c0 to %n step %c32 iter_args(%t = %e) -> " +
            tensor + " {\n";
    auto read = [&](llvm::StringRef from, llvm::StringRef to) {
      text += ("    %" + to + "1 = vector.transfer_read %" + from +
               "[%i], %p {in_bounds = [true]} : " + tensor + ", " + row +
               "\n    %" + to + " = vector.shape_cast %" + to + "1 : " + row +
               " to " + vector + "\n")
                  .str();
    };
    read("a", "x");
    if (arguments == 2)
      read("b", "y");
    text += "    %z = " + body.str() + " : " + vector +
            "\n    %z1 = vector.shape_cast %z : " + vector + " to " + row +
            "\n    %w = vector.transfer_write %z1, %t[%i] {in_bounds = [true]}"
            " : " +
            row + ", " + tensor + "\n    scf.yield %w : " + tensor + "\n  }\n";
  }
  return text + "  return %r : " + tensor + "\n}";
}

/// Units in the last place between `got` and the exact result; infinite where
/// one is a NaN, an infinity or a zero of a sign and the other is not.
template <typename T> double getError(T got, long double exact) {
  using Limits = std::numeric_limits<T>;
  const T nearest = static_cast<T>(exact);
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0 : Limits::infinity();
  if (std::isinf(got) || std::isinf(exact))
    return got == nearest ? 0 : Limits::infinity();
  if (exact == 0)
    return got == 0 && std::signbit(got) == std::signbit(exact)
               ? 0
               : Limits::infinity();
  int exponent;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) /
         std::ldexp(1.0L,
                    std::max(exponent, Limits::min_exponent) - Limits::digits);
}

inline std::vector<std::string> getSpecs() {
#if defined(__x86_64__)
  // Without fused multiply-add, too.
  return {"native", "cpu:mcpu=x86-64"};
#else
  return {"native"};
#endif
}

class MathFixture : public KernelTest {
protected:
  /// That no error is above `bound`; `arguments` has one list or two.
  template <typename T>
  void check(const char *name, bool isVector, const std::string &spec,
             llvm::ArrayRef<std::vector<T>> arguments,
             const std::function<long double(size_t)> &getExact, double bound) {
    const unsigned count = arguments.size();
    const std::string body =
        std::string("math.") + name + (count == 2 ? " %x, %y" : " %x");
    std::string object =
        compile(getText(body, isVector, count, sizeof(T) == 8 ? "f64" : "f32"),
                getOptions(1), spec);
    ASSERT_FALSE(object.empty());
    llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
    ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
    auto entry = library->lookup("f");
    ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());

    Tensor<T> a(kBlock), b(kBlock), result(kBlock);
    double worst = -1;
    size_t worstAt = 0;
    T worstValue = 0;
    const size_t total = arguments[0].size();
    for (size_t begin = 0; begin < total; begin += kBlock) {
      for (size_t i = 0; i != kBlock; ++i) {
        const size_t at = std::min(begin + i, total - 1);
        a[i] = arguments[0][at];
        b[i] = arguments[count - 1][at];
      }
      void *pointers[] = {a.data(), count == 2 ? b.data() : result.data(),
                          result.data()};
      (*entry)(pointers);
      for (size_t i = 0; i != kBlock && begin + i < total; ++i) {
        const double error = getError(result[i], getExact(begin + i));
        if (error > worst) {
          worst = error;
          worstAt = begin + i;
          worstValue = result[i];
        }
      }
    }
    EXPECT_LE(worst, bound)
        << name << (isVector ? " of vectors" : " of scalars") << " for " << spec
        << " at " << arguments[0][worstAt] << ", "
        << arguments[count - 1][worstAt] << ": " << worstValue << ", expected "
        << static_cast<double>(getExact(worstAt));
    RecordProperty(std::string(name) + (sizeof(T) == 8 ? "_f64" : "") +
                       (isVector ? "_vector_" : "_scalar_") +
                       (spec == "native" ? "native" : "base"),
                   std::to_string(worst));
  }
};

} // namespace sched::testing

#endif // SCHEDOPT_TEST_UNIT_CODEGEN_MATHTEST_H
