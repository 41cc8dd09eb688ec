//===- CastTest.cpp - Casts that LLVM has no instruction for --------------===//

#include "KernelTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace sched;
using namespace sched::testing;

namespace {

class CastTest : public KernelTest {};

/// `count` elements of `from`, each cast to `to` by `op`.
std::string makeCast(int count, llvm::StringRef op, llvm::StringRef from,
                     llvm::StringRef to) {
  return llvm::formatv(R"(
func.func @f(%a: tensor<{0}x{2}>) -> tensor<{0}x{3}> {{
  %e = tensor.empty() : tensor<{0}x{3}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]} ins(%a : tensor<{0}x{2}>) outs(%e : tensor<{0}x{3}>) {{
  ^bb0(%x: {2}, %o: {3}):
    %y = {1} %x : {2} to {3}
    linalg.yield %y : {3}
  } -> tensor<{0}x{3}>
  return %r : tensor<{0}x{3}>
}
)",
                       count, op, from, to);
}

TEST_F(CastTest, DoublesAreRoundedOnceToBFloat) {
  const double infinity = std::numeric_limits<double>::infinity();
  // The last place of bf16 at 1 is 2^-7. What is less than half a place of f32
  // off the middle is rounded to the middle first, if rounded twice.
  const double middle = 1 + 0x1p-8;
  const double values[] = {middle,
                           middle + 0x1p-40,
                           middle - 0x1p-40,
                           -middle,
                           -middle - 0x1p-40,
                           1e300,
                           -infinity,
                           0.0};
  const uint16_t expected[] = {0x3f80, 0x3f81, 0x3f80, 0xbf80,
                               0xbf81, 0x7f80, 0xff80, 0x0000};
  Tensor<double> from(8);
  Tensor<uint16_t> to(8);
  for (size_t i = 0; i != 8; ++i)
    from[i] = values[i];
  const std::string object =
      compile(makeCast(8, "arith.truncf", "f64", "bf16"), getOptions(1));
  call(object, from, to);
  for (size_t i = 0; i != 8; ++i)
    EXPECT_EQ(to[i], expected[i]) << values[i];
  from[0] = std::numeric_limits<double>::quiet_NaN();
  call(object, from, to);
  // All of the exponent and some of the fraction.
  EXPECT_GT(to[0] & 0x7fff, 0x7f80);
}

TEST_F(CastTest, BFloatsWidenToDoubles) {
  Tensor<uint16_t> from(4);
  Tensor<double> to(4);
  const uint16_t values[] = {0x3f81, 0xc000, 0x0001, 0x7f80};
  for (size_t i = 0; i != 4; ++i)
    from[i] = values[i];
  run(makeCast(4, "arith.extf", "bf16", "f64"), /*threads=*/1, from, to);
  EXPECT_EQ(to[0], 1 + 0x1p-7);
  EXPECT_EQ(to[1], -2);
  EXPECT_EQ(to[2], 0x1p-133);
  EXPECT_EQ(to[3], std::numeric_limits<double>::infinity());
}

} // namespace
