//===- ExtremesTest.cpp - Minima and maxima that keep NaNs ----------------===//
//
// Whatever JoinNaNChecks.cpp makes of them.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace sched;
using namespace sched::testing;

namespace {

class ExtremesTest : public KernelTest {
protected:
  /// Extremes of `kRows` rows. Each of the first `kRows` columns has a NaN, in
  /// another place, of either sign.
  template <typename T>
  void check(llvm::StringRef type, llvm::StringRef op, llvm::StringRef body) {
    SCOPED_TRACE((op + " " + type + body).str());
    std::string reads;
    for (int row = 0; row != kRows; ++row)
      reads += llvm::formatv(R"(
  %k{0} = arith.constant {0} : index
  %x{0} = vector.transfer_read %a[%k{0}, %k0], %p {{in_bounds = [true]} : tensor<{1}x{2}x{3}>, vector<{2}x{3}>)",
                             row, kRows, kColumns, type)
                   .str();
    std::string computed = body.str();
    for (size_t at; (at = computed.find("OP")) != std::string::npos;)
      computed.replace(at, 2, ("arith." + op).str());
    for (size_t at; (at = computed.find("TYPE")) != std::string::npos;)
      computed.replace(at, 4,
                       llvm::formatv("vector<{0}x{1}>", kColumns, type).str());
    const std::string text =
        llvm::formatv(R"(
func.func @f(%a: tensor<{0}x{1}x{2}>) -> tensor<{1}x{2}> {{
  %p = arith.constant 0.0 : {2}{3}{4}
  %e = tensor.empty() : tensor<{1}x{2}>
  %r = vector.transfer_write %y, %e[%k0] {{in_bounds = [true]} : vector<{1}x{2}>, tensor<{1}x{2}>
  return %r : tensor<{1}x{2}>
}
)",
                      kRows, kColumns, type, reads, computed);
    const bool isMax = op == "maximumf";
    const T nan = std::numeric_limits<T>::quiet_NaN();
    Tensor<T> from(kRows * kColumns), to(kColumns);
    from.fill(3);
    for (int column = 0; column != kRows; ++column)
      from[column * kColumns + column] = column % 2 ? nan : -nan;
    run(text, /*threads=*/1, from, to);
    for (int column = 0; column != kColumns; ++column) {
      T expected = from[column];
      for (int row = 1; row != kRows; ++row) {
        const T next = from[row * kColumns + column];
        expected = isMax ? std::max(expected, next) : std::min(expected, next);
      }
      if (column < kRows)
        EXPECT_TRUE(std::isnan(to[column])) << column << ": " << to[column];
      else
        EXPECT_EQ(to[column], expected) << column;
    }
  }

  static constexpr int kRows = 5, kColumns = 16;
};

constexpr char kChain[] = R"(
  %c1 = OP %x0, %x1 : TYPE
  %c2 = OP %c1, %x2 : TYPE
  %c3 = OP %x3, %c2 : TYPE
  %y = OP %c3, %x4 : TYPE)";

constexpr char kTree[] = R"(
  %c1 = OP %x0, %x1 : TYPE
  %c2 = OP %x2, %x3 : TYPE
  %c3 = OP %c1, %c2 : TYPE
  %y = OP %x4, %c3 : TYPE)";

/// One of them is read twice.
constexpr char kShared[] = R"(
  %c1 = OP %x0, %x1 : TYPE
  %c2 = OP %c1, %x2 : TYPE
  %c3 = OP %c1, %x3 : TYPE
  %c4 = OP %c2, %c3 : TYPE
  %y = OP %c4, %x4 : TYPE)";

TEST_F(ExtremesTest, KeepNaNs) {
  for (llvm::StringRef body : {kChain, kTree, kShared})
    for (llvm::StringRef op : {"maximumf", "minimumf"}) {
      check<float>("f32", op, body);
      check<double>("f64", op, body);
    }
}

} // namespace
